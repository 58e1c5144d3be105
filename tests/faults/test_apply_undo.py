"""Applying and undoing at random, also beside an editor: no byte lost, and what is taken back is what was there."""

import os
from pathlib import Path

import pytest

from tests.faults import apply_worker

SAMPLE = Path(__file__).parents[2] / "packaging" / "sample_vault"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="its editor is a process of its own by fork")
@pytest.mark.parametrize("times", [60, pytest.param(1_000, marks=pytest.mark.slow)])
def test_random_changes_lose_nothing_and_undoing_is_exact(tmp_path: Path, times: int) -> None:
    figures = apply_worker.run(tmp_path, SAMPLE, times)
    assert figures.applied >= times
    assert figures.undone >= times // 2
    assert figures.edits > 0
