"""The language of the notes that are too short to be in one by themselves: that of most others in their vault.

Where hardly any says its own, that of what they say together.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeAlias, cast

import msgspec

from scrubjay.profiles.search.words.analysis import stemmed_language
from scrubjay.profiles.search.words.word_index import WordIndexes, stored_headers
from scrubjay.profiles.store.statements import Connection, integers, upsert

_KEPT = "language of vault "
"""Before a vault's id: the meta value that is the language of its notes."""
_LEAST_NOTES = 2
_LEAST_SHARE = 0.6
"""Of the notes of a vault whose language is known. A language stays until another has as many: between two changes, a
third of them at least have come or gone, and notes that change now and then change nothing."""
_READ_TOGETHER = 40  # notes
_AT_ONCE = 1_000
"""Notes whose words are indexed anew in one transaction."""

_COUNTS = "SELECT lang, count(*) FROM note WHERE vault = ? AND kind = '' AND lang <> '' GROUP BY lang"
_TEXTS = (
    "SELECT unpacked(packed) FROM (SELECT id FROM note WHERE lang = '' AND vault = ? AND kind = '' ORDER BY id LIMIT ?)"
    " AS silent JOIN chunk ON note_id = silent.id WHERE position = 0 ORDER BY note_id"
)
_OTHERWISE = "FROM note WHERE lang = '' AND vault = ? AND kind = '' AND stemmed <> ?"


LanguageOf: TypeAlias = Callable[[str], str]
"""Tells the language of a text by its code; "" where it can't be told."""


def vault_language(connection: Connection, vault: str) -> str:
    """The language that notes of a vault are taken to be in that do not tell theirs; "" where there is none yet."""
    return str(connection.execute("SELECT value FROM meta WHERE name = ?", (_KEPT + vault,)).get or "")


def is_stale(connection: Connection, vault: str, language_of: LanguageOf) -> bool:
    """Whether a vault has another language than notes of it are indexed in."""
    stemmed = stemmed_language(_main_language(connection, vault, language_of))
    return connection.execute(f"SELECT 1 {_OTHERWISE} LIMIT 1", (vault, stemmed)).get is not None


def refresh(connection: Connection, words: WordIndexes, vault: str, language_of: LanguageOf) -> None:
    """See `Writer.refresh_language`."""
    language = _main_language(connection, vault, language_of)
    if language != vault_language(connection, vault):
        connection.execute(upsert("meta", ("name",), ("value",)), (_KEPT + vault, language))
    stemmed = stemmed_language(language)
    rows = connection.execute(f"SELECT id {_OTHERWISE} ORDER BY id LIMIT {_AT_ONCE}", (vault, stemmed))
    note_ids = [cast("int", row[0]) for row in rows]
    headers = stored_headers(connection, note_ids)
    sql = (
        "SELECT note_id, chunk.id, headings, unpacked(packed) FROM carray(?) AS wanted"
        " CROSS JOIN chunk WHERE note_id = wanted.value"
    )
    found = cast("Iterable[tuple[int, int, str, str]]", connection.execute(sql, (integers(note_ids),)))
    chunks = [(note_id, chunk_id, _texts(headings), text) for note_id, chunk_id, headings, text in found]
    for note_id, chunk_id, headings, text in chunks:
        words.remove_chunk(chunk_id, text, headings, headers[note_id].stemmed)
        words.add_chunk(chunk_id, text, headings, stemmed)
    connection.executemany("UPDATE note SET stemmed = ? WHERE id = ?", [(stemmed, note_id) for note_id in note_ids])
    for note_id, old in headers.items():
        words.replace_header(note_id, old, replace(old, stemmed=stemmed))


def _main_language(connection: Connection, vault: str, language_of: LanguageOf) -> str:
    """The language that most notes of a vault are in which tell theirs; the one before where none has most.

    Where there was none, and few notes tell theirs: that of the others' beginnings, read as one text.
    """
    counts = dict(cast("Iterable[tuple[str, int]]", connection.execute(_COUNTS, (vault,))))
    told = sum(counts.values())
    least = max(_LEAST_NOTES, _LEAST_SHARE * told)
    main = next((language for language, notes in counts.items() if notes >= least), "")
    main = main or vault_language(connection, vault)
    if main or told > _LEAST_NOTES:
        return main
    texts = cast("Iterable[tuple[str]]", connection.execute(_TEXTS, (vault, _READ_TOGETHER)))
    return language_of("\n".join(text for (text,) in texts))


_texts = msgspec.json.Decoder(tuple[str, ...]).decode
