"""What people decided and programs suggested outlives the index: damaged, without its vault, without its notes."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.repair import repair_and_read
from scrubjay.daemon.home import Home
from scrubjay.daemon.review.changes.change_plan import plan
from scrubjay.daemon.review.changes.disk_notes import DiskNotes
from scrubjay.daemon.review.proposal import Change
from scrubjay.daemon.review.queue import ProposalNotFound, Queue, chosen_changes
from scrubjay.daemon.review.suggestions import About, Suggester, suggest
from scrubjay.daemon.settings import Settings
from scrubjay.profiles.registry.keys import MemoryKeys
from scrubjay.profiles.registry.registry import Profile, VaultFolder, vault_folder
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.decisions import decide, decisions_of
from scrubjay.profiles.store.review_answers import AnswerRow, answers, put_answers, suggestions
from scrubjay.profiles.store.sqlite import PAGE_SIZE
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder

WHY = "Bread and Rolls belong together"
DIGEST = "0123456789abcdef"


class House:
    """An engine over one vault of three notes, with a suggestion, a decision and an answer."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "vault"
        self.folder.mkdir()
        for name in ("Bread", "Rolls", "Tea"):
            (self.folder / f"{name}.md").write_text(f"About {name}, at length. " * 100)
        self.engine = Engine(Home.below(root / "home"), Settings(), lambda _: HashEncoder(), keys=MemoryKeys())
        self.profile = self.engine.registry.create("work", vaults=(vault_folder(self.folder, allow=(".",)),))
        self.read()
        vault, bread = self.vault.id, self.note("Bread.md")
        changes = [
            Change(action="add-tags", vault="vault", path="Bread.md", tags=("bread",)),
            Change(action="append", vault="vault", path="Rolls.md", after="See [[Bread]]."),
        ]
        rules = self.engine.preparation.rules_of(self.profile)
        suggest(self.store, rules, Suggester("agent", "Agent"), About(bread, "vault", "Bread.md"), WHY, changes)
        decide(self.store, vault, "Rolls.md", (DIGEST,), "done", ())
        subject, digest = b"s" * 16, b"d" * 16
        put_answers(self.store, [AnswerRow("k", "stale", vault, "Tea.md", subject, digest, b"", "no", (), 1)])

    @property
    def store(self) -> Store:
        return self.engine.open_profiles.named("work").store

    @property
    def vault(self) -> VaultFolder:
        return self.engine.registry.current(self.profile).vaults[0]

    def note(self, path: str) -> int:
        found = self.store.read(reads.note_by_path, self.vault.id, path)
        assert found is not None
        return found.note_id

    def read(self) -> None:
        self.engine.profile_sync.sync()
        opened = self.engine.open_profiles.named("work")
        self.engine.preparation.indexer(opened).reconcile(threading.Event())

    def with_vaults(self, *vaults: VaultFolder) -> None:
        def change(now: Profile) -> Profile:
            return msgspec.structs.replace(now, vaults=vaults)

        self.engine.registry.change(self.profile.id, change)

    def suggested(self) -> list[tuple[str, str]]:
        """(path, why) of what programs put forward."""
        found = suggestions(self.store)
        notes = self.store.read(reads.notes, [row.note_id for row in found])
        return [(notes[row.note_id].path, row.why) for row in found]

    def would_be_written(self) -> list[str]:
        """Of the files that yes to what programs put forward would change. Raises Refused."""
        profile = self.engine.registry.current(self.profile)
        names = {vault.id: vault.name for vault in profile.vaults}
        (proposal,) = Queue(self.store, profile.name, names).suggested()
        return [each.path for each in plan(chosen_changes(proposal, None), DiskNotes(profile))]

    def kept(self) -> tuple[object, ...]:
        """What was said of the vault as it is now."""
        decided = decisions_of(self.store, self.vault.id).by_path
        done = {path: set(of.done) for path, of in decided.items()}
        return self.suggested(), done, [(row.vault == self.vault.id, row.path) for row in answers(self.store)]


ALL = ([("Bread.md", WHY)], {"Rolls.md": {DIGEST}}, [(True, "Tea.md")])


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    with closing(made.engine):
        yield made


