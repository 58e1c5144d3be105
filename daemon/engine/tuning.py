"""Learning from a profile's names of notes what its queries mean."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import islice

import numpy as np

from scrubjay.credential_filter import MARK
from scrubjay.daemon.review.learning import LEAST_PAIRS, Learnt, nothing_learnt
from scrubjay.daemon.review.look import LearningWanted
from scrubjay.daemon.review.looker import Looker
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.meaning.query_matrix import Learned, QueryMatrix
from scrubjay.profiles.store.query_matrices import GivenName, names_of, put_learned
from scrubjay.profiles.store.rows import Vectors
from scrubjay.profiles.store.store import Store

MOST_PAIRS = 15_000
"""Names that are learned from: three quarters of a minute of one core."""
_BATCH = 64  # names embedded at once


class TuningStopped(Exception):
    """Something else has become more urgent; nothing was stored."""


def usable_names(store: Store) -> list[GivenName]:
    """The names that may be learned from, at most MOST_PAIRS, chosen by their text alone: those without a redaction."""
    names = [name for name in names_of(store) if not MARK.search(name.text)]
    return sorted(names, key=_chance)[:MOST_PAIRS] if len(names) > MOST_PAIRS else names


def tune(
    looker: Looker,
    store: Store,
    embedder: Embedder,
    names: Sequence[GivenName],
    wait_turn: Callable[[], None] = lambda: None,
) -> tuple[Learned, QueryMatrix | None]:
    """Learn from these names, and keep in the store what came of it. The matrix is None where it is not to be used.

    wait_turn: called before each batch is embedded; may block, and may raise TuningStopped to end it all.
    Raises what the embedder and the store raise.
    """
    model = embedder.spec.fingerprint
    found = _learnt(looker, store, embedder, names, wait_turn)
    wait_turn()
    put_learned(store, model, found.learned, found.matrix)
    return found.learned, None if found.matrix is None else QueryMatrix(found.matrix, found.learned.shift)


def _learnt(
    looker: Looker, store: Store, embedder: Embedder, names: Sequence[GivenName], wait_turn: Callable[[], None]
) -> Learnt:
    if len(names) < LEAST_PAIRS:
        return nothing_learnt(len(names))
    queries = _embedded(embedder, [name.text for name in names], wait_turn)
    notes = np.array([name.note_id for name in names], np.int64)
    with looker.look(store, LearningWanted(embedder.spec.fingerprint, notes, queries), 0) as steps:
        (found,) = (step for step in islice(steps, 1) if isinstance(step, Learnt))
    return found


def _embedded(embedder: Embedder, texts: Sequence[str], wait_turn: Callable[[], None]) -> Vectors:
    """The texts as queries. In bulk where the model reads queries and passages alike."""
    rows = np.empty((len(texts), embedder.spec.dim), np.float32)
    alike = embedder.spec.query_prefix == embedder.spec.passage_prefix
    for start in range(0, len(texts), _BATCH):
        wait_turn()
        some = texts[start : start + _BATCH]
        vectors = embedder.embed_passages(some) if alike else [embedder.embed_query(text) for text in some]
        rows[start : start + _BATCH] = vectors
    return rows


def _chance(name: GivenName) -> bytes:
    return blake2b(name.text.encode("utf-8", "replace"), digest_size=8).digest()
