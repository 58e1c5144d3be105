"""Rows of notes and of what belongs to them, gathered and written together."""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import get_args

import msgspec

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.meaning.vectors import place_in_queue
from scrubjay.profiles.search.words import word_index
from scrubjay.profiles.search.words.analysis import as_number
from scrubjay.profiles.store import proposals, succession
from scrubjay.profiles.store.rows import ChunkRow, NoteBundle, RedactionRow, Standing
from scrubjay.profiles.store.statements import Connection, Insert, Value, integers

_NOTE = (
    "title, title_tokens, mtime_ns, size, changed_ns, digest, fingerprint, created_ns, lang, stemmed, aliases, tags,"
    " properties, redactions, payload, kind, parts, scans, passages"
)
_PLACE = ("id", "vault", "path", "path_key", "file_key", "stem_key")
_INSERT_NOTE = Insert("note", (*_PLACE, *_NOTE.split(", ")))
_UPDATE_NOTE = f"UPDATE note SET {', '.join(f'{name} = ?' for name in _NOTE.split(', '))} WHERE id = ?"  # noqa: S608
_OF_NOTES = "note_id IN (SELECT value FROM carray(?))"
_DETAILS = {
    "note_alias": Insert("note_alias", ("alias_key", "note_id")),
    "note_tag": Insert("note_tag", ("tag_key", "note_id", "tag")),
    "note_property": Insert("note_property", ("name_key", "note_id", "position", "name", "value_key", "number")),
    "link": Insert("link", ("note_id", "target", "target_key", "kind", "line", "heading", "block", "text")),
    "redaction": Insert("redaction", ("note_id", "line", '"column"', "rule", "length", "standing", "place")),
}
_MOVE_CHUNK = "UPDATE chunk SET position = ?, line = ?, end_line = ?, place = ? WHERE id = ?"
_MOST_HIDDEN_FIRST: Sequence[Standing] = get_args(Standing)
_Rows = list[Sequence[Value]]


