"""The simulator notices mistakes: each of many that were made on purpose."""

from pathlib import Path

import pytest

from tests.simulator.mutants import MUTANTS, Mutant
from tests.simulator.running import Simulation

_SEEDS = 300


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mistake_is_noticed(mutant: Mutant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant.install(monkeypatch)
    for seed in range(_SEEDS):
        place = tmp_path / str(seed)
        place.mkdir()
        try:
            Simulation(seed, place).run()
        except Exception:  # noqa: BLE001  (whatever a mistake leads to, it shows)
            return
    pytest.fail("no seed noticed it")
