"""The model in the package is whole, and as good as the float32 model it was made from."""

import hashlib
import json
from pathlib import Path

import numpy as np

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED

HERE = Path(__file__).parent
FOLDER = BUNDLED.path or Path()
SUMS = {name: sha256 for sha256, name in map(str.split, (FOLDER / "SHA256SUMS").read_text().splitlines())}


def test_files_are_what_was_built() -> None:
    files = {path.name: path for path in FOLDER.iterdir() if path.name != "SHA256SUMS"}
    assert {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()} == SUMS


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
