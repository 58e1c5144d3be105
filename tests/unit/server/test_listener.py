"""A reply that is sent part by part: in order, with its errors, and until nobody listens."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from scrubjay.daemon.server.access.problems import of_error
from scrubjay.daemon.server.endpoint import Done, Reply
from scrubjay.daemon.server.event_stream import StreamListener
from scrubjay.profiles.errors import NotFound


class Part(Reply, frozen=True):
    number: int


def streamed(work: Callable[[StreamListener], Awaitable[Reply]], most: int = 100) -> tuple[list[bytes], StreamListener]:
    """The first events of a reply that `work` gives, and the listener after them."""

    async def run() -> tuple[list[bytes], StreamListener]:
        listener = StreamListener(of_error)
        events: list[bytes] = []
        stream: Any = await listener.begin(work(listener))
        async for event in stream:
            events.append(event)
            if len(events) == most:
                break
        await stream.aclose()
        return events, listener

    return asyncio.run(run())


async def tells_three(listener: StreamListener) -> Reply:
    for number in range(3):
        await asyncio.to_thread(listener.tell, Part(number))
    return Done()


def test_every_part_comes_before_the_reply_in_order() -> None:
    events, listener = streamed(tells_three)
    assert events == [
        b": welcome\n\n",
        *(b'event: part\ndata: {"number":%d}\n\n' % number for number in range(3)),
        b'event: reply\ndata: {"done":true}\n\n',
    ]
    assert listener.gone.is_set()


def test_an_error_before_the_first_part_is_raised_so_that_the_status_tells_it() -> None:
    async def fails(_: StreamListener) -> Reply:
        raise NotFound("There is no such thing.")

    with pytest.raises(NotFound):
        streamed(fails)


def test_an_error_after_a_part_is_the_last_event() -> None:
    async def fails_late(listener: StreamListener) -> Reply:
        await asyncio.to_thread(listener.tell, Part(1))
        await asyncio.sleep(0)
        raise NotFound("There is no such thing.")

    events, _ = streamed(fails_late)
    assert b"event: part" in events[1]
    assert b'event: problem\ndata: {"type":"urn:scrubjay:problem:not-found"' in events[-1]


def test_who_works_learns_that_nobody_listens_any_more() -> None:
    async def waits(listener: StreamListener) -> Reply:
        listener.tell(Part(1))
        await asyncio.Event().wait()
        return Done()

    events, listener = streamed(waits, most=2)
    assert len(events) == 2
    assert listener.gone.is_set()


def test_what_is_told_after_the_loop_has_ended_is_lost_without_an_error() -> None:
    _, listener = streamed(tells_three)
    listener.tell(Part(4))
