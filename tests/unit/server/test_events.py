"""Events: order, resuming, who hears what, and when a stream ends."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from scrubjay.daemon.server.events import Event, EventHub, TooManyStreams

ME = "c1"


def everything(_: Event) -> bool:
    return True


def always() -> bool:
    return True


async def told(stream: AsyncIterator[bytes], count: int) -> list[tuple[str, str, object]]:
    """The next `count` events as (id, kind, data), comments left out."""
    found: list[tuple[str, str, object]] = []
    async with asyncio.timeout(10):
        async for block in stream:
            lines = dict(
                line.split(": ", 1) for line in block.decode().splitlines() if line and not line.startswith(":")
            )
            if lines:
                found.append((lines["id"], lines["event"], json.loads(lines["data"])))
            if len(found) == count:
                break
    return found


async def test_a_stream_hears_what_happens_from_now_on() -> None:
    hub = EventHub()
    hub.publish("profiles")
    stream = hub.stream(ME, None, everything, always)
    await anext(stream)
    hub.publish("changed", {"notes": 2}, profile="p1")
    assert await told(stream, 1) == [(hub.newest(ME), "changed", {"profile": "p1", "detail": {"notes": 2}})]


async def test_a_stream_resumes_after_the_last_event_it_had() -> None:
    hub = EventHub()
    ids = [hub.newest(ME)]
    for number in range(5):
        hub.publish("changed", number)
        ids.append(hub.newest(ME))
    found = await told(hub.stream(ME, ids[3], everything, always), 2)
    assert [(id_, kind) for id_, kind, _ in found] == [(ids[4], "changed"), (ids[5], "changed")]


@pytest.mark.parametrize("last", ["other-3", "0", "٣", "garbage", "f" * 24, "9" * 50, "-1"])
async def test_where_events_were_missed_the_stream_begins_with_a_reset(last: str) -> None:
    hub = EventHub()
    hub.publish("profiles")
    found = await told(hub.stream(ME, last, everything, always), 1)
    assert [(id_, kind) for id_, kind, _ in found] == [(hub.newest(ME), "reset")]


async def test_events_that_fell_out_of_the_ring_are_a_reset_too() -> None:
    hub = EventHub()
    start = hub.newest(ME)
    for number in range(600):
        hub.publish("changed", number)
    found = await told(hub.stream(ME, start, everything, always), 1)
    assert found[0][:2] == (hub.newest(ME), "reset")


async def test_of_many_progress_reports_only_the_newest_of_each_profile_is_told() -> None:
    hub = EventHub()
    start = hub.newest(ME)
    for number in range(50):
        hub.publish("indexing", number, profile="p1")
        hub.publish("indexing", number, profile="p2")
    hub.publish("profiles")
    found = await told(hub.stream(ME, start, everything, always), 3)
    assert [(kind, data) for _, kind, data in found] == [
        ("indexing", {"profile": "p1", "detail": 49}),
        ("indexing", {"profile": "p2", "detail": 49}),
        ("profiles", {"profile": None, "detail": None}),
    ]


async def test_what_a_listener_may_not_hear_is_left_out() -> None:
    hub = EventHub()
    start = hub.newest(ME)
    hub.publish("changed", 1, profile="secret")
    hub.publish("changed", 2, profile="open")
    found = await told(hub.stream(ME, start, lambda event: event.profile != "secret", always), 1)
    assert found == [(hub.newest(ME), "changed", {"profile": "open", "detail": 2})]


async def test_ids_tell_nothing_of_what_a_listener_did_not_hear() -> None:
    hub = EventHub()
    streams = [hub.stream(client, None, lambda event: event.profile == "mine", always) for client in (ME, "c2")]
    for stream in streams:
        await anext(stream)
    for number in range(40):
        hub.publish("changed", number, profile="mine" if number in (0, 39) else "theirs")
    mine, others = [[id_ for id_, _, _ in await told(stream, 2)] for stream in streams]
    assert {len(id_) for id_ in (*mine, *others)} == {24}
    assert set(mine) & set(others) == set()
    assert not any(id_.isdecimal() and len(id_) < 8 for id_ in mine)


async def test_a_stream_ends_before_another_event_when_its_client_is_no_longer_welcome() -> None:
    hub = EventHub()
    welcome = [True]
    stream = hub.stream(ME, None, everything, lambda: welcome[0])
    await anext(stream)
    welcome[0] = False
    hub.publish("clients")
    assert await told(stream, 1) == []


async def test_closing_the_hub_ends_every_stream() -> None:
    hub = EventHub()
    streams = [hub.stream(ME, None, everything, always) for _ in range(3)]
    waiting = [asyncio.create_task(told(stream, 1)) for stream in streams]
    await asyncio.sleep(0.01)
    await asyncio.to_thread(hub.close)
    assert await asyncio.gather(*waiting) == [[], [], []]


async def test_only_so_many_may_listen_and_those_who_left_make_room() -> None:
    hub = EventHub()
    streams = [hub.stream(ME, None, everything, always) for _ in range(32)]
    with pytest.raises(TooManyStreams):  # though none of them has been read from
        hub.stream(ME, None, everything, always)
    for stream in streams:
        await anext(stream)
    await streams[0].aclose()  # type: ignore[attr-defined]
    streams.append(hub.stream(ME, None, everything, always))
    with pytest.raises(TooManyStreams):
        hub.stream(ME, None, everything, always)
    del streams[-1]  # whose client has hung up before it was read from
    await anext(hub.stream(ME, None, everything, always))
