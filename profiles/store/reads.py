"""Plain reads, for `Store.read`: rows out of the database as the values of `rows.py`."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeAlias, cast

import msgspec

from scrubjay.profiles.names import fold
from scrubjay.profiles.store.columns import Ids
from scrubjay.profiles.store.filter_sql import compiled_for, matching_notes
from scrubjay.profiles.store.filters import AllOf, AmongNotes, NoteFilter
from scrubjay.profiles.store.note_facts import SortKey
from scrubjay.profiles.store.note_rows import path_keys
from scrubjay.profiles.store.rows import (
    ChunkView,
    FailureRow,
    KindCounts,
    KnownNote,
    LinkKind,
    LinkRow,
    NoteTimes,
    NoteView,
    RedactionPlace,
    Standing,
    StoreCounts,
)
from scrubjay.profiles.store.snapshots import quick
from scrubjay.profiles.store.statements import Connection, Row, integers, json_texts

_texts = msgspec.json.Decoder(tuple[str, ...]).decode
CHUNK_VIEW = """
SELECT chunk.id, note.id, chunk.digest, unpacked(chunk.packed), chunk.headings, chunk.line, chunk.end_line,
       chunk.position, note.vault, note.path, note.title, note.aliases, note.tags, note.mtime_ns, note.redactions,
       note.kind, chunk.place, note.lang, note.stemmed, note.created_ns, chunk.since_ns
