"""Batches grow: the first is found soon, the later ones cost few transactions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.indexing.pipeline import batches
from scrubjay.daemon.vault.read import FileStamp


def stamps(sizes: list[int]) -> list[FileStamp]:
    return [FileStamp(f"{n}.md", 1, size, "", 1) for n, size in enumerate(sizes)]


@pytest.mark.parametrize(
    ("sizes", "cut"),
    [
        ([], []),
        ([1] * 100, [100]),
        ([1] * 2000, [128, 256, 512, 512, 512, 80]),
        ([600_000] * 10, [1, 3, 6]),
        ([9_000_000, 1, 9_000_000], [1, 1, 1]),
    ],
    ids=["none", "few", "many", "long ones", "longer than a batch"],
)
def test_a_small_batch_comes_first_and_bigger_ones_follow(sizes: list[int], cut: list[int]) -> None:
    assert [len(batch) for batch in batches(stamps(sizes))] == cut


@given(st.lists(st.integers(0, 2_000_000)))
def test_every_file_is_in_one_batch_and_in_its_order(sizes: list[int]) -> None:
    given_stamps = stamps(sizes)
    assert [stamp for batch in batches(given_stamps) for stamp in batch] == given_stamps
