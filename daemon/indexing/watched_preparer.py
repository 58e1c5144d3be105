"""Preparing notes with a limit on what one may cost: a slow note can't block the others."""

import contextlib
import logging
import pickle
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from scrubjay.daemon.failures import FailureReason
from scrubjay.daemon.indexing.prepare import PrepareContext, Prepared, Skipped, prepare_many
from scrubjay.daemon.processes.scheduler import Scheduler
from scrubjay.daemon.processes.worker_process import (
    OnDemandProcess,
    TookTooLong,
    WorkerDied,
    WorkerProcess,
    worker_command,
)
from scrubjay.daemon.vault.read import RawNote
from scrubjay.profiles.errors import Unavailable
from scrubjay.profiles.store.rows import NoteBundle

PREPARE_ARGUMENT = "--prepare-worker"  # a frozen build's entry point runs daemon.indexing.prepare_worker.main() on this

# A note or two, as edits bring them. Every regex of ours over notes is linear, by test, and the other steps read a note
# a few times, so this much is over before a process would have started: 0.25 s for the worst text that was found.
_SMALL_CHARACTERS = 10_000
_CHARACTERS_A_SECOND = 100_000  # far slower than any machine is; the limit of a batch grows by this
_IDLE_SECONDS = 120.0  # from one edit to the next: starting it takes a third of a second
_START_SECONDS = 60.0
_ENDED = "Ended over notes"  # a part, for Conditions
_TRIES = 3  # with one note, where the process ends over it: what ended it may have meant another one; and to start it


class Preparable(Protocol):
    """A note, or a file of another kind, as it was read; picklable."""

    @property
    def vault(self) -> str:
        """The vault's id."""
        ...

    @property
    def path(self) -> str:
        """Vault-relative."""
        ...

    @property
    def text(self) -> str:
        """All of its text, which has NOT been through the credential filter."""
        ...


_P = TypeVar("_P", bound=Preparable)

_log = logging.getLogger(__name__)


class PreparingEnded(Unavailable):
    """The preparer was closed while it worked."""

    code = "preparing-ended"


class CannotPrepare(Unavailable):
    """The process that prepares can't be started, or ends before it can do anything: no note is at fault."""

    code = "preparing-impossible"

    def __init__(self, how: str) -> None:
        """how: what is wrong with the process, as the end of a sentence."""
        super().__init__(
            f"Notes can't be read: the process that takes them apart {how}, at each start. It is tried again and again."
            " `scrubjay restart` may help; if it does not, install Scrubjay anew."
        )


