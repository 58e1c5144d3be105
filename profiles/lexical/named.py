"""Notes that are called what was asked for: by their whole title, an alias or their file's name."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import cast

import msgspec
import numpy as np

from scrubjay.profiles.database.columns import Columns
from scrubjay.profiles.database.matches import Ids
from scrubjay.profiles.database.sql import Connection, integers
from scrubjay.profiles.lexical.posting import Field, Postings
from scrubjay.profiles.names import fold
from scrubjay.profiles.text.analysis import terms, words

_aliases = msgspec.json.Decoder(tuple[str, ...]).decode


def named_notes(
    connection: Connection, columns: Columns, name: str, found: Sequence[Mapping[Field, Sequence[Postings]]]
) -> Ids:
    """The ids of the notes of this name, whatever its case, accents and marks. found: where each word of it stands."""
    called = words(name)
    if not called:
        return np.empty(0, np.int64)
    rows = connection.execute("SELECT id FROM note WHERE stem_key = ?", (fold(name.strip()),))
    notes = [cast("int", row[0]) for row in rows]
    titles = _holding_all(found, Field.TITLE)
    titles = titles[titles < len(columns.title_tokens)]
    titles = titles[columns.title_tokens[titles] == len(terms(name))]
    candidates = np.union1d(titles, _holding_all(found, Field.ALIASES))
    if len(candidates):
        sql = "SELECT id, title, aliases FROM carray(?) AS wanted CROSS JOIN note ON id = wanted.value"
        names = cast("Iterable[tuple[int, str, str]]", connection.execute(sql, (integers(candidates),)))
        notes += [
            note for note, title, aliases in names if any(words(each) == called for each in (title, *_aliases(aliases)))
        ]
    ids = np.unique(np.array(notes, np.int64))
    return ids[ids < len(columns.first_chunk)]


def _holding_all(found: Sequence[Mapping[Field, Sequence[Postings]]], field: Field) -> Ids:
    """The notes that hold every word in this field."""
    lists = [[part.ids for part in evidence.get(field, ())] for evidence in found]
    if not lists or not all(lists):
        return np.empty(0, np.int64)
    return reduce(np.intersect1d, (np.concatenate(ids) for ids in lists))
