"""Watching allowed folders: file system events, gathered into small batches of paths."""

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from watchfiles import watch

_SETTLE_MS = 150  # quiet time after which a batch is handed on; editors save in bursts of a few events
_LONGEST_MS = 1000  # a batch is handed on after this even if events keep coming
_RETRY_SECONDS = 5.0

_log = logging.getLogger(__name__)


class Watcher:
    """Calls `on_changes` with the absolute paths that changed below `folders`, from a thread of its own.

    Folders that don't exist are left out. Where the system refuses to watch (too many folders, a network drive), it
    says so once and tries again; a periodic reconcile finds meanwhile what events would have told.
    """

    def __init__(self, folders: Sequence[Path], on_changes: Callable[[frozenset[Path]], None]) -> None:
        self._folders = tuple(folder for folder in folders if folder.exists())
        self._on_changes = on_changes
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Begin to watch; returns at once."""
        if self._folders:
            self._thread.start()

    def stop(self) -> None:
        """Stop, and wait until the thread has ended."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        said = False
        while not self._stop.is_set():
            try:
                self._watch()
            except (OSError, RuntimeError):
                if not said:
                    _log.warning("can't watch for changes; they are found at the next reconcile")
                    said = True
                self._stop.wait(_RETRY_SECONDS)

    def _watch(self) -> None:
        for changes in watch(
            *self._folders,
            watch_filter=None,
            debounce=_LONGEST_MS,
            step=_SETTLE_MS,
            stop_event=self._stop,
            raise_interrupt=False,
            ignore_permission_denied=True,
        ):
            self._on_changes(frozenset(Path(path) for _, path in changes))
