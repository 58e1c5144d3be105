"""A short soak; `make soak` runs the long one."""

from pathlib import Path

import pytest

from tests.soak.running import soak


@pytest.mark.slow
def test_an_index_in_use_ends_equal_to_a_full_rescan(tmp_path: Path) -> None:
    outcome = soak(tmp_path, notes=300, seconds=60, kill_every=10, seed=7, tell=print)
    assert outcome.kills >= 3
    assert outcome.searches > 0
    assert (outcome.differences, outcome.problems) == ([], "")
