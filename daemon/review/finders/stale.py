"""Notes that were left alone for much longer than the others of their folder."""

from collections.abc import Iterator

from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.habits import LEAST_NOTES, by_folder, is_apart, is_periodic
from scrubjay.daemon.review.proposal import Kind
from scrubjay.daemon.review.review_notes import ReviewNotes

_DAY_NS = 86_400 * 10**9
_LEAST_DAYS = 180
_USUAL = 0.8  # share of a folder's notes that were touched within its usual time
_LONGER = 3.0  # times as long as that


class Stale:
    """Untouched for half a year at least, and three times as long as four in five notes of the folder.

    Where all were written by one program at one time, as after a download, none stands out.
    """

    kinds: tuple[Kind, ...] = ("stale",)

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """See `Finder.find`."""
        for inside in by_folder(note for note in notes.notes if not is_apart(note) and not is_periodic(note)).values():
            if len(inside) < LEAST_NOTES:
                continue
            days = sorted((notes.now_ns - note.mtime_ns) / _DAY_NS for note in inside)
            usual = max(1.0, days[int(_USUAL * (len(days) - 1))])
            for note in inside:
                age = (notes.now_ns - note.mtime_ns) / _DAY_NS
                if age >= max(_LEAST_DAYS, _LONGER * usual):
                    yield FoundProposal(
                        kind="stale", note=note, detail=str(int(age)), strength=round(1.0 - usual / age, 3)
                    )