FROM chunk JOIN note ON note.id = chunk.note_id
"""
"""What is shown of a chunk, its id first."""
CHUNKS = f"{CHUNK_VIEW} WHERE chunk.id IN (SELECT value FROM carray(?))"  # noqa: S608 (of constants)
"""The statement that reads chunks by their ids."""
_ChunkRow: TypeAlias = tuple[
    *tuple[int, int, bytes, str, str, int, int, int, str, str, str, str, str, int, int, str, str, str, str],
    *tuple[int | None, int | None],
]
_LAST_NS = 2**63 - 1  # the largest integer of SQLite
_KNOWN_NOTE = "SELECT note.id, note.path, mtime_ns, size, digest, fingerprint, changed_ns FROM"
_HAS_TEXT = "note.kind = '' AND EXISTS (SELECT 1 FROM chunk WHERE chunk.note_id = note.id)"
_NOTE_COLUMNS = "id, vault, path, title, aliases, tags, properties, mtime_ns, created_ns, lang, redactions, kind"
_NOTE_VIEW = f"SELECT {_NOTE_COLUMNS} FROM note"  # noqa: S608


def meta(connection: Connection, name: str) -> str | None:
    """A value kept under a name, or None."""
    value = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).get
    return None if value is None else str(value)


def note_count(connection: Connection) -> int:
    """How many notes are stored; files of other kinds are not counted."""
    return int(str(connection.execute("SELECT count(*) FROM note WHERE kind = ''").get))


def vaults(connection: Connection) -> tuple[str, ...]:
    """The ids of the vaults that notes are stored of."""
    rows = cast("Iterable[tuple[str]]", connection.execute("SELECT DISTINCT vault FROM note ORDER BY vault"))
    return tuple(vault for (vault,) in rows)


def has_notes_of(connection: Connection, vault: str) -> bool:
    """Whether anything is stored of a vault."""
    return bool(connection.execute("SELECT EXISTS (SELECT 1 FROM note WHERE vault = ?)", (vault,)).get)


def known_notes(
    connection: Connection, vault: str, places: Collection[str] | None = None, *, files: bool = False
) -> dict[str, KnownNote]:
    """What is remembered of each note of a vault, by path; files: of each file of another kind instead.

    places: of these notes, and of those below these folders, alone; case and diacritics do not count.
    """
    of_kind = "kind <> ''" if files else "kind = ''"
    if places is None:
        rows = connection.execute(f"{_KNOWN_NOTE} note WHERE vault = ? AND {of_kind}", (vault,))
    else:
        # CROSS JOIN: for each place one look into the index `note_place`. "0" follows "/" in ASCII.
        here = f"{_KNOWN_NOTE} json_each(?2) AS place CROSS JOIN note WHERE vault = ?1 AND {of_kind} AND path_key"
        sql = f"{here} = place.value UNION {here} > place.value || '/' AND path_key < place.value || '0'"
        rows = connection.execute(sql, (vault, json_texts(sorted(map(fold, places)))))
    found = [KnownNote(*row) for row in cast("Iterable[tuple[int, str, int, int, bytes, str, int]]", rows)]
    return {note.path: note for note in found}


def titles(connection: Connection) -> dict[int, str]:
    """The title of each note by its id; files of other kinds are left out."""
    return dict(cast("Iterable[tuple[int, str]]", connection.execute("SELECT id, title FROM note WHERE kind = ''")))


def stamps(connection: Connection) -> dict[int, int]:
    """Of each note, by id, a number that is another one when its path, its bytes or their preparation changed.

    It compares within one process only.
    """
    rows = cast(
        "Iterable[tuple[int, str, bytes, str]]", connection.execute("SELECT id, path, digest, fingerprint FROM note")
    )
    return {row[0]: hash(row) for row in rows}


@quick
def failures(connection: Connection) -> tuple[FailureRow, ...]:
    """All files that could not be indexed, by vault and path."""
    sql = "SELECT vault, path, code, reason, mtime_ns, size, changed_ns, kind FROM failure ORDER BY vault, path"
    rows = cast("Iterable[tuple[str, str, str, str, int, int, int, str]]", connection.execute(sql))
    return tuple(FailureRow(*row) for row in rows)


def redactions(connection: Connection, vault: str | None = None) -> tuple[RedactionPlace, ...]:
    """Where credentials sit (never what they are), by vault, path and line."""
    sql = (
        'SELECT vault, path, rule, line, "column", length, standing, place FROM redaction'
        " JOIN note ON note.id = note_id WHERE CAST(?1 AS TEXT) IS NULL OR vault = ?1"
        ' ORDER BY vault, path, line, "column", rule'
    )
    rows = cast("Iterable[tuple[str, str, str, int, int, int, Standing, str]]", connection.execute(sql, (vault,)))
    return tuple(RedactionPlace(*row) for row in rows)


def texts(connection: Connection, chunks: Sequence[int]) -> dict[int, str]:
    """The texts of these chunks, by id, and nothing else of them; unknown ids are left out."""
    sql = "SELECT id, unpacked(packed) FROM chunk WHERE id IN (SELECT value FROM carray(?))"
    return dict(cast("Iterable[tuple[int, str]]", connection.execute(sql, (integers(chunks),))))


def chunks(connection: Connection, ids: Sequence[int]) -> dict[int, ChunkView]:
    """The chunks with these ids; unknown ids are left out."""
    rows = connection.execute(CHUNKS, (integers(ids),))
    found = {view.chunk_id: view for view in map(_chunk_view, rows)}
    return {chunk_id: found[chunk_id] for chunk_id in ids if chunk_id in found}


def paths_of(connection: Connection, chunks: Sequence[int]) -> dict[int, str]:
    """The path of each chunk's note, by the chunk's id; unknown ids are left out. No text is read."""
    sql = (
        "SELECT chunk.id, note.path FROM carray(?) AS wanted CROSS JOIN chunk JOIN note ON note.id = note_id"
        " WHERE chunk.id = wanted.value"
    )
    rows = connection.execute(sql, (integers(chunks),))
    return dict(cast("Iterable[tuple[int, str]]", rows))


def notes_by_vault(connection: Connection) -> dict[str, int]:
    """How many notes there are of each vault, by its id."""
    rows = connection.execute("SELECT vault, count(*) FROM note GROUP BY vault")
    return dict(cast("Iterable[tuple[str, int]]", rows))


def note_chunks(connection: Connection, note_id: int) -> list[ChunkView]:
    """A note's chunks in order; none for an unknown note."""
    rows = connection.execute(f"{CHUNK_VIEW} WHERE chunk.note_id = ? ORDER BY chunk.position", (note_id,))
    return [_chunk_view(row) for row in rows]