class NoteRows:
    """Rows of different notes. What is gathered is in the database after `write`, not before."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ids: list[int] = []
        self._replaced: list[int] = []
        self._new: _Rows = []
        self._changed: _Rows = []
        self._details: Mapping[str, _Rows] = {table: [] for table in _DETAILS}
        self._gone_chunks: list[int] = []
        self._moved_chunks: _Rows = []
        self._added_chunks: _Rows = []
        self._heirs: _Rows = []
        self.added_texts: list[tuple[int, bytes, int]] = []
        """(chunk id, digest, place in the queue) of the chunks that are added."""

    def add(self, note_id: int, bundle: NoteBundle, stemmed: str, title_tokens: int, *, replaces: bool) -> None:
        """Take in a note: its row, and aliases, tags, properties, links and redactions in place of its old ones."""
        self._ids.append(note_id)
        redactions = _listed(bundle.redactions)
        values = _note_values(bundle, redactions, stemmed, title_tokens)
        if replaces:
            self._replaced.append(note_id)
            self._changed.append((*values, note_id))
        else:
            place = (bundle.note.vault, bundle.note.path, *path_keys(bundle.note.path))
            self._new.append((note_id, *place, *values))
        for table, rows in _details(note_id, bundle, redactions).items():
            self._details[table].extend(rows)

    def add_chunk(
        self, chunk_id: int, note_id: int, position: int, bundle: NoteBundle, tokens: int, *, by_edit: bool
    ) -> None:
        """Take in the chunk at this position of a note. by_edit: the note was there before, without it."""
        chunk = bundle.chunks[position]
        place = (chunk.line, chunk.end_line, chunk.place)
        packed = self._connection.packed(chunk.text)
        self._added_chunks.append(
            (
                *(chunk_id, note_id, position, chunk.digest, as_json(chunk.headings), *place, tokens),
                bundle.note.mtime_ns if by_edit else None,
                packed,
            )
        )
        self.added_texts.append((chunk_id, chunk.digest, place_in_queue(bundle.note.mtime_ns, bundle.note.kind)))

    def move_chunk(self, chunk_id: int, position: int, chunk: ChunkRow) -> None:
        """A chunk stands elsewhere in its note."""
        self._moved_chunks.append((position, chunk.line, chunk.end_line, chunk.place, chunk_id))

    def remove_chunk(self, chunk_id: int) -> None:
        """A chunk of a note that is replaced is gone."""
        self._gone_chunks.append(chunk_id)

    def pass_on(self, note_id: int, heirs: Mapping[bytes, bytes]) -> None:
        """Digests of passages that are gone from a note, each with that of what stands in its place."""
        now = time.time_ns()
        self._heirs.extend((note_id, digest, heir, now) for digest, heir in heirs.items())

    def write(self) -> None:
        """Write what was gathered. Call it once."""
        run = self._connection.executemany
        if self._replaced:
            self._clear()
        self._connection.insert(_INSERT_NOTE, self._new)
        run(_UPDATE_NOTE, self._changed)
        for table, rows in self._details.items():
            self._connection.insert(_DETAILS[table], rows)
        word_index.mark_targets(self._connection, self._ids)
        word_index.mark_names(self._connection, self._ids)
        run(_MOVE_CHUNK, self._moved_chunks)
        self._connection.dialect.add_chunks(self._connection, self._added_chunks)
        if self._heirs:
            run(succession.KEEP, self._heirs)
            run(succession.TO_HEIRS, self._heirs)
            run(succession.FORGET, [(note_id, now) for note_id, now in {(row[0], row[-1]) for row in self._heirs}])

    def _clear(self) -> None:
        """Take away what notes that are replaced no longer have, or get anew."""
        proposals.forget_naming(self._connection, self._replaced)
        word_index.mark_targets(self._connection, self._replaced)
        for table in _DETAILS:
            self._connection.execute(f"DELETE FROM {table} WHERE {_OF_NOTES}", (integers(self._replaced),))  # noqa: S608
        if self._gone_chunks:
            gone = integers(self._gone_chunks)
            self._connection.execute("DELETE FROM chunk WHERE id IN (SELECT value FROM carray(?))", (gone,))


def path_keys(path: str) -> tuple[str, str, str]:
    """What a note's path, its file's name, and that name without `.md` are compared by."""
    key = fold(path)
    name = key.rsplit("/", 1)[-1]
    return key, name, name.removesuffix(".md")


def as_json(value: object) -> str:
    """A value as JSON in text."""
    return msgspec.json.encode(value).decode()


def _listed(redactions: Iterable[RedactionRow]) -> Collection[RedactionRow]:
    """One for each place and rule: what decoding brings to light on a line has no column, so several may meet there.

    The most hidden of them stays, so that nothing that is hidden is told as allowed.
    """
    found: dict[tuple[int, int, str], RedactionRow] = {}
    for each in sorted(redactions, key=lambda row: _MOST_HIDDEN_FIRST.index(row.standing)):
        found.setdefault((each.line, each.column, each.rule), each)
    return found.values()


def _note_values(
    bundle: NoteBundle, redactions: Iterable[RedactionRow], stemmed: str, title_tokens: int
) -> tuple[Value, ...]:
    note = bundle.note
    return (
        note.title,
        title_tokens,
        note.mtime_ns,
        note.size,
        note.changed_ns,
        note.digest,
        note.fingerprint,
        note.created_ns,
        note.lang.lower(),
        stemmed,
        as_json(note.aliases),
        as_json(note.tags),
        as_json(note.properties),
        sum(found.is_hidden for found in redactions),
        note.payload,
        note.kind,
        note.parts,
        note.scans,
        len(bundle.chunks) if note.kind else 0,
    )


def _details(note_id: int, bundle: NoteBundle, redactions: Iterable[RedactionRow]) -> dict[str, _Rows]:
    """The rows of each table that has something about a note."""
    note = bundle.note
    aliases = {fold(alias): None for alias in note.aliases}
    tags = {fold(tag): tag for tag in reversed(note.tags)}
    properties = {
        (fold(name), position): (name, fold(value), as_number(value))
        for name, values in note.properties.items()
        for position, value in enumerate((values,) if isinstance(values, str) else values or ("",))
    }
    return {
        "note_alias": [(key, note_id) for key in aliases],
        "note_tag": [(key, note_id, tag) for key, tag in tags.items()],
        "note_property": [(key, note_id, position, *rest) for (key, position), rest in properties.items()],
        "link": [
            (
                note_id,
                link.target,
                word_index.target_key(link.target),
                link.kind,
                link.line,
                link.heading,
                link.block,
                link.text,
            )
            for link in bundle.links
        ],
        "redaction": [
            (note_id, each.line, each.column, each.rule, each.length, each.standing, each.place) for each in redactions
        ],
    }
