import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.profiles.search.rank.legs import combined_stats, merge_lexical
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from tests.integration.profiles.notes import bundle

WORDS = st.lists(st.sampled_from(["sun", "moon", "star", "comet", "sky", "cloud"]), min_size=1, max_size=12)
CORPUS = st.lists(st.tuples(WORDS, st.integers(0, 2)), min_size=1, max_size=12, unique_by=lambda note: tuple(note[0]))
QUERY = LexicalQuery((Term("sun"), Term("comet"), Term("st", prefix=True)))


def filled(path: Path, notes: list[tuple[int, list[str]]]) -> Store:
    store = FileStore.open(path)
    with store.writing() as writer:
        for number, words in notes:
            writer.put_note(bundle(f"{number}.md", " ".join(words)))
    return store


@given(CORPUS)
@settings(max_examples=20, deadline=None)
def test_merged_legs_score_as_one_store_would(corpus: list[tuple[list[str], int]]):
    with tempfile.TemporaryDirectory() as folder:
        numbered = [(number, words) for number, (words, _) in enumerate(corpus)]
        one = filled(Path(folder) / "one.sqlite3", numbered)
        parts = {
            str(p): filled(Path(folder) / f"{p}.sqlite3", [numbered[n] for n, (_, at) in enumerate(corpus) if at == p])
            for p in range(3)
        }
        stats = combined_stats([store.term_stats(QUERY.keys) for store in parts.values()])
        legs = {name: store.lexical(QUERY, where=None, limit=50, stats=stats).hits for name, store in parts.items()}
        merged = {group.digest: group.places[0].hit.score for group in merge_lexical(legs, 50)}
        alone = {hit.digest: hit.score for hit in one.lexical(QUERY, where=None, limit=50).hits}
        for store in (one, *parts.values()):
            store.close()
    assert merged == pytest.approx(alone, rel=1e-4)
