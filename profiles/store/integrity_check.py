"""Whether all that is derived agrees with what it derives from, in a file and on a server; and mending it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.errors import StoreCorrupt
from scrubjay.profiles.search.meaning import vectors as vectors_module
from scrubjay.profiles.search.meaning.calibration import Calibration, load_for
from scrubjay.profiles.search.meaning.vectors import STEPS, sketches_of
from scrubjay.profiles.search.words import analysis, postings
from scrubjay.profiles.search.words.postings import CHUNK_FIELDS, SHARD_BITS, Field
from scrubjay.profiles.search.words.word_index import WordIndexes, stored_header
from scrubjay.profiles.store.file_store import DAMAGE_ERRORS
from scrubjay.profiles.store.integrity import IntegrityProblem
from scrubjay.profiles.store.proposals import forget_all
from scrubjay.profiles.store.reads import every_chunk
from scrubjay.profiles.store.statements import Connection, put
from scrubjay.profiles.store.store import Store

_AT_ONCE = 500  # rows read in one go; a caller may write meanwhile


def vectors(connection: Connection) -> Iterable[tuple[int, int, bytes, bytes]]:
    """(id, model's row, what it is chosen by, vector) of every embedding, by id."""
    last = 0
    columns = f"id, model_id, {connection.dialect.read_chosen_by}, vector"
    sql = f"SELECT {columns} FROM embedding WHERE id > ? ORDER BY id LIMIT {_AT_ONCE}"  # noqa: S608
    while rows := cast("list[tuple[int, int, bytes, bytes]]", connection.execute(sql, (last,)).fetchall()):
        yield from rows
        last = rows[-1][0]


_UNREADABLE = "unreadable"
BEYOND_REPAIR = frozenset({"sqlite", "foreign", _UNREADABLE})
"""Codes of problems; where one is left after `repair`, the file must be built anew."""


def check(
    store: Store, *, digest: Callable[[str], bytes] | None = None, fingerprint: str | None = None
) -> tuple[IntegrityProblem, ...]:
    """All that is wrong with a store; nothing, if all is well. Reads everything: seconds for 100,000 chunks.

    digest: the keyed digest of a text, by the installation's key or the team's; None leaves digests unchecked.
    fingerprint: of the rules and the chunker that notes should have been prepared with; None leaves that unchecked.
    """
    try:
        with store.inspecting() as connection:
            problems = list(store.damage(connection))
            if problems:
                return tuple(problems)
            for part in (_totals, _words, _vectors, _queue, _redactions):
                problems += part(connection)
            if digest is not None:
                problems += _digests(connection, digest)
            if fingerprint is not None:
                problems += _fingerprints(connection, fingerprint)
        problems += store.phrase_problems()
    except DAMAGE_ERRORS as error:
        return (IntegrityProblem(_UNREADABLE, f"What is stored is not what was written ({type(error).__name__})."),)
    return tuple(problems)


def repair(
    store: Store, *, digest: Callable[[str], bytes] | None = None, fingerprint: str | None = None
) -> tuple[IntegrityProblem, ...]:
    """Repair what `check` finds and return what is left: notes to read again, or a file that SQLite itself can't read.

    Raises StoreCorrupt where SQLite gives up on the way.
    """
    found = check(store, digest=digest, fingerprint=fingerprint)
    if not found:
        return found
    try:
        _rebuild(store)
    except DAMAGE_ERRORS:  # what it is to be built from can't be read either
        return found
    store.forget_arrays()
    return check(store, digest=digest, fingerprint=fingerprint)


def _rebuild(store: Store) -> None:
    with store.writing() as writer:
        connection = writer.connection
        store.rebuild(connection)
        forget_all(connection)
        rebuild_words(connection)
        _rebuild_vectors(connection)
        writer.changes.model_changed = True
        connection.execute(
            "UPDATE note SET redactions = (SELECT count(*) FROM redaction"
            " WHERE redaction.note_id = note.id AND standing IN ('open', 'done'))"
        )


def is_beyond_repair(store: Store) -> bool:
    """Check a store in which something could not be read, and mend it; whether it must be built anew instead.

    Where nothing is wrong with it, the program is at fault, and the store is not suspected again.
    """
    try:
        if not check(store):
            store.clear_suspicion()
            return False
        left = repair(store)
    except StoreCorrupt:
        return True
    store.suspect = False
    return any(problem.code in BEYOND_REPAIR for problem in left)


def rebuild_words(connection: Connection) -> None:
    """Write both word indexes and their totals anew from the rows of notes and chunks, in the current analysis."""
    words = WordIndexes(connection)
    words.clear()
    count = tokens = 0
    counted: list[tuple[int, int]] = []
    for chunk_id, headings, text, stemmed in every_chunk(connection):
        counted.append((words.add_chunk(chunk_id, text, headings, stemmed), chunk_id))
        count, tokens = count + 1, tokens + counted[-1][0]
        if count % _CHECKED_AT_ONCE == 0:
            words.flush()
            _count_terms(connection, "chunk", "tokens", counted)
    words.flush()
    _count_terms(connection, "chunk", "tokens", counted)
    for (note_id,) in connection.execute("SELECT id FROM note ORDER BY id").fetchall():
        header = stored_header(connection, note_id)
        words.replace_header(note_id, None, header)
        counted.append((analysis.title_length(header.title), note_id))
    words.flush()
    _count_terms(connection, "note", "title_tokens", counted)
    meta = put("meta", ("name",), ("value",))
    connection.insert(meta, [("chunks", str(count)), ("tokens", str(tokens))])


_CHECKED_AT_ONCE = 1000  # chunks whose words are written in one go


def _count_terms(connection: Connection, table: str, column: str, counted: list[tuple[int, int]]) -> None:
    """Write (terms, id) where they are not as they were counted before; empties the list."""
    sql = f"UPDATE {table} SET {column} = ?1 WHERE id = ?2 AND {column} <> ?1"  # noqa: S608
    connection.executemany(sql, list(counted))
    counted.clear()


def _totals(connection: Connection) -> Iterable[IntegrityProblem]:
    counted = connection.execute("SELECT count(*), coalesce(sum(tokens), 0) FROM chunk").get
    kept = tuple(
        int(connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).get) for name in ("chunks", "tokens")
    )
    if counted != kept:
        yield IntegrityProblem("totals", f"There are {counted} chunks and tokens, but {kept} were counted.")
    titles = cast("list[tuple[str, int]]", connection.execute("SELECT title, title_tokens FROM note").fetchall())
    wrong = sum(analysis.title_length(title) != tokens for title, tokens in titles)
    if wrong:
        yield IntegrityProblem("totals", f"The words in the titles of {wrong} notes are miscounted.")


