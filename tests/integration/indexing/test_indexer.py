"""Bringing a store in step with a vault when something is wrong with one note, or with most of them."""

import os
import shutil
import sys
import threading
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.indexing.prepare import PrepareContext, Skipped, prepare_many
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.indexing.vanished_notes import MANY
from scrubjay.daemon.vault.read import RawNote, ReadLimits
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.decisions import decide
from scrubjay.profiles.store.rows import FailureRow, NoteBundle, RedactionRow, Standing
from scrubjay.profiles.store.store import Store

PASSWORD = "-".join(("Gr8", "Heron", "Weir!42"))
CONTEXT = PrepareContext(b"k" * 32, BUILT_IN, lambda texts: [len(text.split()) for text in texts], 100)


@dataclass(slots=True)
class House:
    """A vault, a store and what keeps them in step."""

    root: Path
    store: Store
    prepare: Callable[[Sequence[RawNote], PrepareContext], list[NoteBundle | Skipped]] = prepare_many
    allow: tuple[str, ...] = (".",)
    exclude: tuple[str, ...] = ()
    limits: ReadLimits = field(default_factory=ReadLimits)

    @property
    def indexer(self) -> Indexer:
        vault = VaultFolder(id="0a1b2c3d", root=str(self.root), name="v", allow=self.allow, exclude=self.exclude)
        return Indexer([vault], self.store, CONTEXT, Progress(), self.limits, self.prepare)

    def write(self, *paths: str, text: str = "A heron stood.") -> None:
        for path in paths:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text, encoding="utf-8")

    def look(self, *, forget_missing: bool = False) -> None:
        self.indexer.reconcile(threading.Event(), forget_missing=forget_missing)

    def changed(self, *paths: str) -> None:
        self.indexer.refresh("0a1b2c3d", paths, threading.Event())

    def paths(self) -> set[str]:
        return set(self.store.read(reads.known_notes, "0a1b2c3d"))

    def problems(self) -> set[tuple[str, str]]:
        return {(row.path, row.code) for row in self.store.read(reads.failures)}


@pytest.fixture
def house(tmp_path: Path, store: Store) -> House:
    (tmp_path / "vault").mkdir()
    return House(tmp_path / "vault", store)


def _raises_for_bad(raws: Sequence[RawNote], context: PrepareContext) -> list[NoteBundle | Skipped]:
    if any(raw.path == "bad.md" for raw in raws):
        raise RuntimeError("a bug")
    return prepare_many(raws, context)


def _unstorable_for_bad(raws: Sequence[RawNote], context: PrepareContext) -> list[NoteBundle | Skipped]:
    def spoilt(bundle: NoteBundle | Skipped) -> NoteBundle | Skipped:
        if isinstance(bundle, NoteBundle) and bundle.note.path == "bad.md":
            return replace(bundle, note=replace(bundle.note, created_ns=2**63))
        return bundle

    return [spoilt(bundle) for bundle in prepare_many(raws, context)]


@pytest.mark.parametrize("prepare", [_raises_for_bad, _unstorable_for_bad])
def test_one_note_that_can_not_be_indexed_is_named_and_the_others_go_in(
    house: House, prepare: Callable[[Sequence[RawNote], PrepareContext], list[NoteBundle | Skipped]]
) -> None:
    house.write("a.md", "bad.md", "c.md")
    house.prepare = prepare
    house.look()
    assert house.paths() == {"a.md", "c.md"}
    assert house.problems() == {("bad.md", "unexpected")}
    house.prepare = prepare_many
    house.look()
    assert house.paths() == {"a.md", "bad.md", "c.md"}
    assert house.problems() == set()


@pytest.mark.parametrize("told", [["birds", "plants"], ["plants", "birds"]], ids=["old-first", "new-first"])
def test_an_allowed_folder_that_moved_into_another_is_there_once_in_whatever_parts_it_is_told(
    house: House, told: list[str]
) -> None:
    house.allow = ("birds", "plants")
    house.write("birds/heron.md", "birds/waders/plover.md", "plants/reed.md")
    house.look()
    (house.root / "birds").rename(house.root / "plants/birds")
    for part in told:
        house.changed(part)
    assert house.paths() == {"plants/birds/heron.md", "plants/birds/waders/plover.md", "plants/reed.md"}
    assert house.problems() == {("birds", "allowed-missing")}


