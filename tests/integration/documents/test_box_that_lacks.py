"""Where the system lacks what closes the box, the user is told, and files are left out where they say so."""

import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from tests.helpers import installation as module
from tests.helpers.installation import Installation, scrubjay_command
from tests.helpers.waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the measures of this system are others")

OLDER_KERNEL = str(Path(module.__file__).with_name("older_kernel.py"))


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    made = Installation(tmp_path)
    made.write({"Plan.md": "See the list.", "list.txt": "A heron stood at the weir."})
    made.create_profile()
    return made


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands and daemons run on a kernel with neither Landlock nor seccomp(2)."""

    def command(*arguments: str) -> list[str]:
        return [sys.executable, OLDER_KERNEL, *scrubjay_command(*arguments)]

    monkeypatch.setattr(module, "scrubjay_command", command)


def found(client: ScrubjayClient, word: str) -> set[str]:
    return {each.path for each in client.ask(SEARCH, SearchAsk(query=word, mode="lexical")).results}


def left_out(client: ScrubjayClient) -> set[tuple[str, str]]:
    return {(each.path, each.code) for profile in client.ask(STATUS).profiles for each in profile.failures}


def said_by(installation: Installation, *command: str) -> str:
    run = installation.run_process if command == ("doctor",) else installation.run  # the doctor tries a box of its own
    done = run(*command, check=False)
    return " ".join((done.stdout + done.stderr).split())


def test_a_whole_box_is_named(installation: Installation) -> None:
    assert "closed by Landlock, resource limits, seccomp" in said_by(installation, "doctor")  # which starts one
    with installation.daemon() as client:
        until(lambda: found(client, "heron") == {"list.txt"})
        told = client.ask(STATUS).box
        assert told is not None
        assert (told.measures, told.missing, told.required) == (("landlock", "resource-limits", "seccomp"), (), False)
        assert "closed to the world by Landlock, resource limits, seccomp." in said_by(installation, "status")


@pytest.mark.slow
@pytest.mark.usefixtures("older")
def test_what_the_box_lacks_is_said(installation: Installation) -> None:
    assert "lacks Landlock, seccomp" in said_by(installation, "doctor")
    with installation.daemon(forked=False) as client:
        until(lambda: found(client, "heron") == {"list.txt"})
        told = client.ask(STATUS).box
        assert told is not None
        assert (told.measures, told.missing) == (("resource-limits",), ("landlock", "seccomp"))
        assert "Missing here: Landlock, seccomp." in said_by(installation, "status")
        assert "lacks Landlock, seccomp" in said_by(installation, "doctor")


@pytest.mark.usefixtures("older")
def test_files_are_left_out_where_all_measures_are_demanded_and_read_when_they_are_not(
    installation: Installation,
) -> None:
    settings = installation.home.settings
    lenient = settings.read_text(encoding="utf-8")
    settings.write_text(lenient + "require_box = true\n", encoding="utf-8")
    with installation.daemon(forked=False) as client:
        until(lambda: left_out(client) == {("list.txt", "box-incomplete")})
        assert found(client, "heron") == set()
        assert "no file is read, as `require_box` demands" in said_by(installation, "status")
        settings.write_text(lenient, encoding="utf-8")
        until(lambda: found(client, "heron") == {"list.txt"})
        until(lambda: left_out(client) == set())


@pytest.mark.parametrize(("loads", "started"), [("reader", 1)])
def test_the_box_has_no_thread_that_landlock_would_miss(loads: str, started: int) -> None:
    """Landlock binds the thread that asks for it: what parses is loaded by then, and has started no other."""
    program = f"""
import os
from scrubjay.daemon.documents.sandbox import process
process._{loads}(1)
print(len(os.listdir("/proc/self/task")))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout) == started


THREADED = """
import os, threading
from scrubjay.daemon.documents.sandbox.confinement import confine
threading.Thread(target=threading.Event().wait, daemon=True).start()
measures = confine(400_000_000)
os.write(1, " ".join(measures).encode())
os._exit(0)
"""


@pytest.mark.parametrize(
    ("kernel", "held"),
    [([], "landlock resource-limits seccomp"), ([sys.executable, OLDER_KERNEL], "resource-limits")],
    ids=["this kernel", "an older one"],
)
def test_landlock_counts_beside_other_threads_only_where_seccomp_holds_them(kernel: list[str], held: str) -> None:
    command = [*kernel, sys.executable, "-c", THREADED]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == held
