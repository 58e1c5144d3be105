from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from scrubjay.daemon.engine.note_preparation import Preparation, prepares_apart
from scrubjay.daemon.home import Home
from scrubjay.daemon.processes.scheduler import Scheduler
from scrubjay.daemon.settings import Settings
from scrubjay.profiles.registry.registry import Registry


def test_the_rules_of_a_profile_are_made_once(tmp_path: Path) -> None:
    home = Home.below(tmp_path).make()
    with closing(Preparation(home, Settings(), Scheduler())) as preparation:
        profile = msgspec.structs.replace(Registry(home.profiles).create("work"), filter_allow=("harmless",))
        first = preparation.rules_of(profile)
        assert preparation.rules_of(profile) is first
        preparation.reload(Settings())
        assert preparation.rules_of(profile) is not first


@pytest.mark.parametrize(
    ("megabytes", "cores", "apart"), [(512, 2, False), (1_023, 8, False), (1_024, 2, True), (8_000, 1, False)]
)
def test_notes_and_files_are_prepared_at_the_same_time_where_there_is_room(
    megabytes: int, cores: int, apart: bool
) -> None:
    assert prepares_apart(megabytes << 20, cores) is apart