def first_chunks(connection: Connection, note_ids: Sequence[int]) -> dict[int, ChunkView]:
    """The first chunk of each of these notes, by the note's id; notes without one are left out."""
    wanted = "chunk.position = 0 AND chunk.note_id IN (SELECT value FROM carray(?))"
    rows = connection.execute(f"{CHUNK_VIEW} WHERE {wanted}", (integers(note_ids),))
    return {view.note_id: view for view in map(_chunk_view, rows)}


def chunks_by_digest(connection: Connection, digest_prefix: bytes, limit: int = 10) -> list[ChunkView]:
    """Chunks whose digest begins with these bytes (a result's id is the first six), by digest and id."""
    top = digest_prefix + b"\xff" * 16
    sql = f"{CHUNK_VIEW} WHERE chunk.digest >= ? AND chunk.digest <= ? ORDER BY chunk.digest, chunk.id LIMIT ?"
    return [_chunk_view(row) for row in connection.execute(sql, (digest_prefix, top, limit))]


def successors(connection: Connection, digest_prefix: bytes, limit: int = 10) -> list[tuple[bytes, ChunkView]]:
    """What took the place of passages that were edited, with their digests, which begin with these bytes."""
    sql = (
        "SELECT former.digest, chunk.id FROM former_chunk AS former"
        " JOIN chunk ON chunk.note_id = former.note_id AND chunk.digest = former.heir"
        " WHERE former.digest >= ? AND former.digest <= ? ORDER BY former.digest, chunk.id LIMIT ?"
    )
    rows = connection.execute(sql, (digest_prefix, digest_prefix + b"\xff" * 16, limit))
    found = cast("list[tuple[bytes, int]]", rows.fetchall())
    views = chunks(connection, [chunk_id for _, chunk_id in found])
    return [(digest, views[chunk_id]) for digest, chunk_id in found]


def former_chunks(connection: Connection, note_id: int, since_ns: int) -> list[tuple[bytes, bytes]]:
    """Digests of a note's passages that an edit took since a time, each with that of what stands in its place."""
    sql = "SELECT digest, heir FROM former_chunk WHERE note_id = ? AND heir_ns >= ? ORDER BY heir_ns, digest"
    return cast("list[tuple[bytes, bytes]]", connection.execute(sql, (note_id, since_ns)).fetchall())


def note_by_path(connection: Connection, vault: str, path: str) -> NoteView | None:
    """A note by its place, or None."""
    found = connection.execute_here("SELECT id FROM note WHERE vault = ? AND path = ?", (vault, path))
    return next(iter(_by_id(connection, found)), None)


def notes_by_path(connection: Connection, path: str) -> list[NoteView]:
    """The notes at a path, of whatever vaults, by the vaults' ids."""
    *_, stem_key = path_keys(path)
    sql = "SELECT id FROM note WHERE stem_key = ? AND path = ? ORDER BY vault"
    return _by_id(connection, connection.execute_here(sql, (stem_key, path)))


def ids_at(connection: Connection, paths: Collection[str]) -> list[int]:
    """The ids of the notes at these paths, of whatever vaults, in no order."""
    sql = (
        "SELECT id FROM note WHERE stem_key IN (SELECT value FROM json_each(?))"
        " AND path IN (SELECT value FROM json_each(?))"
    )
    stem_keys = {path_keys(path)[-1] for path in paths}
    rows = connection.execute_here(sql, (json_texts(stem_keys), json_texts(paths)))
    return [cast("int", row[0]) for row in rows]


def _by_id(connection: Connection, found: Iterable[Row]) -> list[NoteView]:
    return list(notes(connection, [cast("int", row[0]) for row in found]).values())


def notes(connection: Connection, ids: Sequence[int], where: NoteFilter | None = None) -> dict[int, NoteView]:
    """The notes with these ids that pass `where`; unknown ids are left out."""
    passing = ids if where is None else matching_notes(connection, AllOf((AmongNotes(tuple(ids)), where)))
    sql = f"{_NOTE_VIEW} WHERE id IN (SELECT value FROM carray(?))"  # noqa: S608 (of constants)
    rows = connection.execute(sql, (integers(passing),)) if passing else ()
    found = {view.note_id: view for view in map(_note_view, rows)}
    return {note_id: found[note_id] for note_id in ids if note_id in found}


