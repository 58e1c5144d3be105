"""Finding and keeping the models that profiles name."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from scrubjay.daemon.engine.open_models import Models
from scrubjay.daemon.models.installed import BUNDLED, Installed, ModelNotAvailable, record_path
from scrubjay.profiles.search.meaning.embedder import EmbeddingModel
from tests.helpers.hash_encoder import HashEncoder

OTHER = Installed("makers/other", 64, 256, "query: ", "passage: ", "ab" * 32, "models--other/1")


class Encoder(HashEncoder):
    """A model with the files that it is given."""

    closed = False

    def __init__(self, spec: EmbeddingModel) -> None:
        super().__init__(spec.dim)
        self._given = spec

    @property
    def spec(self) -> EmbeddingModel:
        return self._given

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def made() -> list[Encoder]:
    return []


@pytest.fixture
def models(tmp_path: Path, made: list[Encoder]) -> Iterator[Models]:
    def make(spec: EmbeddingModel) -> Encoder:
        made.append(Encoder(spec))
        return made[-1]

    found = Models(tmp_path, make)
    yield found
    found.close()
    assert all(one.closed for one in made)


def put(folder: Path, *, tokenizer: bytes) -> None:
    files = folder / OTHER.folder
    files.mkdir(parents=True)
    (files / "tokenizer.json").write_bytes(tokenizer)
    record_path(folder, OTHER.name).write_bytes(msgspec.json.encode(OTHER))


def bundled_tokenizer() -> bytes:
    assert BUNDLED.path is not None
    return (BUNDLED.path / "tokenizer.json").read_bytes()


def test_what_a_model_wants_before_a_passage_takes_of_its_room(models: Models, tmp_path: Path) -> None:
    put(tmp_path, tokenizer=bundled_tokenizer())
    assert models.of("bundled").room == BUNDLED.max_tokens
    assert models.of(OTHER.name).room == OTHER.max_tokens - 2  # "passage" and ":"


@pytest.mark.parametrize("tokenizer", [b"", b"{}", b"\xff\xfe nothing"], ids=["empty", "hollow", "noise"])
def test_damaged_files_are_named_and_nothing_is_embedded(models: Models, tmp_path: Path, tokenizer: bytes) -> None:
    put(tmp_path, tokenizer=tokenizer)
    with pytest.raises(ModelNotAvailable, match=f"scrubjay model download {OTHER.name}"):
        models.of(OTHER.name).embedder.embed_query("heron")


def test_an_absent_model_keeps_the_embedders_promises(models: Models) -> None:
    absent = models.of("makers/nowhere")
    embedder = absent.embedder
    assert absent is models.of("makers/nowhere")
    assert embedder.spec == replace(BUNDLED, fingerprint="absent makers/nowhere")
    assert embedder.embed_passages([]).shape == np.empty((0, BUNDLED.dim)).shape
    with pytest.raises(ModelNotAvailable):
        embedder.embed_passages(["heron"])
    embedder.warm()
    embedder.close()