def test_a_note_is_found_by_what_others_call_it_after_a_pass_that_was_stopped_at_its_end(house: House) -> None:
    house.write("Bird.md")
    house.write("Diary.md", text="Saw [[Bird|the fisherman]] again.")
    stop = threading.Event()

    def last(raws: Sequence[RawNote], context: PrepareContext) -> list[NoteBundle | Skipped]:
        stop.set()
        return prepare_many(raws, context)

    house.prepare = last
    house.indexer.reconcile(stop)
    house.look()
    found = house.store.lexical(LexicalQuery((Term("fisherman"),)), where=None, limit=10).hits
    views = house.store.read(reads.chunks, [hit.chunk_id for hit in found])
    assert {view.path for view in views.values()} == {"Bird.md", "Diary.md"}


def test_preparing_that_fails_for_every_note_is_not_blamed_on_the_notes(house: House) -> None:
    def broken(_raws: Sequence[RawNote], _context: PrepareContext) -> list[NoteBundle | Skipped]:
        raise OSError("no processes left")

    house.write("a.md", "b.md")
    house.prepare = broken
    with pytest.raises(OSError, match="no processes left"):
        house.look()
    assert house.problems() == set()


def test_what_can_not_be_read_is_named_without_the_credential_in_its_name(house: House) -> None:
    token = "ghp" + "_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6"
    house.limits = ReadLimits(max_bytes=10)
    house.write("kept.md", text="x")
    house.write(f"{token}.md", text="x" * 100)
    house.look()
    assert house.problems() == {("[REDACTED:github-token].md", "secret-in-name")}
    (house.root / f"{token}.md").unlink()
    house.changed(f"{token}.md")
    assert house.problems() == set()


def test_an_edit_that_leaves_size_and_date_as_they_were_is_noticed(house: House) -> None:
    house.write("a.md", text="heron")
    house.look()
    stats = (house.root / "a.md").stat()
    house.write("a.md", text="otter")
    os.utime(house.root / "a.md", ns=(stats.st_atime_ns, stats.st_mtime_ns))
    house.look()
    [known] = house.store.read(reads.known_notes, "0a1b2c3d").values()
    assert [chunk.text for chunk in house.store.read(reads.note_chunks, known.id)] == ["otter"]


def test_a_note_that_can_be_read_again_is_no_longer_named_though_its_bytes_are_the_same(house: House) -> None:
    house.write("a.md")
    house.look()
    with house.store.writing() as writer:
        writer.put_failure(FailureRow("0a1b2c3d", "a.md", "not-downloaded", "The note is in the cloud."))
    house.look()
    assert house.problems() == set()


def test_a_moved_note_that_could_not_be_read_at_first_is_no_longer_named_once_it_is_known_again(house: House) -> None:
    house.write("Old/a.md")
    house.look()
    (house.root / "Old").rename(house.root / "New")
    with house.store.writing() as writer:
        writer.put_failure(FailureRow("0a1b2c3d", "New/a.md", "no-permission", "Scrubjay may not read this note."))
    house.changed("Old", "New/a.md")
    assert (house.paths(), house.problems()) == ({"New/a.md"}, set())


@pytest.mark.parametrize("litter", [".obsidian", "lost+found"])
@pytest.mark.parametrize("live", [False, True])
def test_an_unmounted_vault_keeps_its_notes_whatever_is_left_in_its_folder(
    house: House, litter: str, live: bool
) -> None:
    house.write("a.md", "b.md")
    house.look()
    digests = {note.id: note.digest for note in house.store.read(reads.known_notes, "0a1b2c3d").values()}
    house.root.rename(house.root.with_name("away"))
    (house.root / litter).mkdir(parents=True)
    house.changed("a.md") if live else house.look()
    assert house.paths() == {"a.md", "b.md"}
    assert house.problems() == {(".", "vault-empty")}
    shutil.rmtree(house.root)
    house.root.with_name("away").rename(house.root)
    house.changed("") if live else house.look()
    assert {note.id: note.digest for note in house.store.read(reads.known_notes, "0a1b2c3d").values()} == digests
    assert house.problems() == set()


