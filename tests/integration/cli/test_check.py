"""`scrubjay check`: what is missing from an index is told, and every profile can be mended, locked or not."""

import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.store.sqlite import connect
from tests.helpers.installation import Installation, wait_until_indexed

PASSPHRASE = "correct horse battery"
NOTES = {"Heron.md": "The heron waits at the weir.", "Otter.md": "An otter swims."}


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    made = Installation(tmp_path)
    made.write(NOTES)
    made.create_profile("birds")
    made.run("index")
    return made


def checked(installation: Installation, *options: str, types: str = "") -> tuple[int, dict[str, Any]]:
    """The exit status, and what is printed of the only profile."""
    done = installation.run("check", "--json", *options, check=False, standard_input=types)
    assert done.stdout, done.stderr
    [profile] = json.loads(done.stdout)["profiles"]
    return done.returncode, profile


def spoil(installation: Installation) -> None:
    """Half of the vectors and a note go, behind the program's back."""
    registry = Registry(installation.home.profiles)
    with closing(connect(registry.store_path(registry.get("birds")), None, "writer")) as connection:
        connection.execute("DELETE FROM embedding WHERE id % 2 = 0")
        connection.execute("DELETE FROM note WHERE path = 'Otter.md'")


def test_a_note_that_is_not_in_the_index_is_named(installation: Installation) -> None:
    assert checked(installation)[0] == 0
    installation.write({"New.md": "A reed."})
    status, profile = checked(installation)
    assert (status, [problem["code"] for problem in profile["problems"]]) == (1, ["missing"])
    assert "New.md" in profile["problems"][0]["about"]
    installation.write({"Heron.md": "The heron left."})
    assert [problem["code"] for problem in checked(installation)[1]["problems"]] == ["missing", "outdated"]
    assert checked(installation, "--repair")[0] == 0
    assert "New.md" in installation.run("search", "reed").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="the file is open")
def test_a_running_daemon_checks_and_mends_its_indexes(installation: Installation) -> None:
    with installation.daemon() as client:
        wait_until_indexed(client)
        assert checked(installation)[0] == 0
        spoil(installation)
        status, profile = checked(installation)
        assert status == 1
        # The daemon may have read the note again by then; the vectors it does not miss by itself.
        assert {"missing", "queue"} & {problem["code"] for problem in profile["problems"]}
        status, profile = checked(installation, "--repair")
        assert (status, profile["problems"]) == (0, [])
        assert profile["did"]
        wait_until_indexed(client)
        [state] = client.ask(STATUS).profiles
        assert (state.notes, state.pending_embeddings) == (2, 0)


@pytest.mark.parametrize("running", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_profile_with_a_passphrase_is_checked_and_mended_and_locked_again(
    installation: Installation, running: bool
) -> None:
    installation.run("profile", "encrypt", "birds", "--passphrase-stdin", standard_input=f"{PASSPHRASE}\n")
    installation.run("lock", "birds")
    if not running:
        _check_locked(installation, {1})
        return
    with installation.daemon():
        _check_locked(installation, {0, 1})  # a daemon may have read the new note by the time it looks


def _check_locked(installation: Installation, before_repair: set[int]) -> None:
    status, profile = checked(installation)
    assert (status, "locked" in profile["closed"]) == (1, True)
    installation.write({"New.md": "A reed."})
    for options, expected in (((), before_repair), (("--repair",), {0}), ((), {0})):
        status, profile = checked(installation, "--passphrase-stdin", *options, types=f"{PASSPHRASE}\n")
        assert status in expected
        assert profile["closed"] == ""
    registry = Registry(installation.home.profiles)
    assert registry.get("birds").locked


def test_a_daemon_keeps_vanished_notes_until_it_is_told_to_forget_them(installation: Installation) -> None:
    (installation.vault / "Heron.md").unlink()
    (installation.vault / "Otter.md").unlink()
    with installation.daemon() as client:
        wait_until_indexed(client)
        [state] = client.ask(STATUS).profiles
        assert state.notes == 2
        installation.run("index", "--wait", "--forget-missing")
        [state] = client.ask(STATUS).profiles
        assert state.notes == 0
        assert state.on_disk is not None
        assert (state.on_disk.notes, state.on_disk.missing) == (0, 0)


def test_without_a_daemon_too_vanished_notes_are_kept_and_it_is_said(installation: Installation) -> None:
    (installation.vault / "Heron.md").unlink()
    (installation.vault / "Otter.md").unlink()
    assert "is empty, as if its drive were away. Its notes stay" in installation.run("index").stderr
    assert "birds: 0 notes" in installation.run("index", "--forget-missing").stdout


def lose(installation: Installation, note: str) -> None:
    """From now on, a note is gone again from the index at the end of whatever transaction has put it there."""
    registry = Registry(installation.home.profiles)
    with closing(connect(registry.store_path(registry.get("birds")), None, "writer")) as connection:
        connection.execute(
            "CREATE TRIGGER lost AFTER UPDATE ON meta WHEN NEW.name = 'generation' BEGIN"
            # Else the daemon, which comes to it, takes the index for damaged and builds it anew.
            " DELETE FROM pending_embedding WHERE digest IN (SELECT chunk.digest FROM chunk JOIN note"
            f" ON note.id = chunk.note_id WHERE note.path = '{note}');"
            f" DELETE FROM note WHERE path = '{note}'; END"
        )


def test_to_wait_for_the_index_fails_while_a_note_is_missing_and_names_it(installation: Installation) -> None:
    lose(installation, "Lost.md")
    with installation.daemon() as client:
        wait_until_indexed(client)
        assert installation.run("index", "--wait").returncode == 0
        installation.write({"Lost.md": "A reed.", "Kept.md": "A sedge."})
        done = installation.run("index", "--wait", check=False)
    assert done.returncode == 1
    assert "birds: 1 note of 4 on disk not in the index: Lost.md" in " ".join(done.stderr.split())
