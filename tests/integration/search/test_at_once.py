"""Searches of one store at the same time, and a commit beside them."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.typing import NDArray

from scrubjay.profiles.search.meaning.semantic_leg import Measured, SemanticIndex
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store.columns import Columns
from scrubjay.profiles.store.rows import Vector
from tests.integration.search.conftest import MakeStore, Over, note


@pytest.mark.parametrize("store_kind", ["file"])  # whose vectors are chosen in this process
def test_searches_by_meaning_of_one_store_choose_their_candidates_at_the_same_time(
    make_store: MakeStore, searcher_over: Over, monkeypatch: pytest.MonkeyPatch
) -> None:
    searcher = searcher_over(home=make_store(note("Heron.md", "the heron waits"), note("Weir.md", "the weir")))
    searcher.search(SearchRequest("heron", mode="semantic"))  # has the vectors loaded
    both = threading.Barrier(2, timeout=60)
    chosen = SemanticIndex.candidates

    def candidates(
        self: SemanticIndex,
        vector: Vector,
        k: int,
        columns: Columns,
        chunks: NDArray[np.bool_] | None,
        also: Sequence[int] = (),
    ) -> Measured:
        both.wait()
        return chosen(self, vector, k, columns, chunks, also)

    monkeypatch.setattr(SemanticIndex, "candidates", candidates)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(searcher.search, [SearchRequest(word, mode="semantic") for word in ("heron", "weir")]))
    assert [answer.results[0].path for answer in answers] == ["Heron.md", "Weir.md"]
