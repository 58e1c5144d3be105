"""`python -m tests.bench.busy`: what answers, and how soon, while every reader of the store is taken for 3 seconds."""

import contextlib
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from scrubjay.profiles.store.sqlite import MAX_READERS
from tests.bench.running import print_figures
from tests.integration.server.house import House, open_house

_SECONDS = 3.0
_PATHS = ("/health", "/v1/suggest?kind=tag", "/v1/suggest?kind=folder", "/v1/status")


def main() -> None:
    """Measure an installation of 2,000 notes, and print how soon each route answers."""
    with tempfile.TemporaryDirectory() as folder, open_house(Path(folder)) as house:
        notes = {f"Folder {n % 50}/Note {n}.md": f"Note {n} about herons." for n in range(2_000)}
        profile = house.add_profile("work", notes)
        token = house.clients.create("owner", scopes=("search", "manage"), profiles="all").token
        idle = _answers(house, token)
        with house.client(token) as waiting:
            stuck = [threading.Thread(target=waiting.get, args=("/v1/recent",)) for _ in range(8)]
            with contextlib.ExitStack() as readers:
                for _ in range(MAX_READERS):
                    readers.enter_context(house.store(profile).reading())
                for each in stuck:
                    each.start()
                began = time.monotonic()
                busy = _answers(house, token)
                time.sleep(max(0.0, _SECONDS - (time.monotonic() - began)))
            for each in stuck:
                each.join()
    print_figures("idle, ms", idle)
    print_figures("all readers taken, ms", busy)


def _answers(house: House, token: str) -> dict[str, object]:
    """The median and the longest of twenty answers of each route, in milliseconds."""
    found: dict[str, object] = {}
    with house.client(token) as http:
        for path in _PATHS:
            took = sorted(_milliseconds(lambda path=path: http.get(path)) for _ in range(20))
            found[path] = (round(median(took), 1), round(took[-1], 1))
    return found


def _milliseconds(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1e3


if __name__ == "__main__":
    main()
