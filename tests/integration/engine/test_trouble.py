"""What a machine does to a running daemon: each trouble is said, ends by itself, and loses nothing."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.access.identity import read_discovery
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS, ProfileStatus
from tests.helpers.installation import Installation, scrubjay_command, wait_until_indexed
from tests.helpers.small_disk import small_disk
from tests.helpers.waiting import PATIENCE_SECONDS, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mounts, signals and limits of Linux")

WORDS = "The heron stood by the weir and waited for the otter that had come down the river in the night. " * 30


@pytest.fixture
def place(tmp_path: Path) -> Installation:
    installation = Installation(tmp_path)
    installation.write({f"dir{n}/note{n}.md": f"# Note {n}\n\nThe heron of weir {n}." for n in range(5)})
    return installation


def only(client: ScrubjayClient) -> ProfileStatus:
    [profile] = client.ask(STATUS).profiles
    return profile


def found(client: ScrubjayClient, query: str) -> set[str]:
    return {hit.path for hit in client.ask(SEARCH, SearchAsk(query=query, mode="lexical")).results}


def worker(place: Installation, module: str) -> psutil.Process | None:
    """The daemon's process that runs a module."""
    discovery = read_discovery(place.home.discovery)
    assert discovery
    for child in psutil.Process(discovery.pid).children():
        with contextlib.suppress(psutil.Error):  # gone meanwhile
            if module in child.cmdline():
                return child
    return None


def test_a_full_disk_loses_no_note_and_is_said_for_as_long_as_it_lasts(place: Installation) -> None:
    with small_disk(place.root / "home", "60m") as remount:
        place.create_profile()
        with place.daemon() as client:
            wait_until_indexed(client)
            used = shutil.disk_usage(place.root / "home").used
            remount(f"size={used + 300_000}")
            place.write({f"new/{n}.md": f"# New {n}\n\n{n} {WORDS * 8}" for n in range(60)})
            until(lambda: only(client).state == "failed")
            assert "full" in only(client).reason
            place.write({"dir0/note0.md": "A tiny edit."})
            time.sleep(3)
            assert only(client).notes < 65
            assert "full" in only(client).reason
            assert place.run("index", "--wait", check=False).returncode == 1
            remount("size=200m")
            until(lambda: only(client).notes == 65)
            until(lambda: only(client).reason == "")
            assert found(client, "tiny") == {"dir0/note0.md"}


@pytest.mark.slow
def test_a_model_process_that_was_killed_over_and_over_goes_on_by_itself(place: Installation) -> None:
    place.create_profile()
    with place.daemon(forked=False) as client:
        wait_until_indexed(client)
        place.write({f"new/{n}.md": f"# New {n}\n\n{n} {WORDS}" for n in range(40)})

        def killed() -> bool:
            if process := worker(place, "scrubjay.daemon.models.model_worker"):
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            return "died twice" in only(client).reason

        until(killed)
        until(lambda: only(client).pending_embeddings == 0)
        until(lambda: (only(client).state, only(client).reason) == ("idle", ""))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sabotage", "told"),
    [
        ("os._exit(3)", "ends with status 3"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "is ended by SIGKILL"),
    ],
)
def test_where_the_process_that_prepares_notes_dies_at_once_everybody_says_so(
    tmp_path: Path, sabotage: str, told: str
) -> None:
    """As where an update took its interpreter away, or a virus scanner ends it. Once it can live, all goes on."""
    place = Installation(tmp_path, {"PYTHONPATH": str(tmp_path)})
    place.write({f"{n}.md": f"# Note {n}\n\nThe heron of weir {n}. {WORDS}" for n in range(20)})
    hook = tmp_path / "sitecustomize.py"
    hook.write_text(
        f"import os, signal, sys\nif 'scrubjay.daemon.indexing.prepare_worker' in sys.orig_argv:\n    {sabotage}\n"
    )
    place.create_profile()
    with place.daemon(forked=False) as client:
        # It is tried again and again, and while it is nothing is known to be wrong.
        until(lambda: told in (reason := only(client).reason) and "scrubjay restart" in reason)
        assert only(client).failures == ()  # it is no note's fault
        for command in ("status", "doctor"):
            until(lambda command=command: told in " ".join(place.run(command, check=False).stdout.split()))
        assert place.run("index", "--wait", check=False).returncode == 1
        hook.unlink()
        until(lambda: (only(client).notes, only(client).reason) == (20, ""))


@contextmanager
def limited_watches(place: Installation, limit: int) -> Generator[ScrubjayClient]:
    """A daemon whose user may watch so few folders."""
    script = f'echo {limit} > /proc/sys/user/max_inotify_watches && exec "$@"'
    inside = ["unshare", "--user", "--map-root-user", "sh", "-c", script, "sh"]
    if (
        shutil.which("unshare") is None
        or subprocess.run([*inside, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("no limit of watches may be set here")
    environment = os.environ | {
        "SCRUBJAY_HOME": str(place.root / "home"),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }
    command = [*inside, *scrubjay_command("run", "--port", "0")]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        until(place.home.discovery.exists)
        with ScrubjayClient.discover(place.home) as client:
            yield client
    finally:
        process.terminate()
        process.wait(60)


@pytest.mark.slow
def test_a_limit_of_watches_is_said_and_edits_are_found_all_the_same(place: Installation) -> None:
    place.write({f"dir{n}/note{n}.md": f"# Note {n}\n\nThe heron of weir {n}." for n in range(78)})
    place.create_profile()
    with limited_watches(place, 20) as client:
        wait_until_indexed(client)
        until(lambda: any("every half minute" in warning for warning in client.ask(STATUS).warnings))
        place.write({"dir55/note55.md": "An otter."})
        until(lambda: found(client, "otter") == {"dir55/note55.md"})


@pytest.mark.slow
def test_a_model_process_that_was_stopped_leaves_search_by_words_and_is_replaced(place: Installation) -> None:
    place.create_profile()
    with place.daemon(forked=False) as client:
        wait_until_indexed(client)
        client.ask(SEARCH, SearchAsk(query="a bird at the water"))
        process = worker(place, "scrubjay.daemon.models.model_worker")
        assert process
        process.suspend()
        for _ in range(4):
            answer = client.ask(SEARCH, SearchAsk(query="heron at the weir"))
            assert (answer.semantic, len(answer.results)) == ("unavailable", 5)
        until(lambda: client.ask(SEARCH, SearchAsk(query="heron at the weir")).semantic == "used")


@pytest.mark.slow
def test_a_stop_while_everything_is_read_waits_for_no_note_that_was_not_begun(place: Installation) -> None:
    place.create_profile()
    place.write({f"new/{n}.md": f"# New {n}\n\n{n} {WORDS * 4}" for n in range(800)})
    process = place.start()
    with ScrubjayClient.discover(place.home) as client:
        until(lambda: only(client).state == "embedding")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0
    with place.daemon() as client:
        until(lambda: only(client).pending_embeddings > 0)


def test_a_discovery_file_that_was_deleted_is_written_again(place: Installation) -> None:
    place.create_profile()
    with place.daemon():
        before = place.home.discovery.read_bytes()
        place.home.discovery.unlink()
        until(lambda: place.home.discovery.exists() and place.home.discovery.read_bytes() == before)
