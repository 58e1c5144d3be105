"""A process killed at its first start on an earlier version's home leaves that home whole, or as it was before."""

import random
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from scrubjay.profiles.journal.entries import Journal
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.store.decisions import decisions_of
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check
from scrubjay.profiles.store.migrations import scripts
from scrubjay.profiles.store.review_answers import answers, suggestions
from tests.helpers.installation import Installation, scrubjay_command, wait_until_indexed
from tests.integration.engine.test_earlier_releases import (
    ALL,
    EARLIEST,
    LATEST,
    Made,
    index_of,
    keeps_what_was_saved,
    saved,
    unpacked,
    version_of,
)

KILLS = 4  # of each home


def killed(installation: Installation, seconds: float) -> None:
    """Start the daemon, and end it so late that it has done something, or nothing yet, or all."""
    command = scrubjay_command("run", "--port", "0")
    with subprocess.Popen(
        command, env=installation.run_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        time.sleep(seconds)
        assert process.poll() is None  # nothing but the kill ends it
        process.kill()


def until_brought_up_to_date(made: Made, folder: Path) -> float:
    """How many seconds a start takes here until the index is of today's schema."""
    installation = unpacked(made, folder)
    began = time.monotonic()
    with installation.daemon():
        while version_of(index_of(installation)) < len(scripts()):
            time.sleep(0.01)
        return time.monotonic() - began


def is_whole(installation: Installation, made: Made, before: dict[str, bytes]) -> None:
    """Settings, clients and keys are byte for byte as they were, and the index is whole and holds what it held."""
    index = index_of(installation)
    assert version_of(index) in (made.schema, len(scripts()))
    now = saved(installation)
    same = [path for path in before if not path.startswith(str(index))]
    assert {path: now[path] for path in same} == {path: before[path] for path in same}
    (profile,) = Registry(installation.home.profiles).list()
    with closing(FileStore.open(index)) as store:
        assert check(store) == ()
        assert len(Journal(store).log(10)) == (1 if made.schema >= 2 else 0)
        decided = decisions_of(store, profile.vaults[0].id).by_path
        assert set(decided) == ({"Keys.md"} if made.schema >= 6 else set())
        said = [len(suggestions(store)), len(answers(store))]
        assert said == ([2, 2] if made.schema >= 16 else [0, 0])


@pytest.mark.slow
@pytest.mark.parametrize(
    "made",
    [EARLIEST, *(each for each in ALL if each.schema in (6, 12)), LATEST],
    ids=lambda made: f"{made.schema}-{made.commit}",
)
def test_a_first_start_that_is_killed_leaves_a_home_whole_or_as_it_was(made: Made, tmp_path: Path) -> None:
    takes, rng = until_brought_up_to_date(made, tmp_path / "measured"), random.Random(made.commit)
    homes = [unpacked(made, tmp_path / f"run-{number}") for number in range(KILLS)]
    for installation in homes:
        before = saved(installation)
        killed(installation, takes * rng.uniform(0.5, 1.3))
        is_whole(installation, made, before)
    with homes[-1].daemon() as client:
        wait_until_indexed(client)
        keeps_what_was_saved(homes[-1], client, made)
