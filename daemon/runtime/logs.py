"""Logs: a fixed sentence and typed fields a line, as JSON, in files that rotate.

Fields come from a closed list, so note text, queries and secrets have no field to go in.
"""

import json
import logging
import logging.handlers
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path

FIELDS = ("profile", "error", "count", "took_ms", "port", "code", "version")
_BYTES = 1_000_000
_FILES = 3


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


class _PrivateFile(logging.handlers.RotatingFileHandler):
    """Each file that it begins, the ones after a rotation too, is readable by its owner alone."""

    def _open(self) -> TextIOWrapper:
        file = super()._open()
        Path(self.baseFilename).chmod(0o600)
        return file


def log_to(folder: Path) -> Path:
    """Send all of the daemon's logging to `folder/daemon.log` (three files of 1 MB); returns its path."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / "daemon.log"
    handler = _PrivateFile(path, maxBytes=_BYTES, backupCount=_FILES - 1, encoding="utf-8")
    handler.setFormatter(_FieldsFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for chatty in ("httpx", "httpcore", "watchfiles"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    return path
