"""Several write one file: commands, the daemon, a person with an editor. None takes back what another wrote."""

import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from scrubjay.daemon.home import Home
from scrubjay.daemon.server.access.last_seen import SeenTimes
from scrubjay.daemon.setup.their_files import TheirFile
from scrubjay.profiles.registry.registry import Profile, Registry, vault_folder
from tests.faults.writer_worker import MADE, MOMENT
from tests.helpers.waiting import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
ROUNDS = 25
_EXCLUDE = re.compile(r"^exclude = \[[^\]]*\].*", re.MULTILINE)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


def excluded(folder: Path) -> set[str]:
    return set(Registry(folder).list()[0].vaults[0].exclude)


def seen(folder: Path) -> set[str]:
    return set(SeenTimes(folder / "last-seen.json", lambda: MOMENT).all())


def made_for_us(folder: Path) -> set[str]:
    home = Home.below(folder / "home")
    return {path.stem for path in folder.glob("*.json") if TheirFile.read(home, path).made == MADE}


@pytest.mark.parametrize(
    ("file", "written"), [("profile.toml", excluded), ("last-seen.json", seen), ("made.json", made_for_us)]
)
def test_of_two_processes_that_change_one_file_neither_loses_what_the_other_wrote(
    file: str, written: Callable[[Path], set[str]], tmp_path: Path, vault: Path
) -> None:
    folder = tmp_path / "written"
    Registry(folder).create("work", vaults=[vault_folder(vault)])
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.faults.writer_worker", file, str(folder), writer, str(ROUNDS)], cwd=ROOT
        )
        for writer in ("one", "two")
    ]
    assert [worker.wait(timeout=PATIENCE_SECONDS) for worker in workers] == [0, 0]
    assert written(folder) == {f"{writer} {number}" for writer in ("one", "two") for number in range(ROUNDS)}


def test_of_two_processes_that_want_one_name_one_gets_it(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "profiles")
    program = "import sys; from pathlib import Path; from scrubjay.profiles.registry.registry import Registry\n"
    program += "Registry(Path(sys.argv[1])).create(sys.argv[2])"
    workers = [
        subprocess.Popen([sys.executable, "-c", program, str(registry.folder), name], stderr=subprocess.DEVNULL)
        for name in ("Work", "work", "WORK")
    ]
    assert sorted(worker.wait(timeout=PATIENCE_SECONDS) for worker in workers) == [0, 1, 1]
    assert len(registry.list()) == 1
    assert registry.survey().unreadable == ()


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))])
def test_what_an_editor_saves_between_changes_is_never_taken_back(tmp_path: Path, vault: Path, seed: int) -> None:
    """An editor takes no lock; it saves before a change, or while the change is being thought out."""
    rng = random.Random(seed)
    registry = Registry(tmp_path / "profiles")
    made = registry.create("work", vaults=[vault_folder(vault)])
    path = registry.folder_of(made) / "profile.toml"
    excluded: list[str] = []

    def save() -> None:
        excluded.append(f"Private {len(excluded)}")
        present = registry.current(made)
        assert present.vaults[0].exclude == tuple(excluded[:-1])
        text, count = _EXCLUDE.subn(f"exclude = {excluded!r} # by hand", path.read_text(encoding="utf-8"))
        assert count == 1
        path.write_text(text, encoding="utf-8")

    for _ in range(60):
        between = rng.random() < 0.5

        def change(now: Profile, *, between: bool = between, saves: int = len(excluded)) -> Profile:
            if between and len(excluded) == saves:
                save()
            return msgspec.structs.replace(now, colour=f"#{rng.randrange(1 << 24):06x}")

        if not between:
            save()
        registry.change(made.id, change)
        assert registry.current(made).vaults[0].exclude == tuple(excluded)
    assert "# by hand" in path.read_text(encoding="utf-8")
