"""What people and programs said of notes: decisions about credentials, answers in the review, suggestions, hiding.

It follows a note that moves, and waits for one that is gone: a move is seen in two halves, an index is built anew, a
vault is taken from a profile and given back.
"""

import time
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import msgspec

from scrubjay.profiles.store.rows import DECISIONS_WAIT_NS, SAID_WAITS_NS, NoteMove, NoteRow
from scrubjay.profiles.store.statements import Connection, integers, upsert
from scrubjay.profiles.store.subjects import passage_subject, subject_digest

Why: TypeAlias = Literal["gone", "excluded", "vault"]
"""Why a note is forgotten: it is not there, it may not be read any more, its vault is no more one of the profile's."""

_GONE_NOTE = "gone note "
GONE_NOTES = f"meta WHERE substr(name, 1, {len(_GONE_NOTE)}) = '{_GONE_NOTE}'"
"""Meta values of notes that are gone, for which what names them waits; a name ends in vault's id and path, as JSON."""

_HERE = "(vault, path) = (SELECT vault, path FROM note WHERE id = ?2)"
_CLEAR_DECISIONS = (
    "DELETE FROM decision WHERE path = ?1 AND vault = (SELECT vault FROM note WHERE id = ?2 AND path <> ?1)"  # noqa: S608
    f" AND digest IN (SELECT digest FROM decision WHERE {_HERE})"
)
_MOVE_DECISIONS = f"UPDATE decision SET path = ?1 WHERE {_HERE}"  # noqa: S608
# What was decided about a note that is gone goes to one that has the same bytes: a move that is seen in two halves.
_LEAVE_DECISIONS = (
    "UPDATE decision SET note_digest = (SELECT digest FROM note WHERE id = ?1), gone_ns = ?2"
    " WHERE (vault, path) = (SELECT vault, path FROM note WHERE id = ?1) AND note_digest IS NULL"
)
_LEFT = "vault = ?2 AND note_digest = ?3 AND gone_ns >= ?4"
_TAKE_DECISIONS = (
    "INSERT INTO decision (vault, path, digest, standing)"  # noqa: S608
    f" SELECT vault, ?1, digest, max(standing) FROM decision WHERE {_LEFT} GROUP BY vault, digest"
    " ON CONFLICT (vault, path, digest) DO UPDATE SET standing = excluded.standing, note_digest = NULL, gone_ns = 0"
)
_TAKEN_DECISIONS = f"DELETE FROM decision WHERE path <> ?1 AND {_LEFT}"  # noqa: S608
# So does it stay hidden.
_CLEAR_HIDDEN = (
    "DELETE FROM hidden_note WHERE path = ?1 AND vault = (SELECT vault FROM note WHERE id = ?2 AND path <> ?1)"  # noqa: S608
    f" AND asked IN (SELECT asked FROM hidden_note WHERE {_HERE})"
)
_MOVE_HIDDEN = f"UPDATE hidden_note SET path = ?1 WHERE {_HERE}"  # noqa: S608
_LEAVE_HIDDEN = (
    "UPDATE hidden_note SET note_digest = (SELECT digest FROM note WHERE id = ?1)"
    " WHERE (vault, path) = (SELECT vault, path FROM note WHERE id = ?1)"
)
_HIDDEN_AGAIN = "UPDATE hidden_note SET note_digest = NULL WHERE path = ?1 AND vault = ?2"
_TAKE_HIDDEN = (
    "INSERT INTO hidden_note (vault, path, asked, query, at_ns)"
    " SELECT vault, ?1, asked, max(query), max(at_ns) FROM hidden_note WHERE vault = ?2 AND note_digest = ?3"
    " GROUP BY vault, asked ON CONFLICT DO NOTHING"
)
_TAKEN_HIDDEN = "DELETE FROM hidden_note WHERE vault = ?2 AND note_digest = ?3 AND path <> ?1"
# Suggestions wait likewise, and for a note at the same place, too.
_LEAVE_SUGGESTIONS = (
    "UPDATE review_suggestion SET (vault, path, note_digest, until_ns) ="
    " (SELECT vault, path, digest, CAST(?2 AS bigint) FROM note WHERE id = ?1) WHERE note_id = ?1"
)
_TAKE_SUGGESTIONS = (
    "UPDATE review_suggestion SET note_id = (SELECT id FROM note WHERE vault = ?1 AND path = ?2),"
    " vault = NULL, path = NULL, note_digest = NULL, until_ns = NULL"
    " WHERE note_id IS NULL AND vault = ?1 AND (path = ?2 OR note_digest = ?3) AND until_ns >= ?4"
)
# A note that has another name is stored under it before it is forgotten under the old one.
_RENAMED = "note WHERE note.vault = review_suggestion.vault AND note.digest = review_suggestion.note_digest"
_RENAME_SUGGESTIONS = (
    f"UPDATE review_suggestion SET note_id = (SELECT max(note.id) FROM {_RENAMED}),"  # noqa: S608
    " vault = NULL, path = NULL, note_digest = NULL, until_ns = NULL"
    f" WHERE note_id IS NULL AND until_ns = ? AND EXISTS (SELECT 1 FROM {_RENAMED})"
)
_DROP_SUGGESTIONS = "DELETE FROM review_suggestion WHERE until_ns < ?"
_DROP_UNANSWERED = (
    "DELETE FROM review_suggestion WHERE note_id IN (SELECT value FROM carray(?))"
    " AND key NOT IN (SELECT key FROM review_answer)"
)


