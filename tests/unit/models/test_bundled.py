"""The model in the package is whole, and as good as the float32 model it was made from."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED

HERE = Path(__file__).parent
FOLDER = BUNDLED.path or Path()
SUMS = [line.split("  ") for line in (FOLDER / "SHA256SUMS").read_text().splitlines()]


@pytest.mark.parametrize(("sha256", "name"), SUMS, ids=[name for _, name in SUMS])
def test_file_is_what_was_built(sha256: str, name: str) -> None:
    assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == sha256


def test_every_file_has_a_sum() -> None:
    assert {name for _, name in SUMS} == {path.name for path in FOLDER.iterdir()} - {"SHA256SUMS"}


def test_vectors_are_near_those_of_the_float32_model() -> None:
    texts = json.loads((HERE / "reference_texts.json").read_text(encoding="utf-8"))
    reference = np.load(HERE / "reference_vectors.npy").astype(np.float32)
    embedder = InProcessEmbedder(BUNDLED)
    cosines = np.sum(embedder.embed_passages(texts) * reference, axis=1)
    embedder.close()
    assert cosines.mean() >= 0.985
    assert [text for text, cosine in zip(texts, cosines, strict=True) if cosine < 0.95] == []


def test_a_text_is_cut_at_the_window_and_not_before() -> None:
    words = ["heron"] * (BUNDLED.max_tokens - 2)  # [CLS] and [SEP] are the other two
    embedder = InProcessEmbedder(BUNDLED)
    full, longer, other_end = (
        embedder.embed_query(" ".join(text)) for text in (words, [*words, "mortgage"], [*words[:-1], "mortgage"])
    )
    embedder.close()
    assert np.array_equal(full, longer)
    assert not np.array_equal(full, other_end)
