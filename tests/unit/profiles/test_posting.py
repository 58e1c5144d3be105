from collections import Counter, defaultdict
from typing import cast

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.words import postings
from scrubjay.profiles.search.words.postings import MAX_FREQUENCY, Field, PostingBatch
from scrubjay.profiles.store.sqlite import SqliteConnection
from scrubjay.profiles.store.statements import FileConnection


def database() -> FileConnection:
    connection = cast("FileConnection", SqliteConnection(":memory:"))
    connection.execute(
        "CREATE TABLE posting (term TEXT, field INTEGER, shard INTEGER, entries BLOB, PRIMARY KEY (shard, term, field))"
    )
    return connection


def stored(connection: FileConnection, term: str) -> dict[Field, dict[int, int]]:
    found = postings.read(connection, [term]).get(term, {})
    return {
        field: dict(zip(part.ids.tolist(), map(int, part.frequencies.tolist()), strict=True))
        for field, part in found.items()
    }


TERMS = st.lists(st.sampled_from(["a", "b", "c", "é", "数据", "x" * 65]), max_size=30)
STEPS = st.lists(st.tuples(st.sampled_from(list(Field)), st.integers(1, 10_000), TERMS, st.booleans()), max_size=40)


@given(STEPS)
def test_any_history_ends_as_a_dictionary_would(steps: list[tuple[Field, int, list[str], bool]]):
    connection = database()
    batch = PostingBatch(connection)
    model: dict[tuple[Field, int], list[str]] = {}
    for field, document, terms, flush in steps:
        if (field, document) in model:
            batch.remove(field, document, model.pop((field, document)))
        else:
            batch.add(field, document, terms)
            model[field, document] = terms
        if flush:
            batch.flush()
    batch.flush()
    expected: defaultdict[str, dict[Field, dict[int, int]]] = defaultdict(dict)
    for (field, document), terms in model.items():
        for term, count in Counter(t for t in terms if len(t) < 65).items():
            expected[term].setdefault(field, {})[document] = min(count, MAX_FREQUENCY)
    assert {t: stored(connection, t) for t in expected} == expected
    assert connection.execute("SELECT count(DISTINCT term) FROM posting").get == len(expected)
    connection.close()


def test_decoding_nothing_gives_nothing():
    assert len(postings.decode([]).ids) == 0
    assert postings.decode([]).ids.dtype == np.int64


@given(st.lists(st.dictionaries(st.integers(1, 9_000), st.integers(1, 9), min_size=1), min_size=1, max_size=4))
def test_terms_read_together_add_up_the_weighted_frequencies_of_each_document(terms: list[dict[int, int]]) -> None:
    connection = database()
    batch = PostingBatch(connection)
    expected: defaultdict[int, float] = defaultdict(float)
    for number, documents in enumerate(terms):
        for document, count in documents.items():
            batch.add(Field.BODY, document, [f"term{number}"] * count)
            expected[document] += count * (0.5 if number else 1)
        batch.flush()
    weights = {f"term{number}": 0.5 if number else 1.0 for number in range(len(terms))}
    found = postings.read_together(connection, weights)[Field.BODY]
    assert dict(zip(found.ids.tolist(), found.frequencies.tolist(), strict=True)) == expected
    connection.close()
