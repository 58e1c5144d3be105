"""What `status` shows of a profile's reading is true at every moment."""

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.indexing.progress import Progress

vaults = st.lists(st.lists(st.integers(0, 5_000), max_size=4), min_size=1, max_size=4)


def stored(progress: Progress, read: int) -> None:
    progress.stored(read=read, new=read, redacted=0, failed=0, chunked=3 * read)


@given(vaults=vaults, read_again=st.integers(0, 50))
def test_no_more_is_read_than_is_to_be_read(vaults: list[list[int]], read_again: int) -> None:
    """vaults: of each, the sizes of its batches. read_again: files that changed while they were read."""
    progress = Progress()
    progress.scanning()
    for batches in vaults:
        progress.reading(scanned=sum(batches), to_read=sum(batches), new=sum(batches))
        for batch in (*batches, read_again):
            stored(progress, batch)
            report = progress.report()
            assert report.read <= report.to_read
            assert report.eta_seconds is None or report.eta_seconds >= 0
    assert progress.report().scanned == sum(map(sum, vaults)), "all vaults count"


def test_a_later_change_is_counted_by_itself() -> None:
    progress = Progress()
    progress.scanning()
    progress.reading(scanned=10_000, to_read=10_000, new=10_000)
    stored(progress, 10_000)
    progress.phase("idle")
    progress.reading(scanned=3, to_read=3, new=1)
    stored(progress, 1)
    report = progress.report()
    assert (report.read, report.to_read, report.chunked) == (1, 3, 3)
