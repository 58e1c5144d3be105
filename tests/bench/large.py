"""`python -m tests.bench.large --vault PATH [--copies N] [--folder PATH]`: a vault of a hundred thousand notes.

The vault is written several times beside itself, with a word changed in each long paragraph, so that every copy has
passages of its own. The daemon reads it, and is asked at once; then the vectors are made up and it is started again.
`--folder` keeps vault and index, and what is there is used again: reading takes minutes.
"""

import argparse
import re
import tempfile
import time
from collections.abc import Sequence
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

import msgspec

from scrubjay.daemon.home import Home
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.access.own_token import own_token
from scrubjay.daemon.server.endpoints.notes import SUGGEST
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from tests.bench.indexing import make_up_vectors
from tests.bench.queries import sample_queries
from tests.bench.running import Daemon, percentile, print_figures, running_daemon, wait_for

_HOURS = 4 * 3600
_LONG = re.compile(r"^[A-Z][^\n|]{160,}$", re.MULTILINE)
_TYPED = ("c", "cr", "cre", "creat", "create wi", "create windw")  # the last one mistyped
_TITLES = ("win", "get", "create f", "dir", "message", "audio", "error c", "func")
_REST_SECONDS = 75  # a minute after the last search, what can be built again is dropped


def write_copies(vault: Path, target: Path, copies: int) -> None:
    """The notes of `vault`, so many times; each copy says another word in its long paragraphs."""
    for source in sorted(vault.rglob("*.md")):
        text = source.read_text(encoding="utf-8", errors="replace")
        for copy in range(copies):
            path = target / f"copy {copy}" / source.relative_to(vault)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_LONG.sub(lambda found, copy=copy: _changed(found[0], copy), text), encoding="utf-8")


def _changed(paragraph: str, copy: int) -> str:
    words = paragraph.split(" ")
    words[len(words) // 2] += f" edition{copy}" if copy else ""
    return " ".join(words)


class _Asker:
    """Asks a daemon, and says how long each answer took."""

    def __init__(self, daemon: Daemon) -> None:
        self._url = daemon.client.url.removeprefix("http://")
        token = own_token(ClientRegistry(daemon.home.clients), daemon.home.state).token
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self.refused = 0  # answers that were none

    def milliseconds(self, method: str, path: str, body: object = None) -> float:
        """What one question takes, from asking to the whole answer."""
        connection = HTTPConnection(self._url, timeout=120)
        start = time.perf_counter()
        connection.request(method, path, msgspec.json.encode(body) if body else None, self._headers)
        reply = connection.getresponse()
        reply.read()
        taken = (time.perf_counter() - start) * 1000
        connection.close()
        self.refused += reply.status != HTTPStatus.OK
        return taken

    def search(self, query: str) -> float:
        """A search by words and meaning."""
        return self.milliseconds("POST", SEARCH.path, SearchAsk(query=query))

    def typed(self) -> list[float]:
        """One keystroke after another."""
        return [
            self.milliseconds("POST", SEARCH.path, SearchAsk(query=text, mode="lexical", typing=True))
            for text in _TYPED
        ]

    def titles(self) -> list[float]:
        """Title suggestions, as a name is typed."""
        begun = [name[:end] for name in _TITLES for end in range(1, len(name) + 1)]
        return [self.milliseconds("GET", f"{SUGGEST.path}?kind=title&prefix={quote(prefix)}") for prefix in begun]


def _used(daemon: Daemon) -> float:
    """Seconds of processor time, which other programs disturb less than the clock."""
    return sum(daemon.cpu_by_process().values())


def _listed(taken: Sequence[float]) -> str:
    return " ".join(f"{each:.0f}" for each in taken)


def _spread(taken: list[float]) -> str:
    return f"p50 {percentile(taken, 0.5):.1f}, p95 {percentile(taken, 0.95):.1f}, worst {max(taken):.1f}"


def read_and_ask(daemon: Daemon) -> dict[str, object]:
    """From nothing until all is read, then at once the first search and the first letters."""
    peak = 0

    def is_read() -> bool:
        nonlocal peak
        peak = max(peak, daemon.resident_bytes())
        return daemon.client.ask(STATUS).profiles[0].state in ("embedding", "idle")

    wait_for(is_read, seconds=_HOURS, every=0.5)
    read = time.monotonic() - daemon.started
    asker = _Asker(daemon)
    first, second = asker.search("create a window class"), asker.search("register a message")
    figures: dict[str, object] = {
        "notes": daemon.client.ask(STATUS).profiles[0].notes,
        "read after, s": round(read),
        "peak memory, MB": round(peak / 1e6),
        "first search after reading, ms (at most 1500)": round(first),
        "second, ms": round(second),
        "each keystroke after it, ms (at most 120)": _listed(asker.typed()),
    }
    return figures | {"refused (0)": asker.refused}


def start_and_ask(daemon: Daemon, count: int) -> dict[str, object]:
    """The first search after a start, the first letters, and all of it again after a rest."""
    asker = _Asker(daemon)
    ready = time.monotonic() - daemon.started
    first = asker.search("create a window class")
    figures: dict[str, object] = {
        "a start: answers after, s": round(ready, 2),
        "first search, ms (at most 1500)": round(first),
        "processor time until then, s, of which the start itself takes about 1": round(_used(daemon), 2),
        "first keystrokes, ms (at most 120)": _listed(asker.typed()),
        "title suggestions, ms (p50 at most 15)": _spread(asker.titles()),
    }
    wait_for(lambda: daemon.client.ask(STATUS).profiles[0].state == "idle", seconds=_HOURS)
    queries = sample_queries(daemon, count)
    used = _used(daemon)
    taken = [asker.search(query) for query in queries]
    used = (_used(daemon) - used) / len(taken)
    figures["hybrid, ms (p50 at most 35)"] = f"{_spread(taken)}; of processor time {1000 * used:.1f}"
    figures["memory right after, MB"] = round(daemon.process.memory_info().rss / 1e6)
    time.sleep(_REST_SECONDS)
    figures["memory after a rest, MB (at most 160)"] = round(daemon.process.memory_info().rss / 1e6)
    figures["keystrokes after it, ms (at most 120)"] = _listed(asker.typed())
    figures["title suggestions after it, ms"] = _spread(asker.titles())
    time.sleep(_REST_SECONDS)
    figures["first search after another rest, ms"] = round(asker.search(queries[0]))
    return figures | {"refused (0)": asker.refused}


def main() -> None:
    """Write what is missing, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, required=True)
    parser.add_argument("--copies", type=int, default=6)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "scrubjay-large")
    parser.add_argument("--queries", type=int, default=100)
    arguments = parser.parse_args()
    vault, home = arguments.folder / "vault", arguments.folder / "home"
    if not vault.exists():
        write_copies(arguments.vault, vault, arguments.copies)
    if not home.exists():
        with running_daemon(vault, home) as daemon:
            print_figures("a large vault, read", read_and_ask(daemon))
    make_up_vectors(Home.below(home))
    with running_daemon(vault, home) as daemon:
        figures = start_and_ask(daemon, arguments.queries)
        print_figures("a large vault, started again", figures)


if __name__ == "__main__":
    main()
