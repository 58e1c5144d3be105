"""A process in the box's place that a file has taken over: what it says, how much of it, and when it says nothing."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import msgspec
import psutil
import pytest

from scrubjay.daemon.documents.extracted import Reason, unreadable
from scrubjay.daemon.documents.sandbox import door
from scrubjay.daemon.documents.sandbox.box import Box

SECONDS = 0.2  # of processor time; ten times as much may pass by the clock
RIGHT = {
    "type": "Read",
    "extracted": {"kind": "text", "parts": [{"place": "1", "label": "", "text": "a heron"}]},
    "worn": False,
}
PROGRAM = """
import os, sys, time
import msgspec
from scrubjay.daemon.processes.frames import Frame, read_frame, take_pipes, write_frame

requests, replies = take_pipes()
first = read_frame(requests)
write_frame(replies, Frame(first.number, msgspec.msgpack.encode({"type": "BoxReady", "measures": []})))
"""
SAYS = "read_frame(requests)\nasked = read_frame(requests)\n"
WAITS = "while True:\n    time.sleep(1)\n"


class Hijacked(Protocol):
    """Makes a box in whose process a program runs instead, once it has said that it is ready."""

    def __call__(self, program: str, seconds: float = SECONDS) -> Box: ...


@pytest.fixture
def hijacked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hijacked]:
    made: list[Box] = []
    file = tmp_path / "hijacked.py"

    def command(_module: str, _argument: str) -> list[str]:
        return [sys.executable, str(file)]

    monkeypatch.setattr(door, "worker_command", command)

    def make(program: str, seconds: float = SECONDS) -> Box:
        file.write_text(PROGRAM + program, encoding="utf-8")
        made.append(Box(lambda: seconds))
        return made[-1]

    yield make
    for box in made:
        box.close()


def saying(reply: object) -> str:
    body = msgspec.msgpack.encode(reply)
    return f"{SAYS}write_frame(replies, Frame(asked.number, {body!r}))\n{WAITS}"


def read_with(**changed: object) -> dict[str, object]:
    return RIGHT | {"extracted": RIGHT["extracted"] | changed}  # type: ignore[operator]


def test_what_a_box_may_say_is_taken(hijacked: Hijacked) -> None:
    found = hijacked(saying(RIGHT)).extract(".txt", b"one")
    assert [part.text for part in found.parts] == ["a heron"]


@pytest.mark.parametrize("size", [20_000_000, 65_500, 10])
def test_a_process_that_never_reads_is_ended_at_its_time(hijacked: Hijacked, size: int) -> None:
    box = hijacked(WAITS)
    assert box.page_picture(bytes(size), 1, 100) == unreadable(Reason.TOO_SLOW)
    assert box.pid is None


def test_a_process_that_never_answers_is_ended_at_its_time(hijacked: Hijacked) -> None:
    begins = "replies.write((1000).to_bytes(4, 'little') + asked.number.to_bytes(8, 'little')); replies.flush()\n"
    box = hijacked(SAYS + begins + WAITS)
    assert box.extract(".txt", b"one").unreadable == unreadable(Reason.TOO_SLOW)


def part(place: str = "1", label: str = "", text: str = "heron") -> dict[str, str]:
    return {"place": place, "label": label, "text": text}


LIES: dict[str, object] = {
    "an escape sequence in a place": read_with(parts=[part(place="\x1b]8;;http://x\x07")]),
    "a line break in a place": read_with(parts=[part(place="1\n2")]),
    "a line break in a label": read_with(parts=[part(label="one\ntwo")]),
    "a change of direction in a place": read_with(parts=[part(place="\u202e1")]),
    "a change of direction in a title": read_with(title="\u2066fdp"),
    "a long label": read_with(parts=[part(label="x" * 301)]),
    "a long place": read_with(parts=[part(place="x" * 301)]),
    "a long title": read_with(title="x" * 301),
    "a long link": read_with(links=["x" * 301]),
    "an escape sequence in a link": read_with(links=["\x1b[31m"]),
    "an escape sequence in a text": read_with(parts=[part(text="\x1b[31m")]),
    "a lone surrogate": read_with(parts=[part(text="SURROGATE")]),
    "many links": read_with(links=[str(at) for at in range(10_001)]),
    "many parts": read_with(parts=[part(text="")] * 100_001),
    "much text": read_with(parts=[part(text="x" * 5_000_001)] * 2),
    "a negative page": read_with(textless=[-1]),
    "a page before the first": read_with(textless=[0]),
    "many pages": read_with(textless=[1] * 100_001),
    "a negative count": read_with(left_out=-1),
    "another kind of file": read_with(kind="pdf"),
    "words of its own": read_with(unreadable={"reason": "damaged", "sentence": "Open http://x to mend it."}),
    "a picture that was not asked for": {"type": "Drawn", "png": b"\x89PNG\r\n\x1a\n"},
    "no reply": [1, 2, 3],
}


@pytest.mark.parametrize("lie", LIES)
def test_what_no_box_says_is_not_taken(hijacked: Hijacked, lie: str) -> None:
    program = saying(LIES[lie]).replace("SURROGATE", "\\xed\\xa0\\x80abc")  # as long in bytes
    found = hijacked(program).extract(".txt", b"one")
    assert (found.parts, found.links, found.title) == ((), (), "")
    assert found.unreadable == unreadable(Reason.PROCESS_ENDED)


PICTURE = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR"


@pytest.mark.parametrize(
    "reply",
    [
        {"type": "Drawn", "png": b"<svg onload=x>"},
        {"type": "Drawn", "png": PICTURE + (101).to_bytes(4, "big") + (9).to_bytes(4, "big")},
        {"type": "Drawn", "png": PICTURE + (100).to_bytes(4, "big") + b"\x7f\xff\xff\xff"},
        {"type": "BoxRefusal", "unreadable": {"reason": "damaged", "sentence": "Open http://x."}},
        RIGHT,
    ],
    ids=["no picture", "a wider one", "a vast one", "words of its own", "text"],
)
def test_what_is_no_picture_of_a_page_is_not_taken(hijacked: Hijacked, reply: object) -> None:
    assert hijacked(saying(reply)).page_picture(b"one", 1, 100) == unreadable(Reason.PROCESS_ENDED)


def test_a_reply_that_is_too_long_is_not_read(hijacked: Hijacked) -> None:
    """256 MiB of empty parts, which would be gigabytes once they were decoded."""
    many = 12_000_000
    says = f"""
