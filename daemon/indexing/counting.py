"""Counting the disk: is every note that may be read in the index, or left out for a reason that is told? Pure."""

from collections.abc import Iterable, Mapping

from scrubjay.daemon.failures import Failure
from scrubjay.daemon.indexing.plan import FLAWS, is_as_before
from scrubjay.daemon.indexing.progress import DiskCount
from scrubjay.daemon.vault.read import redact_path
from scrubjay.daemon.vault.scan import ScanResult
from scrubjay.profiles.database.rows import FailureRow, KnownNote

TOO_MANY = "too-many-notes"


def count_disk(found: ScanResult, known: Mapping[str, KnownNote], failures: Iterable[FailureRow]) -> DiskCount:
    """Compare a scan of a whole vault with what the store has of it: notes by path, and what was left out."""
    reasons = {row.path: row for row in failures if row.code not in FLAWS}
    has_secret_names = any(row.code == Failure.SECRET_IN_NAME for row in reasons.values())
    is_full = any(row.code == TOO_MANY for row in reasons.values())
    missing: list[str] = []
    outdated: list[str] = []
    indexed = left_out = 0
    for stamp in found.files:
        note = known.get(stamp.path)
        shown = redact_path(stamp.path)[0] if has_secret_names and note is None else stamp.path
        if note is not None:
            indexed += 1
            if shown not in reasons and not is_as_before(stamp, note):
                outdated.append(shown)
        elif shown in reasons or is_full:
            left_out += 1
        else:
            missing.append(shown)
    return DiskCount(
        len(found.files),
        indexed,
        left_out,
        *(tuple(redact_path(path)[0] for path in paths) for paths in (missing, outdated)),
    )
