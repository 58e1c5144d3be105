"""Events over HTTP: who hears what, resuming after a break, and the end of a stream."""

from collections.abc import Generator
from itertools import islice

import pytest

from scrubjay.daemon.client import ScrubjayClient, ServerEvent
from scrubjay.daemon.server.endpoints.clients import REVOKE_CLIENT, ClientId
from scrubjay.daemon.transport import ApiError
from tests.integration.server.conftest import Residents


def take(stream: Generator[ServerEvent], count: int) -> list[tuple[str, str]]:
    return [(event.kind, event.data) for event in islice(stream, count)]


def test_a_client_hears_of_its_own_profiles_alone(residents: Residents) -> None:
    hub = residents.house.services.events
    before = {token: hub.newest(residents.house.id_of(token)) for token in (residents.reader, residents.owner)}
    hub.publish("changed", {"notes": 1}, profile=residents.personal.id)
    hub.publish("clients", scope="manage")
    hub.publish("changed", {"notes": 2}, profile=residents.work.id)
    with ScrubjayClient(residents.house.url, residents.reader) as client:
        heard = take(client.events(before[residents.reader]), 1)
    assert heard == [("changed", f'{{"profile":"{residents.work.id}","detail":{{"notes":2}}}}')]
    with ScrubjayClient(residents.house.url, residents.owner) as client:
        assert [kind for kind, _ in take(client.events(before[residents.owner]), 3)] == [
            "changed",
            "clients",
            "changed",
        ]


def test_a_stream_that_comes_back_too_late_is_told_to_start_anew(residents: Residents) -> None:
    with ScrubjayClient(residents.house.url, residents.reader) as client:
        assert [kind for kind, _ in take(client.events("another-1"), 1)] == ["reset"]


def test_listeners_who_hang_up_make_room(residents: Residents) -> None:
    with ScrubjayClient(residents.house.url, residents.reader) as client:
        for _ in range(40):
            stream = client.events("another-1")
            assert next(stream).kind == "reset"
            stream.close()


def test_a_revoked_client_s_stream_ends_at_once(residents: Residents) -> None:
    guest = residents.house.token("listener", residents.work)
    with ScrubjayClient(residents.house.url, guest.token) as client:
        stream = client.events("another-1")
        assert next(stream).kind == "reset"
        with ScrubjayClient(residents.house.url, residents.owner) as owner:
            owner.ask(REVOKE_CLIENT, ClientId(client_id=guest.client.id))
        assert list(stream) == []
        with pytest.raises(ApiError) as refused:
            next(client.events())
    assert refused.value.code == "unauthenticated"
