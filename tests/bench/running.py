"""A real daemon in a process of its own, on a home of its own, for the benches to ask."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.home import Home
from scrubjay.profiles.registry.registry import Registry, vault_folder

PROFILE = "bench"


@dataclass(frozen=True, slots=True)
class Daemon:
    """A daemon under measurement."""

    process: psutil.Process
    home: Home
    client: ScrubjayClient
    started: float  # time.monotonic() at its start

    def resident_bytes(self) -> int:
        """Resident memory of the daemon and its children (the model's process)."""
        return sum(each.memory_info().rss for each in (self.process, *self.process.children(recursive=True)))

    def own_bytes(self) -> int:
        """Memory of the daemon alone; what it shares with other processes is divided among them (PSS)."""
        found = self.process.memory_full_info()
        return int(getattr(found, "pss", found.uss))

    def cpu_seconds(self) -> float:
        """Processor time of the daemon and all of its processes so far: those that have ended are counted by it."""
        ended = self.process.cpu_times()[2:4]
        return sum(ended) + sum(self.cpu_by_process().values())

    def cpu_by_process(self) -> dict[int, float]:
        """Processor time in seconds that the daemon and each of its living children have used, by process id."""
        family = (self.process, *self.process.children(recursive=True))
        return {each.pid: sum(each.cpu_times()[:2]) for each in family}


@contextmanager
def running_daemon(
    vault: Path, kept: Path | None = None, *, command: Sequence[str] = (sys.executable, "-m", "scrubjay.daemon")
) -> Generator[Daemon]:
    """Start a daemon that may read the whole of `vault`, at full speed; stop it at the end.

    Its home is deleted then, unless it is the folder `kept`, whose profile is used again if there is one.
    command: runs `scrubjay`.
    """
    with tempfile.TemporaryDirectory(prefix="scrubjay-bench-") as temporary:
        folder = str(kept or temporary)
        home = Home.below(Path(folder)).make()
        if not Registry(home.profiles).list():
            Registry(home.profiles).create(PROFILE, vaults=(vault_folder(vault, allow=(".",)),))
        home.settings.write_text("speed = 'full'\n", encoding="utf-8")
        home.discovery.unlink(missing_ok=True)
        own = {"SCRUBJAY_HOME": folder, "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
        environment = os.environ | own | {"PYTHONFAULTHANDLER": "1"}
        if hasattr(os, "sync"):
            os.sync()  # what was written before is not for the daemon's own syncs to wait for
        started = time.monotonic()
        child = subprocess.Popen([*command, "run", "--port", "0"], env=environment, stdout=subprocess.DEVNULL)
        try:
            _until_ready(child, home)
            with ScrubjayClient.discover(home) as client:
                yield Daemon(psutil.Process(child.pid), home, client, started)
        finally:
            child.terminate()
            child.wait(60)


def _until_ready(child: subprocess.Popen[bytes], home: Home) -> None:
    """Wait until it answers. If it does not, where each of its threads stands is printed, and TimeoutError raised."""
    try:
        wait_for(home.discovery.exists, seconds=60)
    except TimeoutError:
        child.send_signal(signal.SIGABRT)
        raise


def wait_for(true: Callable[[], bool], *, seconds: float, every: float = 0.05) -> float:
    """Wait until `true()`; returns the seconds it took. Raises TimeoutError."""
    start = time.monotonic()
    while not true():
        if time.monotonic() - start > seconds:
            raise TimeoutError(f"nothing after {seconds} s")
        time.sleep(every)
    return time.monotonic() - start


def percentile(values: list[float], share: float) -> float:
    """The value below which `share` of them lie (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def print_figures(title: str, figures: dict[str, object]) -> None:
    """One block of figures, as text a person reads and a line of JSON that a script reads."""
    print(f"\n{title}")
    for name, value in figures.items():
        print(f"  {name:<44} {value}")
    print(f"  json {json.dumps({title: figures})}", flush=True)
