"""`scrubjay check`: what is missing from an index is told, and every profile can be mended, locked or not."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.store.sqlite import connect
from tests.helpers.installation import Installation, wait_until_indexed

PASSPHRASE = "correct horse battery"


def made_in(root: Path) -> Installation:
    made = Installation(root)
    made.write({"Heron.md": "The heron waits at the weir.", "Otter.md": "An otter swims."})
    made.create_profile("birds")
    made.run("index")
    return made


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return made_in(tmp_path)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Installation, ScrubjayClient]]:
    made = made_in(tmp_path_factory.mktemp("running"))
    with made.daemon() as client:
        wait_until_indexed(client)
        yield made, client


def checked(installation: Installation, *options: str, types: str = "") -> tuple[int, dict[str, Any]]:
    """The exit status, and what is printed of the only profile."""
    done = installation.run("check", "--json", *options, check=False, standard_input=types)
    assert done.stdout, done.stderr
    [profile] = json.loads(done.stdout)["profiles"]
    return done.returncode, profile


def behind_its_back(installation: Installation, *statements: str) -> None:
    registry = Registry(installation.home.profiles)
    with closing(connect(registry.store_path(registry.get("birds")), None, "writer")) as connection:
        for statement in statements:
            connection.execute(statement)


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
def test_a_running_daemon_checks_and_mends_its_indexes(running: tuple[Installation, ScrubjayClient]) -> None:
    installation, client = running
    assert checked(installation)[0] == 0
    behind_its_back(installation, "DELETE FROM embedding WHERE id % 2 = 0", "DELETE FROM note WHERE path = 'Otter.md'")
    status, profile = checked(installation)
    assert status == 1
    # The daemon may have read the note again by then; the vectors it does not miss by itself.
    assert {"missing", "queue"} & {problem["code"] for problem in profile["problems"]}
    status, profile = checked(installation, "--repair")
    assert (status, profile["problems"], profile["did"] != []) == (0, [], True)
    wait_until_indexed(client)
    [state] = client.ask(STATUS).profiles
    assert (state.notes, state.pending_embeddings) == (2, 0)


def test_to_wait_for_the_index_fails_while_a_note_is_missing_and_names_it(
    running: tuple[Installation, ScrubjayClient],
) -> None:
    installation, _ = running
    # From now on, the note is gone again from the index at the end of whatever transaction has put it there.
    losing = (
        "CREATE TRIGGER lost AFTER UPDATE ON meta WHEN NEW.name = 'generation' BEGIN"
        # Else the daemon, which comes to it, takes the index for damaged and builds it anew.
        " DELETE FROM pending_embedding WHERE digest IN (SELECT chunk.digest FROM chunk JOIN note"
        " ON note.id = chunk.note_id WHERE note.path = 'Lost.md');"
        " DELETE FROM note WHERE path = 'Lost.md'; END"
    )
    behind_its_back(installation, losing)
    assert installation.run("index", "--wait").returncode == 0
    installation.write({"Lost.md": "A reed.", "Kept.md": "A sedge."})
    done = installation.run("index", "--wait", check=False)
    assert done.returncode == 1
    assert "birds: 1 note of 4 on disk not in the index: Lost.md" in " ".join(done.stderr.split())
    behind_its_back(installation, "DROP TRIGGER lost")
    for name in ("Lost.md", "Kept.md"):
        (installation.vault / name).unlink()
    installation.run("index", "--wait")


@pytest.mark.parametrize("is_running", [False, True])
def test_a_vault_that_is_away_is_told_by_who_waits_for_it(installation: Installation, is_running: bool) -> None:
    with installation.daemon() if is_running else nullcontext():
        installation.run("index", "--wait")
        away = installation.vault.rename(installation.vault.with_name("elsewhere"))
        done = installation.run("index", "--wait")
        assert "birds: The vault's folder is not there." in " ".join(done.stderr.split())
        away.rename(installation.vault)
        assert "is not there" not in installation.run("index", "--wait").stderr


@pytest.mark.parametrize("is_running", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_profile_with_a_passphrase_is_checked_and_mended_and_locked_again(
    installation: Installation, is_running: bool
) -> None:
    installation.run("profile", "encrypt", "birds", "--passphrase-stdin", standard_input=f"{PASSPHRASE}\n")
    installation.run("lock", "birds")
    if not is_running:
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
        assert (status in expected, profile["closed"]) == (True, "")
    assert Registry(installation.home.profiles).get("birds").locked


def test_vanished_notes_are_kept_until_they_are_told_to_be_forgotten(installation: Installation) -> None:
    for note in installation.vault.iterdir():
        note.unlink()
    assert "is empty, as if its drive were away. Its notes stay" in installation.run("index").stderr
    with installation.daemon() as client:
        wait_until_indexed(client)
        [state] = client.ask(STATUS).profiles
        assert state.notes == 2
        installation.run("index", "--wait", "--forget-missing")
        [state] = client.ask(STATUS).profiles
        assert state.on_disk is not None
        assert (state.notes, state.on_disk.notes, state.on_disk.missing) == (0, 0, 0)


def test_without_a_daemon_too_vanished_notes_are_forgotten_when_told(installation: Installation) -> None:
    for note in installation.vault.iterdir():
        note.unlink()
    assert "birds: 0 notes" in installation.run("index", "--forget-missing").stdout
