"""Texts and vectors in fewer bytes, and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scrubjay.profiles.search.meaning.sketch import sketches
from scrubjay.profiles.search.meaning.vectors import STEPS, quantized, unquantized
from scrubjay.profiles.store.packed_texts import pack, unpack


@given(st.text())
def test_a_text_comes_back_as_it_was(text: str) -> None:
    assert unpack(pack(text)) == text.encode("utf-8", "replace").decode()


def test_a_passage_takes_half_its_bytes() -> None:
    text = "The question is which of the notes say something about the state of the index, and where they say it. " * 2
    assert len(pack(text)) < len(text) / 2


def test_what_is_packed_today_is_unpacked_for_ever() -> None:
    """If this fails, the dictionary or the format has changed: add another beside it instead."""
    stored = bytes.fromhex("0103460434ea2071034e69a0e881263858180300")
    assert unpack(stored) == "the notes that are in the index - [ ] [["


@pytest.mark.parametrize("packed", [b"\2abc", b"\1\xff\xff", b"text"])
def test_what_was_never_packed_is_told(packed: bytes) -> None:
    with pytest.raises(ValueError, match="packed"):
        unpack(packed)


numbers = st.floats(-1, 1, width=32)


@given(arrays(np.float32, (3, 16), elements=numbers).filter(lambda rows: bool((np.abs(rows).max(axis=1) > 1e-3).all())))
def test_a_vector_keeps_its_direction_and_its_signs(rows: np.ndarray) -> None:
    vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    stored = quantized(vectors)
    back = unquantized(stored)
    assert np.allclose(np.linalg.norm(back, axis=1), 1, atol=1e-6)
    assert float((back * vectors).sum(axis=1).min()) > 0.9995
    assert sketches(back) == sketches(vectors)
    assert all(np.abs(np.frombuffer(row, np.int8).astype(int)).max() == STEPS for row in stored)


def test_a_vector_without_a_direction_is_told() -> None:
    with pytest.raises(ValueError, match="direction"):
        unquantized([bytes(8)])
    assert unquantized([]).shape == (0, 0)
