"""Which passage of a note stands in the place of one that was edited, so that an id once cited leads on. Pure, but for
the statements.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from scrubjay.profiles.store.rows import ChunkRow

_MOST_COMPARED = 64  # new passages, those nearest to where the old one would stand
_DAY_NS = 86_400_000_000_000
_KEPT_NS = 365 * _DAY_NS
_BRIEF_NS = 60_000_000_000  # what stood for less, as while somebody types, is forgotten after a day

# ?1 note, ?2 the digest that is gone, ?3 its heir's, ?4 now
KEEP = (
    "INSERT INTO former_chunk (note_id, digest, heir, heir_ns, until_ns) VALUES (?1, ?2, ?3, ?4, ?4 + CASE WHEN EXISTS"  # noqa: S608
    f" (SELECT 1 FROM former_chunk WHERE note_id = ?1 AND heir = ?2 AND heir_ns > ?4 - {_BRIEF_NS})"
    f" THEN {_DAY_NS} ELSE {_KEPT_NS} END) ON CONFLICT (note_id, digest)"
    " DO UPDATE SET heir = excluded.heir, heir_ns = excluded.heir_ns, until_ns = excluded.until_ns"
)
TO_HEIRS = "UPDATE former_chunk SET heir = ?3, heir_ns = ?4 WHERE note_id = ?1 AND heir = ?2"
FORGET = "DELETE FROM former_chunk WHERE note_id = ? AND until_ns < ?"


@dataclass(frozen=True, slots=True)
class Gone:
    """A passage that is not in its note any more."""

    digest: bytes
    position: int
    text: str


def heirs(gone: Sequence[Gone], before: int, now: Sequence[ChunkRow], added: Collection[int]) -> Mapping[bytes, bytes]:
    """The digest of the passage that stands in the place of each that is gone, by digest; {} for an empty note.

    That is the one of those added that shares most of its words; where none shares any, what stands where it stood.
    before: how many passages the note had. added: positions of new ones.
    """
    there = {chunk.digest for chunk in now}
    words: dict[int, frozenset[str]] = {}
    found: dict[bytes, bytes] = {}
    for each in gone:
        if not now or each.digest in there:
            continue
        place = min(each.position * len(now) // max(before, 1), len(now) - 1)
        mine = frozenset(each.text.split())
        best, shared = place, 0
        for position in sorted(added, key=lambda position: abs(position - place))[:_MOST_COMPARED]:
            if position not in words:
                words[position] = frozenset(now[position].text.split())
            if len(mine & words[position]) > shared:
                best, shared = position, len(mine & words[position])
        found[each.digest] = now[best].digest
    return found
