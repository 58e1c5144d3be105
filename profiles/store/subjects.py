"""What answers in the review are about, as it is kept: digests of texts. Answers follow the notes that they name."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import cast

from scrubjay.profiles.database.rows import NoteMove
from scrubjay.profiles.database.sql import Connection, integers


def subject_digest(subject: str) -> bytes:
    """What tells a proposal from others of its kind about its note, without saying it: 16 bytes."""
    return blake2b(subject.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def passage_subject(vault: str, path: str) -> str:
    """The subject of a passage that another note has, too: that note by its vault's id and path."""
    return f"passage\0{vault}\0{path}"


def follow_moves(connection: Connection, moves: Sequence[NoteMove]) -> None:
    """Answers about notes that are about to move, and about what names such a note, are about it at its new place.

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
