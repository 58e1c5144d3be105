"""A log line is a fixed sentence plus fields from a closed list."""

import json
import logging
import logging.handlers
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.daemon.engine import log_files
from scrubjay.daemon.engine.log_files import log_to


@pytest.fixture
def log_file(tmp_path: Path) -> Iterator[Path]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    path = log_to(tmp_path / "logs")
    yield path
    for handler in root.handlers:
        handler.close()
    root.handlers[:] = before
    root.setLevel(level)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_known_fields_are_written_and_others_dropped(log_file: Path) -> None:
    logging.getLogger("scrubjay.daemon.x").info("note indexed", extra={"count": 3, "query": "my private words"})
    [line] = lines(log_file)
    assert (line["event"], line["count"], line["part"]) == ("note indexed", 3, "scrubjay.daemon.x")
    assert "private" not in log_file.read_text("utf-8")


def test_an_exception_leaves_only_its_type(log_file: Path) -> None:
    try:
        raise ValueError("text of a note")
    except ValueError:
        logging.getLogger("scrubjay.daemon.x").exception("indexing stopped")
    [line] = lines(log_file)
    assert line["error"] == "ValueError"
    assert "text of a note" not in log_file.read_text("utf-8")


def test_only_the_owner_can_read_it_after_a_rotation(log_file: Path) -> None:
    before = os.umask(0o022)
    try:
        [handler] = [h for h in logging.getLogger().handlers if isinstance(h, logging.handlers.RotatingFileHandler)]
        logging.getLogger("scrubjay.daemon.x").info("before")
        handler.doRollover()
        logging.getLogger("scrubjay.daemon.x").info("after")
    finally:
        os.umask(before)
    files = sorted(log_file.parent.iterdir())
    assert [file.name for file in files] == ["daemon.log", "daemon.log.1"]
    assert [file.stat().st_mode & 0o077 for file in (*files, log_file.parent)] == [0, 0, 0]


@pytest.mark.parametrize(("part", "kept"), [("asyncio", 1), ("scrubjay.profiles.search", 20)])
def test_an_event_without_end_leaves_room_for_others(
    log_file: Path, monkeypatch: pytest.MonkeyPatch, part: str, kept: int
) -> None:
    now = 1000.0
    monkeypatch.setattr(log_files.time, "monotonic", lambda: now)
    for _ in range(500):
        logging.getLogger(part).error("out of system resource")
    logging.getLogger(part).error("something else")
    assert [line["event"] for line in lines(log_file)] == ["out of system resource"] * kept + ["something else"]
    now += 60
    logging.getLogger(part).error("out of system resource")
    assert lines(log_file)[-1]["dropped"] == 500 - kept
