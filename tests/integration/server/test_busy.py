"""What answers while every ordinary reader of a store is taken by something long."""

import contextlib
from concurrent.futures import ThreadPoolExecutor

from scrubjay.profiles.store.sqlite import MAX_READERS
from tests.integration.server.conftest import Residents

PATHS = (
    "/health",
    "/v1/suggest?kind=tag&prefix=w",
    "/v1/suggest?kind=folder",
    "/v1/suggest?kind=property",
    "/v1/status",
    "/v1/profiles",
    "/v1/clients",
)


def test_what_needs_no_long_read_answers_while_all_readers_are_taken_and_others_wait(residents: Residents) -> None:
    store = residents.house.store(residents.work)
    with ThreadPoolExecutor(20) as threads, residents.http(residents.owner) as http:
        with contextlib.ExitStack() as readers:
            for _ in range(MAX_READERS):
                readers.enter_context(store.reading())
            assert {path: http.get(path).status_code for path in PATHS} == dict.fromkeys(PATHS, 200)
            paths = ["/v1/recent", "/v1/notes", "/v1/credentials", "/v1/timeline", "/v1/chunks/abcdef"] * 4
            waiting = [threads.submit(http.get, path) for path in paths]
            with residents.http(residents.owner) as other:
                assert [other.get(path).status_code for path in PATHS[:2]] == [200, 200]
                assert other.get("/v1/status").status_code == 200
            assert not any(each.done() for each in waiting)
        assert {each.result().status_code for each in waiting} <= {200, 404}
