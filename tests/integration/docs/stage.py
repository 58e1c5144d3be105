"""Where a page's examples run: an empty home of their own, in which `scrubjay` is a command, and one shell."""

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.installation import quick_command
from tests.integration.docs.examples import Example
from tests.integration.packaging.scripts import script

DEFAULT_PORT = "8642"
_END = "\x1e"
_ID = re.compile(r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])(?:[0-9a-f]{8}|[0-9a-f]{12})\b")
# In what is printed, an id may by chance have no letter or no digit: one in forty of the short ones. It counts where it
# stands alone; a part of a number, a date or a name does not.
_PRINTED_ID = re.compile(rf"{_ID.pattern}|(?<![\w.,/-])(?:\d{{8}}|\d{{12}}|[a-f]{{8}}|[a-f]{{12}})(?![\w.,/-])")
_NO_DESKTOP = {  # nothing of whoever runs the tests is opened, asked or installed
    "BROWSER": "/bin/true",
    "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    "COLUMNS": "100",
    "LANG": "C.UTF-8",
}


@dataclass(frozen=True, slots=True)
class Said:
    """What a command printed, both streams as they came, and how it left."""

    command: str
    output: str
    status: int


class Stage:
    """A shell in an empty home at `root`. Where a page says 8642, a port that is free here takes its place; and an id
    of eight or twelve hexadecimal digits, which differs from one run to the next, is the last one that was printed."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        programs = root / "bin"
        self.home.mkdir(parents=True)
        programs.mkdir()
        _write_program(programs / "scrubjay", f'exec {shlex.join(quick_command())} "$@"')
        _write_program(programs / "systemctl", 'echo "Failed to connect to bus" >&2; exit 1')
        self.port = _free_port()
        (self.home / ".config" / "scrubjay").mkdir(parents=True)
        (self.home / ".config" / "scrubjay" / "settings.toml").write_text(f"port = {self.port}\n", encoding="utf-8")
        self.environment: Mapping[str, str] = {
            **_NO_DESKTOP,
            "HOME": str(self.home),
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PYTHONPATH": str(Path(__file__).parents[3]),
        }
        self._shell = subprocess.Popen(
            ["bash", "--norc", "--noprofile"],
            cwd=self.home,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        self._last_ids: dict[int, str] = {}  # by their length

    def sample_vault(self, name: str) -> Path:
        """The sample vault, as a folder of the home."""
        script("sample_vault.py").materialise(self.home / name)
        return self.home / name

    def type(self, command: str, answers: tuple[str, ...] = ()) -> Said:
        """Run one command in the shell. answers: what is typed when it asks."""
        typed = command.replace(DEFAULT_PORT, str(self.port))
        typed = _ID.sub(lambda found: self._last_ids.get(len(found[0]), found[0]), typed)
        (self.home.parent / "answers").write_text("".join(f"{answer}\n" for answer in answers), encoding="utf-8")
        assert self._shell.stdin
        assert self._shell.stdout
        self._shell.stdin.write(f'{{ {typed}\n}} < "{self.home.parent}/answers"; printf "\\n{_END}%s\\n" $?\n')
        self._shell.stdin.flush()
        lines: list[str] = []
        for line in self._shell.stdout:
            if line.startswith(_END):
                output = "".join(lines)
                self._last_ids |= {len(found): found for found in ids_in(output)}
                return Said(command, output, int(line[len(_END) :]))
            lines.append(line)
        raise AssertionError(f"the shell ended at {command!r}: {''.join(lines)}")

    def run(self, example: Example) -> list[Said]:
        """Run a block of a page, a command after the other."""
        if example.kind == "python":
            program = self.home.parent / "example.py"
            program.write_text(example.text, encoding="utf-8")
            return [self.type(f'"{sys.executable}" "{program}"')]
        return [self.type(command, example.answers) for command in example.commands]

    def files(self) -> set[str]:
        """Every file and folder in the home, by its path in it."""
        return {path.relative_to(self.home).as_posix() for path in self.home.rglob("*")}

    def close(self) -> None:
        """Stop the daemon, if one runs, and end the shell."""
        if self._shell.poll() is None:
            self.type("scrubjay stop")
            assert self._shell.stdin
            self._shell.stdin.close()
            self._shell.wait(timeout=60)
        if self._shell.stdout:
            self._shell.stdout.close()
        shutil.rmtree(self.home, ignore_errors=True)


def ids_in(output: str) -> list[str]:
    """The ids that a command printed, of passages, proposals and the like."""
    return _PRINTED_ID.findall(output)


def _write_program(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    path.chmod(0o755)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