def recent(connection: Connection, limit: int | None = None, where: NoteFilter | None = None) -> list[NoteView]:
    """The notes modified last that pass `where`, newest first; of those of one moment, as after a checkout, by path.

    limit: None for all.
    """
    most = _LAST_NS if limit is None else limit
    order = "ORDER BY mtime_ns DESC, path, vault LIMIT ?"
    if where is None:
        return [_note_view(row) for row in connection.execute(f"{_NOTE_VIEW} {order}", (most,))]
    condition, values = compiled_for(connection, where)
    sql = f"SELECT id FROM note WHERE {condition} {order}"  # noqa: S608 (values are bound)
    return _by_id(connection, connection.execute_here(sql, (*values, most)))


def each_note(connection: Connection) -> Iterator[NoteView]:
    """All notes and files, by id, while the connection is read from."""
    return (_note_view(row) for row in connection.execute(f"{_NOTE_VIEW} ORDER BY id"))


def newest(connection: Connection, limit: int) -> list[NoteView]:
    """The notes modified last that have text, in the order of `recent`; no other kinds of files."""
    table = connection.dialect.notes_by_change
    sql = f"SELECT {_NOTE_COLUMNS} FROM {table} WHERE {_HAS_TEXT} ORDER BY mtime_ns DESC, path, vault LIMIT ?"  # noqa: S608
    return [_note_view(row) for row in connection.execute(sql, (limit,))]


def newest_count(connection: Connection) -> int:
    """How many notes have text."""
    return int(connection.execute(f"SELECT count(*) FROM note WHERE {_HAS_TEXT}").get)  # noqa: S608


@quick
def newest_named(connection: Connection, part: str, limit: int) -> list[tuple[int, str]]:
    """(Unix nanoseconds, path) of the notes modified last in whose file names `part` stands, newest first.

    Case and accents do not count; empty notes are left out.
    """
    sql = (
        "SELECT mtime_ns, path FROM note WHERE instr(file_key, ?) > 0"
        " AND EXISTS (SELECT 1 FROM chunk WHERE note_id = note.id) ORDER BY mtime_ns DESC, file_key, id LIMIT ?"
    )
    return cast("list[tuple[int, str]]", connection.execute_here(sql, (fold(part), limit)).fetchall())


def sort_keys(connection: Connection, notes: Ids, by: SortKey) -> list[tuple[int | str | None, int]]:
    """(what notes are sorted by, note id) of these notes, in the order given."""
    if not len(notes):
        return []
    columns = {"modified": "mtime_ns", "created": "created_ns", "title": "title", "path": "path"}
    sql = f"SELECT {columns[by]}, id FROM carray(?) AS wanted CROSS JOIN note WHERE id = wanted.value"  # noqa: S608
    rows = cast("Iterable[tuple[int | str | None, int]]", connection.execute(sql, (integers(notes),)))
    keys = {note: fold(key) if isinstance(key, str) else key for key, note in rows}
    return [(keys[note], note) for note in notes.tolist() if note in keys]


def note_times(connection: Connection, note_ids: Ids | None = None) -> list[NoteTimes]:
    """The times of these notes (None: of all), in no order; those that are not there, or no Markdown, are left out."""
    condition = "" if note_ids is None else " AND id IN (SELECT value FROM carray(?))"
    values = () if note_ids is None else (integers(note_ids),)
    rows = connection.execute(f"SELECT id, path, mtime_ns, created_ns FROM note WHERE kind = ''{condition}", values)  # noqa: S608
    return [NoteTimes(*row) for row in cast("Iterable[tuple[int, str, int, int | None]]", rows)]


def link_targets(connection: Connection, note_ids: Sequence[int] | None = None) -> dict[int, list[str]]:
    """What the links in these notes' texts (None: in all) point to, by note, in the order of the lines."""
    condition = "TRUE" if note_ids is None else "note_id IN (SELECT value FROM carray(?))"
    values = () if note_ids is None else (integers(note_ids),)
    rows = connection.execute(f"SELECT note_id, target FROM link WHERE {condition} ORDER BY note_id, line, id", values)  # noqa: S608
    targets: defaultdict[int, list[str]] = defaultdict(list)
    for note_id, target in cast("Iterable[tuple[int, str]]", rows):
        targets[note_id].append(target)
    return targets


