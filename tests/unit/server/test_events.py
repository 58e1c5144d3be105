"""Events: order, resuming, what ids tell, and how many may listen. Who hears what: tests/integration/server/."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable

import pytest

from scrubjay.daemon.server.events import Event, EventHub, TooManyStreams

ME = "c1"


def listening(
    hub: EventHub, last: str | None = None, client: str = ME, hears: Callable[[Event], bool] = lambda _: True
) -> AsyncIterator[bytes]:
    return hub.stream(client, last, hears, lambda: True)


async def told(stream: AsyncIterator[bytes], count: int) -> list[tuple[str, str, object]]:
    """The next `count` events as (id, kind, data), comments left out."""
    found: list[tuple[str, str, object]] = []
    async with asyncio.timeout(10):
        async for block in stream:
            said = dict(line.split(": ", 1) for line in block.decode().splitlines() if line and line[0] != ":")
            if said:
                found.append((said["id"], said["event"], json.loads(said["data"])))
            if len(found) == count:
                break
    return found


async def test_a_stream_resumes_after_the_last_event_it_had() -> None:
    hub = EventHub()
    ids = [hub.newest(ME)]
    for number in range(5):
        hub.publish("changed", number)
        ids.append(hub.newest(ME))
    found = await told(listening(hub, ids[3]), 2)
    assert [(id_, kind) for id_, kind, _ in found] == [(ids[4], "changed"), (ids[5], "changed")]


@pytest.mark.parametrize("last", ["other-3", "0", "٣", "garbage", "f" * 24, "9" * 50, "-1", None])
async def test_where_events_were_missed_the_stream_begins_with_a_reset(last: str | None) -> None:
    hub = EventHub()
    start = hub.newest(ME)
    for number in range(600 if last is None else 1):  # so many that the first have fallen out
        hub.publish("changed", number)
    ((id_, kind, _),) = await told(listening(hub, last or start), 1)
    assert (id_, kind) == (hub.newest(ME), "reset")


async def test_of_many_progress_reports_only_the_newest_of_each_profile_is_told() -> None:
    hub = EventHub()
    start = hub.newest(ME)
    for number in range(50):
        hub.publish("indexing", number, profile="p1")
        hub.publish("indexing", number, profile="p2")
    hub.publish("profiles")
    assert [(kind, data) for _, kind, data in await told(listening(hub, start), 3)] == [
        ("indexing", {"profile": "p1", "detail": 49}),
        ("indexing", {"profile": "p2", "detail": 49}),
        ("profiles", {"profile": None, "detail": None}),
    ]


async def test_ids_tell_nothing_of_what_a_listener_did_not_hear() -> None:
    hub = EventHub()
    streams = [listening(hub, None, client, lambda event: event.profile == "mine") for client in (ME, "c2")]
    for stream in streams:
        await anext(stream)
    for number in range(40):
        hub.publish("changed", number, profile="mine" if number in (0, 39) else "theirs")
    mine, others = [[id_ for id_, _, _ in await told(stream, 2)] for stream in streams]
    assert {len(id_) for id_ in (*mine, *others)} == {24}
    assert set(mine) & set(others) == set()


async def test_a_stream_ends_before_another_event_when_its_client_is_no_longer_welcome() -> None:
    hub, welcome = EventHub(), [True]
    stream = hub.stream(ME, None, lambda _: True, lambda: welcome[0])
    await anext(stream)
    welcome[0] = False
    hub.publish("clients")
    assert await told(stream, 1) == []


async def test_closing_the_hub_ends_every_stream() -> None:
    hub = EventHub()
    waiting = [asyncio.create_task(told(listening(hub), 1)) for _ in range(3)]
    await asyncio.sleep(0.01)
    await asyncio.to_thread(hub.close)
    assert await asyncio.gather(*waiting) == [[], [], []]


async def test_only_so_many_may_listen_and_those_who_left_make_room() -> None:
    hub = EventHub()
    streams = [listening(hub) for _ in range(32)]
    with pytest.raises(TooManyStreams):  # though none of them has been read from
        listening(hub)
    for stream in streams:
        await anext(stream)
    await streams[0].aclose()  # type: ignore[attr-defined]
    streams.append(listening(hub))
    with pytest.raises(TooManyStreams):
        listening(hub)
    del streams[-1]  # whose client has hung up before it was read from
    await anext(listening(hub))
