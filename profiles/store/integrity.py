"""Checking that all that is derived agrees with what it derives from, and making it agree again.

Derived and rebuilt: word indexes, totals, sketches, the queue of texts to embed, vectors of no chunk. Not derived and
never touched: notes, chunks, links, redactions and whatever other tables hold; a note whose rows are wrong is read
again from the vault by the indexer (`IntegrityProblem.note_ids`).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import cast

import apsw
import msgspec
import numpy as np

from scrubjay.profiles.database.sql import Connection
from scrubjay.profiles.errors import StoreCorrupt
from scrubjay.profiles.lexical import posting
from scrubjay.profiles.lexical.note_index import WordIndexes, stored_header
from scrubjay.profiles.lexical.posting import CHUNK_FIELDS, Field
from scrubjay.profiles.semantic import embeddings
from scrubjay.profiles.semantic.quantized import STEPS
from scrubjay.profiles.semantic.sketch import sketches
from scrubjay.profiles.store.file_store import DAMAGE_ERRORS
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.text import analysis

_UNREADABLE = "unreadable"
BEYOND_REPAIR = frozenset({"sqlite", _UNREADABLE})
"""Codes of problems; where one is left after `repair`, the file must be built anew."""


@dataclass(frozen=True, slots=True)
class IntegrityProblem:
    """One thing that is wrong."""

    code: str  # kebab-case, stable
    about: str  # one sentence for a person, without note text
    note_ids: tuple[int, ...] = ()  # notes to read again from the vault, where that is the remedy


def check(
    store: Store, *, digest: Callable[[str], bytes] | None = None, fingerprint: str | None = None
) -> tuple[IntegrityProblem, ...]:
    """All that is wrong with a store; nothing, if all is well. Reads everything: seconds for 100,000 chunks.

    digest: the installation's keyed digest of a text; None leaves digests unchecked.
    fingerprint: of the rules and the chunker that notes should have been prepared with; None leaves that unchecked.
    """
    try:
        with store.inspecting() as connection:
            problems = list(_sqlite(connection))
            if problems:
                return tuple(problems)
            for part in (_totals, _words, _vectors, _queue, _redactions):
                problems += part(connection)
            if digest is not None:
                problems += _digests(connection, digest)
            if fingerprint is not None:
                problems += _fingerprints(connection, fingerprint)
        with store.writing() as writer:
            problems += _fts(writer.connection)
    except DAMAGE_ERRORS as error:
        return (
            IntegrityProblem(_UNREADABLE, f"What the file holds is not what was written ({type(error).__name__})."),
        )
    return tuple(problems)


def repair(
    store: Store, *, digest: Callable[[str], bytes] | None = None, fingerprint: str | None = None
) -> tuple[IntegrityProblem, ...]:
    """Repair what `check` finds and return what is left: notes to read again, or a file that SQLite itself can't read.

    Raises StoreCorrupt where SQLite gives up on the way.
    """
    found = check(store, digest=digest, fingerprint=fingerprint)
    if not found or any(problem.code == _UNREADABLE for problem in found):
        return found
    with store.writing() as writer:
        connection = writer.connection
        connection.execute("REINDEX")
        _drop_strays(connection)
        rebuild_words(connection)
        connection.execute("INSERT INTO journal_fts (journal_fts) VALUES ('rebuild')")
        _rebuild_vectors(connection)
        writer.changes.model_changed = True
        connection.execute(
            "UPDATE note SET redactions = (SELECT count(*) FROM redaction"
            " WHERE redaction.note_id = note.id AND standing IN ('open', 'done'))"
        )
    store.forget_arrays()
    return check(store, digest=digest, fingerprint=fingerprint)


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
    connection.execute("DELETE FROM posting")
    for table in ("chunk_fts", "note_fts"):
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")  # noqa: S608
    words = WordIndexes(connection)
    chunks = tokens = 0
    for chunk_id, headings, text, stemmed in _chunks(connection):
        count = words.add_chunk(chunk_id, text, headings, stemmed)
        connection.execute("UPDATE chunk SET tokens = ? WHERE id = ?", (count, chunk_id))
        chunks, tokens = chunks + 1, tokens + count
        if chunks % 1000 == 0:
            words.flush()
    for (note_id,) in connection.execute("SELECT id FROM note ORDER BY id").fetchall():
        header = stored_header(connection, note_id)
        words.replace_header(note_id, None, header)
        title_tokens = len(analysis.terms(header.title))
        connection.execute("UPDATE note SET title_tokens = ? WHERE id = ?", (title_tokens, note_id))
    words.flush()
    for name, value in (("chunks", chunks), ("tokens", tokens)):
        connection.execute("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", (name, str(value)))


def _sqlite(connection: Connection) -> Iterable[IntegrityProblem]:
    for (verdict,) in connection.execute("PRAGMA integrity_check(20)"):
        if verdict != "ok":
            yield IntegrityProblem("sqlite", f"SQLite finds the file damaged: {verdict}")
    strays = connection.execute('SELECT DISTINCT "table" FROM pragma_foreign_key_check').fetchall()
    if strays:
        yield IntegrityProblem(
            "stray-rows", f"Rows that belong to no note, in: {', '.join(sorted(row[0] for row in strays))}"
        )


def _totals(connection: Connection) -> Iterable[IntegrityProblem]:
    counted = connection.execute("SELECT count(*), coalesce(sum(tokens), 0) FROM chunk").get
    kept = tuple(
        int(connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).get) for name in ("chunks", "tokens")
    )
    if counted != kept:
        yield IntegrityProblem("totals", f"There are {counted} chunks and tokens, but {kept} were counted.")


def _words(connection: Connection) -> Iterable[IntegrityProblem]:
    """Compare, for each document and field, how many distinct terms it holds and how many postings name it."""
    expected = {field: dict[int, int]() for field in Field}
    for chunk_id, headings, text, stemmed in _chunks(connection):
        for field, content in zip(CHUNK_FIELDS, (text, "\n".join(headings)), strict=True):
            expected[field][chunk_id] = _distinct(content, stemmed)
    for (note_id,) in connection.execute("SELECT id FROM note").fetchall():
        header = stored_header(connection, note_id)
        texts = (header.title, header.aliases, header.tags, header.anchors, header.path)
        for field, content in zip(posting.NOTE_FIELDS, texts, strict=True):
            expected[field][note_id] = _distinct(content, header.stemmed)
    for field in Field:
        rows = connection.execute("SELECT shard, entries FROM posting WHERE field = ?", (field,)).fetchall()
        ids, counts = np.unique(posting.decode(cast("list[tuple[int, bytes]]", rows)).ids, return_counts=True)
        found = dict(zip(ids.tolist(), counts.tolist(), strict=True))
        wanted = {document: count for document, count in expected[field].items() if count}
        wrong = sum(wanted.get(key, 0) != found.get(key, 0) for key in wanted.keys() | found.keys())
        if wrong:
            about = f"The words of {wrong} entries are not indexed as they stand ({field.name.lower()})."
            yield IntegrityProblem("postings", about)


def _fts(connection: Connection) -> Iterable[IntegrityProblem]:
    for table, rows in (("chunk_fts", "chunk"), ("note_fts", "note"), ("journal_fts", "journal")):
        stray = f"SELECT count(*) FROM (SELECT id FROM {table}_docsize EXCEPT SELECT id FROM {rows})"  # noqa: S608
        missing = f"SELECT count(*) FROM (SELECT id FROM {rows} EXCEPT SELECT id FROM {table}_docsize)"  # noqa: S608
        wrong = int(connection.execute(stray).get) + int(connection.execute(missing).get)
        if wrong:
            yield IntegrityProblem("fts", f"{wrong} entries of {table} do not match the rows of {rows}.")
        try:
            connection.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")  # noqa: S608
        except apsw.CorruptError:
            yield IntegrityProblem("fts", f"The full-text index {table} is damaged.")


def _vectors(connection: Connection) -> Iterable[IntegrityProblem]:
    orphans = int(connection.execute(f"SELECT count(*) FROM embedding WHERE {_ORPHAN}").get)  # noqa: S608
    if orphans:
        yield IntegrityProblem("orphan-vectors", f"{orphans} vectors belong to no chunk.")
    invalid = sum(1 for _ in _invalid_vectors(connection))
    if invalid:
        yield IntegrityProblem(
            "vectors", f"{invalid} vectors are not as they are written, or their sketch is not theirs."
        )


def _queue(connection: Connection) -> Iterable[IntegrityProblem]:
    stray = int(connection.execute(f"SELECT count(*) FROM pending_embedding WHERE {_ORPHAN}").get)  # noqa: S608
    model = embeddings.current_model(connection)
    lost = int(
        connection.execute(
            "SELECT count(DISTINCT digest) FROM chunk WHERE digest NOT IN (SELECT digest FROM pending_embedding)"
            " AND digest NOT IN (SELECT digest FROM embedding WHERE model_id = ?)",
            (model,),
        ).get
    )
    both = int(
        connection.execute(
            "SELECT count(*) FROM pending_embedding WHERE digest IN (SELECT digest FROM embedding WHERE model_id = ?)",
            (model,),
        ).get
    )
    if stray or lost or both:
        yield IntegrityProblem("queue", f"The queue of texts to embed has {stray + both} too many and lacks {lost}.")


def _redactions(connection: Connection) -> Iterable[IntegrityProblem]:
    sql = (
        "SELECT count(*) FROM note WHERE redactions <>"
        " (SELECT count(*) FROM redaction WHERE redaction.note_id = note.id AND standing IN ('open', 'done'))"
    )
    wrong = int(connection.execute(sql).get)
    if wrong:
        yield IntegrityProblem("redactions", f"{wrong} notes miscount the credentials hidden in them.")


def _digests(connection: Connection, digest: Callable[[str], bytes]) -> Iterable[IntegrityProblem]:
    rows = connection.execute("SELECT note_id, digest, unpacked(packed) FROM chunk")
    wrong = sorted({int(note_id) for note_id, kept, text in rows if digest(text) != kept})
    if wrong:
        about = f"The text of {len(wrong)} notes is not what its digest says; they must be read again from the vault."
        yield IntegrityProblem("digests", about, tuple(wrong))


# A note in which the user lets a value stand has more behind the fingerprint.
_OTHERWISE_PREPARED = "SELECT id FROM note WHERE substr(fingerprint, 1, length(?1)) <> ?1 ORDER BY id"


def _fingerprints(connection: Connection, fingerprint: str) -> Iterable[IntegrityProblem]:
    rows = connection.execute(_OTHERWISE_PREPARED, (fingerprint,)).fetchall()
    if rows:
        about = f"{len(rows)} notes were prepared by other rules or another chunker; they must be read again."
        yield IntegrityProblem("fingerprints", about, tuple(int(note_id) for (note_id,) in rows))


_ORPHAN = "digest NOT IN (SELECT digest FROM chunk)"


def _drop_strays(connection: Connection) -> None:
    about_text = ("note_alias", "note_tag", "note_property", "chunk", "link", "redaction")
    tables = (*about_text, "note_sketch", "stale_sketch", "near_copy", "review_suggestion")
    for table in tables:
        connection.execute(f"DELETE FROM {table} WHERE note_id NOT IN (SELECT id FROM note)")  # noqa: S608
    connection.execute("DELETE FROM near_copy WHERE other_id NOT IN (SELECT id FROM note)")
    connection.execute("DELETE FROM journal_vector WHERE entry_id NOT IN (SELECT id FROM journal)")
    connection.execute("DELETE FROM embedding WHERE model_id NOT IN (SELECT id FROM model)")


def _rebuild_vectors(connection: Connection) -> None:
    connection.execute(f"DELETE FROM embedding WHERE {_ORPHAN}")  # noqa: S608
    # A vector that is not as it was written can't be repaired here: its text goes back into the queue.
    for embedding_id in list(_invalid_vectors(connection)):
        connection.execute("DELETE FROM embedding WHERE id = ?", (embedding_id,))
    model = embeddings.current_model(connection)
    embeddings.seed_pending(connection, -1 if model is None else model)


def _invalid_vectors(connection: Connection) -> Iterable[int]:
    for embedding_id, sketch, blob in connection.execute("SELECT id, sketch, vector FROM embedding"):
        steps = np.frombuffer(blob, np.int8).astype(np.int16)
        sound = len(steps) > 0 and int(np.abs(steps).max()) == STEPS and sketches(steps[None, :]) == [sketch]
        if not sound:
            yield int(embedding_id)


def _distinct(text: str, stemmed: str) -> int:
    return len({term for term in analysis.terms(text, stemmed) if len(term) <= analysis.MAX_TERM_LENGTH})


def _chunks(connection: Connection) -> Iterable[tuple[int, tuple[str, ...], str, str]]:
    """(id, headings, text, language of its stems) of every chunk, by id; a few at a time: a caller may write meanwhile.

    A chunk of no note has no language.
    """
    last = 0
    stemmed = "coalesce((SELECT stemmed FROM note WHERE note.id = note_id), '')"
    sql = f"SELECT id, headings, unpacked(packed), {stemmed} FROM chunk WHERE id > ? ORDER BY id LIMIT 500"  # noqa: S608
    while rows := connection.execute(sql, (last,)).fetchall():
        for chunk_id, headings, text, language in rows:
            yield chunk_id, msgspec.json.decode(headings, type=tuple[str, ...]), text, language
        last = int(rows[-1][0])
