"""`python -m tests.bench.hops`: how many files of ours a note passes on its way to the store, and a query to its reply.

A real daemon is traced from inside (`sys.setprofile` in every thread) while a note is written, and while a query is
answered. Each is repeated, and what every repetition called counts; so first uses, which fill caches, do not, nor does
what the background happened to do meanwhile. Nothing but the command line and the HTTP API is relied upon.
"""

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import TypeAlias

from scrubjay.daemon.cli import main as scrubjay
from tests.bench.queries import Searches
from tests.bench.running import print_figures, running_daemon

ROOT = Path(__file__).parents[2]
FOLDERS = ("daemon", "profiles", "credential_filter")
_REPEATS = 4
_QUERIES = ("heron at the weir", "a map of the hide", "when does it open", "waited for kites")
_QUIET_SECONDS = 2.0  # after which what was begun counts as done; the daemon waits nowhere that long on a note's way
_IDLE_SECONDS = 12.0
_SHOWING = "profiles/search/results/presenter.py"  # where ranked results become a reply
_LONGEST_SECONDS = 60.0


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """A function of ours that was called, and the thread that called it."""

    thread: str
    file: str  # from the folder of ours on: daemon/vault/watcher.py
    function: str


Steps: TypeAlias = frozenset[Step]


@dataclass(frozen=True, slots=True)
class Recording:
    """What was called. frames: of ours above a statement of SQL, in its thread, where they are most."""

    steps: Steps
    frames: int


@dataclass(frozen=True, slots=True)
class Passed:
    """What a note passes from the disk to the store, and a query to its ranked results and to its reply."""

    note: Steps
    ranked: Steps
    replied: Steps
    frames: int  # of a query, as in Recording


def file_of_ours(file: str, root: Path = ROOT) -> str | None:
    """The path from one of our folders on, whether that lies in the repository or is reached through a link below it.

    None for what is not ours, installed packages in the repository's own environment included.
    """
    path = Path(file)
    if not path.is_relative_to(root):
        return None
    parts = path.relative_to(root).parts
    if "site-packages" in parts:
        return None
    start = next((place for place, part in enumerate(parts[:-1]) if part in FOLDERS), None)
    return None if start is None else "/".join(parts[start:])