def _words(connection: Connection) -> Iterable[IntegrityProblem]:
    """Compare, for each document and field, how many distinct terms it holds and how many postings name it.

    A shard at a time: all postings at once are a gigabyte where there are half a million passages.
    """
    expected = _Terms(_no_terms)
    for chunk_id, headings, text, stemmed in every_chunk(connection):
        for field, content in zip(CHUNK_FIELDS, (text, "\n".join(headings)), strict=True):
            _count_document(expected, field, chunk_id, _distinct(content, stemmed))
    for (note_id,) in connection.execute("SELECT id FROM note").fetchall():
        header = stored_header(connection, note_id)
        texts = (header.title, header.aliases, header.tags, header.anchors, header.path)
        for field, content in zip(postings.NOTE_FIELDS, texts, strict=True):
            _count_document(expected, field, note_id, _distinct(content, header.stemmed))
    wrong = Counter[int]()
    listed = f"{postings.SHARDS} SELECT number FROM shards WHERE number IS NOT NULL"  # noqa: S608 (of a constant)
    for shard in {int(shard) for (shard,) in connection.execute(listed).fetchall()} | {at for _, at in expected}:
        found: defaultdict[int, list[bytes]] = defaultdict(list)
        rows = connection.execute("SELECT field, entries FROM posting WHERE shard = ?", (shard,)).fetchall()
        for field, entries in cast("list[tuple[int, bytes]]", rows):
            found[field].append(entries)
        for field in Field:
            named = postings.decode([(0, entries) for entries in found[field]]).ids
            counts = np.bincount(named, minlength=1 << SHARD_BITS)
            wrong[field] += int((counts != expected.get((field, shard), _no_terms())).sum())
    for field in Field:
        if wrong[field]:
            about = f"The words of {wrong[field]} entries are not indexed as they stand ({field.name.lower()})."
            yield IntegrityProblem("postings", about)


_Terms: TypeAlias = defaultdict[tuple[int, int], NDArray[np.int64]]
"""By field and shard, how many distinct terms each of its documents holds; shape (1 << SHARD_BITS,)."""


def _no_terms() -> NDArray[np.int64]:
    return np.zeros(1 << SHARD_BITS, np.int64)


def _count_document(terms: _Terms, field: int, document: int, count: int) -> None:
    if count:
        shard, place = divmod(document, 1 << SHARD_BITS)
        terms[field, shard][place] = count


def _vectors(connection: Connection) -> Iterable[IntegrityProblem]:
    orphans = int(connection.execute(f"SELECT count(*) FROM embedding WHERE {_orphan('embedding')}").get)  # noqa: S608
    if orphans:
        yield IntegrityProblem("orphan-vectors", f"{orphans} vectors belong to no chunk.")
    invalid = sum(1 for _ in _invalid_vectors(connection))
    if invalid:
        yield IntegrityProblem(
            "vectors", f"{invalid} vectors are not as they are written, or their sketch is not theirs."
        )


