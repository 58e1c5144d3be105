"""What indexing writes, inside one transaction that `Store.writing()` opens and commits."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import msgspec

from scrubjay.profiles.search.meaning import vectors as vectors_module
from scrubjay.profiles.search.words import analysis, vault_language, word_index
from scrubjay.profiles.search.words.vault_language import LanguageOf
from scrubjay.profiles.search.words.word_index import Header, WordIndexes, header, stored_header
from scrubjay.profiles.store import annotations, proposals
from scrubjay.profiles.store.annotations import GONE_NOTES, Why
from scrubjay.profiles.store.columns import Changes
from scrubjay.profiles.store.note_rows import NoteRows, path_keys
from scrubjay.profiles.store.rows import ChunkRow, FailureRow, NoteBundle, NoteMove, NoteRow, Vectors
from scrubjay.profiles.store.statements import Connection, Cursor, integers, json_texts, upsert
from scrubjay.profiles.store.succession import Gone, heirs

_KNOWN = "SELECT path, id FROM note WHERE vault = ? AND path IN (SELECT value FROM json_each(?))"
_LEFT_OVER = (
    "SELECT EXISTS (SELECT 1 FROM decision WHERE gone_ns > 0), EXISTS (SELECT 1 FROM failure),"  # noqa: S608
    " EXISTS (SELECT 1 FROM review_suggestion WHERE note_id IS NULL),"
    " EXISTS (SELECT 1 FROM hidden_note WHERE note_digest IS NOT NULL),"
    f" EXISTS (SELECT 1 FROM {GONE_NOTES})"
)
_CHUNKS = (
    "SELECT note_id, id, digest, headings, unpacked(packed), position, line, end_line, place, tokens"
    " FROM carray(?) AS wanted CROSS JOIN chunk WHERE note_id = wanted.value ORDER BY note_id, position"
)


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A chunk as it is stored."""

    id: int
    digest: bytes
    headings: tuple[str, ...]
    text: str
    place: tuple[int, int, int, str]  # position, line, end line, and where in a file that is no note
    tokens: int


@dataclass(frozen=True, slots=True)
class _StoredNote:
    """A note as it is stored, before it is replaced or goes."""

    id: int
    header: Header
    chunks: tuple[_Chunk, ...]


_AT_ONCE = 200  # passages whose rows are written together, more by the last note's


