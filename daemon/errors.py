"""The errors that Scrubjay itself raises, with the words a person reads.

ScrubjayError            code, HTTP status, message; subclasses live beside what they are about
├── UsageError           the request or command can't be understood
├── NotFound             nothing has this name or id
└── Unavailable          can't be answered now; the message says when or what to do
    ├── NotRunning       no daemon answers for this home
    └── Busy             it runs, and took longer than a call may
"""

import errno
import os

from scrubjay.profiles.errors import Unavailable

_DISK_ERRORS = {  # what the system says -> what that means, and what to do
    errno.ENOSPC: "there is no room left on the disk. Make room and try again",
    errno.EDQUOT: "your share of the disk is used up. Make room and try again",
    errno.EROFS: "it is on a disk that can only be read. Make it writable, or set SCRUBJAY_HOME to another place",
    errno.EACCES: "you have no permission. Make it yours: chown, chmod 700",
    errno.EPERM: "you have no permission. Make it yours: chown, chmod 700",
    errno.ENOSYS: "its disk can't keep files private or locked. Set SCRUBJAY_HOME to a folder on another disk",
    errno.EOPNOTSUPP: "its disk can't keep files private or locked. Set SCRUBJAY_HOME to a folder on another disk",
    errno.EIO: "the disk fails. Have it checked",
    errno.EMFILE: "too many files are open. Close other programs and try again",
    errno.ENFILE: "too many files are open. Close other programs and try again",
}


def disk_error_text(error: OSError) -> str:
    """What a person is told of an error of the disk, in a sentence; empty for errors that are about something else."""
    trouble = _DISK_ERRORS.get(error.errno or 0)
    if trouble is None:
        return ""
    what = f"{os.fspath(error.filename)!s} can't be read or written" if error.filename else "A file can't be written"
    return f"{what}: {trouble}."


class NotRunning(Unavailable):
    """No daemon answers for this home."""

    code = "not-running"


class Busy(Unavailable):
    """The daemon took a call, and did not answer in the time that such a call may take."""

    code = "busy"
