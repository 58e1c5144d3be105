"""`python -m tests.bench.growth [--notes N]` (`make growth`): an hour of work on vaults of N, 2N and 4N notes.

Each is read from nothing, searched, asked small questions, checked, reviewed, changed by half, renamed and mostly
forgotten, while somebody searches. Printed is a table in Markdown: every figure by size, how it grew, and its bar.
Vectors are made up but for the first. Processor time is of all of the daemon's processes, searches meanwhile included.
"""

import argparse
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

from scrubjay.daemon.server.endpoints.check import CHECK, CheckAsk
from scrubjay.daemon.server.endpoints.credentials import CREDENTIALS
from scrubjay.daemon.server.endpoints.links import TIMELINE
from scrubjay.daemon.server.endpoints.notes import RECENT, SUGGEST
from scrubjay.daemon.server.endpoints.review import REVIEW, REVIEW_MAP, MapAsk, ReviewAsk
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import INDEX, STATUS, IndexAsk
from scrubjay.profiles.registry.registry import Registry
from tests.bench.generated_vault import LAST_DAY, Extent, rewrite, write_vault
from tests.bench.indexing import make_up_vectors
from tests.bench.queries import Searches, sample_queries
from tests.bench.running import Daemon, percentile, running_daemon, wait_for

GROWTH_BAR = 2.2
"""How many times as large a figure may be of twice as many notes."""

BARS: Mapping[str, float] = {
    "searches while read, p95 ms": 200,
    "searches while checked, p95 ms": 200,
    "searches while reviewed, p95 ms": 200,
    "searches while half is read again, p95 ms": 200,
    "searches while renamed, p95 ms": 200,
    "searches while forgotten, p95 ms": 200,
    "tags, ms": 15,
    "folders, ms": 15,
    "properties, ms": 15,
    "newest notes, ms": 15,
    "a week of days, ms": 15,
    "map, ms": 15,
    "status, ms": 20,
    "page of 100 proposals, ms": 20,
    "log while forgotten, peak MB": 64,
    "log while half is read again, peak MB": 64,
}
"""What a figure may be at any size, where that was said."""

REST_BARS = ((16_894, 100.0), (100_000, 160.0))
"""Up to so many notes, megabytes of the daemon at rest."""

_HOURS = 4 * 3_600
_TIMES = 9  # of each small question
_BETWEEN_SEARCHES = 0.1  # seconds
_STILL_SECONDS, _STILL_SHARE = 20.0, 0.02
"""Who uses less of a core than this share for so long does nothing. It looks at its memory every 15 seconds at rest."""
_AT_REST = "at rest"  # begins the name of each figure that has a bar of `REST_BARS`
_TYPED = ("c", "wi", "wil", "willow h", "willow heron", "willwo")  # the last one mistyped


@dataclass(frozen=True, slots=True)
class Hour:
    """What is done on a vault."""

    searches: int = 500
    rest_seconds: float = 80.0  # a minute after the last search, the daemon lets go of what it needs no more


@dataclass(slots=True)
class Meanwhile:
    """What was seen while the daemon worked. Sizes in megabytes."""

    milliseconds: list[float] = field(default_factory=list[float])  # of each search
    memory: float = 0.0  # at its peak, of all processes
    log: float = 0.0  # the write-ahead log at its peak
    seconds: float = 0.0
    processor: float = 0.0  # seconds, of all processes

    def figures(self, what: str) -> dict[str, float]:
        """As figures; what: "forgotten", say."""
        return {
            f"{what}: seconds": self.seconds,
            f"{what}: processor seconds": self.processor,
            f"searches while {what}, p95 ms": percentile(self.milliseconds, 0.95),
            f"memory of all processes while {what}, peak MB": self.memory,
            f"log while {what}, peak MB": self.log,
        }


