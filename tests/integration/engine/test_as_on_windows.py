"""What Windows does otherwise, as far as it can be had here: files in use, and a stop without signals."""

import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.daemon.cli.serve import ask_to_stop
from scrubjay.profiles.registry.work_lock import work_lock
from tests.helpers.installation import PROGRAM, Installation, scrubjay_command
from tests.helpers.waiting import until
from tests.helpers.windows_files import open_files_stay

needs_descriptors = pytest.mark.skipif(sys.platform != "linux", reason="open files are listed in /proc")


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    made = Installation(tmp_path, {"HOME": str(tmp_path)})
    made.write({"Note.md": "A heron at the weir.\n"})
    made.create_profile()
    return made


@needs_descriptors
def test_the_stand_in_refuses_what_windows_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_files_stay(monkeypatch)
    file = tmp_path / "file"
    with file.open("w"), pytest.raises(PermissionError):
        file.unlink()
    file.unlink()


@needs_descriptors
@pytest.mark.parametrize("command", [("profile", "remove", "notes", "--yes"), ("uninstall", "--purge", "--yes")])
def test_a_profile_goes_whole_though_its_lock_is_held_meanwhile(
    command: tuple[str, ...], installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    installation.run("index")
    open_files_stay(monkeypatch)
    done = installation.invoke(*command)
    assert (done.exit_code, done.stderr) == (0, "")
    profiles = installation.home.profiles
    assert not profiles.exists() or list(profiles.iterdir()) == []


def test_a_lock_that_is_let_go_leaves_a_profile_alone(installation: Installation) -> None:
    (folder,) = installation.home.profiles.iterdir()
    with work_lock(folder):
        pass
    assert (folder / "profile.toml").exists()


@pytest.mark.skipif(PROGRAM is not None or sys.platform == "win32", reason="a daemon of this checkout, by a shell")
@pytest.mark.parametrize(
    "streams", ["", pytest.param(">&- 2>&-", marks=pytest.mark.slow)], ids=["", "without a console"]
)
def test_a_daemon_that_can_t_be_sent_a_signal_stops_by_itself_when_it_is_asked_to(
    installation: Installation, streams: str
) -> None:
    home = installation.home.make()
    home.stop_request.touch()  # left behind by a request to a daemon that was killed
    command = ["sh", "-c", f'exec "$0" "$@" {streams}', *scrubjay_command("run", "--port", "0")]
    process = subprocess.Popen(command, env=installation.run_environment(), stdout=subprocess.DEVNULL)
    try:
        until(lambda: home.discovery.exists() or process.poll() is not None)
        assert process.poll() is None
        ask_to_stop(home, process.pid, "win32")
        until(lambda: process.poll() is not None)
        assert process.returncode == 0
        assert not home.discovery.exists()
        assert not home.stop_request.exists()
    finally:
        process.kill()
        process.wait()
