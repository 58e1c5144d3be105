"""Keeping the word indexes (FTS5 and postings) in step with notes, chunks and the texts of links."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

import msgspec

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.words.analysis import IndexedText
from scrubjay.profiles.search.words.postings import Field, PostingBatch
from scrubjay.profiles.store.statements import Connection, integers

# Keeping the word indexes (FTS5 and postings) in step with the rows of notes and chunks.
#
# Both are contentless: what is taken out is named by the text that once went in, so callers pass the old text.


@dataclass(frozen=True, slots=True)
class Header:
    """The searchable words of a note itself, as stored; field order is that of `note_fts`.

    stemmed: the language of its words, see `analysis.stemmed_language`.
    """

    title: str
    aliases: str
    tags: str
    anchors: str
    path: str
    stemmed: str = ""


def header(
    title: str, aliases: tuple[str, ...], tags: tuple[str, ...], anchors: str, path: str, stemmed: str = ""
) -> Header:
    """Join a note's fields into what is indexed."""
    return Header(title, "\n".join(aliases), "\n".join(tags), anchors, path.removesuffix(".md"), stemmed)


def stored_header(connection: Connection, note_id: int) -> Header:
    """The header as the rows of a note have it now."""
    return stored_headers(connection, (note_id,))[note_id]


def stored_headers(connection: Connection, note_ids: Sequence[int]) -> dict[int, Header]:
    """The headers as the rows of notes have them now, by note id; unknown ids are left out."""
    sql = (
        "SELECT id, title, aliases, tags, anchors, path, stemmed"
        " FROM carray(?) AS wanted CROSS JOIN note WHERE id = wanted.value"
    )
    rows = connection.execute(sql, (integers(note_ids),)) if note_ids else ()
    return {
        note_id: header(title, _texts(aliases), _texts(tags), anchors, path, stemmed)
        for note_id, title, aliases, tags, anchors, path, stemmed in cast("Iterable[_HeaderRow]", rows)
    }


_HeaderRow: TypeAlias = tuple[int, str, str, str, str, str, str]
_texts = msgspec.json.Decoder(tuple[str, ...]).decode


class WordIndexes:
    """Adds and removes within one transaction; `flush` before its commit."""

    def __init__(self, connection: Connection) -> None:
        self._postings = PostingBatch(connection)
        self._phrases = connection.dialect.phrase_index(connection)

    def add_chunk(self, chunk_id: int, text: str, headings: tuple[str, ...], stemmed: str) -> int:
        """Index a chunk of a note in this language; returns the number of terms in its text, stems not counted."""
        body, heads = chunk_fields(text, headings, stemmed)
        self._phrases.add_chunk(chunk_id, (body, heads))
        terms = body.terms
        self._postings.add(Field.BODY, chunk_id, [*terms, *body.stems])
        if headings:
            self._postings.add(Field.HEADINGS, chunk_id, [*heads.terms, *heads.stems])
        return len(terms)

    def remove_chunk(self, chunk_id: int, text: str, headings: tuple[str, ...], stemmed: str) -> None:
        """Take a chunk out, given the text and the language that went in."""
        body, heads = chunk_fields(text, headings, stemmed)
        self._phrases.remove_chunk(chunk_id, (body, heads))
        self._postings.remove(Field.BODY, chunk_id, [*body.terms, *body.stems])
        self._postings.remove(Field.HEADINGS, chunk_id, [*heads.terms, *heads.stems])

    def replace_header(self, note_id: int, old: Header | None, new: Header | None) -> None:
        """Index a note's header in place of its old one (None: there is none)."""
        if old == new:
            return
        before, after = header_fields(old), header_fields(new)
        self._phrases.replace_header(note_id, before if old else None, after if new else None)
        for field, was, text in zip(_HEADER_FIELDS, before, after, strict=True):
            if was != text:
                self._postings.remove(field, note_id, [*was.terms, *was.stems])
                self._postings.add(field, note_id, [*text.terms, *text.stems])

    def rows_are_there(self) -> None:
        """Say that the rows of all chunks and notes so far are written; on a server their words can follow."""
        self._phrases.rows_are_there()
        self._postings.rows_are_there()

    @property
    def counts(self) -> Mapping[str, int]:
        """By term, how many postings came (> 0) or went (< 0) with what has been flushed."""
        return self._postings.counts

    def clear(self) -> None:
        """Forget the words of all chunks and notes, before they are indexed anew."""
        self._postings.clear()
        self._phrases.clear()

    def flush(self) -> None:
        """Write what waits, and the postings."""
        self._phrases.flush()
        self._postings.flush()


_HEADER_FIELDS = (Field.TITLE, Field.ALIASES, Field.TAGS, Field.ANCHORS, Field.PATH)


def chunk_fields(text: str, headings: tuple[str, ...], stemmed: str) -> tuple[IndexedText, IndexedText]:
    """A chunk's text and headings as they are indexed."""
    return IndexedText.of(text, stemmed), IndexedText.of("\n".join(headings), stemmed)