class House:
    """A daemon on a generated vault, and what is asked of it."""

    def __init__(self, daemon: Daemon, hour: Hour) -> None:
        self.daemon = daemon
        self._hour = hour
        registry = Registry(daemon.home.profiles)
        self._store = registry.store_path(registry.list()[0])

    def state(self) -> str:
        """What is done for the profile."""
        return self.daemon.client.ask(STATUS).profiles[0].state

    def settle(self) -> None:
        """Wait until nothing is left to read, and no file is."""

        def is_settled() -> bool:
            status = self.daemon.client.ask(STATUS)
            return status.idle and status.profiles[0].files_waiting == 0

        wait_for(is_settled, seconds=_HOURS, every=0.5)

    @contextmanager
    def searching(self) -> Generator[Meanwhile]:
        """Somebody searches by words, all the time; what is seen is whole after the block.

        Before it they have searched by meaning, so that the process of the model is there at each size.
        """
        seen, over = Meanwhile(), threading.Event()

        def search() -> None:
            number = 0
            with Searches(self.daemon) as searches:
                while not over.wait(_BETWEEN_SEARCHES):
                    seen.milliseconds.append(searches.milliseconds(f"heron willow {number % 10}", "lexical"))
                    number += 1

        def watch() -> None:
            while not over.wait(0.3):
                seen.memory = max(seen.memory, self.daemon.resident_bytes() / 1e6)
                seen.log = max(seen.log, self.log_megabytes())

        with Searches(self.daemon) as searches:
            searches.milliseconds("heron willow", "hybrid")
        threads = [threading.Thread(target=each) for each in (search, watch)]
        began, used = time.monotonic(), self.daemon.cpu_seconds()
        for each in threads:
            each.start()
        try:
            yield seen
        finally:
            seen.seconds = time.monotonic() - began
            seen.processor = self.daemon.cpu_seconds() - used
            over.set()
            for each in threads:
                each.join()

    def rest(self) -> float:
        """Megabytes of the daemon's own memory once nobody has asked for a while, and what it does by itself is done.

        That is to compare notes and to learn from their names, for which it waits until nobody has asked for a minute.
        """
        time.sleep(self._hour.rest_seconds)
        self.wait_until_still()
        return self.daemon.own_bytes() / 1e6

    def wait_until_still(self) -> None:
        """Wait until no process does anything: a batch that the model has begun is over, too."""
        wait_for(self._does_nothing, seconds=_HOURS)

    def _does_nothing(self) -> bool:
        before = self.daemon.cpu_by_process()
        time.sleep(_STILL_SECONDS)
        after = self.daemon.cpu_by_process()
        return (
            before.keys() == after.keys() and sum(after.values()) - sum(before.values()) < _STILL_SHARE * _STILL_SECONDS
        )

    def log_megabytes(self) -> float:
        """The write-ahead log now."""
        return _megabytes(self._store.with_name(f"{self._store.name}-wal"))

    def disk_megabytes(self) -> float:
        """The database and its log now."""
        return _megabytes(self._store) + self.log_megabytes()


def live(vault: Path, home: Path, extent: Extent, hour: Hour) -> dict[str, float]:
    """The figures of one vault, by name."""
    write_vault(vault, extent)
    figures: dict[str, float] = {"notes": extent.notes}
    with running_daemon(vault, home) as daemon:
        house = House(daemon, hour)
        figures |= _read(house)
        figures |= {"passages": daemon.client.ask(STATUS).profiles[0].chunks, "disk, MB": house.disk_megabytes()}
        figures[f"{_AT_REST} after reading, MB"] = house.rest()
    with running_daemon(vault, home) as daemon:
        house = House(daemon, hour)
        figures |= _start(house)
        figures[f"{_AT_REST} after a start, MB"] = house.rest()
        figures |= _search(house, hour)
        figures[f"{_AT_REST} after {hour.searches} searches, MB"] = house.rest()
        figures |= _ask(house)
        with house.searching() as seen:
            daemon.client.ask(CHECK, CheckAsk())
        figures |= seen.figures("checked")
        figures |= _review(house)
        figures[f"{_AT_REST} after check and review, MB"] = house.rest()
        figures |= _change(house, vault, extent)
        figures[f"{_AT_REST} after all, MB"] = house.rest()
        figures["disk at rest after most was forgotten, MB"] = house.disk_megabytes()
        figures["log at rest, MB"] = house.log_megabytes()
    return figures


