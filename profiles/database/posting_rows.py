"""Packed postings: what a row of `posting` holds, in numpy's terms.

Each row holds one term, one field and one shard of 4,096 consecutive ids; an entry is a little-endian uint16: the id's
low 12 bits above, below them 4 bits of term frequency (1 to 15, capped: BM25 has saturated by then).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SHARD_BITS = 12
FREQUENCY_BITS = 4
MAX_FREQUENCY = (1 << FREQUENCY_BITS) - 1


def unpacked_ids(rows: Sequence[tuple[int, bytes]]) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """The document ids of (shard, entries) rows, and the entries, from whose low bits the frequencies are read."""
    packed = np.frombuffer(b"".join(entries for _, entries in rows), dtype="<u2")
    bases = np.fromiter((shard << SHARD_BITS for shard, _ in rows), np.int64, len(rows))
    ids = (packed >> FREQUENCY_BITS).astype(np.int64)
    ids += np.repeat(bases, np.fromiter((len(entries) >> 1 for _, entries in rows), np.int64, len(rows)))
    return ids, packed
