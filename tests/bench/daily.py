"""`python -m tests.bench.daily [--notes N]`: the daemon that one forgets about, on generated notes, beside its bars.

Searching while it indexes, starting with nothing changed, edits, a renamed folder, idling. `make bench` runs it, too;
memory over half an hour of use is `make soak`'s.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.search.types import Mode
from tests.bench.indexing import make_up_vectors
from tests.bench.queries import Searches
from tests.bench.running import Daemon, percentile, print_figures, running_daemon, wait_for
from tests.soak.gardener import WORDS

_EDITS = 20
_HOUR = 3_600
_BETWEEN_SEARCHES = 0.2  # seconds: embedding rests after each search, and must get its turn


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is done, and for how long."""

    notes: int = 15_000  # a third of them lies in the folder that is renamed
    search_seconds: float = 60.0  # of searching, while it indexes and when it is done
    idle_seconds: float = 300.0

    @property
    def moved(self) -> int:
        """Notes in the folder that is renamed."""
        return self.notes // 3


def write_vault(vault: Path, notes: int) -> None:
    """Notes of some 100 words in folders of 100, a third of them below `moved/`."""
    rng = random.Random(1)
    for number in range(notes):
        top = "moved" if number < notes // 3 else "kept"
        path = vault / top / f"{number // 100}" / f"note {number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        body = " ".join(f"{word} {rng.randrange(10_000)}" for word in rng.choices(WORDS, k=60))
        path.write_text(
            f"# {rng.choice(WORDS)} {number}\n\n{body}\n\n[[note {rng.randrange(notes)}]]\n", encoding="utf-8"
        )


def daily_figures(folder: Path, extent: Extent) -> dict[str, object]:
    """Index a generated vault in `folder`, start again, change it, and say how long each took, beside its bar."""
    vault, home = folder / "vault", folder / "home"
    write_vault(vault, extent.notes)
    with running_daemon(vault, home) as daemon:
        searching = _while_indexing(daemon, extent.search_seconds)
    with running_daemon(vault, home) as daemon:
        return (
            searching
            | _start(daemon, extent)
            | _edits(daemon, vault)
            | _rename(daemon, vault, extent)
            | _idle(daemon, extent)
        )


def _while_indexing(daemon: Daemon, seconds: float) -> dict[str, object]:
    """Search from the first moment on; then have the vectors made up, and search again when nothing is left to do."""
    began = time.monotonic()
    busy, peak = _searched(daemon, lambda: time.monotonic() - began > seconds or _state(daemon) == "idle")
    wait_for(lambda: _state(daemon) in ("embedding", "idle"), seconds=_HOUR)
    make_up_vectors(daemon.home)
    _settle(daemon)
    again = time.monotonic()
    calm, _ = _searched(daemon, lambda: time.monotonic() - again > seconds)
    busy_p95, calm_p95 = percentile(busy, 0.95), percentile(calm, 0.95)
    return {
        "hybrid search while indexing at full speed, p95, ms": round(busy_p95, 1),
        "the same with nothing to index, p95, ms": round(calm_p95, 1),
        "the first divided by the second (at most 3)": round(busy_p95 / calm_p95, 2),
        "memory while indexing at full speed, MB (at most 600)": round(peak / 1e6),
    }


def _searched(daemon: Daemon, is_over: Callable[[], bool]) -> tuple[list[float], int]:
    """Milliseconds of each of many hybrid searches, with pauses as a person makes; and the most memory meanwhile."""
    rng, taken, peak = random.Random(2), list[float](), 0
    with Searches(daemon) as searches:
        while not is_over() or not taken:
            taken.append(searches.milliseconds(" ".join(rng.sample(WORDS, 3)), "hybrid"))
            peak = max(peak, daemon.resident_bytes())
            time.sleep(_BETWEEN_SEARCHES)
    return taken, peak


