"""Where a phrase stands, and what keeps word positions in step with notes and chunks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.words.analysis import IndexedText, is_unspaced

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PhrasePlaces:
    """What has a phrase; ids in no order."""

    chunks: Ids  # in their text or their headings
    notes: Ids  # in what they say of themselves: title, aliases, tags, path
    anchors: Ids  # notes, in the links of others


def is_beginning(terms: tuple[str, ...]) -> bool:
    """Whether a phrase is the beginning of a term: notes hold pairs of characters, of which this is one character."""
    return len(terms) == 1 and len(terms[0]) == 1 and is_unspaced(terms[0])


class PhraseIndex(Protocol):
    """Adds and removes within one transaction; `flush` before its commit."""

    def add_chunk(self, chunk_id: int, fields: Sequence[IndexedText]) -> None:
        """Take in a chunk: its text and its headings."""
        ...

    def remove_chunk(self, chunk_id: int, fields: Sequence[IndexedText]) -> None:
        """Take out a chunk, given what went in."""
        ...

    def replace_header(
        self, note_id: int, before: Sequence[IndexedText] | None, after: Sequence[IndexedText] | None
    ) -> None:
        """Title, aliases, tags, anchors and path of a note, in place of what they were; None: there are none."""
        ...

    def rows_are_there(self) -> None:
        """The rows of all chunks and notes so far are written."""
        ...

    def flush(self) -> None:
        """Write what waits."""
        ...

    def clear(self) -> None:
        """Forget where words stand of all chunks and notes, before they are indexed anew."""
        ...
