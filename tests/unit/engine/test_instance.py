"""One daemon a home."""

from pathlib import Path

import pytest

from scrubjay.daemon.home import Home
from scrubjay.daemon.server.access.identity import Identity, write_discovery
from scrubjay.daemon.server.instance import AlreadyRunning, InstanceLock


def test_a_second_daemon_is_told_where_the_first_one_is(tmp_path: Path) -> None:
    home = Home.below(tmp_path).make()
    with InstanceLock(home):
        write_discovery(home.discovery, Identity.new("1.0").discovery(4711, pid=1))
        with pytest.raises(AlreadyRunning, match=r"http://127\.0\.0\.1:4711"), InstanceLock(home):
            pass


def test_the_lock_is_free_again_after_the_first_one_ends(tmp_path: Path) -> None:
    home = Home.below(tmp_path)
    with InstanceLock(home):
        pass
    with InstanceLock(home):
        pass