def _queue(connection: Connection) -> Iterable[IntegrityProblem]:
    model = vectors_module.current_model(connection)
    embedded = "SELECT 1 FROM embedding WHERE model_id = ? AND embedding.digest = {}.digest"
    waiting = "SELECT 1 FROM pending_embedding WHERE pending_embedding.digest = chunk.digest"
    lost = (
        f"SELECT count(DISTINCT digest) FROM chunk WHERE NOT EXISTS ({waiting})"  # noqa: S608
        f" AND NOT EXISTS ({embedded.format('chunk')})"
    )
    stray = (
        f"SELECT count(*) FROM pending_embedding WHERE {_orphan('pending_embedding')}"  # noqa: S608
        f" OR EXISTS ({embedded.format('pending_embedding')})"
    )
    lacks, has_more = (int(connection.execute(sql, (model,)).get) for sql in (lost, stray))
    if lacks or has_more:
        yield IntegrityProblem("queue", f"The queue of texts to embed has {has_more} too many and lacks {lacks}.")


def _redactions(connection: Connection) -> Iterable[IntegrityProblem]:
    sql = (
        "SELECT count(*) FROM note WHERE redactions <>"
        " (SELECT count(*) FROM redaction WHERE redaction.note_id = note.id AND standing IN ('open', 'done'))"
    )
    wrong = int(connection.execute(sql).get)
    if wrong:
        yield IntegrityProblem("redactions", f"{wrong} notes miscount the credentials hidden in them.")


def _digests(connection: Connection, digest: Callable[[str], bytes]) -> Iterable[IntegrityProblem]:
    wrong: set[int] = set()
    last, sql = 0, "SELECT id, note_id, digest, unpacked(packed) FROM chunk WHERE id > ? ORDER BY id LIMIT ?"
    while rows := connection.execute(sql, (last, _CHECKED_AT_ONCE)).fetchall():
        wrong.update(int(note_id) for _, note_id, kept, text in rows if digest(text) != kept)
        last = int(rows[-1][0])
    if wrong:
        about = f"The text of {len(wrong)} notes is not what its digest says; they must be read again from the vault."
        yield IntegrityProblem("digests", about, tuple(sorted(wrong)))


# A note in which the user lets a value stand has more behind the fingerprint.
_OTHERWISE_PREPARED = "SELECT id FROM note WHERE substr(fingerprint, 1, length(?1)) <> ?1 ORDER BY id"


def _fingerprints(connection: Connection, fingerprint: str) -> Iterable[IntegrityProblem]:
    rows = connection.execute(_OTHERWISE_PREPARED, (fingerprint,)).fetchall()
    if rows:
        about = f"{len(rows)} notes were prepared by other rules or another chunker; they must be read again."
        yield IntegrityProblem("fingerprints", about, tuple(int(note_id) for (note_id,) in rows))


def _orphan(table: str) -> str:
    return f"NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.digest = {table}.digest)"  # noqa: S608


def _rebuild_vectors(connection: Connection) -> None:
    connection.execute(f"DELETE FROM embedding WHERE {_orphan('embedding')}")  # noqa: S608
    # A vector that is not as it was written can't be repaired here: its text goes back into the queue.
    invalid = [(embedding_id,) for embedding_id in _invalid_vectors(connection)]
    connection.executemany("DELETE FROM embedding WHERE id = ?", invalid)
    model = vectors_module.current_model(connection)
    vectors_module.seed_pending(connection, -1 if model is None else model)


def _invalid_vectors(connection: Connection) -> Iterable[int]:
    around: dict[int, Calibration | None] = {}
    for embedding_id, model_row, chosen_by, vector in vectors(connection):
        if model_row not in around:
            around[model_row] = load_for(connection, model_row)
        steps = np.frombuffer(vector, np.int8).astype(np.int16)
        sound = len(steps) > 0 and int(np.abs(steps).max()) == STEPS
        if not sound or not _is_chosen_by_own(connection, steps, chosen_by, around[model_row]):
            yield embedding_id


def _is_chosen_by_own(
    connection: Connection, steps: NDArray[np.int16], chosen_by: bytes, around: Calibration | None
) -> bool:
    vector = steps.astype(np.int8).tobytes()
    if around is not None and len(around.mean) != len(steps):
        return False
    return connection.dialect.is_chosen_by(sketches_of([vector], around)[0], steps, chosen_by)


def _distinct(text: str, stemmed: str) -> int:
    return len({term for term in analysis.terms(text, stemmed) if len(term) <= analysis.MAX_TERM_LENGTH})
