"""When each client was last seen, in a file apart from their tokens: it is written often, and may be lost."""

import logging
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec

from scrubjay.profiles.errors import ScrubjayError
from scrubjay.profiles.private_files import locked, write_private

_log = logging.getLogger(__name__)


class SeenTimes:
    """Times by client id. Noting one costs no write and no waiting. waits: called when there is something to write."""

    def __init__(self, file: Path, now: Callable[[], datetime], waits: Callable[[], None] = lambda: None) -> None:
        self._file = file
        self._now = now
        self._waits = waits
        self._lock = threading.Lock()
        self._fresh: dict[str, datetime] = {}  # what the file does not know yet

    def note(self, client_id: str) -> None:
        """This client was seen just now."""
        with self._lock:
            is_first = not self._fresh
            self._fresh[client_id] = self._now()
        if is_first:
            self._waits()

    def all(self) -> dict[str, datetime]:
        """When each client was last seen, of those that ever were."""
        with self._lock:
            fresh = dict(self._fresh)
        return self._stored() | fresh

    def write(self) -> None:
        """Add what is new to the file. What can't be written now is written with the next."""
        with self._lock:
            fresh = dict(self._fresh)
        if not fresh:
            return
        try:
            with locked(self._file):
                write_private(self._file, msgspec.json.encode(self._stored() | fresh))
        except (OSError, ScrubjayError) as error:
            _log.warning("when clients were last seen could not be written", extra={"error": type(error).__name__})
            fresh = {}
        with self._lock:
            self._fresh = {known: at for known, at in self._fresh.items() if fresh.get(known) != at}
        if self._fresh:
            self._waits()

    def _stored(self) -> dict[str, datetime]:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=dict[str, datetime])
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return {}
