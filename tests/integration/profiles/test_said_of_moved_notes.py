"""What was said and suggested of notes follows them, or waits for them and then goes."""

import time
from collections.abc import Sequence

import msgspec
import pytest

from scrubjay.profiles.store import reads
from scrubjay.profiles.store.annotations import GONE_NOTES
from scrubjay.profiles.store.review_answers import AnswerRow, SuggestionRow, answers, put_answers, put_suggestion
from scrubjay.profiles.store.review_answers import suggestions as suggested
from scrubjay.profiles.store.rows import SAID_WAITS_NS, NoteMove
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.store.subjects import passage_subject, subject_digest
from tests.integration.profiles.notes import VAULT, bundle

OTHER = "other-vault"
WAITING = f"SELECT count(*) FROM {GONE_NOTES}"


def put(store: Store, path: str, text: str) -> int:
    with store.writing() as writer:
        return writer.put_note(bundle(path, text))


def forget(store: Store, ids: Sequence[int]) -> None:
    with store.writing() as writer:
        writer.forget_notes(ids)


def suggest(store: Store, note_id: int) -> None:
    row = SuggestionRow("k", note_id, "agent", "Agent", 1, "It reads better.", b"[]")
    assert put_suggestion(store, row, most=9)


def paths(store: Store) -> list[str]:
    """Of the notes that something is suggested of."""
    rows = suggested(store)
    notes = store.read(reads.notes, [row.note_id for row in rows])
    return [notes[row.note_id].path for row in rows]


@pytest.mark.parametrize("how", ["moved", "stored, then forgotten", "forgotten, then stored"])
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
    store: Store, vault: str, path: str, subject: str, after: tuple[str, str], how: str
) -> None:
    texts = {"Heron.md": "grey", "Rail.md": "brown"}
    ids = {name: put(store, f"a/{name}", text) for name, text in texts.items()}
    about = subject_digest(subject)
    put_answers(store, [AnswerRow("k", "missing-link", vault, path, about, b"d" * 16, b"", "no", (), 1 << 62)])

    def stands() -> tuple[str, bytes]:
        (row,) = answers(store)
        return row.path, row.subject

    for folder, (now, named) in {"b": after, "a": (path, subject)}.items():
        before, gone = stands(), list(ids.values())
        if how == "moved":
            with store.writing() as writer:
                writer.move_notes([NoteMove(ids[name], f"{folder}/{name}", 1) for name in texts])
        elif how == "stored, then forgotten":
            ids = {name: put(store, f"{folder}/{name}", text) for name, text in texts.items()}
            forget(store, gone)
        else:
            forget(store, gone)
            assert stands() == before
            ids = {name: put(store, f"{folder}/{name}", text) for name, text in texts.items()}
        assert stands() == (now, subject_digest(named))
    assert store.read(lambda connection: connection.execute(WAITING).get) == 0


@pytest.mark.parametrize(
    ("then", "late_ns", "where"),
    [
        (("b/Heron.md", "grey"), -(10**12), "b/Heron.md"),
        (("b/Heron.md", "grey"), 10**12, "a/Heron.md"),
        (("b/Heron.md", "white"), -(10**12), "a/Heron.md"),
        (("a/Heron.md", "white"), -(10**12), "a/Heron.md"),
    ],
)
def test_an_answer_waits_for_the_note_that_it_is_about_and_for_no_other(
    store: Store, monkeypatch: pytest.MonkeyPatch, then: tuple[str, str], late_ns: int, where: str
) -> None:
    put(store, "Twin.md", "grey")
    heron = put(store, "a/Heron.md", "grey")
    put_answers(store, [AnswerRow("k", "stale", VAULT, "a/Heron.md", b"s" * 16, b"d" * 16, b"", "no", (), 1 << 62)])
    forgotten_ns = time.time_ns()
    forget(store, [heron])
    monkeypatch.setattr(time, "time_ns", lambda: forgotten_ns + SAID_WAITS_NS + late_ns)
    put(store, *then)
    (row,) = answers(store)
    assert row.path == where


@pytest.mark.parametrize("how", ["moved", "stored under another name", "gone first"])
def test_a_change_of_another_note_follows_that_note(store: Store, how: str) -> None:
    heron, rail, twin = (
        put(store, path, text) for path, text in (("Heron.md", "grey"), ("Rail.md", "b"), ("T.md", ""))
    )
    changes = [{"vault": vault, "path": path} for vault, path in (("", ""), ("", "Rail.md"), ("other", "Rail.md"))]
    row = SuggestionRow("k", heron, "agent", "Agent", 1, "It reads better.", msgspec.json.encode(changes))
    assert put_suggestion(store, row, most=9)
    if how == "moved":
        with store.writing() as writer:
            writer.move_notes([NoteMove(rail, "a/Rail.md", 1)])
    elif how == "gone first":
        forget(store, [rail, twin])
        put(store, "a/Rail.md", "b")
    else:
        put(store, "a/Rail.md", "b")
        forget(store, [rail, twin])
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