def follow_moves(connection: Connection, moves: Sequence[NoteMove]) -> None:
    """Answers and suggestions about notes that are about to move, and about what names such a note, follow it.

    So do decisions, and what is hidden; those at the new place before give way. To be called while the notes are stored
    at their old places. No path is the old one of one and the new one of another.
    """
    for move in moves:
        connection.execute(_CLEAR_DECISIONS, (move.path, move.note_id))
        connection.execute(_MOVE_DECISIONS, (move.path, move.note_id))
        connection.execute(_CLEAR_HIDDEN, (move.path, move.note_id))
        connection.execute(_MOVE_HIDDEN, (move.path, move.note_id))
    to = {move.note_id: move.path for move in moves}
    sql = "SELECT id, vault, path FROM note WHERE id IN (SELECT value FROM carray(?))"
    notes = cast("list[tuple[int, str, str]]", connection.execute(sql, (integers(list(to)),)).fetchall())
    _Said.read(connection).follow(connection, {(vault, path): to[note_id] for note_id, vault, path in notes})


def leave_decisions(connection: Connection, notes: Iterable[int]) -> None:
    """Let decisions about notes that are gone wait a day for a note that has the same bytes. notes: their ids.

    What hides them waits until there is one.
    """
    now, notes = time.time_ns(), tuple(notes)
    connection.execute("DELETE FROM decision WHERE gone_ns > 0 AND gone_ns < ?", (now - DECISIONS_WAIT_NS,))
    connection.executemany(_LEAVE_DECISIONS, [(note_id, now) for note_id in notes])
    connection.executemany(_LEAVE_HIDDEN, [(note_id,) for note_id in notes])


def leave(connection: Connection, notes: Sequence[int], why: Why) -> int:
    """Let what was said of notes that are about to be forgotten wait for them; until when, in ns since 1970.

    Decisions wait a day for a note that has the same bytes; where its vault was taken away, they stay. Suggestions
    wait for 90 days; of a note that is excluded only those that were answered. Answers, and what names a note, follow
    a note that is gone to one of the same bytes, which is there or comes within 90 days. notes: their ids.
    """
    now = time.time_ns()
    until = now + SAID_WAITS_NS
    if why != "vault":
        leave_decisions(connection, notes)
    if why == "excluded":
        connection.execute(_DROP_UNANSWERED, (integers(notes),))
    if why == "gone":
        _follow_gone(connection, notes, until)
    connection.execute(_DROP_SUGGESTIONS, (now,))
    connection.executemany(_LEAVE_SUGGESTIONS, [(note_id, until) for note_id in notes])
    return until


