"""Logs: a fixed sentence and typed fields a line, as JSON, in files that rotate.

Fields come from a closed list, so note text, queries and secrets have no field to go in.
"""

import io
import json
import logging
import logging.handlers
import os
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

FIELDS = ("profile", "error", "count", "took_ms", "port", "code", "version", "dropped")
_BYTES = 1_000_000
_FILES = 3
_REPEATS = 20  # of one event in a minute; more would only push what is useful out of the files
_MINUTE_SECONDS = 60.0


class _FieldsFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "part": record.name,
            "event": str(record.msg) % record.args if record.args else str(record.msg),
        }
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info and record.exc_info[0]:
            line["error"] = record.exc_info[0].__name__  # the message or frames of an exception might hold note text
        return json.dumps(line)  # in ASCII, so that no name in it can steer a terminal


class _Repeats(logging.Filter):
    """Drops an event that was logged too often within a minute; the next one says how many were dropped.

    What comes from outside our own code, such as "socket.accept() out of system resource", is logged once a minute.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._counts: dict[tuple[str, str], tuple[float, int]] = {}  # when its minute began, and how often since

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the event is logged."""
        key, now = (record.name, str(record.msg).partition("\n")[0]), time.monotonic()
        most = _REPEATS if record.name.startswith("scrubjay.") else 1
        with self._lock:
            began, count = self._counts.get(key, (now, 0))
            if now - began >= _MINUTE_SECONDS:
                if count > most:
                    record.dropped = count - most
                began, count = now, 0
            self._counts[key] = began, count + 1
        return count < most


class _PrivateFiles(logging.handlers.RotatingFileHandler):
    """Files that only their owner may read, those after a rotation, too."""

    def _open(self) -> io.TextIOWrapper:
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return io.TextIOWrapper(os.fdopen(handle, "ab"), self.encoding, write_through=False)


def log_to(folder: Path) -> Path:
    """Send all of the daemon's logging to `folder/daemon.log` (three files of 1 MB); returns its path."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / "daemon.log"
    handler = _PrivateFiles(path, maxBytes=_BYTES, backupCount=_FILES - 1, encoding="utf-8")
    handler.setFormatter(_FieldsFormatter())
    handler.addFilter(_Repeats())
    path.chmod(0o600)  # one of an older version
    logging.raiseExceptions = False  # what can't be logged, on a full disk say, is nothing to print a traceback for
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for chatty in ("httpx", "httpcore", "watchfiles"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    return path
