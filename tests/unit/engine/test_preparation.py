from contextlib import closing
from pathlib import Path

import msgspec

from scrubjay.daemon.engine.note_preparation import Preparation
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
