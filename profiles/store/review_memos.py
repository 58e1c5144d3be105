"""What the review has worked out of each note, kept to be had again as long as all that it depends on is the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from scrubjay.profiles.store.near_copies import Stamp, stamps_of
from scrubjay.profiles.store.statements import Connection, integers, put
from scrubjay.profiles.store.store import Store


@dataclass(frozen=True, slots=True)
class Memo:
    """Something that was worked out of one note."""

    made_of: bytes  # digest of all that it depends on
    made: bytes


@dataclass(frozen=True, slots=True)
class MadeMemos:
    """Memos that are to be kept, by the note's id, each with what the note's text was known by."""

    part: str  # what was worked out
    of_notes: Mapping[int, tuple[Stamp, Memo]]

    def put(self, connection: Connection) -> None:
        """Keep them in place of those before; notes that are gone, or have changed meanwhile, are passed over."""
        there = stamps_of(connection, list(self.of_notes))
        fresh = ((id_, memo) for id_, (stamp, memo) in self.of_notes.items() if there.get(id_) == stamp)
        rows = [(id_, self.part, memo.made_of, memo.made) for id_, memo in fresh]
        connection.insert(put("review_memo", ("note_id", "part"), ("made_of", "made")), rows)


def memos_of(store: Store, part: str, note_ids: Sequence[int]) -> dict[int, Memo]:
    """What is kept of this part of these notes, by id."""
    sql = "SELECT note_id, made_of, made FROM review_memo WHERE note_id IN (SELECT value FROM carray(?)) AND part = ?"
    with store.reading() as connection:
        rows = cast("list[tuple[int, bytes, bytes]]", connection.execute(sql, (integers(note_ids), part)).fetchall())
    return {note_id: Memo(made_of, made) for note_id, made_of, made in rows}