def _read(house: House) -> dict[str, float]:
    """From nothing to all that is found by words, and then by made-up vectors."""
    estimates: list[tuple[float, float]] = []  # seconds since searches began, and those that were said to be left
    with house.searching() as seen:
        began = time.monotonic()

        def is_read() -> bool:
            profile = house.daemon.client.ask(STATUS).profiles[0]
            if profile.state == "reading" and profile.eta_seconds is not None:
                estimates.append((time.monotonic() - began, profile.eta_seconds))
            return profile.state in ("embedding", "idle")

        wait_for(is_read, seconds=_HOURS, every=0.5)
    figures = seen.figures("read")
    make_up_vectors(house.daemon.home)
    house.settle()
    return figures | {"time to go, worst error after a minute, %": _worst(estimates, seen.seconds)}


def _worst(estimates: Sequence[tuple[float, float]], whole: float) -> float:
    """Percent by which an estimate differed from what was left of the whole, at most; 0 where none was late enough."""
    late = [(at, left) for at, left in estimates if at >= 60 and whole - at >= 5]
    return max((100 * abs(left / (whole - at) - 1) for at, left in late), default=0.0)


def _start(house: House) -> dict[str, float]:
    with Searches(house.daemon) as searches:
        first = searches.milliseconds("heron willow", "hybrid")
        ready = time.monotonic() - house.daemon.started
        typed = [_typed(searches, text) for text in _TYPED]
    house.settle()
    return {
        "start to the first answer, seconds": ready,
        "first search after a start, ms": first,
        "first keystrokes after a start, worst ms": max(typed),
    }


