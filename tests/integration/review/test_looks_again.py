"""A look of the review works out anew what has changed alone, and finds what one finds that works out everything."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.daemon.links.link_graph import GraphCache, read_graph
from scrubjay.daemon.review import memos
from scrubjay.daemon.review.look import look
from scrubjay.daemon.review.looker import Looker
from scrubjay.daemon.review.proposal import KINDS, Kind
from scrubjay.daemon.review.proposals_found import Reviews
from scrubjay.daemon.review.steps import Found, Harmed, Vaults
from scrubjay.profiles.store import note_texts
from scrubjay.profiles.store.annotations import Why
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.near_copies import FoundPairs, MadeSketches, Stamp, note_stamps
from scrubjay.profiles.store.note_texts import StoredNote, StoredPassage, stored_notes
from scrubjay.profiles.store.proposals import ProposalRow
from scrubjay.profiles.store.review_memos import MadeMemos, Memo, memos_of
from scrubjay.profiles.store.rows import NoteMove
from scrubjay.profiles.store.store import Store
from tests.helpers.review_notes import VAULT, VAULT_ID, put
from tests.helpers.stores import NewStore

VAULTS = Vaults({VAULT_ID: VAULT, "vault001": "Work"}, {})
NOW = time.time_ns()
Rows = list[tuple[ProposalRow, Mapping[int, Stamp]]]

NAMES = (
    *("Marabou stork", "Marabou storks", "Grey heron", "Gray heron", "Weir below the mill", "Eel ladder", "Eel"),
    *("Bittern", "Night heron", "Herons of the weir", "Kingfisher", "River survey"),
)
TARGETS = (*NAMES, "Marabou storck", "Grey herron", "Wier below the mill", "Eel lader", "birds/Bitern", "Otter")
FOLDERS = ("", "birds/", "birds/old/", "water/")
PARAGRAPHS = tuple(
    " ".join(f"{start}{number} {word}" for number, word in enumerate(("heron", "weir", "eel", "mill", "dusk") * 6))
    for start in "abcd"
)


def text_of(rng: Random) -> str:
    """A note with links, names, headings, aliases and paragraphs, some of which others have, too."""
    lines: list[str] = []
    if rng.random() < 0.4:
        lines += ["---", f"aliases: [{rng.choice(NAMES)}]", "---"]
    if rng.random() < 0.5:
        lines.append(f"# {rng.choice(NAMES)} seen {rng.choice(('at dusk', 'by day'))}")
    for _ in range(rng.randrange(5)):
        name, target = rng.choice(NAMES), rng.choice(TARGETS)
        lines.append(
            rng.choice(
                (
                    f"We saw the {name} there, and the {rng.choice(NAMES)}.",
                    f"See [[{target}]] and [[{rng.choice(TARGETS)}]].",
                    f"The [[{target}|{name.lower()} of old]] came, and a {name.lower()} of old.",
                    f"- {target} and {target}",
                )
            )
        )
    for paragraph in rng.sample(PARAGRAPHS, rng.choice((0, 1, 2))):
        lines += ["", paragraph.replace("dusk", rng.choice(("dusk", "dusk", "noon")), 1), ""]
    return "\n".join(lines)


def change(store: Store, rng: Random) -> str:
    """Change something; what."""
    notes = stored_notes(store)
    what = rng.choice(("edit", "edit", "edit", "add", "add", "rename", "move", "forget", "exclude", "cut"))
    if what == "add" or len(notes) < 4:
        path = f"{rng.choice(FOLDERS)}{rng.choice(NAMES)}.md"
        put(store, {path: text_of(rng)}, rng.choice((VAULT_ID, VAULT_ID, "vault001")))
        return what
    note = rng.choice(notes)
    folder, _, name = note.path.rpartition("/")
    taken = {(each.vault, each.path) for each in notes}
    if what == "edit":
        put(store, {note.path: text_of(rng)}, note.vault)
    elif what == "cut":
        put(store, {note.path: text_of(rng)}, note.vault, longest=rng.choice((30, 60)))
    elif what == "move" and (note.vault, path := f"{rng.choice(FOLDERS)}{name}") not in taken:
        with store.writing() as writer:
            writer.move_notes([NoteMove(note.note_id, path, 2)])
    elif what == "rename" and (note.vault, path := f"{folder}/{rng.choice(NAMES)}.md".lstrip("/")) not in taken:
        passages = [each.text for _, several in note_texts.passages_of(store, [note.note_id]) for each in several]
        with store.writing() as writer:
            writer.forget_notes([note.note_id])
        put(store, {path: "\n\n".join(passages)}, note.vault)
    elif what in ("forget", "exclude"):
        with store.writing() as writer:
            writer.forget_notes([note.note_id], "gone" if what == "forget" else "excluded")
    return what


def found(store: Store) -> Rows:
    """What a look finds; what it has to be kept, is."""
    rows: Rows = []
    steps = look(store, read_graph, VAULTS, NOW)
    for step in steps_kept(store, steps):
        assert not isinstance(step, Harmed), step.error
        if isinstance(step, Found):
            rows += step.rows
    return rows


def steps_kept(store: Store, steps: Iterator[object]) -> Iterator[object]:
    for step in steps:
        if isinstance(step, MadeMemos | MadeSketches | FoundPairs):
            with store.writing() as writer:
                step.put(writer.connection)
        yield step


def nothing_known(_store: Store, _part: str, _note_ids: Sequence[int]) -> dict[int, Memo]:
    return {}


def found_anew(store: Store) -> Rows:
    """What a look finds that works out everything; nothing that it works out is kept."""
    rows: Rows = []
    with pytest.MonkeyPatch.context() as patching:
        patching.setattr(memos, "memos_of", nothing_known)
        for step in look(store, read_graph, VAULTS, NOW):
            rows += step.rows if isinstance(step, Found) else ()
    return rows


def history(seed: int, changes: int) -> Iterator[tuple[Rows, Rows]]:
    """What is found after each of some changes, by a look that knows those before, and by one that does not."""
    rng = Random(seed)
    with TemporaryDirectory() as folder, closing(FileStore.open(Path(folder) / "index.sqlite3")) as store:
        for _ in range(16):
            change(store, rng)
        for _ in range(changes):
            yield found(store), found_anew(store)
            for _ in range(rng.choice((1, 1, 2))):
                change(store, rng)


@given(st.integers(0, 2**32))
@settings(max_examples=10)
def test_a_look_finds_after_any_changes_what_one_finds_that_works_out_everything(seed: int) -> None:
    for known, anew in history(seed, 4):
        assert known == anew


CHANGES: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]] = {
    "a name that comes is the nearest to what a note links to": (
        {"Weir.md": "See [[Eel lader]]."},
        {"Eel ladder.md": "It climbs."},
    ),
    "a heading is a note's former name": (
        {"Weir.md": "See [[Eel ladder below]].", "Fish pass.md": "It climbs."},
        {"Fish pass.md": "# Eel ladder below\n\nIt climbs."},
    ),
    "the first of the links to a target stands in another note": (
        {
            "A.md": "It climbs.",
            "C.md": "See [[Eel lader]] and [[Grey herron]].",
            "Eel ladder.md": "",
            "Grey heron.md": "",
        },
        {"A.md": "See [[Grey herron]]."},
    ),
    "an alias is what another note says": (
        {"Weir.md": "We saw the Night heron there.", "Bird.md": "It stands."},
        {"Bird.md": "---\naliases: [Night heron]\n---\nIt stands."},
    ),
    "another note is meant by what links usually show": (
        {
            "A.md": "This is the grey one of old.",
            "B.md": "It stands.",
            **{f"{number}.md": "See [[A|grey one of old]]." for number in range(3)},
        },
        {f"{number}.md": "See [[B|grey one of old]]." for number in range(3)},
    ),
    "a paragraph comes to stand in another note": (
        {"A.md": f"It is here.\n\n{PARAGRAPHS[0]}", "B.md": f"It stands there.\n\n{PARAGRAPHS[1]}"},
        {"B.md": f"It stands there.\n\n{PARAGRAPHS[1]}\n\n{PARAGRAPHS[0]}"},
    ),
}


@pytest.mark.parametrize(("before", "after"), CHANGES.values(), ids=CHANGES)
def test_what_a_change_leads_to_in_notes_that_are_as_they_were_is_found(
    new_store: NewStore, before: Mapping[str, str], after: Mapping[str, str]
) -> None:
    store = new_store()
    put(store, before)
    first = found(store)
    put(store, after)
    known, anew = found(store), found_anew(store)
    assert known == anew
    assert {row.key for row, _ in anew} - {row.key for row, _ in first}


def test_such_histories_have_proposals_of_each_kind_that_is_remembered() -> None:
    kinds: Counter[Kind] = Counter()
    shared = 0
    for seed in range(4):
        for rows, _ in history(seed, 2):
            kinds.update(KINDS[row.kind] for row, _ in rows)
            shared += sum(KINDS[row.kind] == "near-copy" and row.strength < 0.51 for row, _ in rows)
    assert min(kinds["broken-link"], kinds["missing-link"], shared) > 3, kinds


NOTES = {
    "Grey heron.md": f"It stands at the weir.\n\n{PARAGRAPHS[0]}",
    "Mill.md": f"We saw the Grey heron there, and [[Gray herron]].\n\n{PARAGRAPHS[0]} and more",
    "Weir.md": "We saw the Night heron there.",
    "Eel ladder.md": "It climbs.",
}


def test_of_notes_that_are_as_they_were_no_text_is_read_again_but_of_those_that_something_is_proposed_of(
    new_store: NewStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, read = new_store(), list[int]()
    notes = NOTES | {f"{number}.md": f"See [[Weir]] and [[Mill]], and {number}." for number in range(30)}
    put(store, notes)

    def reading(store: Store, note_ids: Sequence[int]) -> Iterator[tuple[int, tuple[StoredPassage, ...]]]:
        read.extend(note_ids)
        return passages_of(store, note_ids)

    passages_of = note_texts.passages_of
    monkeypatch.setattr(note_texts, "passages_of", reading)
    with closing(Reviews(Looker(GraphCache()))) as reviews:
        reviews.look(store, VAULTS, seconds=None)
        assert set(read) == set(stored_ids(store).values())
        read.clear()
        put(store, {"3.md": "Something else is said of it now, and of no other."})
        reviews.look(store, VAULTS, seconds=None)
    ids = stored_ids(store)
    assert ids["3.md"] in read
    assert set(read) <= {ids[path] for path in ("3.md", *NOTES)}


def stored_ids(store: Store) -> dict[str, int]:
    return {note.path: note.note_id for note in stored_notes(store)}


def kept(store: Store) -> set[int]:
    with store.reading() as connection:
        return {int(note_id) for (note_id,) in connection.execute("SELECT note_id FROM review_memo").fetchall()}


@pytest.mark.parametrize("why", ["edited", "gone", "excluded", "vault"])
def test_nothing_that_was_worked_out_of_a_note_outlives_its_text(new_store: NewStore, why: Why | str) -> None:
    store = new_store()
    put(store, NOTES)
    found(store)
    before = stored_ids(store)
    assert kept(store) == set(before.values())
    if why == "edited":
        put(store, {"Mill.md": "Something else."})
    else:
        with store.writing() as writer:
            writer.forget_notes([before["Mill.md"]], why)  # type: ignore[arg-type]
    if why in ("edited", "gone"):
        assert kept(store) == set(before.values()) - {before["Mill.md"]}
    else:
        assert not kept(store), "it may have led to what was worked out of others"


def test_what_was_worked_out_of_a_text_that_has_changed_meanwhile_is_not_kept(new_store: NewStore) -> None:
    store = new_store()
    put(store, NOTES)
    note_id = stored_ids(store)["Mill.md"]

    def memo_kept(stamp: Stamp) -> bool:
        memo = Memo(b"of", b"made")
        with store.writing() as writer:
            MadeMemos("part", {note_id: (stamp, memo), 999: (stamp, memo)}).put(writer.connection)
        return memos_of(store, "part", [note_id, 999]) == {note_id: memo}

    stamp = note_stamps(store, [note_id])[note_id]
    assert memo_kept(stamp)
    put(store, {"Mill.md": "Something else."})
    assert not memo_kept(stamp)


NUMBERS = memos.Part("numbers", int)


@pytest.mark.parametrize(
    ("changes", "depends_on", "program"),
    [({"digest": b"2"}, 0, ""), ({"fingerprint": "2"}, 0, ""), ({}, 1, ""), ({}, 0, "2")],
    ids=["bytes", "preparation", "what else it depends on", "program"],
)
def test_a_memo_stands_until_anything_that_it_depends_on_is_another(
    new_store: NewStore,
    changes: Mapping[str, object],
    depends_on: int,
    program: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = new_store()
    put(store, NOTES)
    notes = stored_notes(store)

    def worked_out(notes: Sequence[StoredNote], depends_on: int) -> tuple[list[tuple[int, int]], list[int]]:
        """What is said of these notes, and of which of them it was worked out anew."""
        anew: list[int] = []

        def work(some: Sequence[StoredNote]) -> Iterator[tuple[int, int]]:
            for note in some:
                anew.append(note.note_id)
                if note.note_id != ids[-1]:
                    yield note.note_id, note.note_id * 10 + depends_on

        of_look = memos.Memos(store)
        said = list(of_look.of(NUMBERS, reversed(notes), lambda _: depends_on, work))
        for made in of_look.take_made():
            with store.writing() as writer:
                made.put(writer.connection)
        return said, anew

    ids = sorted(note.note_id for note in notes)
    said = [(note_id, note_id * 10) for note_id in ids[:-1]]
    assert worked_out(notes, 0) == (said, ids)
    assert worked_out(notes, 0) == (said, ids[-1:]), "what was left out is nothing to be kept"
    if program:
        monkeypatch.setattr(memos, "__version__", program)
    _, anew = worked_out([replace(note, **changes) for note in notes], depends_on)
    assert anew == ids
