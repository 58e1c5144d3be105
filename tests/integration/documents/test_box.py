"""The box: files are read in a process that can reach nothing, and whatever they do to it ends as a sentence."""

import io
import sys
from collections.abc import Iterator
from contextlib import closing

import psutil
import pytest

from scrubjay.daemon.documents.extracted import DocumentPart, Kind, Reason, byte_limit, unreadable
from scrubjay.daemon.documents.sandbox.box import Box
from scrubjay.daemon.documents.sandbox.confinement import Measure
from scrubjay.daemon.documents.sandbox.door import BoxClosed

NOTE_SECONDS = 20.0


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with closing(Box(lambda: NOTE_SECONDS)) as made:
        yield made


@pytest.mark.parametrize(("text", "lost"), [(b"ferry " * 500_000, 0), (b"The ferry leaves at nine.", 2)])
def test_a_file_is_sent_from_the_disk_though_it_shrinks_meanwhile(box: Box, text: bytes, lost: int) -> None:
    assert box.extract(".txt", io.BytesIO(text), len(text) + lost).parts == (DocumentPart("1", "", text.decode()),)
    assert box.extract(".txt", b"The next file.").parts[0].text == "The next file."


def test_a_file_over_the_limit_of_its_kind_never_reaches_the_process(box: Box) -> None:
    class Unread(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise AssertionError(size)

    assert box.extract(".txt", Unread(), byte_limit(Kind.TEXT) + 1).unreadable == unreadable(Reason.TOO_LARGE)


def test_an_extension_that_nothing_reads_is_a_mistake_of_the_caller(box: Box) -> None:
    with pytest.raises(ValueError, match=r"\.exe"):
        box.extract(".exe", b"")


def test_the_process_that_ended_is_replaced() -> None:
    # One that has read nothing large, over which it would have been replaced already.
    with closing(Box(lambda: NOTE_SECONDS)) as box:
        box.extract(".txt", b"one")
        assert box.pid is not None
        psutil.Process(box.pid).kill()
        assert box.extract(".txt", b"two").parts[0].text == "two"


def test_a_file_that_takes_too_long_is_left_out_and_the_next_one_is_read() -> None:
    with closing(Box(lambda: 0.05)) as impatient:
        slow = b"<p>" + b"<b>" * 1_500_000
        assert impatient.extract(".html", slow).unreadable == unreadable(Reason.TOO_SLOW)
        assert impatient.extract(".txt", b"two").parts[0].text == "two"


def test_a_box_that_was_closed_says_so() -> None:
    closed = Box(lambda: NOTE_SECONDS)
    closed.close()
    with pytest.raises(BoxClosed):
        closed.extract(".txt", b"one")


@pytest.mark.skipif(sys.platform != "linux", reason="the measures of this system are others")
def test_the_process_is_closed_by_all_that_this_system_has(box: Box) -> None:
    box.extract(".txt", b"one")
    assert box.measures == (Measure.LANDLOCK, Measure.LIMITS, Measure.SECCOMP)
