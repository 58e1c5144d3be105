"""Files that only their owner may read, written so that a crash leaves the old or the new one, never half."""

import contextlib
import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Replace the file at `path`, mode 0600, once all of `content` is on the disk; its folder must be there already.

    A crash leaves the old file or the new one. Raises OSError, with the old file as it was.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_private(path: Path, content: bytes) -> None:
    """As `write_atomically`, in a folder of mode 0700 that is made when missing."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_atomically(path, content)


def read_or_create_private(path: Path, content: bytes) -> bytes:
    """The file's bytes; when there is none yet, write `content` there first. One winner where two race."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with contextlib.suppress(FileExistsError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
    return path.read_bytes()
