"""Preparing notes with a limit: what one note costs can't hold up the others."""

import contextlib
import logging
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import IO, cast

import psutil

from daemon.indexing.prepare import PrepareContext, Skipped, prepare_many
from daemon.indexing.prepare_worker import read_frame, write_frame
from daemon.vault.read import RawNote
from profiles.rows import NoteBundle

PREPARE_ARGUMENT = "--prepare-worker"  # a frozen build's entry point runs daemon.indexing.prepare_worker.main() on this
TOO_SLOW = "too-slow"

# A note or two, as edits bring them. Every regex of ours over notes is linear, by test, and the other steps read a note
# a few times, so this much is over before a process would have started: 0.25 s for the worst text that was found.
_SMALL_CHARACTERS = 10_000
_CHARACTERS_A_SECOND = 100_000  # far slower than any machine is; the limit of a batch grows by this
_POLL_SECONDS = 0.5
_WALL_FACTOR = 10  # a machine with other things to do may take so much longer
_IDLE_SECONDS = 120.0  # from one edit to the next: starting it takes a third of a second
_START_SECONDS = 60.0

_log = logging.getLogger(__name__)


class WatchedPreparer:
    """Prepares little text right here, if that is sure to be quick, and all other in a process of its own.

    A note that takes that process longer than `note_seconds` of processor time, or kills it, is skipped as `too-slow`;
    the others of its batch are prepared all the same. The process goes when it has had nothing to do for two minutes.
    """

    def __init__(self, note_seconds: Callable[[], float]) -> None:
        self._note_seconds = note_seconds
        self._lock = threading.Lock()  # held while the process works, and while it is put away
        self._child: _Child | None = None
        self._timer: threading.Timer | None = None

    def prepare(self, raws: Sequence[RawNote], context: PrepareContext) -> list[NoteBundle | Skipped]:
        """One result for each note, in their order; see `prepare_many`. Thread-safe, one batch at a time."""
        if _is_quick(raws, context):
            return prepare_many(raws, context)
        with self._lock:
            try:
                together = self._together(raws, context) if len(raws) > 1 else None
                return together or [self._alone(raw, context) for raw in raws]
            finally:
                self._put_away_later()

    def close(self) -> None:
        """End the process, if there is one."""
        with self._lock:
            if self._timer:
                self._timer.cancel()
            self._end()

    def _together(self, raws: Sequence[RawNote], context: PrepareContext) -> list[NoteBundle | Skipped] | None:
        """All in one go; None where they take too long together, or the process died over them."""
        seconds = self._note_seconds()
        if len(raws) > 1:
            seconds += sum(len(raw.text) for raw in raws) / _CHARACTERS_A_SECOND
        if self._child is not None and self._child.fingerprint != context.fingerprint:
            self._end()
        if self._child is None:
            self._child = _Child(context)
        found = self._child.ask(raws, seconds)
        if found is None:
            self._end()
        return found

    def _alone(self, raw: RawNote, context: PrepareContext) -> NoteBundle | Skipped:
        found = self._together((raw,), context)
        if found is not None:
            return found[0]
        _log.warning("a note took too long and is left out")
        reason = f"Taking this note apart took longer than {self._note_seconds():g} s; simplify it or split it."
        return Skipped(raw.vault, raw.path, TOO_SLOW, reason)

    def _put_away_later(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = threading.Timer(_IDLE_SECONDS, self.close)
        self._timer.daemon = True
        self._timer.start()

    def _end(self) -> None:
        child, self._child = self._child, None
        if child:
            child.close()


class _Child:
    """One run of the process. Ask it one thing at a time."""

    def __init__(self, context: PrepareContext) -> None:
        """Start it and wait until it can work. Raises OSError if it can't be started."""
        self.fingerprint = context.fingerprint
        self._process = subprocess.Popen(
            _command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a traceback could quote a note
            env=os.environ | {"TOKENIZERS_PARALLELISM": "false"},
            creationflags=subprocess.CREATE_NO_WINDOW if sys.platform == "win32" else 0,
        )
        self._watched = psutil.Process(self._process.pid)
        self._requests = cast(IO[bytes], self._process.stdin)
        self._replies: queue.SimpleQueue[list[NoteBundle | Skipped] | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="preparing", daemon=True).start()
        with contextlib.suppress(OSError, queue.Empty):  # what it is asked next is then not answered
            # The rules without what they have compiled, which no other process could use.
            write_frame(self._requests, replace(context, rules=replace(context.rules)))
            self._replies.get(timeout=_START_SECONDS)

    def ask(self, raws: Sequence[RawNote], seconds: float) -> list[NoteBundle | Skipped] | None:
        """The prepared notes; None when it used more than so much processor time, or has died."""
        before, began = self._used(), time.monotonic()
        try:
            write_frame(self._requests, (seconds, list(raws)))
        except OSError:
            return None
        while self._used() - before < seconds and time.monotonic() - began < _WALL_FACTOR * seconds:
            with contextlib.suppress(queue.Empty):
                return self._replies.get(timeout=_POLL_SECONDS)
        return None

    def close(self) -> None:
        """End it at once: it has nothing to lose."""
        self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._requests.close()

    def _used(self) -> float:
        try:
            times = self._watched.cpu_times()
        except psutil.Error:
            return 0.0
        return times.user + times.system

    def _read(self) -> None:
        replies = cast(IO[bytes], self._process.stdout)
        with replies, contextlib.suppress(Exception):  # cut short: as good as dead
            while (found := read_frame(replies)) is not None:
                self._replies.put(found)
        self._replies.put(None)


def _is_quick(raws: Sequence[RawNote], context: PrepareContext) -> bool:
    """Whether they can't take long: short texts, and no regex that a user wrote."""
    ours = not context.rules.own and not context.rules.allow
    return ours and sum(len(raw.text) for raw in raws) <= _SMALL_CHARACTERS


def _command() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, PREPARE_ARGUMENT]
    return [sys.executable, "-P", "-m", "daemon.indexing.prepare_worker"]
