"""Keeping the word indexes (FTS5 and postings) in step with the rows of notes and chunks.

Both are contentless: what is taken out is named by the text that once went in, so callers pass the old text.
"""

from dataclasses import dataclass
from typing import cast

import msgspec

from scrubjay.profiles.database.sql import Connection
from scrubjay.profiles.lexical.posting import Field, PostingBatch
from scrubjay.profiles.text import analysis

BULK_REMOVALS = 1500
"""Rows. FTS5's secure-delete rewrites pages for each row (1 to 5 ms); past this, mark all and merge once instead."""


@dataclass(frozen=True, slots=True)
class Header:
    """The searchable words of a note itself, as stored; field order is that of `note_fts`."""

    title: str
    aliases: str
    tags: str
    anchors: str
    path: str


def header(title: str, aliases: tuple[str, ...], tags: tuple[str, ...], anchors: str, path: str) -> Header:
    """Join a note's fields into what is indexed."""
    return Header(title, "\n".join(aliases), "\n".join(tags), anchors, path.removesuffix(".md"))


def stored_header(connection: Connection, note_id: int) -> Header:
    """The header as the rows of a note have it now."""
    sql = "SELECT title, aliases, tags, anchors, path FROM note WHERE id = ?"
    title, aliases, tags, anchors, path = cast(
        "tuple[str, str, str, str, str]", connection.execute(sql, (note_id,)).get
    )
    names = msgspec.json.decode(aliases, type=tuple[str, ...])
    return header(title, names, msgspec.json.decode(tags, type=tuple[str, ...]), anchors, path)


class WordIndexes:
    """Adds and removes within one transaction; `flush` before its commit."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._postings = PostingBatch(connection)
        self._merge = False

    def add_chunk(self, chunk_id: int, text: str, headings: tuple[str, ...]) -> int:
        """Index a chunk; returns the number of terms in its text."""
        body, heads = analysis.index_text(text), analysis.index_text("\n".join(headings))
        sql = "INSERT INTO chunk_fts (rowid, body, headings) VALUES (?, ?, ?)"
        self._connection.execute(sql, (chunk_id, body, heads))
        terms = analysis.tokenize(body)
        self._postings.add(Field.BODY, chunk_id, terms)
        if headings:
            self._postings.add(Field.HEADINGS, chunk_id, analysis.tokenize(heads))
        return len(terms)

    def remove_chunk(self, chunk_id: int, text: str, headings: tuple[str, ...]) -> None:
        """Take a chunk out, given the text that went in."""
        body, heads = analysis.index_text(text), analysis.index_text("\n".join(headings))
        sql = "INSERT INTO chunk_fts (chunk_fts, rowid, body, headings) VALUES ('delete', ?, ?, ?)"
        self._connection.execute(sql, (chunk_id, body, heads))
        self._postings.remove(Field.BODY, chunk_id, analysis.tokenize(body))
        self._postings.remove(Field.HEADINGS, chunk_id, analysis.tokenize(heads))

    def replace_header(self, note_id: int, old: Header | None, new: Header | None) -> None:
        """Index a note's header in place of its old one (None: there is none)."""
        if old == new:
            return
        before, after = _texts(old), _texts(new)
        columns = "rowid, title, aliases, tags, anchors, path"
        if old is not None:
            sql = f"INSERT INTO note_fts (note_fts, {columns}) VALUES ('delete', ?, ?, ?, ?, ?, ?)"  # noqa: S608
            self._connection.execute(sql, (note_id, *before))
        if new is not None:
            sql = f"INSERT INTO note_fts ({columns}) VALUES (?, ?, ?, ?, ?, ?)"  # noqa: S608
            self._connection.execute(sql, (note_id, *after))
        for field, was, text in zip(_HEADER_FIELDS, before, after, strict=True):
            if was != text:
                self._postings.remove(field, note_id, analysis.tokenize(was))
                self._postings.add(field, note_id, analysis.tokenize(text))

    def expect_removals(self, rows: int) -> None:
        """Say before a large removal how many rows it takes; the indexes are then merged once, in `flush`."""
        if rows >= BULK_REMOVALS and not self._merge:
            self._merge = True
            self._secure_delete(on=False)

    def flush(self) -> None:
        """Write the postings, and physically drop what a large removal only marked."""
        self._postings.flush()
        if self._merge:
            self._connection.execute("INSERT INTO chunk_fts (chunk_fts) VALUES ('optimize')")
            self._connection.execute("INSERT INTO note_fts (note_fts) VALUES ('optimize')")
            self._secure_delete(on=True)
            self._merge = False

    def _secure_delete(self, *, on: bool) -> None:
        self._connection.execute("INSERT INTO chunk_fts (chunk_fts, rank) VALUES ('secure-delete', ?)", (int(on),))
        self._connection.execute("INSERT INTO note_fts (note_fts, rank) VALUES ('secure-delete', ?)", (int(on),))


_HEADER_FIELDS = (Field.TITLE, Field.ALIASES, Field.TAGS, Field.ANCHORS, Field.PATH)


def _texts(of: Header | None) -> tuple[str, ...]:
    if of is None:
        return ("",) * len(_HEADER_FIELDS)
    return tuple(analysis.index_text(text) for text in (of.title, of.aliases, of.tags, of.anchors, of.path))
