"""A file's time stamps as they can be kept: file systems know dates that SQLite's 64 bits of nanoseconds do not."""

import os

_FIRST, _LAST = -(2**63), 2**63 - 1  # 1677-09-21 and 2262-04-11


def modified_ns(stats: os.stat_result) -> int:
    """When the file says it was modified, in Unix nanoseconds; what lies beyond 64 bits is moved to their edge."""
    return _kept(stats.st_mtime_ns)


def changed_ns(stats: os.stat_result) -> int:
    """When the system last saw the file change, likewise; 0 on Windows, which tells when it was made instead.

    Unlike the time of modification nobody can set it, so an edit that restores that one shows here.
    """
    return _kept(stats.st_ctime_ns) if os.name == "posix" else 0


def _kept(nanoseconds: int) -> int:
    return min(max(nanoseconds, _FIRST), _LAST)