def _start(daemon: Daemon, extent: Extent) -> dict[str, object]:
    daemon.client.ask(SEARCH, SearchAsk(query="heron weir", mode="lexical"))
    ready = time.monotonic() - daemon.started
    daemon.client.ask(SEARCH, SearchAsk(query="heron weir"))
    with_model = time.monotonic() - daemon.started
    wait_for(lambda: _state(daemon) == "idle", seconds=_HOUR, every=0.02)
    reconciled = time.monotonic() - daemon.started
    return {
        f"start on {extent.notes:,} notes, nothing changed: first search answered after, s (at most 1.5)": round(
            ready, 2
        ),
        "the same: by meaning too, the model loaded": round(with_model, 2),
        "the same: compared with the disk after, s (at most 10)": round(reconciled, 2),
    }


def _edits(daemon: Daemon, vault: Path) -> dict[str, object]:
    words = [_edit(daemon, vault, number, "lexical") for number in range(_EDITS)]
    meaning = [_edit(daemon, vault, _EDITS + number, "semantic") for number in range(_EDITS)]
    return {
        "edit to found by keyword, ms (at most 1000)": _spread(words),
        "edit to found by meaning, ms (at most 2000)": _spread(meaning),
    }


def _rename(daemon: Daemon, vault: Path, extent: Extent) -> dict[str, object]:
    embedded = _embedded(daemon)
    (vault / "moved").rename(vault / "elsewhere")
    renamed = wait_for(lambda: _is_renamed(daemon), seconds=_HOUR)
    _settle(daemon)
    return {
        f"folder of {extent.moved:,} notes renamed: all under its new name after, s (at most 10)": round(renamed, 2),
        "the same: passages embedded (0)": _embedded(daemon) - embedded,
    }


def _idle(daemon: Daemon, extent: Extent) -> dict[str, object]:
    before = daemon.cpu_seconds()
    time.sleep(extent.idle_seconds)
    used = daemon.cpu_seconds() - before
    return {
        f"idle for {extent.idle_seconds:g} s: percent of one core (at most 0.2)": round(
            100 * used / extent.idle_seconds, 2
        ),
        "the same: memory at its end, MB (at most 120)": round(daemon.resident_bytes() / 1e6),
    }


def _state(daemon: Daemon) -> str:
    return daemon.client.ask(STATUS).profiles[0].state


def _settle(daemon: Daemon) -> None:
    """Wait until nothing is left to read and to embed."""
    wait_for(lambda: _state(daemon) == "idle" and not daemon.client.ask(STATUS).pending_embeddings, seconds=_HOUR)


def _embedded(daemon: Daemon) -> int:
    return daemon.client.ask(STATUS).profiles[0].progress.embedded


def _edit(daemon: Daemon, vault: Path, number: int, mode: Mode) -> float:
    """Seconds from the save of a note until a search in this mode finds it."""
    path = f"kept/edited/edit {number}.md"
    text = f"The zephyr number {number * 7919 + 100_003} crossed the estuary at dawn."
    (vault / path).parent.mkdir(exist_ok=True)
    (vault / path).write_text(f"# Zephyr {number}\n\n{text}\n", encoding="utf-8")
    ask = SearchAsk(query=text, mode=mode, limit=50)
    return wait_for(_finds(daemon, ask, path), seconds=_HOUR, every=0.01)


def _finds(daemon: Daemon, ask: SearchAsk, path: str) -> Callable[[], bool]:
    return lambda: any(hit.path == path for hit in daemon.client.ask(SEARCH, ask).results)


def _is_renamed(daemon: Daemon) -> bool:
    def count(folder: str) -> int:
        return len(daemon.client.ask(SEARCH, SearchAsk(query=f"path:{folder}", limit=1)).results)

    return count("elsewhere") == 1 and count("moved") == 0


def _spread(seconds: list[float]) -> str:
    return f"p50 {1000 * percentile(seconds, 0.5):.0f}, worst {1000 * max(seconds):.0f}"


def main() -> None:
    """Measure and print."""
    usual = Extent()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=usual.notes)
    parser.add_argument("--search-seconds", type=float, default=usual.search_seconds)
    parser.add_argument("--idle-seconds", type=float, default=usual.idle_seconds)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scrubjay-daily-") as folder:
        extent = Extent(asked.notes, asked.search_seconds, asked.idle_seconds)
        print_figures("daily use", daily_figures(Path(folder), extent))


if __name__ == "__main__":
    main()