def each_link_target(connection: Connection) -> Iterator[tuple[int, str]]:
    """(note id, what a link in its text points to), in any order, while the connection is read from."""
    rows = connection.execute("SELECT note_id, target FROM link")
    return iter(cast("Iterable[tuple[int, str]]", rows))


def links_of(connection: Connection, note_id: int) -> tuple[LinkRow, ...]:
    """The links a note holds, in the order of its lines."""
    sql = "SELECT target, kind, line, heading, block, text FROM link WHERE note_id = ? ORDER BY line, id"
    rows = cast("Iterable[tuple[str, LinkKind, int, str, str, str]]", connection.execute(sql, (note_id,)))
    return tuple(LinkRow(*row) for row in rows)


@quick
def tags(connection: Connection) -> dict[str, int]:
    """Each tag, in its most usual spelling, with the number of notes that have it, the most frequent first."""
    sql = "SELECT tag_key, tag, count(*) AS notes FROM note_tag GROUP BY tag_key, tag ORDER BY notes, tag DESC"
    rows = connection.execute(sql)
    return _by_frequency(cast("Iterable[tuple[str, str, int]]", rows))


def _by_frequency(rows: Iterable[tuple[str, str, int]]) -> dict[str, int]:
    """Of (what is counted as one, as it is written, how often), the least frequent first: counts by usual spelling."""
    spelt: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for key, written, count in rows:
        spelt[key] = written
        counts[key] += count
    return dict(sorted(((spelt[key], count) for key, count in counts.items()), key=lambda each: (-each[1], each[0])))


@quick
def folders(connection: Connection) -> dict[str, int]:
    """Each folder with the number of notes in or below it, by name."""
    counts: Counter[str] = Counter()
    for (path,) in cast("Iterable[tuple[str]]", connection.execute("SELECT path FROM note")):
        parts = path.split("/")[:-1]
        counts.update("/".join(parts[: depth + 1]) for depth in range(len(parts)))
    return dict(sorted(counts.items()))


@quick
def properties(connection: Connection) -> dict[str, int]:
    """Each frontmatter property with the number of notes that have it, the most frequent first."""
    sql = "SELECT min(name), count(DISTINCT note_id) FROM note_property GROUP BY name_key ORDER BY 2 DESC, 1"
    return dict(cast("Iterable[tuple[str, int]]", connection.execute(sql)))


@quick
def counts(connection: Connection) -> StoreCounts:
    """Sizes, but for what the store takes on the disk. Embeddings are those of the model in use."""
    row = connection.execute(
        "SELECT (SELECT count(*) FROM note WHERE kind = ''), (SELECT count(*) FROM chunk),"
        " (SELECT count(*) FROM embedding WHERE model_id = (SELECT id FROM model WHERE fingerprint ="
        "   (SELECT value FROM meta WHERE name = 'embedding_model'))),"
        " (SELECT count(*) FROM pending_embedding), (SELECT count(*) FROM link),"
        " (SELECT count(*) FROM redaction WHERE standing IN ('open', 'done')),"
        " (SELECT count(*) FROM redaction WHERE standing = 'done'), (SELECT count(*) FROM failure),"
        " (SELECT count(*) FROM note WHERE payload > 0)"
    ).get
    return StoreCounts(*cast("tuple[int, int, int, int, int, int, int, int, int]", row))


@quick
def kind_counts(connection: Connection) -> tuple[KindCounts, ...]:
    """How much is stored of each kind of file beside notes, by the name of the kind."""
    sums = "count(*), sum(parts), sum(scans), sum(passages), sum(size)"
    rows = connection.execute(f"SELECT kind, {sums} FROM note WHERE kind <> '' GROUP BY kind ORDER BY kind")  # noqa: S608
    return tuple(KindCounts(*row) for row in cast("Iterable[tuple[str, int, int, int, int, int]]", rows))