def _search(house: House, hour: Hour) -> dict[str, float]:
    queries = sample_queries(house.daemon, hour.searches)
    figures: dict[str, float] = {}
    with Searches(house.daemon) as searches:
        hybrid = [searches.milliseconds(query, "hybrid") for query in queries]
        words = [searches.milliseconds(query, "lexical") for query in queries[: len(queries) // 2]]
        typed = [_typed(searches, query[:end]) for query in queries[:20] for end in range(1, len(query))]
    for name, taken in (("hybrid", hybrid), ("by words", words), ("each keystroke", typed)):
        figures[f"{name}, p50 ms"], figures[f"{name}, p95 ms"] = percentile(taken, 0.5), percentile(taken, 0.95)
    return figures


def _typed(searches: Searches, text: str) -> float:
    return searches.took("POST", SEARCH.path, SearchAsk(query=text, mode="lexical", typing=True))


def _ask(house: House) -> dict[str, float]:
    """Small questions: the median of a few askings of each."""
    questions = {
        "tags, ms": f"{SUGGEST.path}?kind=tag&prefix=w",
        "folders, ms": f"{SUGGEST.path}?kind=folder&prefix=n",
        "properties, ms": f"{SUGGEST.path}?kind=property",
        "title suggestions, ms": f"{SUGGEST.path}?kind=title&prefix=wi",
        "newest notes, ms": f"{RECENT.path}?limit=10",
        "a week of days, ms": f"{TIMELINE.path}?since={LAST_DAY - timedelta(6)}&until={LAST_DAY}",
        "map, ms": REVIEW_MAP.path,
        "status, ms": STATUS.path,
        "page of credentials, ms": CREDENTIALS.path,
    }
    figures: dict[str, float] = {}
    with Searches(house.daemon) as searches:
        figures["first map, ms"] = searches.took("GET", REVIEW_MAP.path)
        wait_for(lambda: house.daemon.client.ask(REVIEW_MAP, MapAsk()).waiting == 0, seconds=_HOURS, every=0.2)
        for name, path in questions.items():
            figures[name] = percentile([searches.took("GET", path) for _ in range(_TIMES)], 0.5)
    return figures


def _review(house: House) -> dict[str, float]:
    client = house.daemon.client
    with house.searching() as seen:
        wait_for(lambda: client.ask(REVIEW, ReviewAsk()).waiting == 0, seconds=_HOURS, every=0.5)
    with Searches(house.daemon) as searches:
        pages = [searches.took("GET", f"{REVIEW.path}?limit=100") for _ in range(_TIMES)]
    found = client.ask(REVIEW, ReviewAsk()).total
    return seen.figures("reviewed") | {"proposals": found, "page of 100 proposals, ms": percentile(pages, 0.5)}


def _change(house: House, vault: Path, extent: Extent) -> dict[str, float]:
    """Half of the notes change at once, as by a checkout; then a large folder gets another name, then is gone."""
    figures = _until_read(house, "half is read again", lambda: rewrite(vault, extent, 0.5))
    make_up_vectors(house.daemon.home)
    house.wait_until_still()
    figures |= _until_read(house, "renamed", lambda: (vault / "Notes").rename(vault / "Moved"))
    figures |= _until_read(house, "forgotten", lambda: _forget(house, vault / "Moved"))
    return figures


def _forget(house: House, folder: Path) -> object:
    shutil.rmtree(folder)
    return house.daemon.client.ask(INDEX, IndexAsk(forget_missing=True))


def _until_read(house: House, what: str, change: Callable[[], object]) -> dict[str, float]:
    """Figures of the time from a change until the daemon has it in its index."""
    with house.searching() as seen:
        change()
        wait_for(lambda: house.state() in ("scanning", "reading"), seconds=60)
        wait_for(lambda: house.state() in ("embedding", "idle"), seconds=_HOURS, every=0.2)
    return seen.figures(what)


def _megabytes(path: Path) -> float:
    return path.stat().st_size / 1e6 if path.exists() else 0.0


def table(columns: Sequence[Mapping[str, float]]) -> str:
    """The figures of growing vaults in Markdown. What misses a bar is in bold."""
    sizes = [f"{column['notes']:,.0f} notes" for column in columns]
    lines = [f"| | {' | '.join(sizes)} | grows | bar |", f"| --- {'| ---: ' * (len(columns) + 2)}|"]
    for name in columns[-1]:
        if name != "notes":
            values = [column[name] for column in columns]
            cells = [_cell(value, _bar(name, column["notes"])) for column, value in zip(columns, values, strict=True)]
            grows = [after / before if before else 1.0 for before, after in pairwise(values)]
            bar = _bar(name, columns[-1]["notes"])
            growth = " · ".join(_cell(each, GROWTH_BAR) for each in grows)
            lines.append(f"| {name} | {' | '.join(cells)} | {growth} | {'' if bar is None else f'{bar:g}'} |")
    return "\n".join(lines)


def _bar(name: str, notes: float) -> float | None:
    if name.startswith(_AT_REST):
        return next((bar for most, bar in REST_BARS if notes <= most), None)
    return BARS.get(name)


def _cell(value: float, bar: float | None) -> str:
    shown = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    return f"**{shown}**" if bar is not None and value > bar else shown


def main() -> None:
    """Live the hour on each vault, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=2_500, help="of the smallest of the vaults")
    parser.add_argument("--sizes", type=int, default=3, help="how many vaults, each of twice as many notes")
    parser.add_argument("--searches", type=int, default=Hour().searches)
    asked = parser.parse_args()
    columns: list[dict[str, float]] = []
    for size in range(asked.sizes):
        with tempfile.TemporaryDirectory(prefix="scrubjay-growth-") as folder:
            extent = Extent(asked.notes * 2**size)
            columns.append(live(Path(folder) / "vault", Path(folder) / "home", extent, Hour(asked.searches)))
        print(f"\n{table(columns)}", flush=True)


if __name__ == "__main__":
    main()
