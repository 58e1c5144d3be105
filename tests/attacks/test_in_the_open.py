"""Nothing that lets anybody in stands where another user of the machine can read it."""

import hashlib
import hmac
import os
import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scrubjay.daemon.setup.services import launchd_plist, systemd_unit
from tests.attacks.conftest import Victim, as_neighbour, browser_in, result_of, start_as_neighbour, wait_until_there
from tests.attacks.neighbour import secrets_in
from tests.helpers.installation import Installation, scrubjay_command


def watched(mark: str, seconds: float = 60) -> "subprocess.Popen[bytes]":
    """The neighbour looks at all processes until he has seen what has `mark` in it."""
    watching = start_as_neighbour("watch_processes", seconds=seconds, mark=mark)
    wait_until_there(watching)
    return watching


def assert_nothing_was_seen(watching: "subprocess.Popen[bytes]") -> None:
    got = result_of(watching)
    assert got["seen"], "the control: the neighbour does see what is started"
    assert (got["secrets"], got["environments"]) == ([], [])


def test_the_control_sees_a_secret_in_a_command_line(tmp_path: Path) -> None:
    watching = watched("the-control")
    with subprocess.Popen(["sh", "-c", "sleep 3; : the-control #ticket=stolen"]):
        assert result_of(watching)["secrets"] == ["stolen"]


def test_open_shows_no_secret(victim: Victim) -> None:
    watching = watched(victim.installation.home.page.as_uri())
    victim.installation.run_process("open")
    assert_nothing_was_seen(watching)


@contextmanager
def user_in(public_folder: Path, name: str) -> Generator[Installation]:
    """Another user of Scrubjay, whose home others may look into."""
    root = public_folder / name
    root.mkdir()
    with browser_in(root) as environment:
        yield Installation(root, environment)


@pytest.mark.slow
def test_setup_shows_no_secret(public_folder: Path) -> None:
    with user_in(public_folder, "newcomer") as newcomer:
        newcomer.write({"A.md": "A note."})
        newcomer.home.make().settings.write_text("port = 0\n")
        watching = watched(newcomer.home.page.as_uri(), seconds=120)
        options = ("--yes", "--vault", str(newcomer.vault), "--allow", ".", "--no-service")
        said = newcomer.run_process("setup", *options).stdout
        try:
            assert_nothing_was_seen(watching)
            assert secrets_in(said) == []
            assert as_neighbour("read_everything_below", folder=str(newcomer.home.state)) == []
        finally:
            newcomer.run_process("stop")


@pytest.mark.slow
def test_run_with_open_shows_no_secret_and_prints_none_for_the_journal(public_folder: Path) -> None:
    with user_in(public_folder, "runner") as runner:
        runner.create_profile()
        watching = watched(runner.home.page.as_uri(), seconds=120)
        with subprocess.Popen(
            scrubjay_command("run", "--port", "0", "--open"),
            env=runner.run_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as daemon:
            assert_nothing_was_seen(watching)
            daemon.send_signal(signal.SIGTERM)
            said, _ = daemon.communicate(timeout=120)
    assert "Search page: file:///" in said
    assert secrets_in(said) == []


@pytest.mark.slow
def test_start_leaves_a_log_that_holds_no_secret_and_is_the_user_s_alone(public_folder: Path) -> None:
    with user_in(public_folder, "starter") as starter:
        starter.create_profile()
        previous = os.umask(0)
        try:
            starter.run_process("start", "--port", "0")
        finally:
            os.umask(previous)
        try:
            logs = sorted(starter.home.logs.iterdir())
            assert logs
            assert [secrets_in(log.read_text()) for log in logs] == [[] for _ in logs]
            assert [oct(log.stat().st_mode & 0o777) for log in logs] == ["0o600" for _ in logs]
            assert as_neighbour("read_known", files=[str(log) for log in logs]) == []
        finally:
            starter.run_process("stop")


def test_the_unit_of_the_service_holds_no_secret() -> None:
    definition = systemd_unit(["scrubjay", "run"], {"SCRUBJAY_HOME": "/home/user/.scrubjay"})
    assert "ExecStart=scrubjay run\n" in definition
    assert "UMask=0077" in definition
    assert secrets_in(definition + launchd_plist(["scrubjay", "run"], {}, "/x").decode()) == []


def test_nothing_below_the_home_can_be_read(victim: Victim) -> None:
    assert as_neighbour("read_everything_below", folder=str(victim.installation.root / "home")) == []


def test_no_file_whose_place_everybody_knows_can_be_read(victim: Victim) -> None:
    home = victim.installation.home
    known = [home.discovery, home.page, home.clients, home.logs / "daemon.log", home.settings]
    known += [home.data / "installation.key", *home.profiles.glob("*/*")]
    known += [home.state / name for name in ("pairing.key", "session.key", "sessions.json", "token", "daemon.lock")]
    there = [str(file) for file in known if file.exists()]
    assert len(there) >= 10
    assert as_neighbour("read_known", files=there) == []


def test_no_file_can_be_planted_where_a_private_one_is_or_will_be(victim: Victim) -> None:
    home = victim.installation.home
    files = [home.discovery, home.page, home.clients, home.state / "pairing.key", home.state / "new.key"]
    assert as_neighbour("plant", files=[str(file) for file in files]) == []
    assert home.discovery.exists()


def test_the_daemon_s_memory_and_files_are_shut(victim: Victim) -> None:
    assert as_neighbour("look_into_memory", pid=victim.discovery.pid) == []


def test_the_daemon_listens_at_one_port_of_the_loopback_alone(victim: Victim) -> None:
    mine = f"0100007F:{victim.port}"
    doors = as_neighbour("other_doors", pid=victim.discovery.pid)
    assert mine in doors
    pids = subprocess.run(["pgrep", "-P", str(victim.discovery.pid)], capture_output=True, text=True, check=False)
    assert all(as_neighbour("look_into_memory", pid=int(pid)) == [] for pid in pids.stdout.split())


def test_nothing_is_left_to_read_in_the_folder_for_temporary_files(victim: Victim) -> None:
    victim.installation.run_process("open")
    assert as_neighbour("read_everything_below", folder=str(victim.installation.root / "tmp")) == []


def test_the_page_file_s_ticket_works_for_the_user(victim: Victim) -> None:
    """The control: what the neighbour can't read does open the page."""
    content = victim.installation.home.page.read_text()
    secret = content.partition('secret = "')[2].partition('"')[0]
    said = f"{time.time() * 1000:.0f}.{'0' * 32}"
    ticket = f"{said}.{hmac.new(secret.encode(), said.encode(), hashlib.sha256).hexdigest()}"
    with victim.http() as http:
        assert http.post("/v1/session", json={"ticket": ticket}).status_code == 201
