"""Taking names of notes out of a copy of a store, so that a search for such a name has to find its note otherwise."""

from collections.abc import Collection, Mapping
from typing import cast

import msgspec

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.words.word_index import WordIndexes, stored_header
from scrubjay.profiles.store.statements import Connection
from scrubjay.profiles.store.store import Store

_texts = msgspec.json.Decoder(tuple[str, ...]).decode


def hide_names(copy: Store, names: Mapping[int, Collection[str]]) -> None:
    """Take these names (aliases, texts of links to it, headings) from each note, by its id, whatever their case.

    What stood below a heading is pending then, and nothing else is: its vector knew the heading. What notes say in
    their texts stays. copy: never a store that is in use, since the next look at the vault would not mend it.
    """
    with copy.writing() as writer:
        connection = writer.connection
        connection.execute("DELETE FROM pending_embedding").fetchall()
        words = WordIndexes(connection)
        for note_id, hidden in names.items():
            keys = {fold(name) for name in hidden}
            _hide_in_header(connection, words, note_id, keys)
            _hide_headings(connection, words, note_id, keys)
        words.flush()
    copy.forget_arrays()


def _hide_in_header(connection: Connection, words: WordIndexes, note_id: int, keys: Collection[str]) -> None:
    row = connection.execute("SELECT aliases, anchors FROM note WHERE id = ?", (note_id,)).get
    if row is None:
        return
    before = stored_header(connection, note_id)
    aliases, anchors = cast("tuple[str, str]", row)
    kept = [alias for alias in _texts(aliases) if fold(alias) not in keys]
    texts = "\n".join(text for text in anchors.split("\n") if fold(text) not in keys)
    listed = msgspec.json.encode(kept).decode()
    connection.execute("UPDATE note SET aliases = ?, anchors = ? WHERE id = ?", (listed, texts, note_id))
    gone = [(note_id, key) for key in keys]
    connection.executemany("DELETE FROM note_alias WHERE note_id = ? AND alias_key = ?", gone)
    words.replace_header(note_id, before, stored_header(connection, note_id))


def _hide_headings(connection: Connection, words: WordIndexes, note_id: int, keys: Collection[str]) -> None:
    sql = (
        "SELECT chunk.id, chunk.digest, headings, unpacked(packed), mtime_ns, stemmed FROM chunk"
        " JOIN note ON note.id = note_id WHERE note_id = ?"
    )
    rows = cast("list[tuple[int, bytes, str, str, int, str]]", connection.execute(sql, (note_id,)).fetchall())
    for chunk_id, digest, listed, text, mtime_ns, stemmed in rows:
        headings = _texts(listed)
        kept = tuple(heading for heading in headings if fold(heading) not in keys)
        if kept == headings:
            continue
        words.remove_chunk(chunk_id, text, headings, stemmed)
        words.add_chunk(chunk_id, text, kept, stemmed)
        heads = msgspec.json.encode(kept).decode()
        connection.execute("UPDATE chunk SET headings = ? WHERE id = ?", (heads, chunk_id))
        connection.execute("DELETE FROM embedding WHERE digest = ?", (digest,))
        pending = "INSERT INTO pending_embedding (mtime_ns, digest) VALUES (?, ?) ON CONFLICT DO NOTHING"
        connection.execute(pending, (mtime_ns, digest))
