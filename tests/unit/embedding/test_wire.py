"""Frames between the daemon and its worker."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.embedding.model import BUNDLED
from daemon.embedding.wire import Failed, Passages, Query, Start, read_frame, request_of, start_of, write_frame

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
IDS = st.integers(0, 2**53)
REQUESTS = st.one_of(st.builds(Query, IDS, TEXT), st.builds(Passages, IDS, st.lists(TEXT)))


@given(st.lists(REQUESTS, max_size=5))
def test_requests_arrive_as_they_were_sent(requests: list[Query | Passages]) -> None:
    pipe = io.BytesIO()
    for request in requests:
        write_frame(pipe, request)
    pipe.seek(0)
    arrived: list[Query | Passages] = []
    while (frame := read_frame(pipe)) is not None:
        arrived.append(request_of(frame))
    assert arrived == requests


def test_the_model_arrives_as_it_was_sent() -> None:
    pipe = io.BytesIO()
    write_frame(pipe, Start.of(BUNDLED, threads=3))
    pipe.seek(0)
    start = start_of(read_frame(pipe) or b"")
    assert (start.spec(), start.threads) == (BUNDLED, 3)


@pytest.mark.parametrize("kept", [0, 1, 3, 4, 5, 10])
def test_a_stream_that_ends_within_a_frame_is_at_its_end(kept: int) -> None:
    pipe = io.BytesIO()
    write_frame(pipe, Failed(1, "the reason"))
    assert read_frame(io.BytesIO(pipe.getvalue()[:kept])) is None
