"""Sets of numbers in arrays are what numpy's own functions make of them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scrubjay.profiles.number_sets import are_among, common, distinct, without

DTYPES = st.sampled_from([np.uint16, np.uint32, np.int64, np.uint64])


@st.composite
def two_arrays(draw: st.DrawFn) -> tuple[NDArray[np.number], NDArray[np.number]]:
    dtype = draw(DTYPES)
    numbers = st.lists(st.integers(0, 20) | st.integers(0, int(np.iinfo(dtype).max)), max_size=40)
    return np.array(draw(numbers), dtype), np.array(draw(numbers), dtype)


@given(two_arrays())
def test_they_hold_what_numpy_finds(arrays: tuple[NDArray[np.number], NDArray[np.number]]) -> None:
    one, other = arrays
    wanted = np.unique(other)
    assert distinct(one).tolist() == np.unique(one).tolist()
    assert are_among(one, wanted).tolist() == np.isin(one, wanted).tolist()
    assert without(one, wanted).tolist() == one[~np.isin(one, wanted)].tolist()
    assert common(one, other).tolist() == np.intersect1d(one, other).tolist()
    assert distinct(one).dtype == common(one, other).dtype == one.dtype
