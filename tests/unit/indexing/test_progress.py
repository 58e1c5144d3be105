"""What `status` shows of a profile's reading is true at every moment."""

from collections.abc import Sequence
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.indexing.progress import Progress

Batch: TypeAlias = tuple[float, int, int]
RUN_SECONDS = 52.8
RUN = (
    *((2.8, 128, 758240), (4.0, 256, 998241), (4.9, 512, 851443), (6.3, 512, 851771), (7.0, 512, 848447)),
    *((8.1, 512, 848877), (10.1, 512, 1274590), (11.0, 512, 1052962), (12.1, 512, 1076641), (15.1, 512, 2685175)),
    *((18.2, 282, 3951199), (22.0, 501, 3989993), (25.0, 512, 3268309), (26.4, 512, 1981266), (28.3, 512, 1567783)),
    *((30.4, 512, 2229897), (36.1, 373, 3950726), (41.9, 346, 3984387), (47.1, 224, 3980255), (50.4, 202, 3999898)),
    *((50.8, 44, 307694),),
)
"""A run on 8,500 notes of three vaults, one after the other: seconds since it began, then notes and bytes of a batch.

Seconds are of processor time, which other programs disturb less. Notes of the first vault have 2,200 bytes on
average, those of the second 6,000, of the third 15,000.
"""

vaults = st.lists(st.lists(st.integers(0, 5_000), max_size=4), min_size=1, max_size=4)


def stored(progress: Progress, read: int) -> None:
    progress.stored(read=read, size=7 * read, new=read, redacted=2 * read, failed=read // 2, chunked=3 * read)


@given(vaults=vaults, read_again=st.integers(0, 50))
def test_no_more_is_read_than_is_to_be_read(vaults: list[list[int]], read_again: int) -> None:
    """vaults: of each, the sizes of its batches. read_again: files that changed while they were read."""
    progress = Progress()
    progress.scanning()
    for batches in vaults:
        progress.reading(scanned=sum(batches), to_read=sum(batches), size=7 * sum(batches), new=sum(batches))
        for batch in (*batches, read_again):
            stored(progress, batch)
            report = progress.report()
            assert report.read <= report.to_read
            assert report.eta_seconds is None or report.eta_seconds >= 0
    assert progress.report().scanned == sum(map(sum, vaults)), "all vaults count"


def test_a_later_change_is_counted_by_itself() -> None:
    progress = Progress()
    progress.scanning()
    progress.reading(scanned=10_000, to_read=10_000, size=70_000, new=10_000)
    stored(progress, 10_000)
    progress.phase("idle")
    progress.reading(scanned=3, to_read=3, size=21, new=1)
    stored(progress, 1)
    report = progress.report()
    assert (report.read, report.to_read, report.chunked) == (1, 3, 3)
    stored(progress, 2)
    report = progress.report()
    assert (report.read, report.redacted, report.failed, report.chunked) == (3, 6, 1, 9)


def growing(grows: float, at_the_end: float) -> tuple[tuple[Batch, ...], float]:
    """A run whose last note takes `grows` times as long as its first, and its seconds, `at_the_end` without a batch."""
    batches, seconds = list[Batch](), 0.0
    for number in range(200):
        seconds += 1 + (grows - 1) * number / 200 + 0.2 * (number % 5 == 0)
        batches.append((seconds, 512, 1_000_000))
    return tuple(batches), seconds + at_the_end


@pytest.mark.parametrize(
    ("run", "whole"),
    [(RUN, RUN_SECONDS), growing(1, 5), growing(1, 8), growing(2.2, 6), growing(4, 6)],
    ids=["recorded", "steady", "many links", "slower and slower", "much slower"],
)
def test_the_time_to_go_is_right_within_a_quarter_after_the_first_third(run: Sequence[Batch], whole: float) -> None:
    now = 0.0
    progress = Progress(clock=lambda: now)
    progress.scanning()
    notes, size = sum(batch[1] for batch in run), sum(batch[2] for batch in run)
    progress.reading(scanned=notes, to_read=notes, size=size, new=notes)
    said: list[float] = []
    for now, read, of_size in run:
        progress.stored(read=read, size=of_size, new=read, redacted=0, failed=0, chunked=3 * read)
        eta = progress.report().eta_seconds
        assert eta is not None
        if whole / 3 < now < whole - max(5, whole / 20):
            said.append(eta / (whole - now))
    assert len(said) > 5
    assert all(0.75 < each < 1.25 for each in said), said


def test_the_time_to_go_runs_down_until_the_next_batch_and_no_further_than_the_last_one_took() -> None:
    now = [0.0]
    progress = Progress(clock=lambda: now[0])

    def said(at: float) -> float | None:
        now[0] = at
        return progress.report().eta_seconds

    def batch(at: float, read: int) -> None:
        now[0] = at
        stored(progress, read)

    progress.scanning()
    progress.reading(scanned=100, to_read=100, size=700, new=100)
    batch(10, 10)
    batch(20, 10)
    first = said(20)
    assert first is not None
    assert [said(23), said(30), said(300)] == [first - 3, first - 10, first - 10]  # at last it is another's turn
    progress.phase("paused")
    assert said(310) == first
    progress.phase("reading")
    batch(400, 79)
    assert said(500) == 0, "it never is less"
