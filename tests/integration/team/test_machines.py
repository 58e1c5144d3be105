"""Two installations with copies of one folder in a team's profile, from the outside: what they find is one thing."""

import os
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.repair import problems_of
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.state import status_of
from scrubjay.daemon.settings import Settings
from scrubjay.profiles.registry.keys import Custody, MemoryKeys
from scrubjay.profiles.registry.registry import Profile, Registry, vault_folder
from scrubjay.profiles.registry.team_credentials import TeamCredentials
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.integrity import IntegrityProblem
from scrubjay.profiles.store.integrity_check import check
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.team_server import TeamDatabase, TeamServer, fresh_database

_SECONDS = 120.0


@dataclass(frozen=True)
class Computer:
    """One installation; `vault` is its copy of the notes."""

    root: Path
    engine: Engine

    @property
    def vault(self) -> Path:
        return self.root / "Notes"

    @property
    def store(self) -> Store:
        return self.engine.open_profiles.named("team").store

    @property
    def vault_id(self) -> str:
        return self.engine.open_profiles.named("team").profile.vaults[0].id

    def write(self, path: str, text: str) -> None:
        file = self.vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def look(self) -> None:
        """As the daemon does by itself: now and then, and for what has changed."""
        deadline = time.monotonic() + _SECONDS
        while "team" not in self.engine.open_profiles.stores():
            assert time.monotonic() < deadline, self.engine.open_profiles.closed()
            self.engine.profile_sync.sync()
            time.sleep(0.1)
        self.engine.supervisor.request(self.engine.open_profiles.named("team").profile.id)
        self._wait(deadline)

    def look_at(self, *paths: str) -> None:
        """As when the daemon is told that these have changed."""
        self.engine.supervisor.paths_changed(self.engine.open_profiles.named("team").profile.id, self.vault_id, paths)
        self._wait(time.monotonic() + _SECONDS)

    def _wait(self, deadline: float) -> None:
        while self.engine.supervisor.last_errors() or not self.engine.supervisor.wait_until_idle(1):
            assert time.monotonic() < deadline, self.engine.supervisor.last_errors()
            time.sleep(0.1)

    def look_at_files(self) -> None:
        """The same for files beside notes."""
        self.engine.preparation.file_indexer(self.engine.open_profiles.named("team")).reconcile(threading.Event())

    def finds(self, query: str) -> set[str]:
        return {
            each.path for each in self.engine.searcher.search(SearchRequest(query, limit=50, mode="lexical")).results
        }

    def contents(self) -> dict[str, tuple[str, ...]]:
        known = self.store.read(reads.known_notes, self.vault_id)
        return {
            path: tuple(view.text for view in self.store.read(reads.note_chunks, note.id))
            for path, note in known.items()
        }

    def problems(self) -> tuple[IntegrityProblem, ...]:
        return problems_of(self.engine, self.engine.open_profiles.named("team"))

    def differing(self) -> tuple[str, ...]:
        """The notes of which `scrubjay status` says that they say something else here than in the index."""
        opened = self.engine.open_profiles.named("team")
        (shown,) = status_of(self.engine, (opened.profile,), instance="", started=0).profiles
        assert shown.on_disk is not None
        assert shown.on_disk.differing == len(shown.on_disk.differing_paths)
        return shown.on_disk.differing_paths

    def copy_of(self, other: "Computer") -> None:
        """Have what another one's folder has, with its dates, and look at it."""
        shutil.copytree(other.vault, self.vault, copy_function=shutil.copy2, dirs_exist_ok=True)
        self.look()


@pytest.fixture
def pair(own_server: TeamServer, tmp_path: Path) -> Generator[tuple[Computer, Computer]]:
    """Anna's and Ben's."""
    with fresh_database(own_server) as database, ExitStack() as ends:
        key = secrets.token_bytes(32)
        made = [_computer(database, tmp_path / name, key) for name in ("anna", "ben")]
        for each in made:
            ends.callback(each.engine.close)
        yield made[0], made[1]


def _computer(database: TeamDatabase, root: Path, key: bytes) -> Computer:
    home = Home.below(root / "home").make()
    (root / "Notes").mkdir(parents=True)
    registry, keys = Registry(home.profiles), MemoryKeys()
    folder = vault_folder(root / "Notes", allow=(".",))
    profile = registry.create("team", vaults=(folder,))
    profile = msgspec.structs.replace(profile, server=str(database.owner), team_number=database.profile)
    registry.change(
        profile.id, lambda _: Custody(registry, keys).keep_team(profile, TeamCredentials(database.owner_password, key))
    )
    engine = Engine(home, Settings(speed="full"), lambda _model: HashEncoder(), keys=keys)
    engine.supervisor.start()
    made = Computer(root, engine)
    made.look()  # or its first look might find half of what a test writes
    return made


