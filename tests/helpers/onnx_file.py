"""Small models for tests, written by hand: an ONNX file that looks each token's vector up, and its tokenizer."""

import json
import struct
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from scrubjay.daemon.models.self_check import PAIRS

DIM = 64
_FLOAT, _INT64 = 1, 7


def toy_folder(folder: Path, vectors: Mapping[str, NDArray[np.float32]], **files: object) -> Path:
    """Write a model that knows these words to a folder, and files of these names (without `.json`) as JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    words = {word: number for number, word in enumerate(("[UNK]", *vectors))}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Whitespace()])
    tokenizer.save(str(folder / "tokenizer.json"))
    table = np.stack([np.full(DIM, 1e-3, np.float32), *vectors.values()])
    (folder / "model.onnx").write_bytes(lookup_model(table))
    for name, content in files.items():
        target = folder / f"{name.replace('__', '/')}.json"
        target.parent.mkdir(exist_ok=True)
        target.write_text(json.dumps(content), encoding="utf-8")
    return folder


def bilingual_words(
    extra: Mapping[str, str] = {}, languages: Collection[str] = PAIRS.keys()
) -> dict[str, NDArray[np.float32]]:
    """A vector for each word of the self-check, near that of its pair; extra: words of one language, and of another."""
    rng = np.random.default_rng(4)
    vectors: dict[str, NDArray[np.float32]] = {}
    splitter = pre_tokenizers.Whitespace()
    for pairs in map(PAIRS.__getitem__, languages):
        for pair in pairs:
            about = rng.standard_normal(DIM)
            for text in pair:
                for word, _ in splitter.pre_tokenize_str(text.lower()):
                    vectors.setdefault(word, (about + 0.2 * rng.standard_normal(DIM)).astype(np.float32))
    for word, same in extra.items():
        vectors[word] = vectors[same] = rng.standard_normal(DIM).astype(np.float32)
    return vectors


def lookup_model(table: NDArray[np.float32], inputs: Sequence[str] = ("input_ids",)) -> bytes:
    """An ONNX model whose one node, `Gather`, gives a row of the table for each token: shape (1, tokens, dim).

    inputs: further ones are not used.
    """
    node = _field(1, b"table") + _field(1, b"input_ids") + _field(2, b"last_hidden_state") + _field(4, b"Gather")
    weights = (
        _packed(1, table.shape) + _number(2, _FLOAT) + _field(8, b"table") + _field(9, table.astype("<f4").tobytes())
    )
    shape = (None, None, table.shape[1])
    graph = _field(1, node) + _field(2, b"toy") + _field(5, weights)
    graph += b"".join(_field(11, _value(name, _INT64, (None, None))) for name in inputs)
    graph += _field(12, _value("last_hidden_state", _FLOAT, shape))
    return _number(1, 8) + _field(7, graph) + _field(8, _field(1, b"") + _number(2, 13))


# Protocol Buffers, as far as an ONNX file needs them: https://protobuf.dev/programming-guides/encoding/.


def _value(name: str, kind: int, shape: Sequence[int | None]) -> bytes:
    sizes = b"".join(_field(1, _number(1, size) if size else _field(2, b"n")) for size in shape)
    return _field(1, name.encode()) + _field(2, _field(1, _number(1, kind) + _field(2, sizes)))


def _packed(field: int, numbers: Sequence[int]) -> bytes:
    return _field(field, b"".join(map(_varint, numbers)))


def _field(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _varint(value: int) -> bytes:
    found = b""
    while value > 127:
        found += struct.pack("B", value & 127 | 128)
        value >>= 7
    return found + struct.pack("B", value)
