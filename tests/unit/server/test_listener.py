"""A reply that is sent part by part: its late errors. tests/integration/server/test_ask.py has the rest."""

import asyncio
from typing import Any

import pytest

from scrubjay.daemon.server.access.problems import of_error
from scrubjay.daemon.server.endpoint import Reply
from scrubjay.daemon.server.event_stream import StreamListener
from scrubjay.profiles.errors import NotFound


class Part(Reply, frozen=True):
    number: int


def test_an_error_before_the_first_part_is_raised_so_that_the_status_tells_it() -> None:
    async def run() -> None:
        async def fails() -> Reply:
            raise NotFound("There is no such thing.")

        await StreamListener(of_error).begin(fails())

    with pytest.raises(NotFound):
        asyncio.run(run())


def test_an_error_after_a_part_is_the_last_event_and_what_is_told_after_the_loop_has_ended_is_lost() -> None:
    async def run() -> tuple[list[bytes], StreamListener]:
        listener = StreamListener(of_error)

        async def fails_late() -> Reply:
            for number in range(3):
                await asyncio.to_thread(listener.tell, Part(number))
            await asyncio.sleep(0)
            raise NotFound("There is no such thing.")

        stream: Any = await listener.begin(fails_late())
        return [event async for event in stream], listener

    (welcome, *parts, problem), listener = asyncio.run(run())
    assert welcome == b": welcome\n\n"
    assert parts == [b'event: part\ndata: {"number":%d}\n\n' % number for number in range(3)]
    assert b'event: problem\ndata: {"type":"urn:scrubjay:problem:not-found"' in problem
    assert listener.gone.is_set()
    listener.tell(Part(4))
