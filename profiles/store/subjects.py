"""What answers in the review are about, as it is kept: digests of texts.

Answers, and the changes that programs put forward, follow the notes that they name.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, TypeAlias, cast

import msgspec

from scrubjay.profiles.store.rows import NoteMove
from scrubjay.profiles.store.statements import Connection, integers, json_texts


def subject_digest(subject: str) -> bytes:
    """What tells a proposal from others of its kind about its note, without saying it: 16 bytes."""
    return blake2b(subject.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def passage_subject(vault: str, path: str) -> str:
    """The subject of a passage that another note has, too: that note by its vault's id and path."""
    return f"passage\0{vault}\0{path}"


def follow_moves(connection: Connection, moves: Sequence[NoteMove]) -> None:
    """Answers and suggestions about notes that are about to move, and about what names such a note, follow it.

    To be called while the notes are stored at their old places. No path is the old one of one and the new one of
    another.
    """
    to = {move.note_id: move.path for move in moves}
    sql = "SELECT id, vault, path FROM note WHERE id IN (SELECT value FROM carray(?))"
    notes = cast("list[tuple[int, str, str]]", connection.execute(sql, (integers(list(to)),)).fetchall())
    places = {(vault, path): to[note_id] for note_id, vault, path in notes}
    subjects = {(vault, subject_digest(old)): subject_digest(new) for (vault, old), new in places.items()}
    passages = {
        subject_digest(passage_subject(vault, old)): subject_digest(passage_subject(vault, new))
        for (vault, old), new in places.items()
    }
    sql = "SELECT key, vault, path, subject FROM review_answer"
    answers = cast("list[tuple[str, str, str, bytes]]", connection.execute(sql).fetchall())
    changed: list[tuple[str, bytes, str]] = []
    for key, vault, path, subject in answers:
        now = places.get((vault, path), path), subjects.get((vault, subject), passages.get(subject, subject))
        if now != (path, subject):
            changed.append((*now, key))
    if changed:
        connection.executemany("UPDATE review_answer SET path = ?, subject = ? WHERE key = ?", changed)
    _follow_in_suggestions(connection, _named(connection), places)


def follow_names(connection: Connection, gone: Sequence[int]) -> None:
    """Suggestions that name notes which are about to be forgotten name notes of the same bytes, where there are any.

    gone: ids of the notes.
    """
    named = _named(connection)
    paths = {change["path"] for _, changes in named.values() for change in changes if not change["vault"]}
    if not paths:
        return
    sql = (
        "SELECT gone.vault, gone.path, now.path FROM note AS gone JOIN note AS now"
        " ON now.vault = gone.vault AND now.digest = gone.digest AND now.id NOT IN (SELECT value FROM carray(?1))"
        " WHERE gone.id IN (SELECT value FROM carray(?1)) AND gone.path IN (SELECT value FROM json_each(?2))"
        " ORDER BY now.id"
    )
    found = cast("list[tuple[str, str, str]]", connection.execute(sql, (integers(gone), json_texts(paths))).fetchall())
    _follow_in_suggestions(connection, named, {(vault, path): now for vault, path, now in found})


_Named: TypeAlias = Mapping[str, tuple[str, list[dict[str, Any]]]]


def _named(connection: Connection) -> _Named:
    """The changes of each suggestion, by its key, with the id of its vault."""
    sql = (
        "SELECT key, coalesce(note.vault, suggestion.vault), changes FROM review_suggestion AS suggestion"
        " LEFT JOIN note ON note.id = suggestion.note_id"
    )
    rows = cast("list[tuple[str, str, str]]", connection.execute(sql).fetchall())
    return {key: (vault, msgspec.json.decode(changes)) for key, vault, changes in rows}


def _follow_in_suggestions(connection: Connection, named: _Named, places: Mapping[tuple[str, str], str]) -> None:
    """Changes of notes beside the one that a suggestion is about, which names no path of its own."""
    for key, (vault, changes) in named.items():
        moved = [
            change if change["vault"] else change | {"path": places.get((vault, change["path"]), change["path"])}
            for change in changes
        ]
        if moved != changes:
            encoded = msgspec.json.encode(moved).decode()
            connection.execute("UPDATE review_suggestion SET changes = ? WHERE key = ?", (encoded, key))
