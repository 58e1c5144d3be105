"""From a profile's store to its query matrix: its names are read, embedded as queries, and learned from."""

from collections.abc import Callable, Sequence
from hashlib import blake2b

import numpy as np

from scrubjay.credential_filter import MARK
from scrubjay.daemon.embedding.protocol import Embedder
from scrubjay.daemon.tuning.learning import LEAST_PAIRS, Names, learn
from scrubjay.profiles.database.rows import Vectors
from scrubjay.profiles.semantic.query_matrix import Learned, QueryMatrix
from scrubjay.profiles.store.beside.tuned import NoteName, names_of, passages_of, put_learned
from scrubjay.profiles.store.store import Store

MOST_PAIRS = 15_000
"""Names that are learned from: three quarters of a minute of one core."""
_MOST_PASSAGES = 8  # of a note, from its beginning
_BATCH = 64  # names embedded at once
_NOTES_AT_ONCE = 1_000


class TuningStopped(Exception):
    """Something else has become more urgent; nothing was stored."""


def usable_names(store: Store) -> list[NoteName]:
    """The names that may be learned from, at most MOST_PAIRS, chosen by their text alone: those without a redaction."""
    names = [name for name in names_of(store) if not MARK.search(name.text)]
    return sorted(names, key=_chance)[:MOST_PAIRS] if len(names) > MOST_PAIRS else names


def tune(
    store: Store, embedder: Embedder, names: Sequence[NoteName], wait_turn: Callable[[], None] = lambda: None
) -> tuple[Learned, QueryMatrix | None]:
    """Learn from these names, and keep in the store what came of it. The matrix is None where it is not to be used.

    wait_turn: called before each batch is embedded; may block, and may raise TuningStopped to end it all.
    Raises what the embedder and the store raise.
    """
    model = embedder.spec.fingerprint
    passages = _passages(store, model, {name.note_id for name in names})
    known = [name for name in names if name.note_id in passages]
    if len(known) < LEAST_PAIRS:
        learned, matrix = Learned(len(known), 0.0, 0.0, 0.0, 0.0, 0.0), None
    else:
        queries = _embedded(embedder, [name.text for name in known], wait_turn)
        learned, matrix = learn(Names(queries, np.array([name.note_id for name in known]), passages), wait_turn)
    wait_turn()
    put_learned(store, model, learned, matrix)
    return learned, None if matrix is None else QueryMatrix(matrix, learned.shift)


def _passages(store: Store, model: str, notes: set[int]) -> dict[int, Vectors]:
    ordered, found = sorted(notes), dict[int, Vectors]()
    for start in range(0, len(ordered), _NOTES_AT_ONCE):
        found |= passages_of(store, model, ordered[start : start + _NOTES_AT_ONCE], _MOST_PASSAGES)
    return found


def _embedded(embedder: Embedder, texts: Sequence[str], wait_turn: Callable[[], None]) -> Vectors:
    """The texts as queries. In bulk where the model reads queries and passages alike."""
    rows: list[Vectors] = []
    alike = embedder.spec.query_prefix == embedder.spec.passage_prefix
    for start in range(0, len(texts), _BATCH):
        wait_turn()
        some = texts[start : start + _BATCH]
        rows.append(embedder.embed_passages(some) if alike else np.stack([embedder.embed_query(text) for text in some]))
    return np.concatenate(rows)


def _chance(name: NoteName) -> bytes:
    return blake2b(name.text.encode("utf-8", "replace"), digest_size=8).digest()