class WatchedPreparer:
    """Prepares little text right here, if that is sure to be quick, and all other in a process of its own.

    A note that takes that process longer than `note_seconds` of processor time is skipped as `too-slow`, and one over
    which it ends again and again as `process-ended`; the others of its batch are prepared all the same. For as long as
    nothing but that happens, `conditions` says so. The process goes after `idle_seconds` with nothing to do.
    """

    def __init__(
        self,
        note_seconds: Callable[[], float],
        scheduler: Scheduler | None = None,
        *,
        idle_seconds: float = _IDLE_SECONDS,
    ) -> None:
        self._note_seconds = note_seconds
        self._scheduler = scheduler or Scheduler()
        self._lock = threading.Lock()  # one batch at a time; guards what is known of the process
        self._known: tuple[str, bytes] | None = None  # fingerprint and key of what the process was started with
        self._worker = OnDemandProcess[Prepared](idle_seconds, self._scheduler)

    def prepare(self, raws: Sequence[RawNote], context: PrepareContext) -> Prepared:
        """One result for each note, in their order; see `prepare_many`. Raises as `prepare_by`."""
        return self.prepare_by(prepare_many, raws, context)

    def prepare_by(
        self, how: Callable[[Sequence[_P], PrepareContext], Prepared], raws: Sequence[_P], context: PrepareContext
    ) -> Prepared:
        """What `how`, a function of a module, makes of `raws`. Thread-safe, one batch at a time.

        Raises PreparingEnded, CannotPrepare.
        """
        if _is_quick(raws, context):
            return how(raws, context)
        with self._lock:
            if self._known != (needed := (context.fingerprint, context.key)):
                self._worker.end()
                self._known = needed
            if len(raws) > 1:
                with contextlib.suppress(WorkerDied, TookTooLong):
                    return self._in_process(how, raws, context)
            return [self._alone(how, raw, context) for raw in raws]

    def forget_texts(self) -> None:
        """End the process, which has the last notes in memory; a batch that it has in hand is sent to another."""
        self._worker.end()

    def close(self) -> None:
        """End the process, if there is one, whatever it does."""
        self._worker.close()

    def _in_process(
        self, how: Callable[[Sequence[_P], PrepareContext], Prepared], raws: Sequence[_P], context: PrepareContext
    ) -> Prepared:
        """Prepared by the process, which is ended where it takes too long. Raises WorkerDied, TookTooLong."""
        seconds = self._note_seconds()
        if len(raws) > 1:
            seconds += sum(len(raw.text) for raw in raws) / _CHARACTERS_A_SECOND
        try:
            process = self._worker.running(lambda: self._started(context))
            batch = pickle.dumps((seconds, how, list(raws)), pickle.HIGHEST_PROTOCOL)
            prepared = process.ask_within(batch, seconds)
        except (WorkerDied, TookTooLong):
            if self._worker.closed:
                raise PreparingEnded("Notes are not prepared any more.") from None
            self._worker.end()
            raise
        self._scheduler.conditions.clear(_ENDED)
        return prepared

    def _alone(
        self, how: Callable[[Sequence[_P], PrepareContext], Prepared], raw: _P, context: PrepareContext
    ) -> NoteBundle | Skipped:
        for _ in range(_TRIES):
            try:
                return self._in_process(how, (raw,), context)[0]
            except TookTooLong:
                _log.warning("a note took too long and is left out")
                reason = f"Taking this note apart took longer than {self._note_seconds():g} s; simplify it or split it."
                return Skipped(raw.vault, raw.path, FailureReason.TOO_SLOW, reason)
            except WorkerDied:
                _log.warning("the process that prepares notes was ended")
        self._scheduler.conditions.put(
            _ENDED,
            "The process that takes notes apart is ended again and again, perhaps for want of memory or by a virus"
            " scanner: notes are left as they were indexed before, if at all, each is named, and tried again later.",
        )
        reason = (
            f"The process that takes notes apart was ended {_TRIES} times over this note, perhaps for want of memory. "
            "It is tried again later."
        )
        return Skipped(raw.vault, raw.path, FailureReason.PROCESS_ENDED, reason)

    def _started(self, context: PrepareContext) -> WorkerProcess[Prepared]:
        """A process that can work. Raises CannotPrepare where there is none to be had."""
        command = worker_command("scrubjay.daemon.indexing.prepare_worker", PREPARE_ARGUMENT)
        # The rules without what they have compiled, which no other process could use.
        greeting = pickle.dumps(replace(context, rules=replace(context.rules)))
        how = ""
        for _ in range(_TRIES):
            try:
                process = WorkerProcess("Preparing notes", command, _prepared, self._scheduler)
            except OSError as error:
                raise CannotPrepare(f"can't be started ({error.strerror})") from None
            try:
                process.ask(greeting).result(_START_SECONDS)
            except WorkerDied:
                how = process.how_it_ended()
                process.close()
            except TimeoutError:
                process.close()
                raise CannotPrepare(f"does not answer within {_START_SECONDS:g} s") from None
            else:
                return process
        _log.error("the process that prepares notes can't work")
        raise CannotPrepare(how)


def _prepared(body: bytes) -> Prepared:
    return pickle.loads(body)  # noqa: S301 - the other end is this very program


def _is_quick(raws: Sequence[Preparable], context: PrepareContext) -> bool:
    """Whether they can't take long: short texts, and no regex that a user wrote."""
    ours = not context.rules.own and not context.rules.allow
    return ours and sum(len(raw.text) for raw in raws) <= _SMALL_CHARACTERS