def scanned_files(connection: Connection, vault: str) -> dict[str, KnownNote]:
    """The files of a vault with pages, or a picture, whose text was not recognised, by path."""
    # `|| ''`: by the index of kinds, in which such files are few, and not through all notes of the vault.
    sql = f"{_KNOWN_NOTE} note WHERE kind > '' AND scans > 0 AND vault || '' = ?"
    found = [
        KnownNote(*row)
        for row in cast("Iterable[tuple[int, str, int, int, bytes, str, int]]", connection.execute(sql, (vault,)))
    ]
    return {note.path: note for note in found}


def _chunk_view(row: tuple[object, ...]) -> ChunkView:
    (
        chunk_id,
        note_id,
        digest,
        text,
        headings,
        line,
        end_line,
        position,
        vault,
        path,
        title,
        aliases,
        tags_,
        mtime,
        n,
        kind,
        place,
        lang,
        stemmed,
        created_ns,
        since_ns,
    ) = cast("_ChunkRow", row)
    return ChunkView(
        chunk_id=chunk_id,
        note_id=note_id,
        digest=digest,
        text=text,
        headings=_texts(headings),
        line=line,
        end_line=end_line,
        position=position,
        vault=vault,
        path=path,
        title=title,
        aliases=_texts(aliases),
        tags=_texts(tags_),
        mtime_ns=mtime,
        redactions=n,
        kind=kind,
        place=place,
        lang=lang,
        stemmed=stemmed,
        created_ns=created_ns,
        since_ns=since_ns,
    )


def _note_view(row: tuple[object, ...]) -> NoteView:
    note_id, vault, path, title, aliases, tags_, properties_, mtime_ns, created_ns, lang, count, kind = cast(
        "tuple[int, str, str, str, str, str, str, int, int | None, str, int, str]", row
    )
    return NoteView(
        note_id=note_id,
        vault=vault,
        path=path,
        title=title,
        aliases=_texts(aliases),
        tags=_texts(tags_),
        properties=msgspec.json.decode(properties_, type=dict[str, str | tuple[str, ...]]),
        mtime_ns=mtime_ns,
        created_ns=created_ns,
        lang=lang,
        redactions=count,
        kind=kind,
    )


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


def note_languages(connection: Connection) -> dict[str, int]:
    """How many notes are in each language that is known, by its code."""
    rows = connection.execute("SELECT lang, count(*) FROM note WHERE lang <> '' GROUP BY lang")
    return dict(cast("Iterable[tuple[str, int]]", rows))


@quick
def passage_languages(connection: Connection) -> dict[str, int]:
    """How many passages there are of notes in each language, by its code; "" where it is unknown."""
    counts = "sum((SELECT count(*) FROM chunk WHERE note_id = note.id))"
    rows = connection.execute(f"SELECT lang, {counts} FROM note GROUP BY lang")  # noqa: S608
    return {lang: count for lang, count in cast("Iterable[tuple[str, int]]", rows) if count}


@quick
def sample_texts(connection: Connection, language: str, limit: int) -> list[str]:
    """The texts of some passages of notes in a language."""
    sql = "SELECT unpacked(packed) FROM note CROSS JOIN chunk WHERE chunk.note_id = note.id AND lang = ? LIMIT ?"
    return [text for (text,) in cast("Iterable[tuple[str]]", connection.execute(sql, (language, limit)))]


_AT_ONCE = 500  # read in one go; a caller may write meanwhile


def every_chunk(connection: Connection, after: int = 0) -> Iterable[tuple[int, tuple[str, ...], str, str]]:
    """(id, headings, text, language of its stems) of every chunk, by id. A chunk of no note has no language.

    after: the id from which on, not included.
    """
    last = after
    stemmed = "coalesce((SELECT stemmed FROM note WHERE note.id = note_id), '')"
    sql = f"SELECT id, headings, unpacked(packed), {stemmed} FROM chunk WHERE id > ? ORDER BY id LIMIT {_AT_ONCE}"  # noqa: S608
    while rows := connection.execute(sql, (last,)).fetchall():
        for chunk_id, headings, text, language in rows:
            yield chunk_id, msgspec.json.decode(headings, type=tuple[str, ...]), text, language
        last = int(rows[-1][0])
