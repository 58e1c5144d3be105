"""Which of several machines may write a note of a team's profile. Pure.

One machine at a time looks after a note: it has the note's lease, brings its edits in, and forgets it once its file is
deleted. Another one takes the note over when its file is newer and says something else, or when the machine that had it
is gone. How new a version is, is told by `clock_ns`: its file's time of modification, but always later than that of the
version before it. So what is written only ever gets newer, and machines with different copies come to an end.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

OVER_SECONDS = 45 * 60
"""A machine that has not been seen for so long holds nothing: three times as long as it usually waits to say so."""
LOST_SECONDS = 7 * 86_400
"""One that has not been seen for so long may never come back: what it has not handed on is no longer waited for."""
TOMBSTONE_DAYS = 180
"""A machine that was away for longer may bring back what was deleted."""

Holder: TypeAlias = Literal["ours", "theirs", "over", "lost"]
"""Who has a lease: this machine, another one that lives, one that is away, or one (or none) that is not waited for."""


@dataclass(frozen=True, slots=True)
class Lease:
    """Who looks after a note."""

    holder: Holder
    clock_ns: int  # see above
    fingerprint: str = ""  # what its holder would prepare it with: with another one, it is to be prepared again


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A note was deleted."""

    digest: bytes  # of its file's bytes
    clock_ns: int  # of that version
    holder: Holder  # who had it, and deleted it


def may_write(
    digest: bytes, mtime_ns: int, stored: bytes | None, lease: Lease | None, tombstone: Tombstone | None
) -> bool:
    """Whether this machine may write the note that its file (of this digest and time) holds; it has the lease then.

    stored: the digest of the note that is there; None: there is none. lease: None where nobody looks after it.
    """
    if stored is None:
        if tombstone is None or tombstone.holder == "ours":
            return True  # where it was deleted, a file that is there again was put back
        is_other = digest != tombstone.digest
        return is_other and (mtime_ns > tombstone.clock_ns or tombstone.holder == "lost")
    if lease is None or lease.holder in ("ours", "lost"):
        return True
    if digest == stored:
        return lease.holder == "over"
    return mtime_ns > lease.clock_ns


def may_take(digest: bytes, stored: bytes | None, lease: Lease | None) -> bool:
    """Whether this machine, whose file has this digest, looks after the note from now on though it writes nothing."""
    return digest == stored and (lease is None or lease.holder != "theirs")


def may_forget(lease: Lease | None, *, asked: bool) -> bool:
    """Whether this machine may forget a note whose file it does not have.

    asked: whether the user wants what is missing forgotten.
    """
    return lease is not None and (lease.holder == "ours" or (asked and lease.holder != "theirs"))


def next_clock(
    digest: bytes, mtime_ns: int, stored: bytes | None, lease: Lease | None, tombstone: Tombstone | None
) -> int:
    """The clock of the version that is being written."""
    before = lease if stored is not None else tombstone
    if before is None:
        return mtime_ns
    return before.clock_ns if digest == stored else max(mtime_ns, before.clock_ns + 1)
