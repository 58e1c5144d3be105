"""What indexing writes, inside one transaction that `Store.writing()` opens and commits."""

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, cast, get_args

import msgspec

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.meaning import vectors as vectors_module
from scrubjay.profiles.search.meaning.vectors import place_in_queue
from scrubjay.profiles.search.words import analysis, word_index
from scrubjay.profiles.search.words.analysis import as_number
from scrubjay.profiles.search.words.word_index import Header, WordIndexes, header, stored_header
from scrubjay.profiles.store import proposals, succession
from scrubjay.profiles.store.columns import Changes
from scrubjay.profiles.store.rows import (
    DECISIONS_WAIT_NS,
    SAID_WAITS_NS,
    ChunkRow,
    FailureRow,
    NoteBundle,
    NoteMove,
    RedactionRow,
    Standing,
    Vectors,
)
from scrubjay.profiles.store.statements import Connection, Cursor, Insert, Value, integers, json_texts, upsert
from scrubjay.profiles.store.subjects import follow_moves, follow_names
from scrubjay.profiles.store.succession import Gone, heirs

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

    def add_chunk(self, chunk_id: int, note_id: int, position: int, bundle: NoteBundle, tokens: int) -> None:
        """Take in the chunk at this position of a note."""
        chunk = bundle.chunks[position]
        place = (chunk.line, chunk.end_line, chunk.place)
        packed = self._connection.packed(chunk.text)
        self._added_chunks.append(
            (chunk_id, note_id, position, chunk.digest, as_json(chunk.headings), *place, tokens, packed)
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
# Suggestions wait likewise, and for a note at the same place, too.
_LEAVE_SUGGESTIONS = (
    "UPDATE review_suggestion SET (vault, path, note_digest, until_ns) ="
    " (SELECT vault, path, digest, CAST(?2 AS bigint) FROM note WHERE id = ?1) WHERE note_id = ?1"
)
_TAKE_SUGGESTIONS = (
    "UPDATE review_suggestion SET note_id = (SELECT id FROM note WHERE vault = ?1 AND path = ?2),"
    " vault = NULL, path = NULL, note_digest = NULL, until_ns = NULL"
    " WHERE note_id IS NULL AND vault = ?1 AND (path = ?2 OR note_digest = ?3) AND until_ns >= ?4"
)
# A note that has another name is stored under it before it is forgotten under the old one.
_RENAMED = "note WHERE note.vault = review_suggestion.vault AND note.digest = review_suggestion.note_digest"
_RENAME_SUGGESTIONS = (
    f"UPDATE review_suggestion SET note_id = (SELECT max(note.id) FROM {_RENAMED}),"  # noqa: S608
    " vault = NULL, path = NULL, note_digest = NULL, until_ns = NULL"
    f" WHERE note_id IS NULL AND until_ns = ? AND EXISTS (SELECT 1 FROM {_RENAMED})"
)
_DROP_SUGGESTIONS = "DELETE FROM review_suggestion WHERE until_ns < ?"
_DROP_UNANSWERED = (
    "DELETE FROM review_suggestion WHERE note_id IN (SELECT value FROM carray(?))"
    " AND key NOT IN (SELECT key FROM review_answer)"
)
_KNOWN = "SELECT path, id FROM note WHERE vault = ? AND path IN (SELECT value FROM json_each(?))"
_LEFT_OVER = (
    "SELECT EXISTS (SELECT 1 FROM decision WHERE gone_ns > 0), EXISTS (SELECT 1 FROM failure),"
    " EXISTS (SELECT 1 FROM review_suggestion WHERE note_id IS NULL)"
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


Why: TypeAlias = Literal["gone", "excluded", "vault"]
"""Why a note is forgotten: it is not there, it may not be read any more, its vault is no more one of the profile's."""
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
            known, (decided, failed, suggested) = self._known(places), left_over.get
            for some in _some_passages(apart):
                rows = NoteRows(self.connection)
                ids += [self._put(bundle, known.get((bundle.note.vault, bundle.note.path)), rows) for bundle in some]
                rows.write()
                self._words.rows_are_there()
                vectors_module.queue_for_embedding(
                    self.connection, self._model_id, rows.added_texts, embedded, self.changes
                )
            if decided:
                self._take_decisions(apart)
            if suggested:
                self._take_suggestions(apart)
            if failed:
                places = [(bundle.note.vault, bundle.note.path) for bundle in apart]
                self.connection.executemany("DELETE FROM failure WHERE vault = ? AND path = ?", places)
        return ids

    def move_notes(self, moves: Iterable[NoteMove]) -> None:
        """Notes' files lie in other folders of their vaults; names and texts are as they were. No vector is touched.

        Raises apsw.ConstraintError when another note has one of the paths.
        """
        moves = list(moves)
        self._words.expect_removals(len(moves))
        follow_moves(self.connection, moves)
        names = "path = ?, path_key = ?, file_key = ?, stem_key = ?"
        sql = f"UPDATE note SET {names}, mtime_ns = ?, changed_ns = ? WHERE id = ?"  # noqa: S608
        for move in moves:
            old = stored_header(self.connection, move.note_id)
            self.connection.execute(_CLEAR_DECISIONS, (move.path, move.note_id))
            self.connection.execute(_MOVE_DECISIONS, (move.path, move.note_id))
            stamps = (move.mtime_ns, move.changed_ns)
            self.connection.execute(sql, (move.path, *path_keys(move.path), *stamps, move.note_id))
            self._words.replace_header(move.note_id, old, replace(old, path=move.path.removesuffix(".md")))

    def leave_decisions(self, note_ids: Iterable[int]) -> None:
        """What was decided about these notes, which are gone, waits a day for a note that has the same bytes."""
        now = time.time_ns()
        self.connection.execute("DELETE FROM decision WHERE gone_ns > 0 AND gone_ns < ?", (now - DECISIONS_WAIT_NS,))
        self.connection.executemany(_LEAVE_DECISIONS, ((note_id, now) for note_id in note_ids))

    def _leave_suggestions(self, note_ids: Iterable[int]) -> int:
        """What programs put forward about these notes waits for them to come back; until when, in ns since 1970."""
        now = time.time_ns()
        self.connection.execute(_DROP_SUGGESTIONS, (now,))
        until = now + SAID_WAITS_NS
        self.connection.executemany(_LEAVE_SUGGESTIONS, [(note_id, until) for note_id in note_ids])
        return until

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
        self._words.expect_removals(sum(len(note.chunks) for note in known))
        if why == "gone":
            proposals.forget_naming(self.connection, [note.id for note in known])
        elif known:
            proposals.forget_all(self.connection)
        if why != "vault":
            self.leave_decisions(note.id for note in known)
        if why == "excluded":
            self.connection.execute(_DROP_UNANSWERED, (integers([note.id for note in known]),))
        else:
            follow_names(self.connection, [note.id for note in known])
        until_ns = self._leave_suggestions(note.id for note in known)
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
            self.connection.execute(_RENAME_SUGGESTIONS, (until_ns,))

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
        stemmed = analysis.stemmed_language(note.lang.lower())
        note_id = known.id if known else self._new_id("note")
        title_tokens = len(analysis.terms(note.title))
        rows.add(note_id, bundle, stemmed, title_tokens, replaces=known is not None)
        self.changes.titles[note_id] = title_tokens
        new = header(note.title, note.aliases, note.tags, old.anchors if old else "", note.path, stemmed)
        self._words.replace_header(note_id, old, new)
        self._put_chunks(note_id, bundle, known, stemmed, rows)
        return note_id

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
                rows.add_chunk(chunk_id, note_id, position, bundle, tokens)
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

    def _take_decisions(self, bundles: Sequence[NoteBundle]) -> None:
        """Decisions about notes that are gone are from now on about those that have the same bytes."""
        long_ago = time.time_ns() - DECISIONS_WAIT_NS
        for note in (bundle.note for bundle in bundles):
            left = (note.path, note.vault, note.digest, long_ago)
            self.connection.execute(_TAKE_DECISIONS, left)
            self.connection.execute(_TAKEN_DECISIONS, left)

    def _take_suggestions(self, bundles: Sequence[NoteBundle]) -> None:
        """Suggestions that wait for a note are from now on about these, where it is one of them."""
        now = time.time_ns()
        for note in (bundle.note for bundle in bundles):
            self.connection.execute(_TAKE_SUGGESTIONS, (note.vault, note.path, note.digest, now))

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
