"""Reads of what languages the notes of a store are in."""

from collections.abc import Iterable
from typing import cast

from scrubjay.profiles.database.sql import Connection

_MOST_LANGUAGES = 4
_LEAST_OF = 100
"""A language of fewer than one note in so many is not looked for: its words are found as they stand."""


def stemmed_languages(connection: Connection) -> tuple[str, ...]:
    """The languages in which words are stemmed beside English, as far as many notes are; the commonest first."""
    sql = (
        "SELECT code FROM stemmed_language WHERE code <> '' AND notes > 0"
        " AND notes * ?1 >= (SELECT sum(notes) FROM stemmed_language) ORDER BY notes DESC, code LIMIT ?2"
    )
    rows = cast("Iterable[tuple[str]]", connection.execute(sql, (_LEAST_OF, _MOST_LANGUAGES)))
    return tuple(code for (code,) in rows)


def passage_languages(connection: Connection) -> dict[str, int]:
    """How many passages there are of notes in each language, by its code; "" where it is unknown."""
    counts = "sum((SELECT count(*) FROM chunk WHERE note_id = note.id))"
    rows = connection.execute(f"SELECT lang, {counts} FROM note INDEXED BY note_lang GROUP BY lang")  # noqa: S608
    return {lang: count for lang, count in cast("Iterable[tuple[str, int]]", rows) if count}


def sample_texts(connection: Connection, language: str, limit: int) -> list[str]:
    """The texts of some passages of notes in a language."""
    sql = (
        "SELECT unpacked(packed) FROM note INDEXED BY note_lang CROSS JOIN chunk ON chunk.note_id = note.id"
        " WHERE lang = ? LIMIT ?"
    )
    return [text for (text,) in cast("Iterable[tuple[str]]", connection.execute(sql, (language, limit)))]
