"""A messy vault's life, many times over: whatever happened, the index ends equal to the vault."""

import pytest

from tests.simulator.machine import database_folder
from tests.simulator.running import Simulation

_AT_ONCE = 20


def _run(first: int) -> None:
    for seed in range(first, first + _AT_ONCE):
        with database_folder() as folder:
            Simulation(seed, folder).run()


def test_the_index_ends_equal_to_the_vault() -> None:
    _run(0)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(_AT_ONCE, 400, _AT_ONCE))
def test_the_index_ends_equal_to_the_vault_in_many_more_lives(first: int) -> None:
    """Until the last mistake of `mutants.py` is noticed it takes 183; `python -m tests.simulator` runs any number."""
    _run(first)
