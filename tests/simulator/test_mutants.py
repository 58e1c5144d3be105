"""The simulator notices mistakes: each of many that were made on purpose."""

import pytest

from tests.simulator.machine import database_folder
from tests.simulator.mutants import MUTANTS, Mutant
from tests.simulator.running import Simulation

_SEEDS = 400


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mistake_can_still_be_made_in_just_one_place(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant.install(monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mistake_is_noticed(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant.install(monkeypatch)
    for seed in range(_SEEDS):
        with database_folder() as folder:
            try:
                Simulation(seed, folder).run()
            except Exception:  # noqa: BLE001  (whatever a mistake leads to, it shows)
                return
    pytest.fail("no seed noticed it")