@pytest.mark.parametrize("litter", [[], [".obsidian"]], ids=["gone", "empty"])
def test_what_was_deleted_just_before_a_vault_went_away_is_forgotten_at_the_first_change_after_its_return(
    house: House, litter: list[str]
) -> None:
    house.write("a.md", "b.md", "c.md")
    house.look()
    (house.root / "a.md").unlink()
    house.root.rename(house.root.with_name("away"))
    for name in litter:
        (house.root / name).mkdir(parents=True)
    house.changed("a.md")  # that is gone, as is everything: this says nothing
    assert house.paths() == {"a.md", "b.md", "c.md"}
    shutil.rmtree(house.root, ignore_errors=True)
    house.root.with_name("away").rename(house.root)
    house.changed("b.md")
    assert (house.paths(), house.problems()) == ({"b.md", "c.md"}, set())


def test_all_notes_deleted_are_forgotten_once_somebody_says_so(house: House) -> None:
    house.write(".obsidian/workspace.json")
    house.look()
    assert house.problems() == set(), "a new vault without a note is nothing to report"
    house.write("a.md")
    house.look()
    (house.root / "a.md").unlink()
    house.look()
    assert house.paths() == {"a.md"}
    house.look(forget_missing=True)
    assert (house.paths(), house.problems()) == (set(), set())


@pytest.mark.parametrize("live", [False, True])
def test_most_of_many_notes_gone_at_once_stay_until_somebody_says_so(house: House, live: bool) -> None:
    many = [f"note {number}.md" for number in range(MANY)]
    house.write("kept.md", *many)
    house.look()
    for path in many:
        (house.root / path).unlink()
    house.changed(*many) if live else house.look()
    assert house.paths() == {"kept.md", *many}
    assert house.problems() == {(".", "notes-missing")}
    house.write(*[f"new {number}.md" for number in range(2 * MANY)])
    house.look()
    assert set(many) <= house.paths(), "new notes do not make the old ones forgotten"
    house.look(forget_missing=True)
    assert not house.paths() & set(many)
    assert house.problems() == set()


def test_notes_that_are_back_are_no_longer_missing_and_one_less_are_forgotten_at_once(house: House) -> None:
    many = [f"Work/note {number}.md" for number in range(MANY)]
    house.write("kept.md", *many)
    house.look()
    (house.root / "Work").rename(house.root.with_name("elsewhere"))
    house.look()
    house.root.with_name("elsewhere").rename(house.root / "Work")
    house.changed("Work")
    assert (house.paths(), house.problems()) == ({"kept.md", *many}, set())
    for path in many[1:]:
        (house.root / path).unlink()
    house.look()
    assert (house.paths(), house.problems()) == ({"kept.md", many[0]}, set())