def pass_on(connection: Connection, until_ns: int) -> None:
    """Give suggestions that wait until then to notes that have the bytes of theirs: those that were renamed.

    To be called when the notes that are gone are forgotten.
    """
    connection.execute(_RENAME_SUGGESTIONS, (until_ns,))


def take(
    connection: Connection,
    notes: Sequence[NoteRow],
    *,
    decisions: bool,
    suggestions: bool,
    hidden: bool,
    names: bool,
) -> None:
    """Give notes that are stored what waits for them.

    decisions, suggestions, hidden, names: whether any wait; names: answers, and what names a note.
    """
    now = time.time_ns()
    if names:
        _follow_back(connection, notes, now)
    for note in notes:
        if decisions:
            left = (note.path, note.vault, note.digest, now - DECISIONS_WAIT_NS)
            connection.execute(_TAKE_DECISIONS, left)
            connection.execute(_TAKEN_DECISIONS, left)
        if hidden:
            connection.execute(_HIDDEN_AGAIN, (note.path, note.vault))
            connection.execute(_TAKE_HIDDEN, (note.path, note.vault, note.digest))
            connection.execute(_TAKEN_HIDDEN, (note.path, note.vault, note.digest))
        if suggestions:
            connection.execute(_TAKE_SUGGESTIONS, (note.vault, note.path, note.digest, now))


class _GoneNote(msgspec.Struct, frozen=True):
    """A note that is gone, and what was said names its place."""

    digest: bytes
    until_ns: int  # when nothing waits for it any more


def _follow_gone(connection: Connection, gone: Sequence[int], until_ns: int) -> None:
    """What names notes that are about to be forgotten names notes of the same bytes that were stored since.

    Where there is none, it waits for one until then. gone: ids of the notes.
    """
    said = _Said.read(connection)
    sql = "SELECT id, vault, path, digest FROM note WHERE id IN (SELECT value FROM carray(?))"
    rows = cast("list[tuple[int, str, str, bytes]]", connection.execute(sql, (integers(gone),)).fetchall())
    named = {note_id: (vault, path, digest) for note_id, vault, path, digest in rows if said.names(vault, path)}
    if not named:
        return
    # No index is by digest: this reads all notes once, which a join does for each.
    sql = (
        "SELECT id, vault, path, digest FROM note WHERE id > ?3 AND id NOT IN (SELECT value FROM carray(?2))"
        " AND digest IN (SELECT digest FROM note WHERE id IN (SELECT value FROM carray(?1))) ORDER BY id"
    )
    values = (integers(list(named)), integers(gone), min(named))
    since = cast("list[tuple[int, str, str, bytes]]", connection.execute(sql, values).fetchall())
    last = {(vault, digest): (note_id, path) for note_id, vault, path, digest in since}
    heirs = {
        note_id: heir[1]
        for note_id, (vault, _, digest) in named.items()
        if (heir := last.get((vault, digest))) and heir[0] > note_id
    }
    said.follow(connection, {named[note_id][:2]: path for note_id, path in heirs.items()})
    waiting = {
        _place_name(vault, path): msgspec.json.encode(_GoneNote(digest, until_ns)).decode()
        for note_id, (vault, path, digest) in named.items()
        if note_id not in heirs
    }
    connection.executemany(upsert("meta", ("name",), ("value",)), list(waiting.items()))


