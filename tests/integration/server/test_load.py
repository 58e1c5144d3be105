"""Many at once: nobody is turned away, and the daemon does not grow."""

from pathlib import Path

import pytest

from scrubjay.daemon.server.endpoints.status import STATUS
from tests.bench.__main__ import sample_vault
from tests.bench.load import press
from tests.bench.queries import sample_queries
from tests.bench.running import percentile, running_daemon, wait_for


@pytest.mark.slow
def test_500_searches_at_once_for_a_minute_are_all_answered(tmp_path: Path) -> None:
    with running_daemon(sample_vault(tmp_path)) as daemon:
        wait_for(lambda: daemon.client.ask(STATUS).idle, seconds=600)
        pressed = press(daemon, sample_queries(daemon, 500), at_once=500, seconds=60)
        assert daemon.client.ask(STATUS).profiles[0].state == "idle"
    settled = pressed.memory[len(pressed.memory) // 2 :]
    assert pressed.failures == []
    assert len(pressed.took) >= 500
    assert percentile(pressed.took, 0.99) < 20  # what the daemon itself allows a search
    assert settled[-1] < settled[0] * 1.2