def test_a_problem_of_a_file_whose_name_holds_a_credential_goes_with_the_file(house: House, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("not the vault's")
    house.write("kept.md")
    link = house.root / ("ghp" + "_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6.md")
    link.symlink_to(tmp_path / "outside.md")
    house.look()
    assert house.problems() == {("[REDACTED:github-token].md", "link-outside")}
    link.unlink()
    house.changed(link.name)
    assert house.problems() == set()


@pytest.mark.skipif(sys.platform != "linux", reason="needs names that differ in case alone")
def test_what_is_left_out_stays_so_when_a_folder_of_another_case_is_deleted(house: House) -> None:
    house.write("work/binary.md", text="\0\0")
    house.write("Work/other.md")
    house.look()
    assert house.problems() == {("work/binary.md", "binary")}
    shutil.rmtree(house.root / "Work")
    house.changed("Work")
    assert house.problems() == {("work/binary.md", "binary")}


def test_a_note_that_is_deleted_while_others_are_missing_is_forgotten(house: House) -> None:
    many = [f"Work/note {number}.md" for number in range(MANY)]
    house.write("kept.md", "deleted.md", *many)
    house.look()
    (house.root / "Work").rename(house.root.with_name("elsewhere"))
    house.look()
    (house.root / "deleted.md").unlink()
    house.changed("deleted.md")
    assert house.paths() == {"kept.md", *many}
    assert house.problems() == {(".", "notes-missing")}


def test_what_was_deleted_while_most_notes_were_away_is_forgotten_once_they_are_back(house: House) -> None:
    many = [f"Work/note {number}.md" for number in range(2 * MANY)]
    house.write("kept.md", *many)
    house.look()
    (house.root / "Work").rename(house.root.with_name("elsewhere"))
    house.look()
    house.root.with_name("elsewhere").rename(house.root / "Elsewhere")
    (house.root / "Elsewhere/note 0.md").unlink()
    house.changed("Work", "Elsewhere")
    moved = {path.replace("Work", "Elsewhere") for path in many[1:]}
    assert (house.paths(), house.problems()) == ({"kept.md", *moved}, set())


def test_a_folder_that_most_notes_lie_in_can_be_renamed(house: House) -> None:
    many = [f"Work/note {number}.md" for number in range(MANY)]
    house.write("kept.md", *many)
    house.look()
    (house.root / "Work").rename(house.root / "Done")
    house.look()
    assert house.paths() == {"kept.md", *(path.replace("Work", "Done") for path in many)}
    assert house.problems() == set()


def test_what_is_excluded_goes_though_its_drive_is_away(house: House) -> None:
    house.write("Work/a.md", "b.md")
    house.look()
    shutil.rmtree(house.root)
    house.exclude = ("Work",)
    house.look()
    assert house.paths() == {"b.md"}


def test_two_notes_whose_names_differ_in_their_unicode_form_are_both_found(house: House) -> None:
    names = ("Café.md", unicodedata.normalize("NFD", "Café.md"))
    house.write(*names)
    if len(list(house.root.iterdir())) < 2:
        pytest.skip("this file system takes them for one")
    house.look()
    assert (house.paths(), house.problems()) == (set(names), set())
    (house.root / names[0]).unlink()
    house.changed(names[0])
    assert house.paths() == {names[0]}, "the other one goes by the composed name now"


def test_a_decision_made_while_its_note_is_being_read_holds_and_so_does_what_became_of_the_note(house: House) -> None:
    house.write("Router.md", text=f"It blinks.\n\npassword: {PASSWORD}\n")
    house.write("Other.md")
    house.look()
    [found] = house.store.read(reads.redactions)
    digests = {each.digest for each in house.indexer.credentials_in("0a1b2c3d", "Router.md")}
    made: list[Standing] = ["open", "allowed"]

    def decided_meanwhile(raws: Sequence[RawNote], context: PrepareContext) -> list[NoteBundle | Skipped]:
        prepared = prepare_many(raws, context)
        if made:
            row = RedactionRow(found.rule, 5, found.column, found.length, standing=made[-1])
            decide(house.store, "0a1b2c3d", "Router.md", digests, made.pop(), [row])
        return prepared

    decide(house.store, "0a1b2c3d", "Router.md", digests, "done", [])
    house.write("Router.md", text=f"It blinks.\n\nRed.\n\npassword: {PASSWORD}\n")
    house.prepare = decided_meanwhile
    house.changed("Router.md", "Other.md")
    [after] = house.store.read(reads.redactions)
    assert (made, after.standing, after.line) == ([], "open", 5)
    held = LexicalQuery((Term("red"),))
    assert len(house.store.lexical(held, where=None, limit=10).hits) == 1


def test_what_prepares_notes_is_let_go_of_once_many_are_read_and_not_after_an_edit(house: House) -> None:
    let_go: list[int] = []
    vault = VaultFolder(id="0a1b2c3d", root=str(house.root), name="v", allow=(".",))
    indexer = Indexer(
        [vault], house.store, CONTEXT, Progress(), ReadLimits(), let_go=lambda: let_go.append(len(house.paths()))
    )
    house.write(*(f"{number}.md" for number in range(520)))
    indexer.reconcile(threading.Event())
    assert let_go == [520]
    house.write("1.md", text="An otter.")
    indexer.reconcile(threading.Event())
    assert let_go == [520]
