"""A messy vault's life, many times over: whatever happened, the index ends equal to the vault."""

from pathlib import Path

import pytest

from tests.simulator.running import Simulation

_AT_ONCE = 20


def _run(first: int, folder: Path) -> None:
    for seed in range(first, first + _AT_ONCE):
        place = folder / str(seed)
        place.mkdir()
        Simulation(seed, place).run()


@pytest.mark.parametrize("first", range(0, 200, _AT_ONCE))
def test_the_index_ends_equal_to_the_vault(first: int, tmp_path: Path) -> None:
    _run(first, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(200, 10_000, _AT_ONCE))
def test_the_index_ends_equal_to_the_vault_in_many_more_lives(first: int, tmp_path: Path) -> None:
    _run(first, tmp_path)
