"""Learning from a profile's names of notes what its queries mean."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeAlias

import numpy as np

from scrubjay.credential_filter import MARK
from scrubjay.daemon.review.looker import Looker
from scrubjay.daemon.review.steps import LEAST_PAIRS, LearningWanted, Learnt, nothing_learnt
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.meaning.query_matrix import Learned, QueryMatrix
from scrubjay.profiles.search.meaning.vectors import quantized
from scrubjay.profiles.store.query_matrices import GivenName, distinct_names, names_of, put_learned
from scrubjay.profiles.store.store import Store

MOST_PAIRS = 15_000
"""Names that are learned from: three quarters of a minute of one core."""
_BATCH = 64  # names embedded at once

EmbeddedNames: TypeAlias = dict[str, bytes]
"""The vectors of names as queries, as stored: a quarter of the room, and of passages no more is known either."""


class TuningStopped(Exception):
    """Something else has become more urgent; nothing was stored."""


def usable_names(store: Store) -> list[GivenName]:
    """The names that may be learned from, at most MOST_PAIRS, chosen by their text alone: those without a redaction."""
    return distinct_names((name for name in names_of(store) if not MARK.search(name.text)), MOST_PAIRS)


def tune(
    looker: Looker,
    store: Store,
    embedder: Embedder,
    names: Sequence[GivenName],
    embedded: EmbeddedNames,
    wait_turn: Callable[[], None] = lambda: None,
) -> tuple[Learned, QueryMatrix | None]:
    """Learn from these names, and keep in the store what came of it. The matrix is None where it is not to be used.

    embedded: by the same model, in a call that was stopped; what this one embeds is added, so that no other has to.
    wait_turn: called before each batch is embedded; may block, and may raise TuningStopped to end it all.
    Raises what the embedder and the store raise.
    """
    model = embedder.spec.fingerprint
    found = nothing_learnt(len(names))
    if len(names) >= LEAST_PAIRS:
        _embed(embedder, [name.text for name in names], embedded, wait_turn)
        notes = np.array([name.note_id for name in names], np.int64)
        wanted = LearningWanted(model, notes, b"".join(embedded[name.text] for name in names))
        with looker.look(store, wanted, 0) as steps:
            (found,) = (step for step in islice(steps, 1) if isinstance(step, Learnt))
    wait_turn()
    put_learned(store, model, found.learned, found.matrix)
    return found.learned, None if found.matrix is None else QueryMatrix(found.matrix, found.learned.shift)


def _embed(embedder: Embedder, texts: Sequence[str], embedded: EmbeddedNames, wait_turn: Callable[[], None]) -> None:
    """Have the vectors of these texts as queries, and of no others. In bulk where queries are read as passages are."""
    for gone in embedded.keys() - set(texts):
        del embedded[gone]
    alike = embedder.spec.query_prefix == embedder.spec.passage_prefix
    lacking = [text for text in texts if text not in embedded]
    for start in range(0, len(lacking), _BATCH):
        wait_turn()
        some = lacking[start : start + _BATCH]
        vectors = embedder.embed_passages(some) if alike else np.stack([embedder.embed_query(text) for text in some])
        embedded.update(zip(some, quantized(vectors), strict=True))