class Recorder:
    """Notes each function of ours that is called, while it is on."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, CodeType]] = set()
        self._frames = 0
        self._newest = 0.0
        self._is_on = False
        self._last_file = ""

    def install(self) -> None:
        """In this thread, and in all that start from now on."""
        threading.setprofile(self._called)
        sys.setprofile(self._called)

    def start(self, last_file: str) -> None:
        """Forget what was noted, and begin. last_file: nothing counts from the first call of this file on, if any."""
        self._seen = set()
        self._frames = 0
        self._last_file = last_file
        self._newest = time.monotonic()
        self._is_on = True

    def stop(self, quiet_seconds: float) -> Recording:
        """End as soon as nothing new was called for so long."""
        end = time.monotonic() + _LONGEST_SECONDS
        while time.monotonic() < min(end, self._newest + quiet_seconds):
            time.sleep(0.01)
        self._is_on = False
        ours = ((thread, file_of_ours(code.co_filename), code) for thread, code in self._seen)
        steps = frozenset(Step(thread, file, code.co_qualname) for thread, file, code in ours if file)
        return Recording(steps, self._frames)

    def _called(self, frame: FrameType, event: str, called: object) -> None:
        if not self._is_on:
            return
        if event == "c_call" and getattr(called, "__name__", "") == "execute":
            self._frames = max(self._frames, _frames_of_ours(frame))
        if event != "call":
            return
        if self._last_file and frame.f_code.co_filename.endswith(self._last_file):
            self._is_on = False
            return
        key = (threading.current_thread().name, frame.f_code)
        if key not in self._seen:
            self._seen.add(key)
            self._newest = time.monotonic()


def _frames_of_ours(frame: FrameType | None) -> int:
    count = 0
    while frame is not None:
        count += file_of_ours(frame.f_code.co_filename) is not None
        frame = frame.f_back
    return count


def traced_daemon(address: str, arguments: list[str]) -> None:
    """Be the daemon, and do as the other end of the connection says."""
    recorder = Recorder()
    obedient = threading.Thread(target=_obey, args=(recorder, address), daemon=True)
    obedient.start()
    recorder.install()
    sys.argv = ["scrubjay", *arguments]
    scrubjay()


def _obey(recorder: Recorder, address: str) -> None:
    host, port = address.split(":")
    with Client((host, int(port))) as connection:
        while True:
            try:
                said: float | str = connection.recv()
            except EOFError:
                return
            if isinstance(said, str):
                recorder.start(said)
                connection.send(None)
            else:
                connection.send(recorder.stop(said))


def record(
    connection: Connection, action: Callable[[], object], quiet_seconds: float, last_file: str = ""
) -> Recording:
    """What the daemon calls from the beginning of `action` until nothing new follows for so long, or to `last_file`."""
    connection.send(last_file)
    connection.recv()
    action()
    connection.send(quiet_seconds)
    return connection.recv()


def recordings(
    connection: Connection, actions: Iterable[Callable[[], object]], quiet_seconds: float, last_file: str = ""
) -> list[Recording]:
    """What each of the actions makes the daemon call."""
    return [record(connection, action, quiet_seconds, last_file) for action in actions]


def common(recorded: Sequence[Recording]) -> Steps:
    """What every repetition called."""
    first, *others = (each.steps for each in recorded)
    return first.intersection(*others)


def embedding_threads(recorded: Sequence[Recording]) -> frozenset[str]:
    """The threads that embed, and filter nothing: a note is stored, and found by its words, before they begin.

    One that does nothing but read what a worker process says is among them: vectors are all that it brings.
    """
    by_thread: dict[str, set[str]] = {}
    for recording in recorded:
        for step in recording.steps:
            by_thread.setdefault(step.thread, set()).add(step.file.rpartition("/")[0])
    return frozenset(
        thread
        for thread, folders in by_thread.items()
        if folders == {"daemon/processes"} or ("daemon/models" in folders and "credential_filter" not in folders)
    )


def figures(steps: Steps) -> dict[str, object]:
    """How many files and functions, and the files by folder."""
    files = {step.file for step in steps}
    folders = Counter(file.rpartition("/")[0] for file in files)
    found: dict[str, object] = {"files": len(files), "functions": len({(s.file, s.function) for s in steps})}
    for folder, count in sorted(folders.items()):
        names = sorted(Path(file).stem for file in files if file.rpartition("/")[0] == folder)
        found[f"{folder}/ ({count})"] = " ".join(names)
    return found


def note(number: int) -> str:
    """A note as people write them, with a fake credential that is put together here."""
    password = "-".join(("Heron", "kite", "weir", str(7391 + number)))
    return (
        f"---\ntags: [river, birds]\ncreated: 2026-03-0{number % 9 + 1}\n---\n# Herons, part {number}\n\n"
        f"A heron stood at the weir and waited. See [[Kites {number}]] and [the map](https://example.org/{number}).\n\n"
        f"## The hide\n\n- It is open from eight.\n- The password is `{password}`.\n"
    )


def passed() -> Passed:
    """Trace a daemon over a few notes."""
    with TemporaryDirectory() as folder, Listener(("127.0.0.1", 0)) as listener:
        vault = Path(folder) / "vault"
        vault.mkdir()
        for number in range(20):
            (vault / f"{number}.md").write_text(note(number), encoding="utf-8")
        host, port = listener.address
        command = (sys.executable, "-m", "tests.bench.hops", f"{host}:{port}")
        with (
            running_daemon(vault, command=command) as daemon,
            listener.accept() as connection,
            Searches(daemon) as asks,
        ):
            record(connection, lambda: None, _QUIET_SECONDS)  # until all is indexed
            idle = record(connection, partial(time.sleep, _IDLE_SECONDS), 0).steps
            new = [vault / f"new {number}.md" for number in range(_REPEATS)]
            writes = [partial(path.write_text, note(30 + each)) for each, path in enumerate(new)]
            stored = recordings(connection, writes, _QUIET_SECONDS)
            embedding = embedding_threads(stored)
            queries = [partial(asks.milliseconds, words, "hybrid") for words in _QUERIES]
            ranked = recordings(connection, queries, 0, _SHOWING)
            return Passed(
                frozenset(step for step in common(stored) - idle if step.thread not in embedding),
                common(ranked) - idle,
                common(recordings(connection, queries, 0)) - idle,
                max(each.frames for each in ranked),
            )


def main() -> None:
    """Trace and print."""
    found = passed()
    print_figures("one note, disk to store", figures(found.note))
    print_figures("one query, request to ranked results", figures(found.ranked))
    print_figures("one query, request to reply", figures(found.replied))


if __name__ == "__main__":
    from tests.bench import hops  # by the name that both ends know what is sent by

    if len(sys.argv) > 1:
        hops.traced_daemon(sys.argv[1], sys.argv[2:])
    else:
        hops.main()
