"""`scrubjay scrub --write`: credentials taken out of files that others write to, and put back."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scrubjay.credential_filter import BUILT_IN
from scrubjay.credential_filter.rules.templates import expand
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.review.changes.scrubbed_file import scrubbing
from tests.helpers.installation import Installation
from tests.helpers.waiting import until

TOKEN = expand("ghp_{alnum:36}", "scrub")
HIDDEN = "[REDACTED:github-token]"
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
APPENDER = """
import pathlib, random, sys, time
files = sorted(pathlib.Path(sys.argv[1]).glob("*.md"))
with open(sys.argv[2], "wb", buffering=0) as log:
    print("ready", flush=True)
    for number in range(10**9):
        line = b"appended %d\\n" % number
        file = random.choice(files)
        with file.open("ab", buffering=0) as note:
            note.write(line)
        log.write(line)
        time.sleep(0.0005)
"""


@pytest.fixture
def desk(tmp_path: Path) -> Installation:
    installation = Installation(tmp_path)
    installation.home.make()
    return installation


def kept(desk: Installation) -> list[Path]:
    """What Scrubjay keeps in its data folder that holds the token."""
    files = (path for path in desk.home.data.rglob("*") if path.is_file())
    return [path for path in files if TOKEN.encode() in path.read_bytes()]


def note(desk: Installation, name: str = "note.md", before: str = "") -> Path:
    desk.vault.mkdir(exist_ok=True)
    file = desk.vault / name
    file.write_text(f"{before}token: {TOKEN}\n")
    return file


def test_what_another_program_appends_meanwhile_is_never_lost(desk: Installation, tmp_path: Path) -> None:
    for number in range(40):
        note(desk, f"{number:02}.md", "A heron waits at the weir.\n" * 400)
    log = tmp_path / "log"
    command = [sys.executable, "-c", APPENDER, str(desk.vault), str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as appender:
        assert appender.stdout is not None
        assert appender.stdout.readline() == b"ready\n"
        for _ in range(3):
            desk.run("scrub", "--write", *map(str, sorted(desk.vault.glob("*.md"))), check=False)
        appender.kill()
        appender.wait()
    now = [file.read_bytes() for file in desk.vault.iterdir()]
    there = {line for data in now for line in data.split(b"\n") if line.startswith(b"appended")}
    assert set(log.read_bytes().split(b"\n")[:-1]) - there == set()
    assert len(now) == 40, "nothing else is left in the folder"
    assert any(HIDDEN.encode() in data for data in now)


def test_nothing_with_the_credential_is_left_beside_the_file_and_undo_brings_it_back(desk: Installation) -> None:
    file = desk.vault / "note.md"
    desk.vault.mkdir()
    before = b"\xef\xbb\xbf# Caf\xe9 \xff\r\n\r\ntoken: " + TOKEN.encode() + b"\r\nend \xe4\xb8\xad " + TOKEN.encode()
    file.write_bytes(before)
    file.chmod(0o640)
    os.utime(file, ns=(10**18, 10**18))
    said = desk.run("scrub", "--write", str(file))
    after = before.replace(TOKEN.encode(), HIDDEN.encode())
    assert file.read_bytes() == after
    assert list(desk.vault.iterdir()) == [file]
    told = said.stdout + said.stderr
    assert "2 credentials replaced" in told
    assert TOKEN not in told
    (record,) = kept(desk)
    assert str(record.parent) in told, "it says where what was taken out is kept"
    assert "7 days" in told
    assert "scrub --undo" in told
    assert "scrub --forget" in told
    if os.name == "posix":
        assert stat.S_IMODE(record.stat().st_mode) == 0o600
        assert stat.S_IMODE(record.parent.stat().st_mode) == 0o700
    desk.run("scrub", "--undo")
    assert file.read_bytes() == before
    assert file.stat().st_mtime_ns == 10**18
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert kept(desk) == []
    assert "nothing" in desk.run("scrub", "--undo").stderr.lower()


def test_a_note_in_utf_16_is_read_as_what_it_says(desk: Installation) -> None:
    desk.vault.mkdir()
    file = desk.vault / "note.md"
    file.write_bytes(f"token: {TOKEN}\n猫".encode("utf-16"))
    desk.run("scrub", "--write", str(file))
    assert file.read_bytes() == f"token: {HIDDEN}\n猫".encode("utf-16")
    desk.run("scrub", "--undo")
    assert file.read_bytes() == f"token: {TOKEN}\n猫".encode("utf-16")


@pytest.mark.parametrize("way", ["forget", "no-undo"])
def test_the_way_back_can_be_given_up_at_once(desk: Installation, way: str) -> None:
    file = note(desk)
    if way == "forget":
        desk.run("scrub", "--write", str(file))
        desk.run("scrub", "--forget")
    else:
        desk.run("scrub", "--write", "--no-undo", str(file))
    assert file.read_text() == f"token: {HIDDEN}\n"
    assert kept(desk) == []
    assert "nothing" in desk.run("scrub", "--undo").stderr.lower()


def test_undo_goes_past_a_file_that_was_edited_since(desk: Installation) -> None:
    first, second, third = note(desk, "1.md"), note(desk, "2.md"), note(desk, "3.md")
    desk.run("scrub", "--write", str(first))
    desk.run("scrub", "--write", str(second), str(third))
    edited = second.read_text() + "typed since\n"
    second.write_text(edited)
    done = desk.run("scrub", "--undo", check=False)
    assert done.returncode == 1
    assert "2.md has changed since" in done.stderr
    assert TOKEN in third.read_text()
    assert second.read_text() == edited
    assert TOKEN not in first.read_text()
    desk.run("scrub", "--undo", check=False)
    assert TOKEN in first.read_text()


def test_a_link_is_followed_to_its_file(desk: Installation) -> None:
    file = note(desk)
    link = desk.root / "link.md"
    link.symlink_to(file)
    desk.run("scrub", "--write", str(link))
    assert link.is_symlink()
    assert file.read_text() == f"token: {HIDDEN}\n"


def _read_only(file: Path) -> None:
    file.chmod(0o444)


def _hard_linked(file: Path) -> None:
    (file.parent.parent / "other name.md").hardlink_to(file)


@pytest.mark.parametrize(
    ("make", "says"),
    [(_read_only, "is read-only. Make it writable first."), (_hard_linked, "is a hard link")],
    ids=["read-only", "hard-linked"],
)
def test_what_can_not_be_replaced_is_refused_in_a_sentence_and_the_others_are_not(
    desk: Installation, make: object, says: str
) -> None:
    assert callable(make)
    refused, other = note(desk, "a.md"), note(desk, "b.md")
    make(refused)
    done = desk.run("scrub", "--write", str(refused), str(other), check=False)
    assert done.returncode == 1
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert TOKEN in refused.read_text()
    assert TOKEN not in other.read_text()


@pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")
def test_another_users_file_is_refused_in_a_sentence(desk: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    def not_allowed(*_: object) -> None:
        raise PermissionError

    file = note(desk)
    os.chown(file, 65_534, 65_534)
    monkeypatch.setattr("scrubjay.daemon.review.changes.swap.os.chown", not_allowed)
    with scrubbing(desk.home) as scrubber, pytest.raises(ChangeRefused, match="belongs to another user or group"):
        scrubber.scrub(file, BUILT_IN)
    assert TOKEN in file.read_text()
    assert list(desk.vault.iterdir()) == [file]
    assert kept(desk) == []


def test_the_daemon_forgets_what_is_older_than_was_promised(desk: Installation) -> None:
    file = note(desk)
    desk.run("scrub", "--write", str(file))
    (record,) = kept(desk)
    older = f"{time.time_ns() - 8 * 86_400 * 10**9:016x}{record.name[16:]}"
    record.write_bytes(record.read_bytes().replace(record.name.encode(), older.encode()))
    record.rename(record.with_name(older))
    with desk.daemon():
        until(lambda: kept(desk) == [])


@pytest.mark.parametrize("options", [("--undo", "--write"), ("--undo", "--forget"), ("--no-undo",)], ids=" ".join)
def test_options_that_contradict_each_other_are_refused(desk: Installation, options: tuple[str, ...]) -> None:
    done = desk.run("scrub", *options, str(note(desk)), check=False)
    assert done.returncode == 2


def steps_of(desk: Installation, step: int, files: list[str]) -> int | None:
    """Scrub files by the command as people run it, killed at that step; how many there were if it ended by itself."""
    command = [sys.executable, "-m", "tests.faults.scrub_worker", str(step), "scrub", "--write", *files]
    done = subprocess.run(command, env=desk.run_environment(), capture_output=True, text=True, check=False)
    assert done.returncode in (0, 9), done.stderr
    return int(done.stdout.split()[-1]) if done.returncode == 0 else None


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="counts calls of the system that Windows has no counterpart of")
def test_scrubs_that_are_killed_at_any_moment_lose_nothing(desk: Installation) -> None:
    """The command as a person runs it, killed while it starts, writes, or is nearly done."""
    befores = {f"{number:02}.md": f"{'heron ' * 2000}\ntoken: {TOKEN}\n" for number in range(30)}
    afters = {name: text.replace(TOKEN, HIDDEN) for name, text in befores.items()}
    desk.vault.mkdir(exist_ok=True)
    for name, text in befores.items():
        (desk.vault / name).write_text(text)
    files = [str(desk.vault / name) for name in befores]
    steps = steps_of(desk, 1_000_000, files)
    assert steps is not None
    desk.run("scrub", "--undo")
    halves = 0
    for number in range(60):
        assert steps_of(desk, steps * number // 60, files) is None, number
        now = {name: (desk.vault / name).read_text() for name in befores}
        assert all(now[name] in (befores[name], afters[name]) for name in befores), number
        halves += 0 < sum(now[name] == afters[name] for name in befores) < len(befores)
        while "nothing" not in desk.run("scrub", "--undo").stderr.lower():
            pass
        assert {path.name: path.read_text() for path in desk.vault.iterdir()} == befores, number
    assert halves > 30, "most were killed in the middle"