def with_vault(folder: Path) -> Callable[[Profile], Profile]:
    return lambda now: msgspec.structs.replace(now, vaults=(*now.vaults, vault_folder(folder, allow=(".",))))


def test_two_copies_of_a_folder_are_one_vault_of_the_team(pair: tuple[Computer, Computer]) -> None:
    anna, ben = pair
    anna.write("Heron.md", "A heron stood in the reed.")
    anna.look()
    shutil.copy2(anna.vault / "Heron.md", ben.vault / "Heron.md")
    ben.write("Otter.md", "An otter slept.")
    ben.look()
    assert anna.vault_id == ben.vault_id
    assert anna.finds("heron") == ben.finds("heron") == {"Heron.md"}
    assert anna.finds("otter") == {"Otter.md"}
    assert anna.contents() == {"Heron.md": ("A heron stood in the reed.",), "Otter.md": ("An otter slept.",)}
    machines = {(each.root / "home" / "data" / "machine.id").read_bytes() for each in (anna, ben)}
    assert len(machines) == 2


def test_a_vault_that_is_added_to_an_open_profile_has_the_team_s_id_at_once(pair: tuple[Computer, Computer]) -> None:
    anna, ben = pair
    for each in (anna, ben):
        more = each.root / "More"
        more.mkdir()
        (more / "Fish.md").write_text("Fish in the pond.")
        os.utime(more / "Fish.md", (1, 1))
        profile = each.engine.registry.get("team")
        each.engine.registry.change(profile.id, with_vault(more))
        each.engine.profile_sync.sync()
        each.look()
    assert [v.id for v in anna.engine.open_profiles.named("team").profile.vaults] == [
        v.id for v in ben.engine.open_profiles.named("team").profile.vaults
    ]
    assert len(anna.store.read(reads.known_notes, anna.engine.registry.get("team").vaults[1].id)) == 1


def test_a_file_beside_notes_is_one_machine_s_at_a_time(pair: tuple[Computer, Computer]) -> None:
    anna, ben = pair
    for each, at in ((anna, 100), (ben, 300)):
        for name in ("Birds.txt", "Fish.txt"):
            each.write(name, f"A list of {name}: heron, otter.")
            os.utime(each.vault / name, (at, at))
    anna.look_at_files()
    ben.look_at_files()
    assert ben.finds("heron") == {"Birds.txt", "Fish.txt"}
    assert ben.store.read(reads.known_notes, ben.vault_id, files=True)["Birds.txt"].mtime_ns == 100 * 10**9
    (anna.vault / "Birds.txt").unlink()
    anna.look_at_files()
    ben.look_at_files()
    assert ben.finds("heron") == {"Fish.txt"}
    ben.write("Fish.txt", "Another list: heron, gurnard.")
    ben.look_at_files()
    anna.look_at_files()
    assert anna.finds("gurnard") == {"Fish.txt"}


def test_old_bytes_with_a_new_date_undo_nobody_s_newer_note(pair: tuple[Computer, Computer]) -> None:
    anna, ben = pair
    anna.write("Heron.md", "A heron stood in the reed.")
    anna.look()
    ben.copy_of(anna)
    anna.write("Heron.md", "A heron stood in the reed, and an otter slept.")
    anna.look()
    assert ben.finds("otter") == {"Heron.md"}
    os.utime(ben.vault / "Heron.md")  # as `git checkout` of an older branch does, or a restored backup
    ben.look()
    assert anna.finds("otter") == ben.finds("otter") == {"Heron.md"}
    assert [problem.code for problem in anna.problems()] == []
    assert ["1 note says something else" in problem.about for problem in ben.problems()] == [True]
    assert (anna.differing(), ben.differing()) == ((), ("Heron.md",))
    ben.write("Heron.md", "A heron stood in the reed, and a gurnard swam.")
    os.utime(ben.vault / "Heron.md", (time.time() + 60, time.time() + 60))
    ben.look()
    assert anna.finds("gurnard") == {"Heron.md"}