def _follow_back(connection: Connection, notes: Sequence[NoteRow], now_ns: int) -> None:
    """What waits for notes names those of these that have their bytes, or lie in their places."""
    rows = cast("list[tuple[str, str]]", connection.execute(f"SELECT name, value FROM {GONE_NOTES}").fetchall())  # noqa: S608
    gone = {name: msgspec.json.decode(value, type=_GoneNote) for name, value in rows}
    over = {name for name, each in gone.items() if each.until_ns < now_ns}
    over |= gone.keys() & {_place_name(note.vault, note.path) for note in notes}
    to = {(note.vault, note.digest): note.path for note in notes}
    places: dict[tuple[str, str], str] = {}
    for name in gone.keys() - over:
        vault, path = msgspec.json.decode(name.removeprefix(_GONE_NOTE), type=tuple[str, str])
        if now := to.get((vault, gone[name].digest)):
            places[vault, path] = now
            over.add(name)
    connection.executemany("DELETE FROM meta WHERE name = ?", [(name,) for name in over])
    if places:
        _Said.read(connection).follow(connection, places)


def _place_name(vault: str, path: str) -> str:
    return _GONE_NOTE + msgspec.json.encode((vault, path)).decode()


@dataclass(frozen=True, slots=True)
class _Said:
    """What is said of notes and names others: answers in the review, and changes that programs suggest."""

    answers: Sequence[tuple[str, str, str, bytes]]  # key, vault, path, subject
    changes: Mapping[
        str, tuple[str, list[dict[str, Any]]]
    ]  # those of each suggestion by its key, with its note's vault
    places: Container[tuple[str, str]]  # that answers are about, or changes name
    subjects: Container[tuple[str, bytes]]
    passages: Container[bytes]

    @classmethod
    def read(cls, connection: Connection) -> "_Said":
        sql = "SELECT key, vault, path, subject FROM review_answer"
        answers = cast("list[tuple[str, str, str, bytes]]", connection.execute(sql).fetchall())
        sql = (
            "SELECT key, coalesce(note.vault, suggestion.vault), changes FROM review_suggestion AS suggestion"
            " LEFT JOIN note ON note.id = suggestion.note_id"
        )
        rows = cast("list[tuple[str, str, str]]", connection.execute(sql).fetchall())
        changes = {key: (vault, msgspec.json.decode(changes)) for key, vault, changes in rows}
        named = {(vault, each["path"]) for vault, some in changes.values() for each in some if not each["vault"]}
        return cls(
            answers,
            changes,
            named.union((vault, path) for _, vault, path, _ in answers),
            {(vault, subject) for _, vault, _, subject in answers},
            {subject for *_, subject in answers},
        )

    def names(self, vault: str, path: str) -> bool:
        """Whether anything is said of the note at this place, or names it."""
        return (
            (vault, path) in self.places
            or (vault, subject_digest(path)) in self.subjects
            or subject_digest(passage_subject(vault, path)) in self.passages
        )

    def follow(self, connection: Connection, places: Mapping[tuple[str, str], str]) -> None:
        """What is said of notes at these places (vault's id, path), or names them, is so of other paths.

        Changes of a suggestion name notes beside its own, which has no path in them.
        """
        subjects = {(vault, subject_digest(old)): subject_digest(new) for (vault, old), new in places.items()}
        passages = {
            subject_digest(passage_subject(vault, old)): subject_digest(passage_subject(vault, new))
            for (vault, old), new in places.items()
        }
        answers: list[tuple[str, bytes, str]] = []
        for key, vault, path, subject in self.answers:
            now = places.get((vault, path), path), subjects.get((vault, subject), passages.get(subject, subject))
            if now != (path, subject):
                answers.append((*now, key))
        suggestions: list[tuple[str, str]] = []
        for key, (vault, changes) in self.changes.items():
            moved = [
                change if change["vault"] else change | {"path": places.get((vault, change["path"]), change["path"])}
                for change in changes
            ]
            if moved != changes:
                suggestions.append((msgspec.json.encode(moved).decode(), key))
        connection.executemany("UPDATE review_answer SET path = ?, subject = ? WHERE key = ?", answers)
        connection.executemany("UPDATE review_suggestion SET changes = ? WHERE key = ?", suggestions)
