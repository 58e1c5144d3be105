"""What the system says of a disk, in words for a person."""

import errno

import pytest

from scrubjay.daemon.errors import disk_error_text


@pytest.mark.parametrize(
    ("number", "path", "said"),
    [
        (errno.ENOSPC, None, "A file can't be written: there is no room left on the disk. Make room and try again."),
        (errno.EACCES, "/h/data", "/h/data can't be read or written: you have no permission. Make it yours: chown"),
        (errno.ENOSYS, "/h/state", "/h/state can't be read or written: its disk can't keep files private or locked."),
        (errno.EROFS, "/h/data", "/h/data can't be read or written: it is on a disk that can only be read."),
        (errno.EMFILE, None, "A file can't be written: too many files are open. Close other programs and try again."),
    ],
)
def test_trouble_with_a_disk_is_a_sentence_with_what_to_do(number: int, path: str | None, said: str) -> None:
    assert disk_error_text(OSError(number, "as the system says it", path)).startswith(said)


@pytest.mark.parametrize("error", [OSError("of no kind"), OSError(errno.EPIPE, "broken"), ConnectionResetError()])
def test_what_is_not_about_a_disk_is_not_said_to_be(error: OSError) -> None:
    assert disk_error_text(error) == ""
