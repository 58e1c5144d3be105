"""Frames between the daemon and its worker processes."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.processes.frames import Frame, NoFrame, read_frame, write_frame


@given(st.lists(st.builds(Frame, st.integers(0, 2**64 - 1), st.binary()), max_size=5))
def test_frames_arrive_as_they_were_sent(frames: list[Frame]) -> None:
    pipe = io.BytesIO()
    for frame in frames:
        write_frame(pipe, frame)
    pipe.seek(0)
    assert list(iter(lambda: read_frame(pipe), None)) == frames


@given(st.data())
def test_a_stream_that_ends_within_a_frame_is_at_its_end(data: st.DataObject) -> None:
    pipe = io.BytesIO()
    write_frame(pipe, Frame(1, b"the reason"))
    kept = data.draw(st.integers(0, len(pipe.getvalue()) - 1))
    assert read_frame(io.BytesIO(pipe.getvalue()[:kept])) is None


@pytest.mark.parametrize("printed", [b"hello, world", b"Traceback (most recent call last):\n"])
def test_what_a_library_prints_is_no_frame(printed: bytes) -> None:
    with pytest.raises(NoFrame):
        read_frame(io.BytesIO(printed))