def test_a_rebuilt_index_keeps_suggestions_until_their_notes_are_read_again(house: House) -> None:
    with house.store.reading() as connection:
        root = int(str(connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'note'").get))
    house.engine.custody.lock(house.profile)
    house.engine.profile_sync.sync()
    with house.engine.registry.store_path(house.profile).open("r+b") as file:
        file.seek((root - 1) * PAGE_SIZE)
        file.write(b"\xa5" * PAGE_SIZE)
    house.engine.custody.unlock(house.profile)
    house.engine.profile_sync.sync(retry=house.profile.id)
    done = repair_and_read(house.engine, house.engine.open_profiles.named("work"))
    assert done.left == ()
    assert house.kept() == ALL
    (told,) = house.engine.warnings()
    assert "1 suggestion of a program" in told
    assert "Not kept" not in told


@pytest.mark.parametrize("between", ["read", "not read"])
def test_a_vault_that_is_taken_away_and_given_back_has_all_that_was_said(house: House, between: str) -> None:
    house.with_vaults()
    if between == "read":
        house.read()
        assert house.store.read(reads.note_count) == 0
    (house.folder / "Rolls.md").write_text("Rolls, written anew.")
    house.with_vaults(vault_folder(house.folder, allow=(".",)))
    house.read()
    assert house.kept() == ALL


def test_what_was_said_of_one_vault_is_never_about_another(house: House, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    for note in house.folder.iterdir():
        (tmp_path / "other" / note.name).write_bytes(note.read_bytes())
    house.with_vaults()
    house.read()
    house.with_vaults(vault_folder(tmp_path / "other", allow=(".",)))
    house.read()
    assert house.kept() == ([], {}, [(False, "Tea.md")])


def test_a_suggestion_waits_for_its_note_and_is_about_it_wherever_it_comes_back(house: House) -> None:
    text = (house.folder / "Bread.md").read_bytes()
    (house.folder / "Bread.md").unlink()
    house.read()
    assert house.suggested() == []
    (house.folder / "Baking.md").write_bytes(text)
    house.read()
    assert house.suggested() == [("Baking.md", WHY)]
    (house.folder / "Baking.md").unlink()
    house.read()
    (house.folder / "Baking.md").write_text("About bread, in other words.")
    house.read()
    assert house.suggested() == [("Baking.md", WHY)]


def test_what_a_program_put_forward_can_be_written_wherever_its_notes_move(house: House) -> None:
    (house.folder / "Baking").mkdir()
    for path, to, written in (
        ("Bread.md", "Baking/Bread.md", ["Baking/Bread.md", "Rolls.md"]),
        ("Rolls.md", "Baking/Rolls.md", ["Baking/Bread.md", "Baking/Rolls.md"]),
        ("Baking/Bread.md", "Loaves.md", ["Loaves.md", "Baking/Rolls.md"]),
    ):
        (house.folder / path).rename(house.folder / to)
        house.read()
        assert house.would_be_written() == written
    changes = [Change(action="add-tags", vault="vault", path="Loaves.md", tags=("bread",))]  # as an older version
    with house.store.writing() as writer:
        writer.connection.execute("UPDATE review_suggestion SET changes = ?", (msgspec.json.encode(changes).decode(),))
    (house.folder / "Loaves.md").rename(house.folder / "Baking/Loaves.md")
    house.read()
    assert house.would_be_written() == ["Baking/Loaves.md"]


def test_a_suggestion_shows_nothing_of_an_excluded_note_beside_its_own(house: House) -> None:
    names = {house.vault.id: house.vault.name}
    (shown,) = Queue(house.store, "work", names).suggested()
    house.with_vaults(msgspec.structs.replace(house.vault, exclude=("Rolls.md",)))
    house.read()
    hidden = Queue(house.store, "work", names)
    assert hidden.suggested() == []
    with pytest.raises(ProposalNotFound):
        hidden.get(shown.key)
    house.with_vaults(msgspec.structs.replace(house.vault, exclude=()))
    house.read()
    assert Queue(house.store, "work", names).suggested() == [shown]


def test_of_an_excluded_note_no_suggestion_stays(house: House) -> None:
    house.with_vaults(msgspec.structs.replace(house.vault, exclude=("Bread.md",)))
    house.read()
    with house.store.reading() as connection:
        assert connection.execute("SELECT count(*) FROM review_suggestion").get == 0
    house.with_vaults(msgspec.structs.replace(house.vault, exclude=()))
    house.read()
    assert house.suggested() == []
