"""The sample vault with models as good as the bundled one, whose vectors are otherwise; and with one of no use."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.profiles.search.evaluation import evaluate, read_golden
from scrubjay.profiles.search.meaning.embedder import Awaited, EmbeddingModel
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import Mode, SearchRequest
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import Vector, Vectors
from tests.helpers.indexed_vault import index_vault
from tests.quality.conftest import sample_vault

pytestmark = pytest.mark.slow
GOLDEN = Path(__file__).with_name("golden.jsonl")
DIM = 384
RNG = np.random.default_rng(39)
COMMON = RNG.choice((-1, 1), DIM).astype(np.float32) / np.float32(DIM**0.5)
NARROW = RNG.standard_normal((DIM, 256)).astype(np.float32)
WIDE = np.linalg.qr(RNG.standard_normal((768, DIM)))[0].T.astype(np.float32)

Made = Callable[[NDArray[np.float32], Sequence[str]], NDArray[np.float32]]
"""From the bundled model's vectors, and the texts, to another's; their lengths do not matter."""


def nothing_read(vectors: NDArray[np.float32], texts: Sequence[str]) -> NDArray[np.float32]:
    """Vectors that say nothing of the texts, but are the same for the same."""
    del vectors
    directions = [np.random.default_rng(list(text.encode())).standard_normal(DIM) for text in texts]
    return 2 * np.sqrt(DIM) * COMMON + np.array(directions, np.float32)


MODELS: dict[str, Made] = {
    "isotropic": lambda vectors, _: vectors,
    "anisotropic": lambda vectors, _: 2.4 * COMMON + vectors,
    "of 256 dimensions": lambda vectors, _: vectors @ NARROW,
    "of 768 dimensions, anisotropic": lambda vectors, _: (vectors + 2.4 * COMMON) @ WIDE,
}


class MadeModel:
    """An embedder whose vectors are made of another's."""

    def __init__(self, embedder: InProcessEmbedder, made: Made, known: dict[str, Vector]) -> None:
        self._embedder = embedder
        self._made = made
        self._known = known
        dim = made(np.ones((1, DIM), np.float32), ["text"]).shape[1]
        self._spec = replace(embedder.spec, name="made", dim=dim, fingerprint="made", is_usual=False)

    @property
    def spec(self) -> EmbeddingModel:
        return self._spec

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in texts if text not in self._known]
        self._known.update(zip(new, self._embedder.embed_passages(new), strict=True))
        found = self._made(np.stack([self._known[text] for text in texts]), texts)
        return found / np.linalg.norm(found, axis=1, keepdims=True)

    def embed_query(self, text: str) -> Vector:
        return self.embed_passages([text])[0]

    def send_query(self, text: str) -> Awaited:
        return lambda _seconds: self.embed_query(text)

    def warm(self) -> None:
        """There is nothing to load."""

    def forget_texts(self) -> None:
        """The texts are of the sample vault."""

    def close(self) -> None:
        """The other embedder's owner closes it."""


@pytest.fixture(scope="module")
def known() -> dict[str, Vector]:
    """The bundled model's vectors, which each of the made models needs."""
    return {}


@pytest.fixture
def searcher_with(
    embedder: InProcessEmbedder, known: dict[str, Vector], tmp_path: Path
) -> Iterator[Callable[[Made], Searcher]]:
    """Makes a searcher over the sample vault, given how a model's vectors are made."""
    opened: list[tuple[Searcher, FileStore]] = []

    def make(made: Made) -> Searcher:
        store = FileStore.open(tmp_path / f"{len(opened)}.sqlite3")
        model = MadeModel(embedder, made, known)
        index_vault(store, sample_vault(tmp_path / f"vault {len(opened)}"), model)
        searcher = Searcher(lambda: {"sample": store}, model)
        opened.append((searcher, store))
        return searcher

    yield make
    for searcher, store in opened:
        searcher.close()
        store.close()


def quality(searcher: Searcher, mode: Mode) -> float:
    """Mean nDCG@10 of the golden file."""
    golden = read_golden(GOLDEN.read_text(encoding="utf-8"))
    found = evaluate(golden, lambda query: [r.path for r in searcher.search(SearchRequest(query, mode=mode)).results])
    return found.ndcg


@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_as_good_as_its_vectors(name: str, searcher_with: Callable[[Made], Searcher]) -> None:
    searcher = searcher_with(MODELS[name])
    hybrid, words, meaning = (quality(searcher, mode) for mode in ("hybrid", "lexical", "semantic"))
    assert meaning >= 0.86  # of which the bundled model's are .92
    assert hybrid >= max(words, meaning) + 0.02


def test_a_model_that_reads_nothing_leaves_the_words_their_order(searcher_with: Callable[[Made], Searcher]) -> None:
    searcher = searcher_with(nothing_read)
    assert quality(searcher, "semantic") < 0.2
    assert quality(searcher, "hybrid") >= quality(searcher, "lexical") - 0.005


UNRELATED = ("training a parrot to whistle", "when do whales migrate", "who painted the ceiling of the chapel")


@pytest.mark.parametrize("name", MODELS)
def test_what_a_model_finds_all_alike_is_not_called_high(name: str, searcher_with: Callable[[Made], Searcher]) -> None:
    searcher = searcher_with(MODELS[name])
    answers = [searcher.search(SearchRequest(query, mode="semantic")) for query in UNRELATED]
    assert all(result.relevance != "high" for answer in answers for result in answer.results)
