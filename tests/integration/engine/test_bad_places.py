"""A home that can't be written, or lacks a file: sentences instead of tracebacks, and what can be mended is."""

import json
import resource
import shutil
import socket
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.small_disk import small_disk
from tests.helpers.waiting import until

linux_alone = pytest.mark.skipif(sys.platform != "linux", reason="mounts and limits of Linux")
COMMANDS = (
    ("run", "--port", "0"),
    ("start", "--port", "0"),
    ("index",),
    ("check",),
    ("search", "heron"),
    ("profile", "list"),
    ("profile", "create", "other"),
    ("profile", "exclude", "notes", "birds"),
    ("token",),
    ("status",),
    ("doctor",),
)


@pytest.fixture
def place(tmp_path: Path) -> Installation:
    installation = Installation(tmp_path)
    installation.write({"heron.md": "The heron stood by the weir.", "otter.md": "An otter came by."})
    return installation


@pytest.mark.slow
@linux_alone
def test_every_command_has_a_sentence_for_a_home_that_can_only_be_read(place: Installation) -> None:
    with small_disk(place.root / "home", "60m") as remount:
        place.create_profile()
        place.run("index")
        remount("ro")
        for command in COMMANDS:
            done = place.run(*command, check=False)
            assert "Traceback" not in done.stdout + done.stderr, command
            assert done.returncode == 0 or done.stdout + done.stderr, command
        assert "can only be read" in place.run("run", "--port", "0", check=False).stderr


@pytest.mark.slow
@linux_alone
def test_every_command_has_a_sentence_for_a_full_disk(place: Installation) -> None:
    with small_disk(place.root / "home", "60m"):
        place.create_profile()
        place.run("index")
        fill(place.root / "home")
        for command in COMMANDS:
            done = place.run(*command, check=False)
            assert "Traceback" not in done.stdout + done.stderr, (command, done.stderr)
        for command in ("run", "start"):
            assert "room" in place.run(command, "--port", "0", check=False).stderr, command
        (place.root / "home" / "filler").unlink()
        with place.daemon() as client:
            wait_until_indexed(client)


def fill(folder: Path) -> None:
    with (folder / "filler").open("wb", buffering=0) as file:
        for size in (1 << 20, 4096):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    assert shutil.disk_usage(folder).free < 4096


@pytest.mark.slow
def test_a_lost_installation_key_has_all_notes_read_again(place: Installation) -> None:
    place.create_profile()
    place.run("index")
    (place.home.data / "installation.key").unlink()
    with place.daemon() as client:
        wait_until_indexed(client)
        assert "the installation key is another one" in place.run("logs").stdout
    done = place.run("check", check=False)
    assert (done.returncode, done.stdout) == (0, "notes: all is well\n")
    with place.daemon() as client:
        wait_until_indexed(client)
    assert place.run("logs").stdout.count("the installation key is another one") == 1


@pytest.mark.slow
def test_a_lost_profile_toml_is_named(place: Installation) -> None:
    place.create_profile()
    place.run("index")
    [file] = place.home.profiles.glob("*/profile.toml")
    kept = file.read_text()
    file.unlink()
    with place.daemon() as client:
        [state] = client.ask(STATUS).profiles
        assert (state.state, "is gone" in state.reason) == ("failed", True)
        assert "is gone" in place.run("check", check=False).stdout
        assert "is gone" in place.run("doctor", check=False).stdout
        file.write_text(kept)
        until(lambda: [profile.state for profile in client.ask(STATUS).profiles] == ["idle"])
        assert client.ask(SEARCH, SearchAsk(query="heron", mode="lexical")).results


@pytest.mark.slow
@linux_alone
def test_a_crowd_that_takes_all_descriptors_neither_stops_the_daemon_nor_fills_its_log(place: Installation) -> None:
    place.create_profile()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
    try:
        process = place.start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    try:
        with ScrubjayClient.discover(place.home) as client:
            wait_until_indexed(client)
            port = int(client.url.rpartition(":")[2])
            with ExitStack() as crowd:
                for _ in range(100):
                    crowd.enter_context(socket.create_connection(("127.0.0.1", port)))
                time.sleep(5)
            until(lambda: is_found(place))
    finally:
        process.terminate()
        process.communicate(timeout=60)
    log = (place.home.logs / "daemon.log").read_text().splitlines()
    crowded = [line for line in log if "out of system resource" in json.loads(line)["event"]]
    assert 1 <= len(crowded) < 4


def is_found(place: Installation) -> bool:
    try:
        with ScrubjayClient.discover(place.home) as client:
            return bool(client.ask(SEARCH, SearchAsk(query="heron", mode="lexical")).results)
    except OSError:
        return False
