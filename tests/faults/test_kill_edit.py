"""An edit of 600 notes is killed in the middle: each note is old or new, it goes on or back, and no byte is lost."""

import subprocess
from collections.abc import Callable, Iterator

import pytest

from scrubjay.daemon.client import ScrubjayClient
from tests.helpers.installation import Installation, scrubjay_command, wait_until_indexed
from tests.helpers.waiting import until

pytestmark = pytest.mark.slow

COUNT = 600
_ENDS = ("\n", "\r\n", "\r")
_MARKS = (b"", b"\xef\xbb\xbf")
_ARGUMENTS = ("edit", "ferry", "--replace", "ferry", "--with", "rowing boat", "--write", "--yes")


def note(number: int) -> bytes:
    end = _ENDS[number % 3]
    front = f"---{end}status: open{end}---{end}" if number % 4 == 0 else ""
    text = f"{front}Crossing {number} by ferry.{end}" + f"Line with a ferry {number}.{end}" * (number % 7)
    return _MARKS[number % 5 == 0] + text.encode()


BEFORE = {f"Trips {number % 9}/Crossing {number}.md": note(number) for number in range(COUNT)}
AFTER = {path: data.replace(b"ferry", b"rowing boat") for path, data in BEFORE.items()}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("kill"))
    made.create_profile("notes")
    return made


@pytest.fixture(scope="module")
def daemon(installation: Installation) -> Iterator[ScrubjayClient]:
    with installation.daemon() as client:
        yield client


@pytest.fixture(autouse=True)
def killed(installation: Installation, daemon: ScrubjayClient) -> None:
    """600 notes, of which some have been edited when the command is killed."""
    installation.write(BEFORE)
    installation.run("index")
    wait_until_indexed(daemon)
    kill_once(lambda: edited(installation) > COUNT // 3, installation, *_ARGUMENTS)
    now = on_disk(installation)
    assert 0 < edited(installation) < COUNT, "it was killed in the middle"
    for path, data in BEFORE.items():
        assert now[path] in (data, AFTER[path]), f"{path} is neither old nor new"


def kill_once(is_time: Callable[[], bool], installation: Installation, *arguments: str) -> None:
    process = subprocess.Popen(
        scrubjay_command(*arguments), env=installation.run_environment(), stdout=subprocess.DEVNULL
    )
    until(lambda: process.poll() is not None or is_time())
    process.kill()
    process.wait()


def edited(installation: Installation) -> int:
    """How many notes there is a way back for. What was left of a record that was being written begins with a dot."""
    return sum(1 for _ in installation.home.profiles.glob("*/review/[!.]*-*"))


def on_disk(installation: Installation) -> dict[str, bytes]:
    """All files of the vault, also those that an edit puts beside a note for a moment."""
    found = (path for path in installation.vault.rglob("*") if path.is_file())
    return {path.relative_to(installation.vault).as_posix(): path.read_bytes() for path in found}


def test_what_was_written_is_taken_back_as_one_though_that_is_killed_too(installation: Installation) -> None:
    kill_once(lambda: edited(installation) < COUNT // 6, installation, "review", "undo")
    assert 0 < edited(installation) < COUNT // 6, "it was killed in the middle"
    installation.run("review", "undo")
    assert on_disk(installation) == BEFORE
    assert edited(installation) == 0


def test_the_same_command_goes_on_and_both_parts_come_back(installation: Installation, daemon: ScrubjayClient) -> None:
    wait_until_indexed(daemon)
    installation.run(*_ARGUMENTS)
    assert on_disk(installation) == AFTER
    installation.run("review", "undo")
    installation.run("review", "undo")
    assert on_disk(installation) == BEFORE
    assert edited(installation) == 0
