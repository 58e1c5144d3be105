"""Several machines that have copies of a vault, and one team's profile: one of them writes a note at a time."""

import os
import threading
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.indexing.prepare import PrepareContext
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.vault.read import ReadLimits
from scrubjay.profiles.errors import StoreTooNew
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.search.meaning.vectors import vectors_of
from scrubjay.profiles.search.words.analysis import ANALYSED_BY, ANALYSIS_VERSION
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import FailureRow
from scrubjay.profiles.store.statements import generation_of
from scrubjay.profiles.team.team_store import TeamStore
from tests.helpers.team_server import TeamDatabase

VAULT = "0a1b2c3d"
HOUR, DAY = 3_600, 86_400
CONTEXT = PrepareContext(b"k" * 32, BUILT_IN, lambda texts: [len(text.split()) for text in texts], 100)


@dataclass(slots=True)
class Machine:
    """One of them, with a copy of the vault."""

    name: str
    root: Path
    store: TeamStore
    database: TeamDatabase
    context: PrepareContext = CONTEXT
    allow: tuple[str, ...] = (".",)
    exclude: tuple[str, ...] = ()
    has_vault: bool = True
    written: list[str] = field(default_factory=list[str])

    def indexer(self) -> Indexer:
        folder = VaultFolder(id=VAULT, root=str(self.root), name="v", allow=self.allow, exclude=self.exclude)
        vaults = [folder] if self.has_vault else []
        return Indexer(vaults, self.store, self.context, Progress(), ReadLimits())

    def look(self, *, forget_missing: bool = False) -> None:
        self.indexer().reconcile(threading.Event(), forget_missing=forget_missing)

    def write(self, path: str, text: str, at: float) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        os.utime(file, (at, at))

    def gone_for(self, seconds: float) -> None:
        """It was last seen so long ago."""
        with self.database.as_owner(profile=self.database.profile) as owner:
            sql = "UPDATE machine SET seen_at = now() - make_interval(secs => %s) WHERE id = %s"
            assert owner.execute(sql, (seconds, self.name)).rowcount == 1

    def starts_again(self) -> None:
        self.store.close()
        self.store = _open(self.database, self.store.path, self.name)

    def texts(self) -> dict[str, str]:
        """What all find, by path."""
        known = self.store.read(reads.known_notes, VAULT)
        return {
            path: "\n".join(c.text for c in self.store.read(reads.note_chunks, note.id)) for path, note in known.items()
        }

    def owners(self) -> dict[str, str]:
        with self.database.as_owner(profile=self.database.profile) as owner:
            return dict(owner.execute("SELECT path, machine FROM note_lease").fetchall())

    def generation(self) -> int:
        return self.store.read(generation_of)


@pytest.fixture
def machines(team_database: TeamDatabase, tmp_path: Path) -> Generator[tuple[Machine, Machine]]:
    made = [_machine(team_database, tmp_path, name) for name in ("anna", "ben")]
    yield made[0], made[1]
    for each in made:
        each.store.close()


def _machine(database: TeamDatabase, folder: Path, name: str) -> Machine:
    root = folder / name
    root.mkdir()
    path = folder / f"{name}.sqlite3"
    return Machine(name, root, _open(database, path, name), database)


def _open(database: TeamDatabase, path: Path, name: str) -> TeamStore:
    return TeamStore.open(path, database.owner, database.owner_password, database.profile, machine=name)


