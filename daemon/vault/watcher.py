"""Watching allowed folders: file system events, gathered into small batches of paths."""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from watchfiles import Change, watch

from scrubjay.daemon.processes.loops import Conditions, Loop
from scrubjay.daemon.vault.watch_method import mounts, watch_limit_is_reached, watch_method

_SETTLE_MS = 150  # quiet time after which a batch is handed on; editors save in bursts of a few events
_LONGEST_MS = 1000  # a batch is handed on after this even if events keep coming
_LOOK_SECONDS = 2.0  # between looks at whether the folders are still the ones that are watched
_POLL_SECONDS = 30.0  # between looks at folders whose changes come without events
_BURST = 1000  # events in a batch; beyond this the system may have dropped some, so the folders are looked at whole
_SETTLED_SECONDS = 3.0
_STOP_SECONDS = 5.0  # a network drive that is gone can hold a thread for longer than anybody waits
# Device and inode. Of what is not there when the folder around it last changed, in nanoseconds: who came and went again
# between two looks was seen by whoever was told of it meanwhile.
_Identity: TypeAlias = tuple[int, int] | int
_UNTOLD: _Identity = (-1, -1)
_LIMIT = "The limit of watched folders"
_LIMITED = (
    "The system refuses to watch as many folders as your vaults have, so changes are looked for every half minute. "
    "`scrubjay doctor` says how to raise the limit."
)
_log = logging.getLogger(__name__)


class Watcher:
    """Calls `on_changes` with the absolute paths that changed below `folders`, from a thread of its own.

    A path that is one of `folders` means: anything below it may have changed. So it is told of folders that vanish or
    return, of bursts that overflow the system's queue, and, every `poll_seconds`, of those whose file system may report
    no events (network drives), and of all while the system refuses to watch as many folders as lie below them:
    `conditions` says so then.

    spellings: what a folder is called on disk at the moment, by which paths below it are told; never nothing.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        on_changes: Callable[[frozenset[Path]], None],
        *,
        spellings: Callable[[Path], Iterable[Path]] = lambda folder: (folder,),
        poll_seconds: float = _POLL_SECONDS,
        conditions: Conditions | None = None,
    ) -> None:
        mounted = mounts()
        ways = {folder: watch_method(folder, mounted) for folder in folders}
        self._silent = tuple(folder for folder, way in ways.items() if way != "events")
        self._loud = tuple(folder for folder, way in ways.items() if way != "looks")
        self._spellings = spellings
        self._on_changes = on_changes
        self._poll_seconds = poll_seconds
        self._next_poll = 0.0  # time.monotonic(); the first time at once, to find out whether all are watched
        # At the folders as a whole, since events may be missing: first of all what came before they were watched.
        self._look_again: float | None = time.monotonic()
        self._limited = False  # whether the system refuses to watch all of them
        self._before = self._identities()  # now: what changes before the thread runs is reported
        self._conditions = conditions or Conditions()
        self._loop = Loop("watch", "Watching folders", self._look, self._conditions)
        self._stop = self._loop.stopping

    def start(self) -> None:
        """Begin to watch; returns at once."""
        self._loop.start()

    def stop(self) -> None:
        """Stop, and wait until the thread has ended."""
        self._loop.stop(_STOP_SECONDS)
        self._conditions.clear(_LIMIT)

    def _look(self) -> None:
        there, before = self._identities(), self._before
        self._before = dict.fromkeys(there, _UNTOLD)  # while some changes are not yet reported
        if there != before:
            folders = there.keys() | before.keys()
            self._on_changes(frozenset(folder for folder in folders if there.get(folder) != before.get(folder)))
        try:
            self._watch(there)
        except (OSError, RuntimeError):
            self._set_limited(True)
            self._stop.wait(_LOOK_SECONDS)
            self._poll()
        self._before = there

    def _watch(self, identities: dict[Path, _Identity]) -> None:
        """Hand on events until stopped, or until a folder is no longer the one that was there at the beginning."""
        folders = [folder for folder, identity in identities.items() if isinstance(identity, tuple)]
        if not folders:
            self._stop.wait(_LOOK_SECONDS)
            self._poll()
            return
        self._look_again = time.monotonic()  # when the first events come, or none: the system watches by then
        for changes in watch(
            *folders,
            watch_filter=None,
            debounce=_LONGEST_MS,
            step=_SETTLE_MS,
            rust_timeout=int(_LOOK_SECONDS * 1000),
            yield_on_timeout=True,
            stop_event=self._stop,
            raise_interrupt=False,
            force_polling=False,
            ignore_permission_denied=True,
        ):
            if changes:
                self._hand_on(frozenset(Path(path) for _, path in changes))
            if self._poll(folders[0]):
                return  # to watch them anew, perhaps all of them this time
            self._look_once_more()
            self._loop.well()
            if any(kind == Change.deleted and Path(path) in identities for kind, path in changes):
                return  # it may be back already, under the same inode
            changes.clear()  # else `watch` keeps them until the next ones come
            if self._identities() != identities:
                return

    def _hand_on(self, paths: frozenset[Path]) -> None:
        if len(paths) > _BURST:
            self._look_again = time.monotonic() + _SETTLED_SECONDS
            paths = frozenset(self._loud)
        self._on_changes(paths)

    def _look_once_more(self) -> None:
        if self._look_again is not None and time.monotonic() >= self._look_again:
            self._look_again = None
            self._on_changes(frozenset(self._loud))

    def _poll(self, watched: Path | None = None) -> bool:
        """When it is time, tell of the folders that must be looked at; whether they should be watched anew.

        watched: a folder that is watched now, if any is.
        """
        if time.monotonic() < self._next_poll:
            return False
        self._next_poll = time.monotonic() + self._poll_seconds
        was_limited = self._limited
        if watched:
            self._set_limited(watch_limit_is_reached(watched))
        folders = {*self._silent, *(self._loud if self._limited or was_limited else ())}
        if folders:
            self._on_changes(frozenset(folders))
        if not (self._limited or was_limited):
            return False
        self._look_again = time.monotonic()  # for what comes while they are watched anew
        return True

    def _set_limited(self, limited: bool) -> None:
        if limited and not self._limited:
            _log.warning("the system refuses to watch all folders; they are looked at from time to time")
            self._conditions.put(_LIMIT, _LIMITED)
        if not limited:
            self._conditions.clear(_LIMIT)
        self._limited = limited

    def _identities(self) -> dict[Path, _Identity]:
        return {spelt: _identity(spelt) for folder in self._loud for spelt in self._spellings(folder)}


def _identity(folder: Path) -> _Identity:
    with suppress(OSError):
        stats = folder.stat()
        return stats.st_dev, stats.st_ino
    with suppress(OSError):
        return folder.parent.stat().st_mtime_ns
    return 0
