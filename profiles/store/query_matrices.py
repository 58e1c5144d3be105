"""What a profile's query matrix is learned from, and where it is kept: in the profile's store, and gone with it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.meaning import query_matrix, vectors
from scrubjay.profiles.search.meaning.query_matrix import Learned, QueryMatrix
from scrubjay.profiles.store.rows import Vectors
from scrubjay.profiles.store.store import Store

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


def names_of(store: Store) -> list[GivenName]:
    """All names of notes, each once, by text and note; those that several notes have are left out."""
    with store.reading() as connection:
        aliases = cast("list[tuple[int, str]]", connection.execute(_ALIASES).fetchall())
        links = cast("list[tuple[str, int]]", connection.execute(_LINKS).fetchall())
    of_notes = [(alias, note) for note, listed in aliases for alias in msgspec.json.decode(listed, type=list[str])]
    return distinct_names(GivenName(text.strip(), note) for text, note in (*of_notes, *links))


def distinct_names(names: Iterable[GivenName]) -> list[GivenName]:
    """Each name once, whatever its case, by text and note; those of several notes are left out."""
    notes: dict[str, set[int]] = {}
    spelt: dict[str, str] = {}
    for name in names:
        if key := fold(name.text):
            notes.setdefault(key, set()).add(name.note_id)
            spelt.setdefault(key, name.text)
    return [GivenName(spelt[key], next(iter(notes[key]))) for key in sorted(notes) if len(notes[key]) == 1]


def passages_of(store: Store, model: str, notes: Sequence[int], most: int) -> dict[int, Vectors]:
    """The vectors that a model has for the first `most` passages of each of these notes, by note."""
    with store.reading() as connection:
        return vectors.passages_of(connection, model, notes, most)


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
