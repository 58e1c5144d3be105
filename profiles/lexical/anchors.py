"""Link texts as words of the note they point to: what others call a note is what its owner may search for.

Resolution is by file name or alias, case and diacritics aside, and so approximate: two notes of one name both get the
texts. The exact graph is not needed for this.
"""

from collections.abc import Iterable
from typing import cast

from scrubjay.profiles.database.sql import Connection
from scrubjay.profiles.lexical.note_index import WordIndexes, stored_header
from scrubjay.profiles.names import fold

MAX_ANCHORS = 100
"""Distinct texts a note, the most frequent first; a hub's thousandth nickname adds nothing."""

_INBOUND = """
SELECT link.text FROM link
WHERE link.target_key IN (
    SELECT stem_key FROM note WHERE id = :id UNION SELECT alias_key FROM note_alias WHERE note_id = :id
  )
  AND link.text <> '' AND link.kind <> 'embed' AND link.note_id <> :id
GROUP BY link.text ORDER BY count(*) DESC, link.text
"""

_STALE = """
SELECT note.id FROM stale_anchor JOIN note ON note.stem_key = stale_anchor.target_key
UNION SELECT note_alias.note_id FROM stale_anchor JOIN note_alias ON note_alias.alias_key = stale_anchor.target_key
"""


def target_key(target: str) -> str:
    """What of a link's target is compared: the last part, folded, without `.md`."""
    return fold(target).rstrip("/").rsplit("/", 1)[-1].removesuffix(".md")


def mark_targets(connection: Connection, note_id: int) -> None:
    """Note that the notes this one links to need a refresh. Call it before links go and after they come."""
    connection.execute(
        "INSERT OR IGNORE INTO stale_anchor (target_key)"
        " SELECT target_key FROM link WHERE note_id = ? AND text <> '' AND ("
        "  EXISTS (SELECT 1 FROM note WHERE stem_key = target_key)"
        "  OR EXISTS (SELECT 1 FROM note_alias WHERE alias_key = target_key))",
        (note_id,),
    )


def mark_names(connection: Connection, note_id: int) -> None:
    """Note that a note needs a refresh, since its names are new; a name that no link uses does not count."""
    connection.execute(
        "INSERT OR IGNORE INTO stale_anchor (target_key) SELECT name FROM"
        " (SELECT stem_key AS name FROM note WHERE id = :id UNION SELECT alias_key FROM note_alias WHERE note_id = :id)"
        " WHERE EXISTS (SELECT 1 FROM link WHERE target_key = name AND text <> '')",
        {"id": note_id},
    )


def refresh(connection: Connection, words: WordIndexes, note_ids: Iterable[int] | None) -> int:
    """See `Writer.refresh_anchors`."""
    if note_ids is None:
        note_ids = [cast("int", row[0]) for row in connection.execute(_STALE)]
        connection.execute("DELETE FROM stale_anchor")
    note_ids = list(note_ids)
    words.expect_removals(len(note_ids))
    return sum(_refresh_one(connection, words, note_id) for note_id in note_ids)


def _refresh_one(connection: Connection, words: WordIndexes, note_id: int) -> bool:
    row = connection.execute("SELECT title, anchors FROM note WHERE id = ?", (note_id,)).get
    if row is None:
        return False
    title, before = cast("tuple[str, str]", row)
    texts = cast("Iterable[tuple[str]]", connection.execute(_INBOUND, {"id": note_id}))
    distinct = {fold(text): text for (text,) in texts if fold(text) != fold(title)}
    anchors = "\n".join(list(distinct.values())[:MAX_ANCHORS])
    if anchors == before:
        return False
    old = stored_header(connection, note_id)
    connection.execute("UPDATE note SET anchors = ? WHERE id = ?", (anchors, note_id))
    words.replace_header(note_id, old, stored_header(connection, note_id))
    return True
