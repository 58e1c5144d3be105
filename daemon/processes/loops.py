"""A background thread that outlives its failures; what `status` says until it goes well again."""

import logging
import threading
from collections.abc import Callable

_LONGEST_PAUSE_SECONDS = 60.0
_log = logging.getLogger(__name__)


def pause_after(failures: int) -> float:
    """Seconds until what has failed so many times in a row is tried again: from one to a minute."""
    return min(_LONGEST_PAUSE_SECONDS, 2.0 ** (failures - 1))


class Conditions:
    """What goes wrong in the background now: one sentence for the user about each part. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sentences: dict[str, str] = {}

    def put(self, part: str, sentence: str) -> None:
        """Something is wrong with a part, until it is cleared; replaces what was said of the part before."""
        with self._lock:
            self._sentences[part] = sentence

    def clear(self, part: str) -> None:
        """All is well with a part."""
        if part in self._sentences:  # the common case takes no lock
            with self._lock:
                self._sentences.pop(part, None)

    def sentences(self) -> tuple[str, ...]:
        """About everything that is wrong now."""
        with self._lock:
            return tuple(self._sentences.values())

    def failed(self, part: str, error: Exception) -> None:
        """An unforeseen exception: log its type, never its message, which may hold note text."""
        self.failed_by(part, type(error).__name__)

    def failed_by(self, part: str, error: str) -> None:
        """As `failed`, of an exception in another process. error: the name of its type."""
        _log.error("a background part failed and is tried again", extra={"code": part, "error": error})
        self.put(part, f"{part} failed ({error}) and is tried again; see the log.")


class Loop:
    """A thread that calls `step` until it is stopped, whatever `step` raises.

    part: what the loop does, as the beginning of a sentence for the user ("Watching folders"). After an exception
    `conditions` says so until a step has ended well, or `well` was called; the pause before the next step grows from a
    second to a minute. A step waits by itself for what it is to do; what is only to be done now and then is a `Job`.
    prepare: called once, in the thread, before all steps; must not raise.
    """

    def __init__(
        self,
        name: str,
        part: str,
        step: Callable[[], None],
        conditions: Conditions,
        *,
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        self.stopping = threading.Event()
        self._part = part
        self._step = step
        self._conditions = conditions
        self._prepare = prepare
        self._failures = 0  # since it last went well
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self, seconds: float | None = None) -> None:
        """End after the current step; returns when it has ended, or after so many seconds. May be called twice."""
        self.stopping.set()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def well(self) -> None:
        """Say that all is well, within a step that takes long."""
        self._failures = 0
        self._conditions.clear(self._part)

    def _run(self) -> None:
        self._prepare()
        while not self.stopping.wait(pause_after(self._failures) if self._failures else 0.0):
            try:
                self._step()
            except Exception as error:  # noqa: BLE001  (the last resort: no loop may end while the daemon runs)
                self._failures += 1
                self._conditions.failed(self._part, error)
            else:
                self.well()
        self._conditions.clear(self._part)
