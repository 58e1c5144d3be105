"""What was said and suggested of notes follows them, or waits for them and then goes."""

from pathlib import PurePosixPath

import msgspec
import pytest

from scrubjay.profiles.store import reads
from scrubjay.profiles.store.review_answers import AnswerRow, SuggestionRow, answers, put_answers, put_suggestion
from scrubjay.profiles.store.review_answers import suggestions as suggested
from scrubjay.profiles.store.rows import SAID_WAITS_NS, NoteMove
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.store.subjects import passage_subject, subject_digest
from tests.integration.profiles.notes import VAULT, bundle

OTHER = "other-vault"


def put(store: Store, path: str, text: str) -> int:
    with store.writing() as writer:
        return writer.put_note(bundle(path, text))


def suggest(store: Store, note_id: int) -> None:
    row = SuggestionRow("k", note_id, "agent", "Agent", 1, "It reads better.", b"[]")
    assert put_suggestion(store, row, most=9)


def paths(store: Store) -> list[str]:
    """Of the notes that something is suggested of."""
    rows = suggested(store)
    notes = store.read(reads.notes, [row.note_id for row in rows])
    return [notes[row.note_id].path for row in rows]


@pytest.mark.parametrize(
    ("vault", "path", "subject", "after"),
    [
        pytest.param(VAULT, "Walk.md", "a/Heron.md", ("Walk.md", "b/Heron.md"), id="a link to a note that moves"),
        pytest.param(VAULT, "a/Heron.md", "Walk.md", ("b/Heron.md", "Walk.md"), id="of a note that moves"),
        pytest.param(VAULT, "a/Heron.md", "a/Rail.md", ("b/Heron.md", "b/Rail.md"), id="of one, to another that moves"),
        pytest.param(
            OTHER,
            "Walk.md",
            passage_subject(VAULT, "a/Heron.md"),
            ("Walk.md", passage_subject(VAULT, "b/Heron.md")),
            id="a passage that stands in a note that moves, too",
        ),
        pytest.param(OTHER, "a/Heron.md", "a/Heron.md", ("a/Heron.md", "a/Heron.md"), id="of another vault"),
        pytest.param(VAULT, "a/Egret.md", "a/Egret.md", ("a/Egret.md", "a/Egret.md"), id="of notes that stay"),
    ],
)
def test_an_answer_is_about_notes_wherever_they_move(
    store: Store, vault: str, path: str, subject: str, after: tuple[str, str]
) -> None:
    moving = {put(store, name, name): name for name in ("a/Heron.md", "a/Rail.md")}
    about = subject_digest(subject)
    put_answers(store, [AnswerRow("k", "missing-link", vault, path, about, b"d" * 16, b"", "no", (), 1 << 62)])

    def stands() -> tuple[str, bytes]:
        (row,) = answers(store)
        return row.path, row.subject

    for folder, (now, named) in {"b": after, "a": (path, subject)}.items():
        with store.writing() as writer:
            moves = [NoteMove(each, f"{folder}/{PurePosixPath(name).name}", 1) for each, name in moving.items()]
            writer.move_notes(moves)
        assert stands() == (now, subject_digest(named))


@pytest.mark.parametrize("how", ["moved", "stored under another name"])
def test_a_change_of_another_note_follows_that_note(store: Store, how: str) -> None:
    heron, rail, twin = (
        put(store, path, text) for path, text in (("Heron.md", "grey"), ("Rail.md", "b"), ("T.md", ""))
    )
    changes = [{"vault": vault, "path": path} for vault, path in (("", ""), ("", "Rail.md"), ("other", "Rail.md"))]
    row = SuggestionRow("k", heron, "agent", "Agent", 1, "It reads better.", msgspec.json.encode(changes))
    assert put_suggestion(store, row, most=9)
    if how != "moved":
        put(store, "a/Rail.md", "b")
    with store.writing() as writer:
        if how == "moved":
            writer.move_notes([NoteMove(rail, "a/Rail.md", 1)])
        else:
            writer.forget_notes([rail, twin])
    (found,) = suggested(store)
    assert [each["path"] for each in msgspec.json.decode(found.changes)] == ["", "a/Rail.md", "Rail.md"]


@pytest.mark.parametrize(("late_ns", "there"), [(-(10**12), ["Heron.md"]), (10**12, [])])
def test_a_suggestion_waits_for_its_note_as_long_as_an_answer(store: Store, late_ns: int, there: list[str]) -> None:
    heron = put(store, "Heron.md", "grey")
    suggest(store, heron)
    with store.writing() as writer:
        writer.forget_notes([heron])
        writer.connection.execute("UPDATE review_suggestion SET until_ns = until_ns - ?", (SAID_WAITS_NS + late_ns,))
    assert paths(store) == []
    put(store, "Heron.md", "grey, and otherwise")
    assert paths(store) == there
    rail = put(store, "Rail.md", "brown")
    with store.writing() as writer:  # what waited in vain goes when the next note does
        writer.forget_notes([rail])
        assert writer.connection.execute("SELECT count(*) FROM review_suggestion").get == len(there)
