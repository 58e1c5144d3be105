"""Batches grow: the first is found soon, the later ones cost few transactions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.indexing.pipeline import batches
from scrubjay.daemon.vault.read import FileStamp

GB = 1 << 30


def stamps(sizes: list[int]) -> list[FileStamp]:
    return [FileStamp(f"{n}.md", 1, size, "", 1) for n, size in enumerate(sizes)]


@pytest.mark.parametrize(
    ("sizes", "cut"),
    [
        ([], []),
        ([1] * 2000, [128, 256, 512, 512, 512, 80]),
        ([600_000] * 10, [1, 3, 6]),
        ([9_000_000, 1, 9_000_000], [1, 1, 1]),
    ],
    ids=["none", "many", "long ones", "longer than a batch"],
)
def test_a_small_batch_comes_first_and_bigger_ones_follow(sizes: list[int], cut: list[int]) -> None:
    assert [len(batch) for batch in batches(stamps(sizes), 4 * GB)] == cut


@pytest.mark.parametrize(
    ("room", "cut", "most_bytes"),
    [
        (2 * GB, [128, 256, 512, 512, 512, 80], 4_000_000),
        (GB, [128, *[256] * 7, 80], 2_000_000),
        (GB // 2, [*[128] * 15, 80], 1_000_000),
        (0, [*[64] * 31, 16], 500_000),
    ],
)
def test_in_little_memory_batches_stay_small(room: int, cut: list[int], most_bytes: int) -> None:
    assert [len(batch) for batch in batches(stamps([1] * 2000), room)] == cut
    assert max(len(batch) for batch in batches(stamps([50_000] * 400), room)) == most_bytes // 50_000


@pytest.mark.parametrize(
    ("known", "cut"),
    [
        (40_000, [128, 256, 512, 512, 512, 80]),
        (80_000, [64, 128, *[256] * 7, 16]),
        (160_000, [32, 64, *[128] * 14, 112]),
    ],
)
def test_of_a_large_vault_fewer_notes_are_read_again_in_one_transaction(known: int, cut: list[int]) -> None:
    """Each is in pages all over the index, which go to the write-ahead log."""
    again = stamps([1] * 2000)
    assert [len(batch) for batch in batches(again, 4 * GB, known, {stamp.path for stamp in again})] == cut
    assert [len(batch) for batch in batches(again, 4 * GB, known)][:2] == [128, 256]


@given(st.lists(st.integers(0, 2_000_000)))
def test_every_file_is_in_one_batch_and_in_its_order(sizes: list[int]) -> None:
    given_stamps = stamps(sizes)
    assert [stamp for batch in batches(given_stamps, GB // 2) for stamp in batch] == given_stamps
