"""What every Embedder promises, asked of the real model in this process, in its worker, and of the tests' encoder."""

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.worker_embedder import WorkerEmbedder
from scrubjay.profiles.search.meaning.embedder import Embedder, EmbedderFailed
from tests.helpers.hash_encoder import HashEncoder

MAKE = {
    "in-process": lambda: InProcessEmbedder(BUNDLED),
    "worker": lambda: WorkerEmbedder(BUNDLED),
    "hash-encoder": HashEncoder,
}
TEXTS = (
    "The heron waits at the weir for eels.",
    "Interest rates rose by a quarter of a percentage point.",
    "水田边的白鹭一动不动地等待着鱼。",
    "def median(values): return sorted(values)[len(values) // 2]",
    "heron " * 600,
)
# Nothing, a NUL, half a character, what the model does not know, its own marks, a word without end.
ODD = ("", " \t\n", "a\x00b", "half \ud83d an emoji", "\ue000\U000e0001", "[CLS][SEP][MASK]", "x" * 50_000)


@pytest.fixture(scope="module", params=list(MAKE.values()), ids=list(MAKE))
def embedder(request: pytest.FixtureRequest) -> Generator[Embedder]:
    made: Embedder = request.param()
    yield made
    made.close()


def test_passages_come_back_as_unit_vectors_in_their_order(embedder: Embedder) -> None:
    vectors = embedder.embed_passages(TEXTS)
    assert (vectors.shape, vectors.dtype) == ((len(TEXTS), embedder.spec.dim), np.float32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for row, text in zip(vectors, TEXTS, strict=True):
        assert np.array_equal(row, embedder.embed_passages([text])[0])


def test_a_query_is_one_unit_vector_the_same_in_any_company_and_role(embedder: Embedder) -> None:
    alone = embedder.embed_query(TEXTS[0])
    assert (alone.shape, alone.dtype) == ((embedder.spec.dim,), np.float32)
    assert np.array_equal(embedder.embed_passages([*TEXTS[::-1]])[-1], alone)
    near = embedder.embed_passages(TEXTS[:4]) @ embedder.embed_query("a heron at the weir eats eels")
    assert int(near.argmax()) == 0


def test_odd_text_has_a_vector_too(embedder: Embedder) -> None:
    assert embedder.embed_passages([]).shape == (0, embedder.spec.dim)
    queries = np.stack([embedder.embed_query(text) for text in ODD])
    for vectors in (queries, embedder.embed_passages(ODD)):
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(ODD)), abs=1e-5)


def test_many_threads_each_get_their_own_answers(embedder: Embedder) -> None:
    expected = embedder.embed_passages(TEXTS)

    def ask(turn: int) -> bool:
        order = [(turn + offset) % len(TEXTS) for offset in range(3)]
        passages = embedder.embed_passages([TEXTS[index] for index in order])
        query = embedder.embed_query(TEXTS[order[0]])
        return np.array_equal(passages, expected[order]) and np.array_equal(query, expected[order[0]])

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(16)))


@pytest.mark.parametrize("kind", [InProcessEmbedder, WorkerEmbedder])
def test_a_closed_embedder_says_so(kind: type[InProcessEmbedder] | type[WorkerEmbedder]) -> None:
    closed: Embedder = kind(BUNDLED)
    closed.embed_query("once")
    closed.close()
    closed.close()
    for ask in (lambda: closed.embed_query("again"), lambda: closed.embed_passages(["again"])):
        with pytest.raises(EmbedderFailed, match="closed"):
            ask()
    closed.warm()


def test_prefixes_are_put_before_what_the_model_reads() -> None:
    plain = InProcessEmbedder(BUNDLED)
    prefixed = InProcessEmbedder(replace(BUNDLED, query_prefix="query: ", passage_prefix="passage: "))
    assert np.array_equal(prefixed.embed_query("heron"), plain.embed_query("query: heron"))
    assert np.array_equal(prefixed.embed_passages(["heron"])[0], plain.embed_query("passage: heron"))
    prefixed.close()
    plain.close()


@pytest.mark.parametrize("damage", ["missing-folder", "missing-model", "cut-model", "cut-tokenizer"])
@pytest.mark.parametrize("kind", [InProcessEmbedder, WorkerEmbedder])
def test_a_damaged_model_is_told_with_what_to_do(
    kind: type[InProcessEmbedder] | type[WorkerEmbedder], damage: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("model")
    assert BUNDLED.path
    for file in BUNDLED.path.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    if damage == "missing-model":
        (folder / "model.onnx").unlink()
    elif damage == "cut-model":
        (folder / "model.onnx").write_bytes(b"\x08\x07 not a model")
    elif damage == "cut-tokenizer":
        (folder / "tokenizer.json").write_text('{"version": "1.0", ')
    path = folder / "gone" if damage == "missing-folder" else folder
    embedder: Embedder = kind(replace(BUNDLED, path=path))
    with pytest.raises(EmbedderFailed, match="Reinstall Scrubjay"):
        embedder.embed_query("word")
    embedder.close()
