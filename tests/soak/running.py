"""A soak: a daemon that is used, watched, and killed now and then."""

import contextlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import psutil

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.errors import NotRunning
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.transport import ApiError
from tests.helpers.installation import Installation, wait_until_indexed
from tests.soak.comparing import differences
from tests.soak.gardener import Gardener

_SETTLED_SECONDS = 20.0  # after a start, before memory is looked at
_TOLD_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a soak went."""

    changes: int
    searches: int
    kills: int
    differences: list[str]  # of the index at the end from a full rescan's
    problems: str  # what `scrubjay check` said, empty when nothing is wrong
    early_bytes: float  # resident memory of daemon and model, median of the first third of the samples
    late_bytes: float  # and of the last third


def soak(
    folder: Path, *, notes: int, seconds: float, kill_every: float, seed: int, tell: Callable[[str], None]
) -> Outcome:
    """Use a daemon for so long, then compare. Raises AssertionError where it does not start or does not settle.

    tell: is given a line every minute, with the memory since the last one.
    """
    installation = Installation(folder)
    installation.vault.mkdir(parents=True)
    gardener, rng = Gardener(installation.vault, seed), random.Random(seed)
    gardener.plant(notes)
    installation.create_profile()
    changes = searches = kills = seen = 0
    memory: list[int] = []
    told = time.monotonic()
    end = told + seconds
    while time.monotonic() < end:
        process = installation.start()
        started, dies = time.monotonic(), time.monotonic() + kill_every * rng.uniform(0.5, 1.5)
        with ScrubjayClient.discover(installation.home) as client:
            while time.monotonic() < min(end, dies):
                for _ in range(rng.randint(1, 20)):
                    gardener.change()
                    changes += 1
                with contextlib.suppress(ApiError, NotRunning):
                    client.ask(SEARCH, SearchAsk(query=gardener.query()))
                    searches += 1
                if time.monotonic() - started > _SETTLED_SECONDS:
                    memory.append(_resident(process.pid))
                if time.monotonic() > told + _TOLD_SECONDS:
                    tell(f"{changes:,} changes, {kills} kills; memory since the last line: {_megabytes(memory[seen:])}")
                    told, seen = time.monotonic(), len(memory)
                time.sleep(rng.uniform(0.0, 0.5))
        process.kill()
        process.communicate()
        kills += 1
    with installation.daemon() as client:
        wait_until_indexed(client, seconds=1_800)
    problems = installation.run("check", check=False)
    third = max(1, len(memory) // 3)
    return Outcome(
        changes=changes,
        searches=searches,
        kills=kills,
        differences=differences(installation.home, folder / "fresh"),
        problems=problems.stdout if problems.returncode else "",
        early_bytes=median(memory[:third]) if memory else 0.0,
        late_bytes=median(memory[-third:]) if memory else 0.0,
    )


def _megabytes(samples: list[int]) -> str:
    return f"{median(samples) / 1e6:.0f} MB (at most {max(samples) / 1e6:.0f} MB)" if samples else "nothing sampled"


def _resident(pid: int) -> int:
    daemon = psutil.Process(pid)
    total = 0
    for each in (daemon, *daemon.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            total += each.memory_info().rss
    return total
