"""Counting the disk: is every note that may be read in the index, or left out for a reason that is told? Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scrubjay.daemon.indexing.plan import FLAWS, SECRET_IN_NAME, is_as_before
from scrubjay.daemon.vault.read import redact_path
from scrubjay.daemon.vault.scan import ScanResult
from scrubjay.profiles.database.rows import FailureRow, KnownNote

TOO_MANY = "too-many-notes"


@dataclass(frozen=True, slots=True)
class DiskCount:
    """What lies on disk and may be read, and what became of it. Paths are shown redacted, in order."""

    on_disk: int = 0  # notes
    indexed: int = 0  # of them
    left_out: int = 0  # of them, each with a reason
    missing: tuple[str, ...] = ()  # neither
    outdated: tuple[str, ...] = ()  # indexed as they were before their last change

    def __add__(self, other: "DiskCount") -> "DiskCount":
        return DiskCount(
            self.on_disk + other.on_disk,
            self.indexed + other.indexed,
            self.left_out + other.left_out,
            self.missing + other.missing,
            self.outdated + other.outdated,
        )


def count_disk(found: ScanResult, known: Mapping[str, KnownNote], failures: Iterable[FailureRow]) -> DiskCount:
    """Compare a scan of a whole vault with what the store has of it: notes by path, and what was left out."""
    reasons = {row.path: row for row in failures if row.code not in FLAWS}
    has_secret_names = any(row.code == SECRET_IN_NAME for row in reasons.values())
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
