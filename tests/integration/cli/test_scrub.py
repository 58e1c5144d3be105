"""`scrubjay scrub`: credentials taken out of a pipe, and out of files that others write to, and put back."""

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
SCRUBBED = f"token: {HIDDEN}\n"
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
RULES = """
[[rule]]
id = "acme-badge"
about = "Door badge of Acme"
needles = ["ACME"]
regex = 'ACME[0-9]{8}'
must_hide = ["ACME{digit:8}"]
must_keep = ["ACME corporation"]

[[rule]]
id = "acme-door"
about = "Without examples"
needles = ["ACME"]
regex = 'ACME[a-z]{8}'
"""
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
    installation.vault.mkdir()
    return installation


def kept(desk: Installation) -> list[Path]:
    """What Scrubjay keeps in its data folder that holds the token."""
    files = (path for path in desk.home.data.rglob("*") if path.is_file())
    return [path for path in files if TOKEN.encode() in path.read_bytes()]


def note(desk: Installation, name: str = "note.md", before: str = "") -> Path:
    desk.write({name: f"{before}token: {TOKEN}\n"})
    return desk.vault / name


def nothing_to_undo(desk: Installation) -> bool:
    return "nothing" in desk.run("scrub", "--undo").stderr.lower()


def test_standard_input_comes_out_without_what_rules_of_the_user_s_own_hide_too(desk: Installation) -> None:
    desk.home.user_rules.write_text(RULES, encoding="utf-8")
    badge = expand("ACME{digit:8}")
    done = desk.run("scrub", standard_input=f"token: {TOKEN}\nbadge {badge}\nheron")
    assert done.stdout == f"{SCRUBBED}badge [REDACTED:acme-badge]\nheron"
    assert "rule 'acme-door', field 'must_hide'" in done.stderr


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
    before = b"\xef\xbb\xbf# Caf\xe9 \xff\r\n\r\ntoken: " + TOKEN.encode() + b"\r\nend \xe4\xb8\xad " + TOKEN.encode()
    file.write_bytes(before)
    file.chmod(0o640)
    os.utime(file, ns=(10**18, 10**18))
    said = desk.run("scrub", "--write", str(file))
    assert file.read_bytes() == before.replace(TOKEN.encode(), HIDDEN.encode())
    assert list(desk.vault.iterdir()) == [file]
    told = said.stdout + said.stderr
    (record,) = kept(desk)
    where = str(record.parent)  # it says where what was taken out is kept
    for words in ("2 credentials replaced", where, "7 days", "scrub --undo", "scrub --forget"):
        assert words in told
    assert TOKEN not in told
    if os.name == "posix":
        assert [stat.S_IMODE(path.stat().st_mode) for path in (record, record.parent)] == [0o600, 0o700]
    desk.run("scrub", "--undo")
    assert file.read_bytes() == before
    assert (file.stat().st_mtime_ns, stat.S_IMODE(file.stat().st_mode)) == (10**18, 0o640)
    assert (kept(desk), nothing_to_undo(desk)) == ([], True)


def test_a_note_in_utf_16_is_read_as_what_it_says(desk: Installation) -> None:
    file = desk.vault / "note.md"
    file.write_bytes(f"token: {TOKEN}\n猫".encode("utf-16"))
    desk.run("scrub", "--write", str(file))
    assert file.read_bytes() == f"{SCRUBBED}猫".encode("utf-16")
    desk.run("scrub", "--undo")
    assert file.read_bytes() == f"token: {TOKEN}\n猫".encode("utf-16")


def test_the_way_back_can_be_given_up_at_once(desk: Installation) -> None:
    for options in ((), ("--no-undo",)):
        file = note(desk)
        desk.run("scrub", "--write", *options, str(file))
        if not options:
            desk.run("scrub", "--forget")
        assert (file.read_text(), kept(desk), nothing_to_undo(desk)) == (SCRUBBED, [], True)


def test_undo_goes_past_a_file_that_was_edited_since(desk: Installation) -> None:
    first, second, third = note(desk, "1.md"), note(desk, "2.md"), note(desk, "3.md")
    desk.run("scrub", "--write", str(first))
    desk.run("scrub", "--write", str(second), str(third))
    edited = second.read_text() + "typed since\n"
    second.write_text(edited)
    done = desk.run("scrub", "--undo", check=False)
    assert (done.returncode, "2.md has changed since" in done.stderr) == (1, True)
    assert (TOKEN in third.read_text(), second.read_text(), TOKEN in first.read_text()) == (True, edited, False)
    desk.run("scrub", "--undo", check=False)
    assert TOKEN in first.read_text()


def test_a_link_is_followed_to_its_file(desk: Installation) -> None:
    file, link = note(desk), desk.root / "link.md"
    link.symlink_to(file)
    desk.run("scrub", "--write", str(link))
    assert (link.is_symlink(), file.read_text()) == (True, SCRUBBED)


def test_what_can_not_be_replaced_is_refused_in_a_sentence_and_the_others_are_not(desk: Installation) -> None:
    read_only, linked, other = note(desk, "a.md"), note(desk, "b.md"), note(desk, "c.md")
    read_only.chmod(0o444)
    (desk.root / "other name.md").hardlink_to(linked)
    done = desk.run("scrub", "--write", str(read_only), str(linked), str(other), check=False)
    assert done.returncode == 1
    assert "is read-only. Make it writable first." in done.stderr
    assert "is a hard link" in done.stderr
    assert "Traceback" not in done.stderr
    assert [TOKEN in file.read_text() for file in (read_only, linked, other)] == [True, True, False]


@pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")
def test_another_users_file_is_refused_in_a_sentence(desk: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    def not_allowed(*_: object) -> None:
        raise PermissionError

    file = note(desk)
    os.chown(file, 65_534, 65_534)
    monkeypatch.setattr("scrubjay.daemon.review.changes.swap.os.chown", not_allowed)
    with scrubbing(desk.home) as scrubber, pytest.raises(ChangeRefused, match="belongs to another user or group"):
        scrubber.scrub(file, BUILT_IN)
    assert (TOKEN in file.read_text(), list(desk.vault.iterdir()), kept(desk)) == (True, [file], [])


def test_the_daemon_forgets_what_is_older_than_was_promised(desk: Installation) -> None:
    desk.run("scrub", "--write", str(note(desk)))
    (record,) = kept(desk)
    older = f"{time.time_ns() - 8 * 86_400 * 10**9:016x}{record.name[16:]}"
    record.write_bytes(record.read_bytes().replace(record.name.encode(), older.encode()))
    record.rename(record.with_name(older))
    with desk.daemon():
        until(lambda: kept(desk) == [])


def test_options_that_contradict_each_other_are_refused(desk: Installation) -> None:
    file = str(note(desk))
    for options in (("--undo", "--write", file), ("--undo", "--forget", file), ("--no-undo", file)):
        assert desk.run("scrub", *options, check=False).returncode == 2, options
    done = desk.run("scrub", "--write", check=False)
    assert (done.returncode, "--write needs files" in done.stderr) == (2, True)


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
    desk.write(befores)
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
        while not nothing_to_undo(desk):
            pass
        assert {path.name: path.read_text() for path in desk.vault.iterdir()} == befores, number
    assert halves > 30, "most were killed in the middle"
