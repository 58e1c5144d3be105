"""Endpoints as values: what a request of one says on the wire, and that no id leads it to another route."""

from datetime import date
from typing import Any, cast

import msgspec
import pytest

from scrubjay.daemon.server.endpoint import Endpoint
from scrubjay.daemon.server.endpoints.clients import CHANGE_CLIENT, REVOKE_CLIENT, ROTATE_TOKEN, ClientChange, ClientId
from scrubjay.daemon.server.endpoints.journal import FORGET, EntryAsk
from scrubjay.daemon.server.endpoints.links import TIMELINE, TRAVERSE, TimelineAsk, TraverseAsk
from scrubjay.daemon.server.endpoints.notes import NOTE, NoteAsk
from scrubjay.daemon.server.endpoints.profiles import REMOVE_PROFILE, ProfileId
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.transport import sent
from scrubjay.profiles.errors import UsageError


@pytest.mark.parametrize("wrong", ["../clients", "..", ".", "", "a/b", "a?x=1", "a#b", "a%2Fb", "é", "a b", "a\nb"])
def test_an_id_that_would_lead_elsewhere_is_refused_before_anything_is_sent(wrong: str) -> None:
    calls: tuple[tuple[Endpoint[Any, Any], msgspec.Struct], ...] = (
        (NOTE, NoteAsk(chunk_id=wrong)),
        (FORGET, EntryAsk(entry_id=wrong)),
        (REVOKE_CLIENT, ClientId(client_id=wrong)),
        (ROTATE_TOKEN, ClientId(client_id=wrong)),
        (REMOVE_PROFILE, ProfileId(profile_id=wrong)),
    )
    for endpoint, request in calls:
        with pytest.raises(UsageError):
            sent(cast("Endpoint[Any, Any]", endpoint), request)


def test_fields_travel_in_the_path_the_query_string_or_the_body() -> None:
    changed = sent(CHANGE_CLIENT, ClientChange(client_id="abc", name="new"))
    assert (changed["method"], changed["url"]) == ("POST", "/v1/clients/abc")
    assert msgspec.json.decode(changed["content"]) == {"name": "new", "scopes": None, "profiles": None}
    walk = sent(TRAVERSE, TraverseAsk(path="A b.md", deep=True, depth=3))
    assert walk["params"] == {"path": "A b.md", "deep": True, "depth": 3}
    assert sent(TIMELINE, TimelineAsk(since=date(2026, 3, 1)))["params"] == {"since": "2026-03-01"}
    assert sent(SEARCH, SearchAsk(query="x"), "box")["headers"]["X-Scrubjay-Typing"] == "box"