def header_fields(of: Header | None) -> tuple[IndexedText, ...]:
    """The fields of a header as they are indexed; empty ones where there is none."""
    if of is None:
        return (IndexedText("", ""),) * len(_HEADER_FIELDS)
    return tuple(IndexedText.of(text, of.stemmed) for text in (of.title, of.aliases, of.tags, of.anchors, of.path))


# Link texts as words of the note they point to: what others call a note is what its owner may search for.
#
# Resolution is by file name or alias, case and diacritics aside, and so approximate: two notes of one name both get
# the texts. The exact graph is not needed for this.

MAX_ANCHORS = 100
"""Distinct texts a note, the most frequent first; a hub's thousandth nickname adds nothing."""

_INBOUND = """
SELECT link.text FROM link
WHERE link.target_key IN (
    SELECT stem_key FROM note WHERE id = ?1 UNION SELECT alias_key FROM note_alias WHERE note_id = ?1
  )
  AND link.text <> '' AND link.kind <> 'embed' AND link.note_id <> ?1
GROUP BY link.text ORDER BY count(*) DESC, link.text
"""

NAMES_AT_ONCE = 10_000
"""Whose notes one transaction refreshes: others may write in between, and the words are merged once for each."""

_OF_THESE = "(CAST(?1 AS TEXT) IS NULL OR target_key <= ?1)"
# CROSS JOIN, by which SQLite looks up the few names that are stale: it would go through all notes and aliases.
_STALE = f"""
SELECT note.id FROM stale_anchor CROSS JOIN note WHERE note.stem_key = target_key AND {_OF_THESE}
UNION SELECT note_id FROM stale_anchor CROSS JOIN note_alias WHERE alias_key = target_key AND {_OF_THESE}
"""  # noqa: S608 (values are bound)


def target_key(target: str) -> str:
    """What of a link's target is compared: the last part, folded, without `.md`."""
    return fold(target).rstrip("/").rsplit("/", 1)[-1].removesuffix(".md")


def mark_targets(connection: Connection, note_ids: Sequence[int]) -> None:
    """Note that what these notes link to needs a refresh. Call it before links go and after they come."""
    connection.execute(
        "INSERT INTO stale_anchor (target_key)"
        " SELECT target_key FROM link WHERE note_id IN (SELECT value FROM carray(?)) AND text <> '' AND ("
        "  EXISTS (SELECT 1 FROM note WHERE stem_key = target_key)"
        "  OR EXISTS (SELECT 1 FROM note_alias WHERE alias_key = target_key)) ON CONFLICT DO NOTHING",
        (integers(note_ids),),
    )


def mark_names(connection: Connection, note_ids: Sequence[int]) -> None:
    """Note that notes need a refresh, since their names are new, or others that links use are gone.

    A name that no link uses does not count.
    """
    these = "IN (SELECT value FROM carray(?1))"
    connection.execute(
        "INSERT INTO stale_anchor (target_key) SELECT name FROM"  # noqa: S608 (values are bound)
        f" (SELECT stem_key AS name FROM note WHERE id {these}"
        f"  UNION SELECT alias_key FROM note_alias WHERE note_id {these}) AS named"
        " WHERE EXISTS (SELECT 1 FROM link WHERE target_key = name AND text <> '')"
        f" UNION SELECT stem_key FROM note WHERE id {these} AND anchors <> '' ON CONFLICT DO NOTHING",
        (integers(note_ids),),
    )


def refresh(connection: Connection, words: WordIndexes, note_ids: Iterable[int] | None) -> None:
    """See `Writer.refresh_anchors`."""
    if note_ids is None:
        in_order = "SELECT target_key FROM stale_anchor ORDER BY target_key LIMIT 1 OFFSET ?"
        last = cast("str | None", connection.execute(in_order, (NAMES_AT_ONCE - 1,)).get)
        note_ids = [cast("int", row[0]) for row in connection.execute(_STALE, (last,))]
        connection.execute(f"DELETE FROM stale_anchor WHERE {_OF_THESE}", (last,))  # noqa: S608
    headers = stored_headers(connection, list(note_ids))
    for note_id, old in headers.items():
        anchors = _anchors(connection, note_id, old.title)
        if anchors != old.anchors:
            connection.execute("UPDATE note SET anchors = ? WHERE id = ?", (anchors, note_id))
            words.replace_header(note_id, old, replace(old, anchors=anchors))


def is_stale(connection: Connection) -> bool:
    """Whether notes wait for `refresh`."""
    return connection.execute("SELECT 1 FROM stale_anchor LIMIT 1").get is not None


def _anchors(connection: Connection, note_id: int, title: str) -> str:
    """What others call a note, a line each; its title is no news."""
    texts = cast("Iterable[tuple[str]]", connection.execute(_INBOUND, (note_id,)))
    distinct = {fold(text): text for (text,) in texts if fold(text) != fold(title)}
    return "\n".join(list(distinct.values())[:MAX_ANCHORS])