def test_a_copy_that_differs_is_counted_until_it_is_brought_up_to_date(pair: tuple[Computer, Computer]) -> None:
    anna, ben = pair
    for name in ("Heron.md", "Otter.md", "Gurnard.md"):
        anna.write(name, f"Of {name}.")
        ben.write(name, f"Of {name}.")
        os.utime(ben.vault / name, (1, 1))
    ben.write("Otter.md", "An otter")
    ben.write("Gurnard.md", "Of Gurmard.md.")  # as many bytes
    for name in ("Otter.md", "Gurnard.md"):
        os.utime(ben.vault / name, (1, 1))
    anna.look()
    ben.look()
    assert (anna.differing(), ben.differing()) == ((), ("Gurnard.md", "Otter.md"))
    (ben.vault / "Otter.md").unlink()
    shutil.copy2(anna.vault / "Gurnard.md", ben.vault / "Gurnard.md")
    ben.look_at("Otter.md", "Gurnard.md")
    assert ben.differing() == ()
    ben.write("Heron.md", "Of a heron, from before.")
    os.utime(ben.vault / "Heron.md", (1, 1))
    ben.look_at("Heron.md")
    assert ben.differing() == ("Heron.md",)


def test_what_another_machine_looks_after_is_nothing_to_be_read_again_here(pair: tuple[Computer, Computer]) -> None:
    anna, ben = pair
    anna.write("Heron.md", "A heron stood in the reed.")
    anna.look()
    ben.copy_of(anna)
    assert (anna.problems(), ben.problems()) == ((), ())
    (anna.vault / "Heron.md").unlink()
    anna.look()
    assert (anna.problems(), ben.problems()) == ((), ())


def test_a_pause_outlasts_a_server_that_was_away(own_server: TeamServer, pair: tuple[Computer, Computer]) -> None:
    anna, _ = pair
    anna.look()
    engine, profile = anna.engine, anna.engine.open_profiles.named("team").profile.id
    engine.supervisor.pause((profile,))
    own_server.stop("immediate")
    try:
        anna.finds("heron")
        engine.profile_sync.sync()
        assert "team" in engine.open_profiles.closed()
    finally:
        own_server.start()
    engine.profile_sync.sync(retry=profile)
    assert "team" in engine.open_profiles.stores()
    assert engine.supervisor.state(profile) == "paused"


@pytest.mark.slow
def test_what_happened_while_the_server_was_away_is_there_once_it_is_back(
    own_server: TeamServer, pair: tuple[Computer, Computer]
) -> None:
    anna, ben = pair
    for number in range(60):
        anna.write(f"Birds/{number}.md", f"Heron {number} stood in the reed.")
    anna.look()
    ben.copy_of(anna)
    with own_server.as_operator() as operator:
        operator.execute("CHECKPOINT")  # it confirms before it writes, and would lose who looks after what
    own_server.stop("immediate")
    for number in range(10):
        anna.write(f"Birds/{number}.md", f"Otter {number} slept on the bank.")
        (anna.vault / f"Birds/{number + 10}.md").unlink()
        (anna.vault / "Moved").mkdir(exist_ok=True)
        (anna.vault / f"Birds/{number + 20}.md").rename(anna.vault / f"Moved/{number + 20}.md")
    anna.engine.supervisor.request(anna.engine.open_profiles.named("team").profile.id)
    ben.engine.supervisor.request(ben.engine.open_profiles.named("team").profile.id)
    _wait_for_trouble(anna)
    own_server.start()
    on_disk = {
        path.relative_to(anna.vault).as_posix(): (path.read_text(),) for path in sorted(anna.vault.rglob("*.md"))
    }
    assert len(on_disk) == 50
    deadline = time.monotonic() + _SECONDS
    looks = 0
    while not looks or not anna.contents() == ben.contents() == on_disk:
        assert time.monotonic() < deadline, (len(anna.contents()), len(ben.contents()))
        for each in (ben, anna, ben):
            each.look()
        looks += 1
    assert [len(each.finds("otter")) for each in (anna, ben)] == [10, 10]
    opened = anna.engine.open_profiles.named("team")
    digest = anna.engine.preparation.text_digest(opened.profile)
    fingerprint = anna.engine.preparation.fingerprint(opened)
    assert check(anna.store, digest=digest, fingerprint=fingerprint) == ()


def _wait_for_trouble(computer: Computer) -> None:
    deadline = time.monotonic() + _SECONDS
    while not computer.engine.supervisor.last_errors():
        assert time.monotonic() < deadline
        time.sleep(0.05)
