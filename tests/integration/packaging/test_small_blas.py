"""The small BLAS of the bundle, compiled here, gives what numpy's own gives."""

import ctypes
import shutil
import sys
from ctypes import c_double, c_float, c_int, c_int64, c_void_p
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.integration.packaging.scripts import script

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="it is compiled on Linux, with a C compiler"
)
small_blas = script("bundle/small_blas.py")

ROW_MAJOR, COLUMN_MAJOR = 101, 102
ORDERS = (ROW_MAJOR, COLUMN_MAJOR)
AS_IT_IS, TURNED = 111, 112
UPPER, LOWER = 121, 122
KINDS = [pytest.param("s", c_float, np.float32, id="float"), pytest.param("d", c_double, np.float64, id="double")]


@pytest.fixture(scope="module")
def blas(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    target = tmp_path_factory.mktemp("blas") / "libsmall.so"
    small_blas.compile_to(target, {*small_blas.OPERATIONS, "scipy_dgesv_64_"})
    return ctypes.CDLL(str(target))


def matrix(rng: np.random.Generator, shape: tuple[int, int], order: int, turned: bool, kind: Any) -> NDArray[Any]:
    """Numbers as they lie in memory for a BLAS that is to see `shape`."""
    stored = shape[::-1] if turned else shape
    return np.asarray(rng.normal(size=stored), kind, order="C" if order == ROW_MAJOR else "F")


def leading(array: NDArray[Any], order: int) -> int:
    return max(1, array.shape[1] if order == ROW_MAJOR else array.shape[0])


SIZES = st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(1, 20))


@pytest.mark.parametrize(("letter", "number", "kind"), KINDS)
@given(sizes=SIZES, layout=st.tuples(st.sampled_from(ORDERS), st.booleans(), st.booleans()), seed=st.integers(0, 99))
def test_a_product_of_matrices_is_numpys(
    blas: ctypes.CDLL,
    letter: str,
    number: Any,
    kind: Any,
    sizes: tuple[int, int, int],
    layout: tuple[int, bool, bool],
    seed: int,
) -> None:
    m, n, depth = sizes
    order, *turned = layout
    rng = np.random.default_rng(seed)
    a, b = matrix(rng, (m, depth), order, turned[0], kind), matrix(rng, (depth, n), order, turned[1], kind)
    c = matrix(rng, (m, n), order, False, kind)
    expected = 2 * (a.T if turned[0] else a) @ (b.T if turned[1] else b) + 0.5 * c
    flags = [TURNED if each else AS_IT_IS for each in turned]
    sides = [c_int64(size) for size in (m, n, depth)]
    blas[f"scipy_cblas_{letter}gemm64_"](
        *map(c_int, (order, *flags)),
        *sides,
        number(2),
        *(c_void_p(a.ctypes.data), c_int64(leading(a, order)), c_void_p(b.ctypes.data), c_int64(leading(b, order))),
        number(0.5),
        *(c_void_p(c.ctypes.data), c_int64(leading(c, order))),
    )
    np.testing.assert_allclose(c, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("letter", "number", "kind"), KINDS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("step", [1, 2, -1])
def test_a_matrix_times_a_vector_is_numpys(
    blas: ctypes.CDLL, letter: str, number: Any, kind: Any, order: int, turned: bool, step: int
) -> None:
    rng = np.random.default_rng(1)
    a = matrix(rng, (7, 21), order, turned, kind)
    stored = np.asarray(rng.normal(size=21 * abs(step)), kind)
    x = stored[:: abs(step)] if step > 0 else stored[::-1]
    y = np.full(7, np.nan, kind)  # beta is 0: what was there must not count
    blas[f"scipy_cblas_{letter}gemv64_"](
        *map(c_int, (order, TURNED if turned else AS_IT_IS)),
        *map(c_int64, a.shape),
        *(number(1), c_void_p(a.ctypes.data), c_int64(leading(a, order))),
        *(c_void_p(stored.ctypes.data), c_int64(step), number(0), c_void_p(y.ctypes.data), c_int64(1)),
    )
    np.testing.assert_allclose(y, (a.T if turned else a) @ x, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("letter", "number", "kind"), KINDS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("half", [UPPER, LOWER])
@pytest.mark.parametrize("turned", [False, True])
def test_half_of_a_matrix_times_itself_is_numpys_and_the_other_half_stays(
    blas: ctypes.CDLL, letter: str, number: Any, kind: Any, order: int, half: int, turned: bool
) -> None:
    rng = np.random.default_rng(2)
    a = matrix(rng, (6, 11), order, turned, kind)
    seen = a.T if turned else a
    c = np.full((6, 6), 7, kind, order="C" if order == ROW_MAJOR else "F")
    blas[f"scipy_cblas_{letter}syrk64_"](
        *map(c_int, (order, half, TURNED if turned else AS_IT_IS)),
        *(c_int64(6), c_int64(11), number(1), c_void_p(a.ctypes.data), c_int64(leading(a, order))),
        *(number(0), c_void_p(c.ctypes.data), c_int64(6)),
    )
    written = np.triu(np.ones((6, 6), bool)) if half == UPPER else np.tril(np.ones((6, 6), bool))
    np.testing.assert_allclose(c, np.where(written, seen @ seen.T, 7), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("letter", "number", "kind"), KINDS)
def test_vectors_are_multiplied_and_added(blas: ctypes.CDLL, letter: str, number: Any, kind: Any) -> None:
    x, y = np.arange(9, dtype=kind), np.arange(18, dtype=kind)
    dot = blas[f"scipy_cblas_{letter}dot64_"]
    dot.restype = number
    places = c_void_p(x.ctypes.data), c_void_p(y.ctypes.data)
    assert dot(c_int64(9), places[0], c_int64(1), places[1], c_int64(2)) == pytest.approx(float(x @ y[::2]))
    blas[f"scipy_cblas_{letter}axpy64_"](c_int64(9), number(3), places[0], c_int64(1), places[1], c_int64(2))
    np.testing.assert_allclose(y[::2], np.arange(0, 18, 2) + 3 * x)
    np.testing.assert_allclose(y[1::2], np.arange(1, 18, 2))


def test_a_numpy_that_calls_its_blas_otherwise_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(small_blas.OtherNames, match="cblas_sgemm"):
        small_blas.compile_to(tmp_path / "libsmall.so", {"cblas_sgemm"})