def test_a_note_that_the_server_refuses_keeps_no_other_out(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    letters = "".join(chr(0x4E00 + (number * 7919) % 20_000) for number in range(4_000))
    anna.write("a.md", "A heron.", 100)
    anna.write("odd.md", f"---\naliases: [{letters}]\n---\nAn otter.", 90)
    anna.write("b.md", "A weir.", 80)
    anna.look()
    assert {"a.md", "b.md"} <= ben.texts().keys()
    left = {failure.path for failure in anna.store.read(reads.failures)}
    assert left == {"odd.md"} - ben.texts().keys()


def test_who_comes_second_finds_the_notes_there_and_writes_nothing(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    for each, at in ((anna, 100), (ben, 90)):
        each.write("a.md", "A heron.", at)
        each.write("b.md", "An otter.", at)
    anna.look()
    before = anna.generation()
    ben.look()
    ben.look()
    assert ben.texts() == {"a.md": "A heron.", "b.md": "An otter."}
    assert ben.owners() == {"a.md": "anna", "b.md": "anna"}
    assert ben.generation() == before


def test_same_bytes_with_a_later_date_are_compared_once_and_not_written(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    anna.write("a.md", "A heron.", 100)
    ben.write("a.md", "A heron.", 200)
    anna.look()
    indexer = ben.indexer()
    indexer.reconcile(threading.Event())
    before = anna.generation()
    indexer.reconcile(threading.Event())
    assert (anna.generation(), anna.owners()) == (before, {"a.md": "anna"})
    assert anna.store.read(reads.known_notes, VAULT)["a.md"].mtime_ns == 100 * 10**9


def test_a_newer_edit_elsewhere_takes_the_note_and_an_old_copy_does_not(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    anna.write("a.md", "A heron.", 100)
    anna.write("b.md", "An otter.", 100)
    anna.look()
    ben.write("a.md", "Two herons.", 200)
    ben.write("b.md", "No otter.", 50)
    ben.look()
    assert ben.texts() == {"a.md": "Two herons.", "b.md": "An otter."}
    assert ben.owners() == {"a.md": "ben", "b.md": "anna"}
    anna.look()
    anna.look()
    assert anna.texts() == {"a.md": "Two herons.", "b.md": "An otter."}


def test_its_owner_may_put_an_older_version_back_and_nobody_s_copy_undoes_that(
    machines: tuple[Machine, Machine],
) -> None:
    anna, ben = machines
    for each in machines:
        each.write("a.md", "A heron stood.", 100)
    anna.look()
    anna.write("a.md", "An older heron.", 50)
    anna.look()
    ben.look()
    assert (ben.texts(), ben.owners()) == ({"a.md": "An older heron."}, {"a.md": "anna"})


def test_a_note_that_its_owner_deleted_is_not_brought_back_by_a_copy_of_it(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    for each, at in ((anna, 100), (ben, 300)):
        for path in ("a.md", "b.md"):
            each.write(path, f"A heron in {path}.", at)
    anna.look()
    (anna.root / "a.md").unlink()
    anna.look()
    ben.look()
    assert set(ben.texts()) == {"b.md"}
    ben.write("a.md", "Another heron.", 200)
    ben.look()
    assert ben.texts()["a.md"] == "Another heron."


def test_a_note_that_was_put_back_where_it_was_deleted_is_found_again(machines: tuple[Machine, Machine]) -> None:
    anna, _ = machines
    for path in ("a.md", "b.md"):
        anna.write(path, "A heron.", 100)
    anna.look()
    (anna.root / "a.md").unlink()
    anna.look()
    assert set(anna.texts()) == {"b.md"}
    anna.write("a.md", "A heron.", 100)
    anna.look()
    assert set(anna.texts()) == {"a.md", "b.md"}


def test_what_another_machine_does_not_have_stays(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    anna.write("a.md", "A heron.", 100)
    ben.write("b.md", "An otter.", 100)
    anna.look()
    ben.look()
    anna.look()
    ben.look()
    assert set(ben.texts()) == {"a.md", "b.md"}
    anna.gone_for(30 * DAY)
    ben.look()
    assert set(ben.texts()) == {"a.md", "b.md"}
    ben.look(forget_missing=True)
    assert set(ben.texts()) == {"b.md"}


def test_what_is_excluded_on_one_machine_goes_and_another_that_allows_it_brings_it_back(
    machines: tuple[Machine, Machine],
) -> None:
    anna, ben = machines
    for each in machines:
        each.write("a.md", "A heron.", 100)
        each.write("Private/b.md", "An otter.", 100)
    anna.look()
    anna.exclude = ("Private",)
    anna.look()
    assert set(anna.texts()) == {"a.md"}
    ben.look()
    anna.look()
    assert set(anna.texts()) == {"a.md", "Private/b.md"}
    assert anna.owners() == {"a.md": "anna", "Private/b.md": "ben"}


def test_a_vault_that_one_machine_gives_up_is_taken_over_by_the_next(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    for each in machines:
        each.write("a.md", "A heron.", 100)
    anna.look()
    ben.has_vault = False
    ben.look()
    assert set(ben.texts()) == {"a.md"}
    anna.has_vault = False
    anna.look()
    assert anna.texts() == {}
    ben.has_vault = True
    ben.look()
    assert ben.owners() == {"a.md": "ben"}


@pytest.mark.parametrize(
    ("seconds", "mine", "owner", "text"),
    [
        pytest.param(60, "A heron.", "anna", "A heron.", id="its machine lives"),
        pytest.param(HOUR, "A heron.", "ben", "A heron.", id="away, and the bytes are the same"),
        pytest.param(HOUR, "Old.", "anna", "A heron.", id="away, and this copy is an old one"),
        pytest.param(8 * DAY, "Old.", "ben", "Old.", id="not waited for any more"),
    ],
)
def test_notes_of_a_machine_that_is_away_are_taken_over(
    machines: tuple[Machine, Machine], seconds: float, mine: str, owner: str, text: str
) -> None:
    anna, ben = machines
    anna.write("a.md", "A heron.", 100)
    anna.look()
    ben.write("a.md", mine, 60)
    anna.gone_for(seconds)
    ben.look()
    ben.look()
    assert (ben.owners(), ben.texts()) == ({"a.md": owner}, {"a.md": text})
    anna.starts_again()
    anna.look()
    ben.look()
    assert (ben.owners(), ben.texts()) == ({"a.md": owner}, {"a.md": text})


def test_a_note_that_was_taken_over_is_forgotten_with_its_file(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    for each in machines:
        each.write("a.md", "A heron.", 100)
        each.write("b.md", "A heron.", 100)
    anna.look()
    anna.gone_for(HOUR)
    ben.look()
    (ben.root / "a.md").unlink()
    ben.look()
    assert set(ben.texts()) == {"b.md"}
    anna.look()
    assert set(anna.texts()) == {"b.md"}


def test_programs_of_two_versions_do_not_prepare_each_other_s_notes_again(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    ben.context = replace(CONTEXT, tokenizer="another")
    for each in machines:
        each.write("a.md", "A heron.", 100)
    anna.look()
    before = anna.generation()
    ben.look()
    assert anna.generation() == before
    anna.gone_for(HOUR)
    ben.look()
    ben.look()
    [note] = anna.store.read(reads.known_notes, VAULT).values()
    assert (anna.owners(), note.fingerprint) == ({"a.md": "ben"}, CONTEXT.fingerprint)
    ben.context = replace(CONTEXT, tokenizer="a third one")
    ben.look()
    [note] = anna.store.read(reads.known_notes, VAULT).values()
    assert note.fingerprint == ben.context.fingerprint
    after = anna.generation()
    ben.look()
    anna.look()
    assert anna.generation() == after


def test_a_moved_note_leaves_no_copy_that_others_could_bring_back(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    for each in machines:
        each.write("Old/a.md", "A heron.", 100)
        each.write("b.md", "An otter.", 100)
    anna.look()
    [before] = [note.id for path, note in anna.store.read(reads.known_notes, VAULT).items() if path == "Old/a.md"]
    (anna.root / "Old").rename(anna.root / "New")
    anna.look()
    ben.look()
    assert set(ben.texts()) == {"New/a.md", "b.md"}
    assert ben.store.read(reads.known_notes, VAULT)["New/a.md"].id == before
    (ben.root / "Old").rename(ben.root / "New")
    ben.look()
    assert ben.owners() == {"New/a.md": "anna", "b.md": "anna"}


def test_one_of_two_who_come_upon_a_new_note_at_once_writes_it(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    for each in machines:
        for number in range(30):
            each.write(f"{number}.md", f"Heron {number}.", 100)
    threads = [threading.Thread(target=each.look) for each in machines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(anna.texts()) == len(anna.owners()) == 30
    before = anna.generation()
    anna.look()
    ben.look()
    assert anna.generation() == before


def test_what_one_machine_can_not_read_says_nothing_about_another_s_file(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    row = FailureRow(VAULT, "a.md", "no-permission", "Scrubjay may not read this note.")
    with anna.store.writing() as writer:
        writer.put_failure(row)
        writer.put_failure(row)
    assert (anna.store.read(reads.failures), ben.store.read(reads.failures)) == ((row,), ())
    assert (anna.store.counts().failures, ben.store.counts().failures) == (1, 0)
    with ben.store.writing() as writer:
        writer.clear_failure(VAULT, "a.md")
    assert anna.store.read(reads.failures) == (row,)


def test_what_is_remembered_of_one_machine_s_disk_is_not_another_s(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    anna.store.set_own_meta("drives:0a1b2c3d", "[]")
    assert (anna.store.own_meta("drives:0a1b2c3d"), ben.store.own_meta("drives:0a1b2c3d")) == ("[]", None)


def test_a_program_that_analyses_words_as_of_old_writes_none(machines: tuple[Machine, Machine]) -> None:
    anna, _ = machines
    anna.store.set_meta(ANALYSED_BY, str(ANALYSIS_VERSION + 1))
    anna.write("a.md", "A heron.", 100)
    with pytest.raises(StoreTooNew, match="Scrubjay is newer"):
        anna.look()
    assert anna.texts() == {}


def test_machines_with_different_models_do_not_change_it_in_turns(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    anna.write("a.md", "A heron.", 100)
    anna.look()
    assert (anna.store.pending_count("one"), ben.store.pending_count("two")) == (1, 0)
    before = anna.generation()
    for each, model in ((anna, "one"), (ben, "two")) * 2:
        each.starts_again()
        assert each.store.pending_count(model) == (1 if each is anna else 0)
    assert ben.store.pending_embeddings("two", 10) == []
    assert anna.generation() == before
    assert ben.store.pending_count("three") == 1
    assert (anna.store.pending_count("one"), anna.store.pending_count("three")) == (0, 1)


def test_vectors_of_the_model_in_use_stay_when_another_machine_is_done_with_its_own(
    machines: tuple[Machine, Machine],
) -> None:
    anna, ben = machines
    anna.write("a.md", "A heron.", 100)
    anna.look()
    [waiting] = anna.store.pending_embeddings("one", 10)
    with anna.store.writing() as writer:
        writer.put_embeddings("one", [waiting.digest], np.ones((1, 384), np.float32) / np.sqrt(384, dtype=np.float32))
    with ben.store.writing() as writer:
        writer.forget_other_models("two")
    assert set(anna.store.read(vectors_of, [waiting.digest])) == {waiting.digest}
