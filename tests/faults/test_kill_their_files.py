"""Killed at any moment of installing or uninstalling, another program's file is the old or the new one, whole."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from scrubjay.daemon.setup.removal import remove_plugin

CLAUDE = b'// mine\r\n{\r\n  "theme": "dark", // at night\r\n}\r\n'
CODEX = b"# mine\n[mcp_servers.other]\ncommand = 'x'\n\n# end"
PLACES = {".claude.json": CLAUDE, ".codex/config.toml": CODEX, ".claude/settings.json": CLAUDE}
COMMANDS = {".claude.json": ("mcp", "claude-code"), ".codex/config.toml": ("mcp", "codex")} | {
    ".claude/settings.json": ("hooks", "claude-code")
}
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is forked for each kill")


class Worker:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.their_files_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def run(self, folder: Path, *arguments: str, nth: int = 0) -> int:
        """The status: 9 where it was killed. What the command printed comes before it, and is passed over."""
        environment = {"HOME": str(folder / "ada"), "SCRUBJAY_HOME": str(folder / "sj")}
        assert self._process.stdin and self._process.stdout
        job = {"environment": environment, "arguments": arguments, "nth": nth}
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        while not (line := self._process.stdout.readline()).strip().isdigit():
            assert line, "the worker ended"
        return int(line)

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture(name="worker")
def _worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.close()


def kill_at_each_moment(worker: Worker, folder: Path, moments: range, places: Iterable[str] = PLACES) -> int:
    kills = 0
    for place in places:
        content = PLACES[place]
        group, client = COMMANDS[place]
        for nth in moments:
            root = folder / f"{group}-{client}-{nth}"
            path = root / "ada" / place
            path.parent.mkdir(parents=True)
            path.write_bytes(content)
            path.chmod(0o640)
            statuses: list[int] = []
            for command in ("install", "uninstall"):
                before = path.read_bytes()
                statuses.append(worker.run(root, group, command, client, nth=nth))
                assert statuses[-1] in (0, 9)
                killed = path.read_bytes()
                assert worker.run(root, group, command, client) == 0
                assert killed in (before, path.read_bytes())
                assert path.stat().st_mode & 0o777 == 0o640
            assert path.read_bytes() == content
            kills += statuses.count(9)
            if 9 not in statuses:
                break  # both come to their end before that
    return kills


def test_a_kill_leaves_the_old_or_the_new_whole_and_the_command_can_be_given_again(
    worker: Worker, tmp_path: Path
) -> None:
    assert kill_at_each_moment(worker, tmp_path, range(25, 26), [".codex/config.toml"]) > 0


@pytest.mark.slow
def test_two_hundred_kills_lose_nothing(worker: Worker, tmp_path: Path) -> None:
    assert kill_at_each_moment(worker, tmp_path, range(1, 70)) >= 200


def test_obsidian_s_list_of_plugins_is_whole_when_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ".obsidian" / "plugins" / "scrubjay"
    folder.mkdir(parents=True)
    listed = tmp_path / ".obsidian" / "community-plugins.json"
    listed.write_text('["copilot", "scrubjay"]')

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="space"):
        remove_plugin(folder)
    assert listed.read_text() == '["copilot", "scrubjay"]'