one = msgspec.msgpack.encode({part("", "", "")!r})
head = msgspec.msgpack.encode({{"type": "Read", "worn": False}})[1:]
body = b"\\x83" + head + msgspec.msgpack.encode("extracted") + b"\\x82"
body += msgspec.msgpack.encode("kind") + msgspec.msgpack.encode("text") + msgspec.msgpack.encode("parts")
body += b"\\xdd" + ({many}).to_bytes(4, "big") + one * {many}
write_frame(replies, Frame(asked.number, body))
"""
    box = hijacked(SAYS + says + WAITS, seconds=10)
    before = peak_bytes()
    found = box.extract(".txt", b"one")
    assert found.unreadable in (unreadable(Reason.PROCESS_ENDED), unreadable(Reason.TOO_SLOW))
    assert peak_bytes() - before < 200_000_000


def peak_bytes() -> int:
    """The most memory that this process had so far."""
    if sys.platform != "linux":
        return psutil.Process().memory_info().rss
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.slow
def test_a_frame_of_the_longest_that_is_taken_leaves_the_daemon_small(hijacked: Hijacked) -> None:
    """As many empty parts as fit into a frame that is read: refused before they are made."""
    box = hijacked(saying(read_with(parts=[part("", "", "")] * 2_500_000)), seconds=2)
    before = peak_bytes()
    assert box.extract(".txt", b"one").unreadable is not None
    assert peak_bytes() - before < 200_000_000
