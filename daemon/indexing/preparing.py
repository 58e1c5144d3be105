"""Preparing notes with a limit: a slow note can't block the others."""

import contextlib
import logging
import pickle
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from scrubjay.daemon.errors import Unavailable
from scrubjay.daemon.indexing.prepare import PrepareContext, Skipped, prepare_many
from scrubjay.daemon.vault.read import RawNote
from scrubjay.daemon.workers.kept import OnDemandProcess
from scrubjay.daemon.workers.loops import Conditions
from scrubjay.daemon.workers.process import WorkerDied, WorkerProcess, worker_command
from scrubjay.profiles.database.rows import NoteBundle

PREPARE_ARGUMENT = "--prepare-worker"  # a frozen build's entry point runs daemon.indexing.prepare_worker.main() on this
TOO_SLOW, PROCESS_ENDED = "too-slow", "process-ended"

# A note or two, as edits bring them. Every regex of ours over notes is linear, by test, and the other steps read a note
# a few times, so this much is over before a process would have started: 0.25 s for the worst text that was found.
_SMALL_CHARACTERS = 10_000
_CHARACTERS_A_SECOND = 100_000  # far slower than any machine is; the limit of a batch grows by this
_POLL_SECONDS = 0.5
_WALL_FACTOR = 10  # a machine with other things to do may take so much longer
_IDLE_SECONDS = 120.0  # from one edit to the next: starting it takes a third of a second
_START_SECONDS = 60.0
_TRIES = 3  # with one note, where the process ends over it: what ended it may have meant another one

Prepared: TypeAlias = list[NoteBundle | Skipped]

_log = logging.getLogger(__name__)


class PreparingEnded(Unavailable):
    """The preparer was closed while it worked."""

    code = "preparing-ended"


class _TookTooLong(Exception):
    """The process used up its time."""


class WatchedPreparer:
    """Prepares little text right here, if that is sure to be quick, and all other in a process of its own.

    A note that takes that process longer than `note_seconds` of processor time is skipped as `too-slow`, and one over
    which it ends again and again as `process-ended`; the others of its batch are prepared all the same. The process
    goes after `idle_seconds` with nothing to do.
    """

    def __init__(
        self,
        note_seconds: Callable[[], float],
        conditions: Conditions | None = None,
        *,
        idle_seconds: float = _IDLE_SECONDS,
    ) -> None:
        self._note_seconds = note_seconds
        self._conditions = conditions or Conditions()
        self._lock = threading.Lock()  # one batch at a time; guards the fingerprint
        self._fingerprint = ""  # of what the process was started with
        self._worker = OnDemandProcess[Prepared](idle_seconds, self._conditions)

    def prepare(self, raws: Sequence[RawNote], context: PrepareContext) -> Prepared:
        """One result for each note, in their order; see `prepare_many`. Thread-safe, one batch at a time.

        Raises PreparingEnded, and OSError where the process can't be started.
        """
        if _is_quick(raws, context):
            return prepare_many(raws, context)
        with self._lock:
            if self._fingerprint != context.fingerprint:
                self._worker.end()
                self._fingerprint = context.fingerprint
            if len(raws) > 1:
                with contextlib.suppress(WorkerDied, _TookTooLong):
                    return self._in_process(raws, context)
            return [self._alone(raw, context) for raw in raws]

    def close(self) -> None:
        """End the process, if there is one, whatever it does."""
        self._worker.close()

    def _in_process(self, raws: Sequence[RawNote], context: PrepareContext) -> Prepared:
        """Prepared by the process, which is ended where it takes too long. Raises WorkerDied, _TookTooLong."""
        seconds = self._note_seconds()
        if len(raws) > 1:
            seconds += sum(len(raw.text) for raw in raws) / _CHARACTERS_A_SECOND
        try:
            return _answer(self._worker.running(lambda: self._started(context)), raws, seconds)
        except (WorkerDied, _TookTooLong):
            if self._worker.closed:
                raise PreparingEnded("Notes are not prepared any more.") from None
            self._worker.end()
            raise

    def _alone(self, raw: RawNote, context: PrepareContext) -> NoteBundle | Skipped:
        for _ in range(_TRIES):
            try:
                return self._in_process((raw,), context)[0]
            except _TookTooLong:
                _log.warning("a note took too long and is left out")
                reason = f"Taking this note apart took longer than {self._note_seconds():g} s; simplify it or split it."
                return Skipped(raw.vault, raw.path, TOO_SLOW, reason)
            except WorkerDied:
                _log.warning("the process that prepares notes was ended")
        reason = (
            f"The process that takes notes apart was ended {_TRIES} times over this note, perhaps for want of memory. "
            "It is tried again later."
        )
        return Skipped(raw.vault, raw.path, PROCESS_ENDED, reason)

    def _started(self, context: PrepareContext) -> WorkerProcess[Prepared]:
        """A process that can work. Raises OSError if it can't be started, WorkerDied if it ends at once."""
        command = worker_command("scrubjay.daemon.indexing.prepare_worker", PREPARE_ARGUMENT)
        process = WorkerProcess("Preparing notes", command, _prepared, self._conditions)
        # The rules without what they have compiled, which no other process could use.
        ready = process.ask(pickle.dumps(replace(context, rules=replace(context.rules))))
        try:
            ready.result(_START_SECONDS)
        except (WorkerDied, TimeoutError):
            process.close()
            raise WorkerDied from None
        return process


def _answer(process: WorkerProcess[Prepared], raws: Sequence[RawNote], seconds: float) -> Prepared:
    """The prepared notes. Raises _TookTooLong when that used more than so much processor time, and WorkerDied."""
    before, began = process.processor_seconds(), time.monotonic()
    answer = process.ask(pickle.dumps((seconds, list(raws)), pickle.HIGHEST_PROTOCOL))
    while process.processor_seconds() - before < seconds and time.monotonic() - began < _WALL_FACTOR * seconds:
        try:
            return answer.result(_POLL_SECONDS)
        except TimeoutError:
            continue
        except WorkerDied:
            if process.ran_out_of_time():
                break
            raise
    raise _TookTooLong


def _prepared(body: bytes) -> Prepared:
    return pickle.loads(body)  # noqa: S301 - the other end is this very program


def _is_quick(raws: Sequence[RawNote], context: PrepareContext) -> bool:
    """Whether they can't take long: short texts, and no regex that a user wrote."""
    ours = not context.rules.own and not context.rules.allow
    return ours and sum(len(raw.text) for raw in raws) <= _SMALL_CHARACTERS
