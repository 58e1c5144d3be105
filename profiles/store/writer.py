"""What indexing writes, inside one transaction that `Store.writing()` opens and commits."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

import msgspec

from scrubjay.profiles.database.columns import Changes
from scrubjay.profiles.database.rows import (
    DECISIONS_WAIT_NS,
    ChunkRow,
    FailureRow,
    NoteBundle,
    NoteMove,
    Vectors,
)
from scrubjay.profiles.database.sql import Connection, Engine, upsert
from scrubjay.profiles.lexical import note_index
from scrubjay.profiles.lexical.note_index import WordIndexes, header, stored_header
from scrubjay.profiles.names import fold
from scrubjay.profiles.semantic import embeddings
from scrubjay.profiles.text import analysis
from scrubjay.profiles.text.analysis import as_number

# Decisions move with their note; what was decided at the new place before gives way.
_HERE = "(vault, path) = (SELECT vault, path FROM note WHERE id = ?2)"
_CLEAR_DECISIONS = (
    "DELETE FROM decision WHERE path = ?1 AND vault = (SELECT vault FROM note WHERE id = ?2 AND path <> ?1)"  # noqa: S608
    f" AND digest IN (SELECT digest FROM decision WHERE {_HERE})"
)
_MOVE_DECISIONS = f"UPDATE decision SET path = ?1 WHERE {_HERE}"  # noqa: S608
# What was decided about a note that is gone goes to one that has the same bytes: a move that is seen in two halves.
_LEAVE_DECISIONS = (
    "UPDATE decision SET note_digest = (SELECT digest FROM note WHERE id = ?1), gone_ns = ?2"
    " WHERE (vault, path) = (SELECT vault, path FROM note WHERE id = ?1) AND note_digest IS NULL"
)
_LEFT = "vault = ?2 AND note_digest = ?3 AND gone_ns >= ?4"
_TAKE_DECISIONS = (
    "INSERT INTO decision (vault, path, digest, standing)"  # noqa: S608
    f" SELECT vault, ?1, digest, max(standing) FROM decision WHERE {_LEFT} GROUP BY vault, digest"
    " ON CONFLICT (vault, path, digest) DO UPDATE SET standing = excluded.standing, note_digest = NULL, gone_ns = 0"
)
_TAKEN_DECISIONS = f"DELETE FROM decision WHERE path <> ?1 AND {_LEFT}"  # noqa: S608


_LAST_CHUNK: Mapping[Engine, str] = {
    "sqlite": "SELECT seq FROM sqlite_sequence WHERE name = 'chunk'",
    "postgres": "SELECT CAST(value AS bigint) FROM meta WHERE name = 'last_chunk'",
}


_CHUNK = "id, note_id, position, digest, headings, line, end_line, place, tokens, packed"
_ADD_CHUNK: Mapping[Engine, str] = {  # in a file there is a column of old, `text`, that wants a value
    "sqlite": f"INSERT INTO chunk ({_CHUNK}, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '')",  # noqa: S608
    "postgres": f"INSERT INTO chunk ({_CHUNK}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
}


class Writer:
    """Writes to one store. Use it only inside the `with` block that gave it, and only from that thread."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._words = WordIndexes(connection)
        self._model_id = embeddings.current_model(connection)
        self._loose: set[bytes] = set()  # digests of chunks that went; other chunks may hold them still
        # The sequence, not the maximum: an id is never used again, so a stale one finds nothing.
        self._next_chunk = (cast("int | None", connection.execute(_LAST_CHUNK[connection.engine]).get) or 0) + 1
        self._added_chunks = self._added_tokens = 0
        self.changes = Changes()
        self.removed_text = False  # whether text that was stored before is to be gone from the disk

    def put_note(self, bundle: NoteBundle) -> int:
        """Insert a note, or replace the one at the same vault and path; returns its id, the same on a replacement.

        Chunks whose text and headings are as before keep their ids. A failure noted for the path is cleared.
        """
        note = bundle.note
        sql = "SELECT id FROM note WHERE vault = ? AND path = ?"
        known = cast("int | None", self.connection.execute(sql, (note.vault, note.path)).get)
        self.removed_text = self.removed_text or known is not None
        old = None if known is None else stored_header(self.connection, known)
        stemmed = analysis.stemmed_language(note.lang.lower())
        new = header(note.title, note.aliases, note.tags, old.anchors if old else "", note.path, stemmed)
        note_id = self._put_note_row(known, bundle, stemmed)
        self._words.replace_header(note_id, old, new)
        self._put_details(note_id, bundle, replaces=known is not None)
        self._put_chunks(note_id, bundle, old.stemmed if old else None, stemmed)
        left = (note.path, note.vault, note.digest, time.time_ns() - DECISIONS_WAIT_NS)
        self.connection.execute(_TAKE_DECISIONS, left)
        self.connection.execute(_TAKEN_DECISIONS, left)
        self.clear_failure(note.vault, note.path)
        return note_id

    def move_notes(self, moves: Iterable[NoteMove]) -> None:
        """Notes' files lie in other folders of their vaults; names and texts are as they were. No vector is touched.

        Raises apsw.ConstraintError when another note has one of the paths.
        """
        moves = list(moves)
        self._words.expect_removals(len(moves))
        names = "path = ?, path_key = ?, file_key = ?, stem_key = ?"
        sql = f"UPDATE note SET {names}, mtime_ns = ?, changed_ns = ? WHERE id = ?"  # noqa: S608
        for move in moves:
            old = stored_header(self.connection, move.note_id)
            self.connection.execute(_CLEAR_DECISIONS, (move.path, move.note_id))
            self.connection.execute(_MOVE_DECISIONS, (move.path, move.note_id))
            stamps = (move.mtime_ns, move.changed_ns)
            self.connection.execute(sql, (move.path, *_path_keys(move.path), *stamps, move.note_id))
            self._words.replace_header(move.note_id, old, replace(old, path=move.path.removesuffix(".md")))

    def leave_decisions(self, note_ids: Iterable[int]) -> None:
        """What was decided about these notes, which are gone, waits a day for a note that has the same bytes."""
        now = time.time_ns()
        self.connection.execute("DELETE FROM decision WHERE gone_ns > 0 AND gone_ns < ?", (now - DECISIONS_WAIT_NS,))
        self.connection.executemany(_LEAVE_DECISIONS, ((note_id, now) for note_id in note_ids))

    def touch_note(self, note_id: int, mtime_ns: int, size: int, changed_ns: int = 0) -> None:
        """A note's file has a new time stamp, and its bytes are as they were."""
        sql = "UPDATE note SET mtime_ns = ?, size = ?, changed_ns = ? WHERE id = ?"
        self.connection.execute(sql, (mtime_ns, size, changed_ns, note_id))

    def forget_notes(self, ids: Iterable[int]) -> None:
        """Remove notes and all that is known of them; unknown ids are passed over.

        Vectors of texts that no chunk holds any more go at the end of the transaction, so that a note that is
        forgotten here and put there keeps them.
        """
        known = [note_id for note_id in ids if self._exists(note_id)]
        self.removed_text = self.removed_text or bool(known)
        count = "SELECT count(*) FROM chunk WHERE note_id = ?"
        self._words.expect_removals(sum(cast("int", self.connection.execute(count, (i,)).get) for i in known))
        self.leave_decisions(known)
        for note_id in known:
            note_index.mark_targets(self.connection, note_id)
            old = stored_header(self.connection, note_id)
            self._words.replace_header(note_id, old, None)
            for chunk in self._chunks_of(note_id):
                self._remove_chunk(*chunk, old.stemmed)
            self.connection.execute("DELETE FROM note WHERE id = ?", (note_id,))
            self.changes.gone_notes.append(note_id)
            self.changes.titles.pop(note_id, None)

    def put_failure(self, row: FailureRow) -> None:
        """Remember that a file could not be indexed, in place of what was known of it before."""
        sql = upsert("failure", ("vault", "path"), ("code", "reason", "mtime_ns", "size", "changed_ns", "kind"))
        stamps = (row.mtime_ns, row.size, row.changed_ns)
        self.connection.execute(sql, (row.vault, row.path, row.code, row.reason, *stamps, row.kind))

    def clear_failure(self, vault: str, path: str) -> None:
        """Forget a failure, if there is one."""
        self.connection.execute("DELETE FROM failure WHERE vault = ? AND path = ?", (vault, path))

    def use_model(self, model: str) -> None:
        """Make a model (its fingerprint) the one whose missing vectors are pending; others keep theirs."""
        self._model_id = embeddings.use_model(self.connection, model, self.changes)

    def put_embeddings(self, model: str, digests: Sequence[bytes], vectors: Vectors) -> None:
        """Store one vector for each digest, replacing what the model had for it. Digests no chunk holds are dropped.

        vectors: shape (len(digests), dim), rows L2-normalised. Raises ValueError for another shape.
        """
        embeddings.put(self.connection, model, digests, vectors, self.changes)
        self._model_id = embeddings.current_model(self.connection)

    def refresh_anchors(self, note_ids: Iterable[int] | None = None) -> int:
        """Update the link texts indexed with notes; returns how many notes changed.

        Of the notes given, or (None) of all that links written since the last refresh point to. Links are resolved
        by file name or alias, case aside. Call it once at the end of a pass, not for every note.
        """
        return note_index.refresh(self.connection, self._words, note_ids)

    def forget_orphan_embeddings(self) -> None:
        """Drop vectors whose last chunk went in this transaction; the commit does this too."""
        embeddings.forget_orphans(self.connection, self._loose, self.changes)
        self._loose.clear()

    def forget_other_models(self, model: str) -> None:
        """Drop the vectors of every model but this one, once a change of model is complete."""
        embeddings.forget_other_models(self.connection, model)

    def set_meta(self, name: str, value: str) -> None:
        """Set a value that `Store.meta` reads."""
        self.connection.execute(upsert("meta", ("name",), ("value",)), (name, value))

    def finish(self) -> None:
        """Complete what is left to the end of the transaction; `Store.writing` calls it before the commit."""
        self.forget_orphan_embeddings()
        self._words.flush()
        self.changes.words = self._words.counts
        if self.connection.engine == "postgres":
            self.set_meta("last_chunk", str(self._next_chunk - 1))
        added = (("generation", 1), ("chunks", self._added_chunks), ("tokens", self._added_tokens))
        self.connection.executemany(
            "UPDATE meta SET value = CAST(CAST(value AS BIGINT) + ? AS TEXT) WHERE name = ?",
            [(count, name) for name, count in added],
        )

    def _exists(self, note_id: int) -> bool:
        return self.connection.execute("SELECT 1 FROM note WHERE id = ?", (note_id,)).get is not None

    def _put_note_row(self, known: int | None, bundle: NoteBundle, stemmed: str) -> int:
        note = bundle.note
        redactions = sum(found.is_hidden for found in bundle.redactions)
        passages = len(bundle.chunks) if note.kind else 0
        title_tokens = len(analysis.terms(note.title))
        values = {
            "title": note.title,
            "title_tokens": title_tokens,
            "mtime_ns": note.mtime_ns,
            "size": note.size,
            "changed_ns": note.changed_ns,
            "digest": note.digest,
            "fingerprint": note.fingerprint,
            "created_ns": note.created_ns,
            "lang": note.lang.lower(),
            "stemmed": stemmed,
            "aliases": _json(note.aliases),
            "tags": _json(note.tags),
            "properties": _json(note.properties),
            "redactions": redactions,
            "payload": note.payload,
            "kind": note.kind,
            "parts": note.parts,
            "scans": note.scans,
            "passages": passages,
        }
        if known is None:
            values |= {"vault": note.vault, "path": note.path}
            values |= zip(("path_key", "file_key", "stem_key"), _path_keys(note.path), strict=True)
            marks = ", ".join("?" * len(values))
            sql = f"INSERT INTO note ({', '.join(values)}) VALUES ({marks}) RETURNING id"  # noqa: S608
            known = cast("int", self.connection.execute(sql, tuple(values.values())).get)
        else:
            sets = ", ".join(f"{name} = ?" for name in values)
            self.connection.execute(f"UPDATE note SET {sets} WHERE id = ?", (*values.values(), known))  # noqa: S608
        self.changes.titles[known] = title_tokens
        return known

    def _put_details(self, note_id: int, bundle: NoteBundle, *, replaces: bool) -> None:
        """Aliases, tags, properties, links and redactions, in place of the old ones."""
        note, execute = bundle.note, self.connection.executemany
        if replaces:
            note_index.mark_targets(self.connection, note_id)
            for table in ("note_alias", "note_tag", "note_property", "link", "redaction"):
                self.connection.execute(f"DELETE FROM {table} WHERE note_id = ?", (note_id,))  # noqa: S608
        aliases = {fold(alias): None for alias in note.aliases}
        execute("INSERT INTO note_alias (alias_key, note_id) VALUES (?, ?)", [(key, note_id) for key in aliases])
        tags = {fold(tag): tag for tag in reversed(note.tags)}
        execute(
            "INSERT INTO note_tag (tag_key, note_id, tag) VALUES (?, ?, ?)", [(k, note_id, t) for k, t in tags.items()]
        )
        execute(
            upsert("note_property", ("name_key", "note_id", "position"), ("name", "value_key", "number")),
            [
                (fold(name), note_id, position, name, fold(value), as_number(value))
                for name, values in note.properties.items()
                for position, value in enumerate((values,) if isinstance(values, str) else values or ("",))
            ],
        )
        execute(
            "INSERT INTO link (note_id, target, target_key, kind, line, heading, block, text)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    note_id,
                    link.target,
                    note_index.target_key(link.target),
                    link.kind,
                    link.line,
                    link.heading,
                    link.block,
                    link.text,
                )
                for link in bundle.links
            ],
        )
        note_index.mark_targets(self.connection, note_id)
        note_index.mark_names(self.connection, note_id)
        execute(
            'INSERT INTO redaction (note_id, line, "column", rule, length, standing, place)'
            " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [
                (note_id, each.line, each.column, each.rule, each.length, each.standing, each.place)
                for each in bundle.redactions
            ],
        )

    def _put_chunks(self, note_id: int, bundle: NoteBundle, before: str | None, stemmed: str) -> None:
        """The note's chunks in place of its old ones. before: the language of these; None: there are none."""
        place = embeddings.place_in_queue(bundle.note.mtime_ns, bundle.note.kind)
        may_stay = bundle.chunks if before == stemmed else ()
        wanted = Counter((chunk.digest, chunk.headings) for chunk in may_stay)
        kept: defaultdict[tuple[bytes, tuple[str, ...]], list[int]] = defaultdict(list)
        for chunk_id, digest, headings, text in [] if before is None else self._chunks_of(note_id):
            if len(kept[digest, headings]) < wanted[digest, headings]:
                kept[digest, headings].append(chunk_id)
            else:
                self._remove_chunk(chunk_id, digest, headings, text, before or "")
        for position, chunk in enumerate(bundle.chunks):
            same = kept[chunk.digest, chunk.headings]
            if same:
                self._move_chunk(same.pop(0), note_id, position, chunk)
            else:
                self._add_chunk(note_id, position, chunk, place, stemmed)

    def _chunks_of(self, note_id: int) -> list[tuple[int, bytes, tuple[str, ...], str]]:
        sql = "SELECT id, digest, headings, unpacked(packed) FROM chunk WHERE note_id = ? ORDER BY position"
        rows = cast("Iterable[tuple[int, bytes, str, str]]", self.connection.execute(sql, (note_id,)))
        return [(i, digest, msgspec.json.decode(heads, type=tuple[str, ...]), text) for i, digest, heads, text in rows]

    def _add_chunk(self, note_id: int, position: int, chunk: ChunkRow, place: int, stemmed: str) -> None:
        chunk_id = self._next_chunk
        self._next_chunk += 1
        lines = (chunk.line, chunk.end_line)
        tokens = self._words.add_chunk(chunk_id, chunk.text, chunk.headings, stemmed)
        self.connection.execute(
            _ADD_CHUNK[self.connection.engine],
            (
                chunk_id,
                note_id,
                position,
                chunk.digest,
                _json(chunk.headings),
                *lines,
                chunk.place,
                tokens,
                self.connection.packed(chunk.text),
            ),
        )
        self._count(1, tokens)
        embeddings.queue_for_embedding(self.connection, self._model_id, chunk_id, chunk.digest, place, self.changes)
        self.changes.chunks.append((chunk_id, note_id, position, tokens, chunk.digest))

    def _move_chunk(self, chunk_id: int, note_id: int, position: int, chunk: ChunkRow) -> None:
        """A chunk whose text stays may stand elsewhere in its note. One that stands where it did is not written."""
        places = (position, chunk.line, chunk.end_line, chunk.place)
        sql = (
            "UPDATE chunk SET position = ?, line = ?, end_line = ?, place = ?"
            " WHERE id = ? AND (position, line, end_line, place) <> (?, ?, ?, ?) RETURNING tokens"
        )
        tokens = cast("int | None", self.connection.execute(sql, (*places, chunk_id, *places)).get)
        if tokens is not None:
            self.changes.chunks.append((chunk_id, note_id, position, tokens, chunk.digest))

    def _remove_chunk(self, chunk_id: int, digest: bytes, headings: tuple[str, ...], text: str, stemmed: str) -> None:
        self._words.remove_chunk(chunk_id, text, headings, stemmed)
        tokens = cast(
            "int", self.connection.execute("DELETE FROM chunk WHERE id = ? RETURNING tokens", (chunk_id,)).get
        )
        self._count(-1, -tokens)
        self._loose.add(digest)
        self.changes.gone_chunks.append(chunk_id)

    def _count(self, chunks: int, tokens: int) -> None:
        """Keep the totals that BM25's average length comes from."""
        self._added_chunks += chunks
        self._added_tokens += tokens


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _path_keys(path: str) -> tuple[str, str, str]:
    key = fold(path)
    name = key.rsplit("/", 1)[-1]
    return key, name, name.removesuffix(".md")
