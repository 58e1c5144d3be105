"""When each client was last seen, in a file apart from their tokens: it is written often, and may be lost."""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from scrubjay.profiles.errors import ScrubjayError
from scrubjay.profiles.private_files import locked, write_private

_WRITTEN_EVERY = timedelta(minutes=5)

_log = logging.getLogger(__name__)


class SeenTimes:
    """Times by client id. `note` costs no write and no waiting; a thread of its own writes every five minutes."""

    def __init__(self, file: Path, now: Callable[[], datetime]) -> None:
        self._file = file
        self._now = now
        self._lock = threading.Lock()
        self._fresh: dict[str, datetime] = {}  # what the file does not know yet
        self._written = now()
        self._writer: threading.Thread | None = None

    def note(self, client_id: str) -> None:
        """This client was seen just now."""
        now = self._now()
        with self._lock:
            self._fresh[client_id] = now
            if now - self._written < _WRITTEN_EVERY:
                return
            self._written = now
            self._writer = threading.Thread(target=self._write, name="last-seen")
            self._writer.start()

    def all(self) -> dict[str, datetime]:
        """When each client was last seen, of those that ever were."""
        with self._lock:
            fresh = dict(self._fresh)
        return self._stored() | fresh

    def close(self) -> None:
        """Write what is only in memory."""
        if self._writer is not None:
            self._writer.join()
        if self._fresh:
            self._write()

    def _write(self) -> None:
        """Add what is new to the file. What can't be written now is written with the next."""
        with self._lock:
            fresh = dict(self._fresh)
        try:
            with locked(self._file):
                write_private(self._file, msgspec.json.encode(self._stored() | fresh))
        except (OSError, ScrubjayError) as error:
            _log.warning("when clients were last seen could not be written", extra={"error": type(error).__name__})
            return
        with self._lock:
            self._fresh = {known: at for known, at in self._fresh.items() if fresh.get(known) != at}

    def _stored(self) -> dict[str, datetime]:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=dict[str, datetime])
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return {}
