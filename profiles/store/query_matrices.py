"""What a profile's query matrix is learned from, and where it is kept: in the profile's store, and gone with it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from typing import cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.meaning import query_matrix, vectors
from scrubjay.profiles.search.meaning.query_matrix import Learned, QueryMatrix
from scrubjay.profiles.search.meaning.vectors import of_length_one
from scrubjay.profiles.store.rows import Vectors
from scrubjay.profiles.store.store import Store

_DIGEST_BYTES = 8
_NOTES_AT_ONCE = 1_000
_ALIASES = "SELECT id, aliases FROM note WHERE aliases <> '[]'"

# By file name or alias, as the link texts that are indexed with a note; one that may mean several notes says nothing.
_LINKS = """
SELECT text, note FROM (
    SELECT link.text AS text, min(note.id) AS note, count(DISTINCT note.id) AS notes FROM link
    JOIN (SELECT stem_key AS name, id FROM note UNION SELECT alias_key, note_id FROM note_alias) AS note
        ON note.name = link.target_key AND note.id <> link.note_id
    WHERE link.text <> '' AND link.kind <> 'embed'
    GROUP BY link.text, link.target_key
) WHERE notes = 1 ORDER BY text
"""


@dataclass(frozen=True, slots=True)
class GivenName:
    """What somebody called a note: an alias, or the text of a link in another note. Credentials are taken out."""

    text: str
    note_id: int


def names_of(store: Store) -> Iterator[GivenName]:
    """All names of notes, aliases first, as often as they are given. The store is read meanwhile."""
    with store.reading() as connection:
        for note, aliases in cast("Iterable[tuple[int, str]]", connection.execute(_ALIASES)):
            for alias in msgspec.json.decode(aliases, type=list[str]):
                yield GivenName(alias.strip(), note)
        for text, note in cast("Iterable[tuple[str, int]]", connection.execute(_LINKS)):
            yield GivenName(text.strip(), note)


def distinct_names(names: Iterable[GivenName], most: int) -> list[GivenName]:
    """Each name once, whatever its case, by a digest of it; those of several notes are left out.

    Of more than `most` those with the least digests: the same ones in whatever order all come. A vault may have a
    hundred thousand, so never more than three times as many are kept meanwhile; fewer than `most` are found in the end
    where more than half of the names belong to several notes.
    """
    chosen: dict[bytes, GivenName | None] = {}  # by digest; None: of several notes
    limit = b"\xff" * _DIGEST_BYTES
    for name in names:
        if not (key := fold(name.text)):
            continue
        digest = blake2b(key.encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).digest()
        if digest <= limit:
            known = chosen.setdefault(digest, name)
            if known is not None and known.note_id != name.note_id:
                chosen[digest] = None
            if len(chosen) > 3 * most:
                chosen = {each: chosen[each] for each in sorted(chosen)[: 2 * most]}
                limit = max(chosen)
    least = (chosen[each] for each in sorted(chosen)[: 2 * most])
    return list(islice((name for name in least if name is not None), most))


@dataclass(frozen=True, slots=True)
class NotePassages:
    """Vectors of the passages of notes, as stored: note i's are `steps[starts[i]:starts[i + 1]]`."""

    note_ids: NDArray[np.int64]  # shape (n,), ascending
    starts: NDArray[np.int64]  # shape (n + 1,), ascending
    steps: NDArray[np.int8]  # shape (passages, dim)

    def vectors(self, first: int, last: int) -> Vectors:
        """Those of the notes from place `first` to before place `last`."""
        return of_length_one(self.steps[self.starts[first] : self.starts[last]].astype(np.float32))


def passages_of(store: Store, model: str, notes: NDArray[np.int64], most: int) -> NotePassages:
    """The vectors that a model has for the first `most` passages of each of these notes; of the notes that have any.

    A byte a dimension: of a large vault, as many numbers would take 150 MB. notes: ascending.
    """
    owners, steps = list[int](), bytearray()
    for start in range(0, len(notes), _NOTES_AT_ONCE):
        some = notes[start : start + _NOTES_AT_ONCE].tolist()
        with store.reading() as connection:
            for note, stored in vectors.stored_passages_of(connection, model, some, most):
                owners.append(note)
                steps += stored
    note_ids, starts = np.unique(np.array(owners, np.int64), return_index=True)
    rows = np.frombuffer(steps, np.int8).reshape(len(owners), -1) if owners else np.empty((0, 0), np.int8)
    return NotePassages(note_ids, np.append(starts, len(owners)), rows)


def put_learned(store: Store, model: str, learned: Learned, matrix: NDArray[np.float32] | None) -> None:
    """Keep what was learned for a model. matrix: None where it is not to be used."""
    with store.writing() as writer:
        query_matrix.put(writer.connection, model, learned, matrix)


def learned_of(store: Store, model: str) -> tuple[Learned, bool] | None:
    """What was learned for a model, and whether its matrix is good enough to be used; None before that."""
    with store.reading(short=True) as connection:
        return query_matrix.learned(connection, model)


def matrix_of(store: Store, model: str) -> QueryMatrix | None:
    """The matrix of a model; None where there is none to be used."""
    with store.reading(short=True) as connection:
        return query_matrix.load(connection, model)
