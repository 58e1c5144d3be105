"""What the user said of proposals, and what programs proposed: in the profile's database, and gone with it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

import msgspec

from scrubjay.profiles.store.proposals import forget_all, stays_current
from scrubjay.profiles.store.rows import SAID_WAITS_NS
from scrubjay.profiles.store.statements import json_texts, upsert
from scrubjay.profiles.store.store import Store

Said: TypeAlias = Literal["yes", "no", "later", "done"]

_WAITS = ("vault", "path", "note_digest", "until_ns")  # of a suggestion whose note is not there
_SUGGESTION = "key, note_id, client, name, at_ns, why, changes"
_ANSWER = "key, kind, vault, path, subject, digest, sketch, answer, chosen, at_ns"


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """What was said of one proposal, and the text that it was said of."""

    key: str
    kind: str
    vault: str  # id
    path: str
    subject: bytes  # digest of what tells it from others of its kind about this note
    digest: bytes  # of the note's bytes then, keyed
    sketch: bytes  # of the note then, see profiles/store/near_copies.py
    answer: Said
    chosen: tuple[str, ...]
    at_ns: int


@dataclass(frozen=True, slots=True)
class SuggestionRow:
    """A change that a program put forward; credentials are taken out of all of it."""

    key: str
    note_id: int
    client: str  # id
    name: str  # of the client then
    at_ns: int
    why: str
    changes: bytes  # JSON; "vault" is empty where it is the note's own, and "path" where it is the note itself


def answers(store: Store) -> tuple[AnswerRow, ...]:
    """All answers, the newest last."""
    return _answers(store, "true", ())


def answers_to(store: Store, keys: Sequence[str]) -> tuple[AnswerRow, ...]:
    """What was said of the proposals with these keys."""
    return _answers(store, "key IN (SELECT value FROM json_each(?))", (json_texts(keys),)) if keys else ()


def accepted(store: Store) -> tuple[AnswerRow, ...]:
    """What was said yes to, with a choice, unless something was said of the same later."""
    same = " AND ".join(f"later.{name} = review_answer.{name}" for name in ("kind", "vault", "path", "subject"))
    later = f"SELECT 1 FROM review_answer AS later WHERE {same} AND later.at_ns > review_answer.at_ns"  # noqa: S608
    return _answers(store, f"answer = 'yes' AND chosen <> '[]' AND (length(subject) = 0 OR NOT EXISTS ({later}))", ())


def answers_about(store: Store, vault: str, path: str, digest: bytes) -> tuple[AnswerRow, ...]:
    """What was said of proposals about a note: about any at its place (vault's id, path), or of its bytes."""
    return _answers(store, "(vault = ? AND path = ?) OR digest = ?", (vault, path, digest))


def _answers(store: Store, where: str, values: tuple[str | bytes, ...]) -> tuple[AnswerRow, ...]:
    sql = f"SELECT {_ANSWER} FROM review_answer WHERE {where} ORDER BY at_ns"  # noqa: S608
    with store.reading() as connection:
        rows = cast(
            "list[tuple[str, str, str, str, bytes, bytes, bytes, Said, str, int]]",
            connection.execute(sql, values).fetchall(),
        )
    return tuple(AnswerRow(*row[:8], msgspec.json.decode(row[8], type=tuple[str, ...]), row[9]) for row in rows)


def put_answers(store: Store, rows: Sequence[AnswerRow]) -> None:
    """Keep answers in place of those before, all or none; answers about notes that are long gone are dropped."""
    key, *others = _ANSWER.split(", ")
    sql = upsert("review_answer", (key,), others)
    with store.writing(durable=True) as writer:
        stays_current(writer.connection, store.machine)
        for row in rows:
            chosen = msgspec.json.encode(row.chosen).decode()
            values = (row.kind, row.vault, row.path, row.subject, row.digest, row.sketch, row.answer, chosen, row.at_ns)
            writer.connection.execute(sql, (row.key, *values))
            writer.connection.execute("UPDATE proposal SET said = ? WHERE key = ?", (row.key, row.key))
        there = "EXISTS (SELECT 1 FROM note WHERE note.vault = review_answer.vault AND note.path = review_answer.path)"
        writer.connection.execute(
            f"DELETE FROM review_answer WHERE at_ns < ? AND NOT {there}",  # noqa: S608
            (time.time_ns() - SAID_WAITS_NS,),
        )


def change_answer(store: Store, key: str, answer: Said | None, chosen: Sequence[str] | None = None) -> bool:
    """Say otherwise of a proposal that was answered before, or (None) take the answer back; False where it was not."""
    with store.writing(durable=True) as writer:
        connection = writer.connection
        if connection.execute("SELECT 1 FROM review_answer WHERE key = ?", (key,)).get is None:
            return False
        stays_current(connection, store.machine)
        if answer is None:
            connection.execute("DELETE FROM review_answer WHERE key = ?", (key,))
            return True
        connection.execute(
            "UPDATE review_answer SET answer = ?, at_ns = ? WHERE key = ?", (answer, time.time_ns(), key)
        )
        if chosen is not None:
            encoded = msgspec.json.encode(chosen).decode()
            connection.execute("UPDATE review_answer SET chosen = ? WHERE key = ?", (encoded, key))
        return True


def take_back_accepted(store: Store) -> None:
    """Ask again what was accepted and not written yet: its owner here has not said yes to it. What there is to be
    proposed is found anew, too.
    """
    with store.writing(durable=True) as writer:
        forget_all(writer.connection)
        writer.connection.execute("DELETE FROM review_answer WHERE answer = 'yes'")


def suggestions(store: Store, key: str | None = None) -> tuple[SuggestionRow, ...]:
    """What programs put forward about notes that are there, the oldest first; or the one with a key."""
    where, values = ("true", ()) if key is None else ("key = ?", (key,))
    sql = f"SELECT {_SUGGESTION} FROM review_suggestion WHERE note_id IS NOT NULL AND {where} ORDER BY at_ns, key"  # noqa: S608
    with store.reading() as connection:
        rows = cast("list[tuple[str, int, str, str, int, str, str]]", connection.execute(sql, values).fetchall())
    return tuple(SuggestionRow(*row[:6], row[6].encode()) for row in rows)


def put_suggestion(store: Store, row: SuggestionRow, *, most: int) -> bool:
    """Keep what a program puts forward; False, and nothing kept, where `most` of this client's wait for an answer."""
    waiting = (
        "SELECT count(*) FROM review_suggestion WHERE client = ? AND key <> ? AND note_id IS NOT NULL"
        " AND key NOT IN (SELECT key FROM review_answer WHERE answer IN ('no', 'done'))"
    )
    answered = (
        "DELETE FROM review_suggestion WHERE client = ?"
        " AND key IN (SELECT key FROM review_answer WHERE answer IN ('no', 'done') AND at_ns < ?)"
    )
    with store.writing(durable=True) as writer:
        connection = writer.connection
        if int(connection.execute(waiting, (row.client, row.key)).get) >= most:
            return False
        stays_current(connection, store.machine)
        connection.execute(answered, (row.client, time.time_ns() - SAID_WAITS_NS))
        connection.execute(
            upsert("review_suggestion", ("key",), ("note_id", "client", "name", "at_ns", "why", "changes", *_WAITS)),
            (
                row.key,
                row.note_id,
                row.client,
                row.name,
                row.at_ns,
                row.why,
                row.changes.decode(),
                *[None] * len(_WAITS),
            ),
        )
        return True