class Writer:
    """Writes to one store. Use it only inside the `with` block that gave it, and only from that thread."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._words = WordIndexes(connection)
        # Ids are counted here, since all rows of many notes are written together. Asked before an answer is waited for.
        last = {table: connection.execute(connection.dialect.last_id, (table,)) for table in ("note", "chunk")}
        self._model_id = vectors_module.current_model(connection)
        self._next = {table: (cast("int | None", found.get) or 0) + 1 for table, found in last.items()}
        self._loose: set[bytes] = set()  # digests of chunks that went; other chunks may hold them still
        self._vault_languages: dict[str, str] = {}
        self._added_chunks = self._added_tokens = 0
        self.changes = Changes()
        self.removed_text = False  # whether text that was stored before is to be gone from the disk

    def put_note(self, bundle: NoteBundle) -> int:
        """As `put_notes`, of one."""
        return self.put_notes((bundle,))[0]

    def put_notes(self, bundles: Sequence[NoteBundle]) -> list[int]:
        """Insert notes, or replace those at the same vaults and paths; returns their ids, the same on a replacement.

        Chunks whose text and headings are as before keep their ids. Failures noted for the paths are cleared.
        """
        ids: list[int] = []
        for apart in _of_different_places(bundles):
            # All questions first: from then on nothing is waited for, so that a server works while more is made ready.
            left_over, places = self.connection.execute(_LEFT_OVER), self._places(apart)
            embedded = vectors_module.known_texts(self.connection, self._model_id, _digests(apart))
            known, (decided, failed, suggested, hidden, named) = self._known(places), left_over.get
            for some in _some_passages(apart):
                rows = NoteRows(self.connection)
                ids += [self._put(bundle, known.get((bundle.note.vault, bundle.note.path)), rows) for bundle in some]
                rows.write()
                self._words.rows_are_there()
                vectors_module.queue_for_embedding(
                    self.connection, self._model_id, rows.added_texts, embedded, self.changes
                )
            if decided or suggested or hidden or named:
                annotations.take(
                    self.connection,
                    [bundle.note for bundle in apart],
                    decisions=bool(decided),
                    suggestions=bool(suggested),
                    hidden=bool(hidden),
                    names=bool(named),
                )
            if failed:
                places = [(bundle.note.vault, bundle.note.path) for bundle in apart]
                self.connection.executemany("DELETE FROM failure WHERE vault = ? AND path = ?", places)
        return ids

    def move_notes(self, moves: Iterable[NoteMove]) -> None:
        """Notes' files lie in other folders of their vaults; names and texts are as they were. No vector is touched.

        Raises apsw.ConstraintError when another note has one of the paths.
        """
        moves = list(moves)
        annotations.follow_moves(self.connection, moves)
        names = "path = ?, path_key = ?, file_key = ?, stem_key = ?"
        sql = f"UPDATE note SET {names}, mtime_ns = ?, changed_ns = ? WHERE id = ?"  # noqa: S608
        for move in moves:
            old = stored_header(self.connection, move.note_id)
            stamps = (move.mtime_ns, move.changed_ns)
            self.connection.execute(sql, (move.path, *path_keys(move.path), *stamps, move.note_id))
            self._words.replace_header(move.note_id, old, replace(old, path=move.path.removesuffix(".md")))

    def touch_note(self, note_id: int, mtime_ns: int, size: int, changed_ns: int = 0) -> None:
        """A note's file has a new time stamp, and its bytes are as they were."""
        sql = "UPDATE note SET mtime_ns = ?, size = ?, changed_ns = ? WHERE id = ?"
        self.connection.execute(sql, (mtime_ns, size, changed_ns, note_id))

    def forget_notes(self, ids: Iterable[int], why: Why = "gone") -> None:
        """Remove notes and all that is known of them; unknown ids are passed over.

        What people decided about a note that is gone waits a day for it to come back; about one whose vault was taken
        from the profile decisions stay. What programs put forward goes to a note of the same bytes, or waits for 90
        days, as long as answers do; about a note that is excluded only what was answered waits, and for that note.

        Vectors of texts that no chunk holds any more go at the end of the transaction, so that a note that is
        forgotten here and put there keeps them.
        """
        known = self._stored(list(ids))
        self.removed_text = self.removed_text or bool(known)
        if why == "gone":
            proposals.forget_naming(self.connection, [note.id for note in known])
        elif known:
            proposals.forget_all(self.connection)
        until_ns = annotations.leave(self.connection, [note.id for note in known], why)
        word_index.mark_targets(self.connection, [note.id for note in known])
        for note in known:
            self._words.replace_header(note.id, note.header, None)
            for chunk in note.chunks:
                self._forget_chunk(chunk, note.header.stemmed)
            self.changes.gone_notes.append(note.id)
            self.changes.titles.pop(note.id, None)
        for table, column in (("chunk", "note_id"), ("note", "id")):
            these = integers([note.id for note in known])
            self.connection.execute(f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM carray(?))", (these,))  # noqa: S608
        if why != "excluded":
            annotations.pass_on(self.connection, until_ns)

    def put_failure(self, row: FailureRow) -> None:
        """Remember that a file could not be indexed, in place of what was known of it before."""
        self.clear_failure(row.vault, row.path)
        sql = (
            "INSERT INTO failure (vault, path, code, reason, mtime_ns, size, changed_ns, kind)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        )
        stamps = (row.mtime_ns, row.size, row.changed_ns)
        self.connection.execute(sql, (row.vault, row.path, row.code, row.reason, *stamps, row.kind))

    def clear_failure(self, vault: str, path: str) -> None:
        """Forget a failure, if there is one."""
        self.connection.execute("DELETE FROM failure WHERE vault = ? AND path = ?", (vault, path))

    def use_model(self, model: str) -> None:
        """Make a model (its fingerprint) the one whose missing vectors are pending; others keep theirs."""
        self._model_id = vectors_module.use_model(self.connection, model, self.changes)

    def put_embeddings(self, model: str, digests: Sequence[bytes], vectors: Vectors) -> None:
        """Store one vector for each digest, replacing what the model had for it. Digests no chunk holds are dropped.

        vectors: shape (len(digests), dim), rows L2-normalised. Raises ValueError for another shape.
        """
        vectors_module.put(self.connection, model, digests, vectors, self.changes)
        self._model_id = vectors_module.current_model(self.connection)

    def calibrate(self, model: str) -> None:
        """Measure what a model's similarities say, see `Store.calibrate`."""
        vectors_module.calibrate(self.connection, model, self.changes)

    def refresh_anchors(self, note_ids: Iterable[int] | None = None) -> None:
        """Update the link texts indexed with notes. Links are resolved by file name or alias, case aside.

        Of the notes given, or (None) of those that links written since the last refresh point to; where these are very
        many, of a part, see `Store.refresh_anchors`.
        """
        word_index.refresh(self.connection, self._words, note_ids)

    def refresh_language(self, vault: str, language_of: LanguageOf) -> None:
        """Index the notes of a vault whose language is not known as those of the language that most others are in.

        Where these are very many, a part, see `Store.refresh_language`.
        """
        vault_language.refresh(self.connection, self._words, vault, language_of)

    def forget_orphan_embeddings(self) -> None:
        """Drop vectors whose last chunk went in this transaction; the commit does this too."""
        vectors_module.forget_orphans(self.connection, self._loose, self.changes)
        self._loose.clear()

    def forget_other_models(self, model: str) -> None:
        """Drop the vectors of every model but this one, once a change of model is complete."""
        vectors_module.forget_other_models(self.connection, model)

    def set_meta(self, name: str, value: str) -> None:
        """Set a value that `reads.meta` gives."""
        self.connection.execute(upsert("meta", ("name",), ("value",)), (name, value))

    def finish(self) -> None:
        """Complete what is left to the end of the transaction; `Store.writing` calls it before the commit."""
        self.forget_orphan_embeddings()
        self._words.flush()
        self.changes.words = self._words.counts
        last = {table: following - 1 for table, following in self._next.items()}
        self.connection.dialect.keep_last_ids(self.connection, last)
        added = (("generation", 1), ("chunks", self._added_chunks), ("tokens", self._added_tokens))
        self.connection.executemany(
            "UPDATE meta SET value = CAST(CAST(value AS BIGINT) + ? AS TEXT) WHERE name = ?",
            [(count, name) for name, count in added],
        )

    def _places(self, bundles: Sequence[NoteBundle]) -> dict[str, Cursor]:
        """The places of these notes where something is stored, asked for by vault."""
        by_vault: defaultdict[str, list[str]] = defaultdict(list)
        for bundle in bundles:
            by_vault[bundle.note.vault].append(bundle.note.path)
        return {vault: self.connection.execute(_KNOWN, (vault, json_texts(paths))) for vault, paths in by_vault.items()}

    def _known(self, places: Mapping[str, Cursor]) -> dict[tuple[str, str], _StoredNote]:
        """The notes that are stored at these places."""
        ids: dict[int, tuple[str, str]] = {}
        for vault, rows in places.items():
            ids |= {note_id: (vault, path) for path, note_id in cast("Iterable[tuple[str, int]]", rows)}
        return {ids[note.id]: note for note in self._stored(list(ids))}

    def _stored(self, ids: Sequence[int]) -> list[_StoredNote]:
        """The notes with these ids, as they are stored; unknown ids are left out."""
        if not ids:
            return []
        headers = word_index.stored_headers(self.connection, ids)
        chunks: defaultdict[int, list[_Chunk]] = defaultdict(list)
        for note_id, chunk_id, digest, headings, text, position, line, end_line, place, tokens in cast(
            "Iterable[tuple[int, int, bytes, str, str, int, int, int, str, int]]",
            self.connection.execute(_CHUNKS, (integers(list(headers)),)),
        ):
            where = (position, line, end_line, place)
            chunks[note_id].append(_Chunk(chunk_id, digest, _decode_headings(headings), text, where, tokens))
        return [_StoredNote(note_id, header, tuple(chunks[note_id])) for note_id, header in headers.items()]

    def _put(self, bundle: NoteBundle, known: _StoredNote | None, rows: NoteRows) -> int:
        note = bundle.note
        old = known.header if known else None
        self.removed_text = self.removed_text or known is not None
        stemmed = analysis.stemmed_language(note.lang.lower() or self._language_of_vault(note))
        note_id = known.id if known else self._new_id("note")
        title_tokens = analysis.title_length(note.title)
        rows.add(note_id, bundle, stemmed, title_tokens, replaces=known is not None)
        self.changes.titles[note_id] = title_tokens
        new = header(note.title, note.aliases, note.tags, old.anchors if old else "", note.path, stemmed)
        self._words.replace_header(note_id, old, new)
        self._put_chunks(note_id, bundle, known, stemmed, rows)
        return note_id

    def _language_of_vault(self, note: NoteRow) -> str:
        """What a note without a language of its own is taken to be in; files of other kinds may be in none."""
        if note.kind:
            return ""
        if note.vault not in self._vault_languages:
            self._vault_languages[note.vault] = vault_language.vault_language(self.connection, note.vault)
        return self._vault_languages[note.vault]

    def _put_chunks(
        self, note_id: int, bundle: NoteBundle, known: _StoredNote | None, stemmed: str, rows: NoteRows
    ) -> None:
        """The note's chunks in place of its old ones."""
        before = known.header.stemmed if known else ""
        gone: list[Gone] = []
        added: list[int] = []
        may_stay = bundle.chunks if known and before == stemmed else ()
        wanted = Counter((chunk.digest, chunk.headings) for chunk in may_stay)
        kept: defaultdict[tuple[bytes, tuple[str, ...]], list[_Chunk]] = defaultdict(list)
        for old in known.chunks if known else ():
            if len(kept[old.digest, old.headings]) < wanted[old.digest, old.headings]:
                kept[old.digest, old.headings].append(old)
            else:
                self._forget_chunk(old, before)
                rows.remove_chunk(old.id)
                gone.append(Gone(old.digest, old.place[0], old.text))
        for position, chunk in enumerate(bundle.chunks):
            same = kept[chunk.digest, chunk.headings]
            if same:
                self._keep_chunk(same.pop(0), note_id, position, chunk, rows)
            else:
                added.append(position)
                chunk_id = self._new_id("chunk")
                tokens = self._words.add_chunk(chunk_id, chunk.text, chunk.headings, stemmed)
                rows.add_chunk(chunk_id, note_id, position, bundle, tokens, by_edit=known is not None)
                self._count(1, tokens)
                self.changes.chunks.append((chunk_id, note_id, position, tokens, chunk.digest))
        if known and gone:
            rows.pass_on(note_id, heirs(gone, len(known.chunks), bundle.chunks, added))

    def _keep_chunk(self, old: _Chunk, note_id: int, position: int, chunk: ChunkRow, rows: NoteRows) -> None:
        """A chunk whose text stays may stand elsewhere in its note. One that stands where it did is not written."""
        if old.place != (position, chunk.line, chunk.end_line, chunk.place):
            rows.move_chunk(old.id, position, chunk)
            self.changes.chunks.append((old.id, note_id, position, old.tokens, chunk.digest))

    def _forget_chunk(self, chunk: _Chunk, stemmed: str) -> None:
        """A chunk goes: all but its row, which goes with others'."""
        self._words.remove_chunk(chunk.id, chunk.text, chunk.headings, stemmed)
        self._count(-1, -chunk.tokens)
        self._loose.add(chunk.digest)
        self.changes.gone_chunks.append(chunk.id)

    def _new_id(self, table: str) -> int:
        self._next[table] += 1
        return self._next[table] - 1

    def _count(self, chunks: int, tokens: int) -> None:
        """Keep the totals that BM25's average length comes from."""
        self._added_chunks += chunks
        self._added_tokens += tokens


_decode_headings = msgspec.json.Decoder(tuple[str, ...]).decode


def _digests(bundles: Sequence[NoteBundle]) -> set[bytes]:
    return {chunk.digest for bundle in bundles for chunk in bundle.chunks}


def _some_passages(bundles: Iterable[NoteBundle]) -> Iterator[list[NoteBundle]]:
    """The notes in order, `_AT_ONCE` passages at a time: a server works on some while the next are made ready."""
    some: list[NoteBundle] = []
    count = 0
    for bundle in bundles:
        some.append(bundle)
        count += max(len(bundle.chunks), 1)
        if count >= _AT_ONCE:
            yield some
            some, count = [], 0
    if some:
        yield some


def _of_different_places(bundles: Sequence[NoteBundle]) -> list[list[NoteBundle]]:
    """The notes in order, cut so that no place is twice in a part."""
    parts: list[list[NoteBundle]] = []
    seen: set[tuple[str, str]] = set()
    for bundle in bundles:
        place = (bundle.note.vault, bundle.note.path)
        if not parts or place in seen:
            parts.append([])
            seen.clear()
        seen.add(place)
        parts[-1].append(bundle)
    return parts
