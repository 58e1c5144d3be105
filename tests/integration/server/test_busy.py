"""What answers while every ordinary reader of a store is taken by something long."""

import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from scrubjay.profiles.store.sqlite import MAX_READERS
from tests.integration.server.conftest import Residents


@pytest.fixture
def taken(residents: Residents) -> Iterator[None]:
    """All readers of the profile `work` are in use while the test runs."""
    store = residents.house.store(residents.work)
    with contextlib.ExitStack() as readers:
        for _ in range(MAX_READERS):
            readers.enter_context(store.reading())
        yield


@pytest.mark.usefixtures("taken")
@pytest.mark.parametrize(
    "path",
    [
        "/health",
        "/v1/suggest?kind=tag&prefix=w",
        "/v1/suggest?kind=folder",
        "/v1/suggest?kind=property",
        "/v1/status",
        "/v1/profiles",
        "/v1/clients",
    ],
)
def test_what_needs_no_long_read_answers_while_all_readers_are_taken(residents: Residents, path: str) -> None:
    with residents.http(residents.owner) as http:
        assert http.get(path).status_code == 200


def test_requests_that_wait_for_a_reader_keep_the_others_from_nothing(residents: Residents) -> None:
    store = residents.house.store(residents.work)
    with ThreadPoolExecutor(20) as threads, residents.http(residents.owner) as http:
        with contextlib.ExitStack() as readers:
            for _ in range(MAX_READERS):
                readers.enter_context(store.reading())
            paths = ["/v1/recent", "/v1/notes", "/v1/credentials", "/v1/timeline", "/v1/chunks/abcdef"] * 4
            waiting = [threads.submit(http.get, path) for path in paths]
            with residents.http(residents.reader) as other:
                for path in ("/health", "/v1/suggest?kind=tag", "/v1/status"):
                    assert other.get(path).status_code == 200
            assert not any(each.done() for each in waiting)
        assert {each.result().status_code for each in waiting} <= {200, 404}
