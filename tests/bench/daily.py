"""The daemon that one forgets about: starting with nothing changed, edits, a renamed folder; on generated notes."""

import random
import time
from collections.abc import Callable
from pathlib import Path

from daemon.api.schemas import SearchAsk
from daemon.search.types import Mode
from tests.bench.indexing import make_up_vectors
from tests.bench.running import Daemon, percentile, running_daemon, wait_for
from tests.soak.gardener import WORDS

NOTES = 15_000
MOVED = 5_000
_EDITS = 20
_HOUR = 3_600


def write_vault(vault: Path, notes: int = NOTES) -> None:
    """Notes of some 100 words in folders of 100, a third of them below `moved/`."""
    rng = random.Random(1)
    for number in range(notes):
        top = "moved" if number < notes * MOVED // NOTES else "kept"
        path = vault / top / f"{number // 100}" / f"note {number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        body = " ".join(f"{word} {rng.randrange(10_000)}" for word in rng.choices(WORDS, k=60))
        path.write_text(
            f"# {rng.choice(WORDS)} {number}\n\n{body}\n\n[[note {rng.randrange(notes)}]]\n", encoding="utf-8"
        )


def daily_figures(folder: Path) -> dict[str, object]:
    """Index a generated vault in `folder`, start again, change it, and say how long each took."""
    vault, home = folder / "vault", folder / "home"
    write_vault(vault)
    with running_daemon(vault, home) as daemon:
        wait_for(lambda: _state(daemon) in ("embedding", "idle"), seconds=_HOUR)
        make_up_vectors(daemon)
        wait_for(lambda: _state(daemon) == "idle" and not _pending(daemon), seconds=_HOUR)
    with running_daemon(vault, home) as daemon:
        daemon.client.search(SearchAsk(query="heron weir"))
        ready = time.monotonic() - daemon.started
        wait_for(lambda: _state(daemon) == "idle", seconds=_HOUR, every=0.02)
        reconciled = time.monotonic() - daemon.started
        words = [_edit(daemon, vault, number, "lexical") for number in range(_EDITS)]
        meaning = [_edit(daemon, vault, _EDITS + number, "semantic") for number in range(_EDITS)]
        embedded = _embedded(daemon)
        (vault / "moved").rename(vault / "elsewhere")
        renamed = wait_for(lambda: _is_renamed(daemon), seconds=_HOUR)
        wait_for(lambda: _state(daemon) == "idle" and not _pending(daemon), seconds=_HOUR)
        return {
            f"start on {NOTES:,} notes, nothing changed: first search answered after, s": round(ready, 2),
            "the same: compared with the disk after, s": round(reconciled, 2),
            "edit to found by keyword, ms": _spread(words),
            "edit to found by meaning, ms": _spread(meaning),
            f"folder of {MOVED:,} notes renamed: found under its new name after, s": round(renamed, 2),
            "the same: passages embedded": _embedded(daemon) - embedded,
        }


def _state(daemon: Daemon) -> str:
    return daemon.client.status().profiles[0].state


def _pending(daemon: Daemon) -> int:
    return daemon.client.status().pending_embeddings


def _embedded(daemon: Daemon) -> int:
    return daemon.client.status().profiles[0].progress.embedded


def _edit(daemon: Daemon, vault: Path, number: int, mode: Mode) -> float:
    """Seconds from the save of a note until a search in this mode finds it."""
    path = f"kept/edited/edit {number}.md"
    text = f"The zephyr number {number * 7919 + 100_003} crossed the estuary at dawn."
    (vault / path).parent.mkdir(exist_ok=True)
    (vault / path).write_text(f"# Zephyr {number}\n\n{text}\n", encoding="utf-8")
    ask = SearchAsk(query=text, mode=mode, limit=50)
    return wait_for(_finds(daemon, ask, path), seconds=_HOUR, every=0.01)


def _finds(daemon: Daemon, ask: SearchAsk, path: str) -> Callable[[], bool]:
    return lambda: any(hit.path == path for hit in daemon.client.search(ask).results)


def _is_renamed(daemon: Daemon) -> bool:
    def count(folder: str) -> int:
        return len(daemon.client.search(SearchAsk(query=f"path:{folder}", limit=1)).results)

    return count("elsewhere") == 1 and count("moved") == 0


def _spread(seconds: list[float]) -> str:
    return f"p50 {1000 * percentile(seconds, 0.5):.0f}, worst {1000 * max(seconds):.0f}"
