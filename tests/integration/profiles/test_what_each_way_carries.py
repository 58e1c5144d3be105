"""The tables in docs/copies.md of what backups, exports, repairs, moves and vaults that return carry, row by row."""

import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.review.proposal import Change
from scrubjay.daemon.review.suggestions import About, Suggester, suggest
from scrubjay.profiles.journal.entries import Journal, JournalEntry
from scrubjay.profiles.journal.hidden_notes import HiddenNote, hide
from scrubjay.profiles.journal.search_event import SearchEvent
from scrubjay.profiles.journal.searches import History
from scrubjay.profiles.registry.registry import NOT_ATTACHED, Registry, VaultFolder, is_attached
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.decisions import decide
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.review_answers import AnswerRow, SuggestionRow, put_answers, put_suggestion
from scrubjay.profiles.store.sqlite import PAGE_SIZE
from tests.helpers.installation import Installation
from tests.integration.profiles.test_commands import NOTE, Person

PATH = "Birds.md"
KINDS = {
    "journal": "SELECT text FROM journal",
    "answers": "SELECT key FROM review_answer",
    "decisions": "SELECT digest FROM decision WHERE path = 'Birds.md' AND vault = ?1 AND note_digest IS NULL",
    "suggestions": "SELECT key FROM review_suggestion JOIN note ON note.id = note_id WHERE note.path = 'Birds.md'",
    "hidden": "SELECT query FROM hidden_note JOIN note USING (vault, path) WHERE note_digest IS NULL",
    "searches": "SELECT query FROM search_event JOIN search_opened ON event_id = id",
}


class House:
    """Profiles over one vault of one note, and commands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.person = Person(Installation(folder / "here"))
        self.person.installation.write(NOTE)

    def does(self, *command: str) -> None:
        done = self.person.tries(*command)
        assert done.exit_code == 0, done.output

    def makes(self, name: str) -> None:
        self.person.makes(name)
        self.does("index")

    def opened(self, name: str) -> tuple[FileStore, str]:
        """A profile's store, and the id of its vault."""
        registry = Registry(self.person.installation.home.profiles)
        profile = registry.get(name)
        return FileStore.open(registry.store_path(profile)), profile.vaults[0].id

    def says(self, name: str, what: str) -> None:
        """Have something said by everybody, of each kind."""
        store, vault = self.opened(name)
        with closing(store):
            note = store.read(reads.note_by_path, vault, PATH)
            assert note is not None
            now = time.time_ns()
            Journal(store).append(JournalEntry(f"{what:0<12}"[:12], now, "me", "c", (), what))
            put_answers(store, [AnswerRow(what, "stale", vault, PATH, b"s", b"d", b"", "no", (), now)])
            assert put_suggestion(store, SuggestionRow(what, note.note_id, "a", "Agent", now, "why", b"[]"), most=9)
            decide(store, vault, PATH, (what,), "done", ())
            hide(store, HiddenNote(vault, PATH, what.encode(), what, now))
            History(store).record([SearchEvent(now, what, "hybrid", 1, 1.0, (PATH,))])

    def heard(self, name: str) -> Mapping[str, set[str]]:
        """What was said of a profile, by kind."""
        store, vault = self.opened(name)
        with closing(store), store.reading() as connection:
            values = {kind: (vault,) if "?1" in sql else () for kind, sql in KINDS.items()}
            return {
                kind: {str(text) for (text,) in connection.execute(sql, values[kind])} for kind, sql in KINDS.items()
            }


def restored(house: House) -> str:
    file = str(house.folder / "a.bak")
    house.does("profile", "backup", "aone", file)
    house.says("aone", "since")
    house.does("profile", "restore", "aone", file, "--yes")
    return "aone"


def restored_from_another(house: House) -> str:
    file = str(house.folder / "b.bak")
    house.makes("btwo")
    house.says("btwo", "other")
    house.does("profile", "backup", "btwo", file)
    house.does("profile", "restore", "aone", file, "--from-other", "--yes")
    house.does("index")
    return "aone"


def imported(house: House) -> str:
    file = str(house.folder / "a.parcel")
    house.does("profile", "export", "aone", file, "--readable")
    house.does("profile", "rename", "aone", "before")
    house.does("profile", "import", file)
    return "aone"


def repaired(house: House) -> str:
    house.does("check", "--repair")
    return "aone"


def repaired_after_damage(house: House) -> str:
    store, _ = house.opened("aone")
    with closing(store), store.reading() as connection:
        root = int(str(connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'chunk'").get))
    with store.path.open("r+b") as file:
        file.seek((root - 1) * PAGE_SIZE)
        file.write(b"\xa5" * PAGE_SIZE)
    house.does("check", "--repair")
    return "aone"


def moved(house: House) -> str:
    shutil.copytree(house.person.installation.vault, house.folder / "moved")
    house.does("profile", "move", "aone", str(house.folder / "moved"))
    house.does("index")
    return "aone"


def taken_and_given_back(house: House) -> str:
    vault, other = str(house.person.installation.vault), house.folder / "other"
    other.mkdir()
    house.does("profile", "add-vault", "aone", str(other), "--allow", ".")
    house.does("profile", "remove-vault", "aone", vault)
    house.does("index")
    house.does("profile", "remove-vault", "aone", str(other))
    house.does("profile", "add-vault", "aone", vault, "--allow", ".")
    house.does("index")
    return "aone"


class Around(Struct, frozen=True):
    """What is around a profile's index. keys, tokens: of the installation, as they are on disk."""

    notes: Mapping[str, object]
    folders: tuple[VaultFolder, ...]
    is_encrypted: bool
    keys: Mapping[str, bytes]
    tokens: bytes


def around(house: House) -> Around:
    """Of the profile `aone`. notes: with the times, modes and owners of the files."""
    home, vault = house.person.installation.home, house.person.installation.vault
    profile = Registry(home.profiles).get("aone")
    stats = {path: path.stat() for path in vault.rglob("*.md")}
    return Around(
        notes={
            path.name: (path.read_bytes(), found.st_mtime_ns, found.st_mode, found.st_uid, found.st_gid)
            for path, found in stats.items()
        },
        folders=profile.vaults,
        is_encrypted=profile.encrypted,
        keys={path.name: path.read_bytes() for path in home.data.rglob("*key*") if path.is_file()},
        tokens=home.clients.read_bytes(),
    )


def made_around(tmp_path: Path) -> House:
    """A house with a profile that says something of its vault."""
    house = House(tmp_path)
    (house.person.installation.vault / "Inbox").mkdir()
    house.makes("aone")
    house.does("profile", "exclude", "aone", "Private")
    house.does("profile", "inbox", "aone", "Inbox")
    house.does("review", "--json")  # from now on the command line has a token
    return house


def applies(house: House) -> None:
    """Have the note changed by `review apply`."""
    store, vault = house.opened("aone")
    with closing(store):
        note = store.read(reads.note_by_path, vault, PATH)
        assert note is not None
        change = Change(action="replace", vault="vault", path=PATH, line=1, before="cliff", after="rock")
        about = About(note.note_id, "vault", PATH)
        key = suggest(store, BUILT_IN, Suggester("agent", "Agent"), about, "It is a rock.", (change,))
    house.does("review", "yes", key)
    house.does("review", "apply")


def as_they_are(before: VaultFolder, _: Path) -> VaultFolder:
    return before


def in_the_new_folder(before: VaultFolder, folder: Path) -> VaultFolder:
    return replace(before, root=str(folder / "moved"), name="moved")


def nowhere_yet(before: VaultFolder, folder: Path) -> VaultFolder:
    root = folder / "here" / "home" / "data" / "profiles" / NOT_ATTACHED / before.id
    return replace(before, root=str(root))


def said_anew(before: VaultFolder, _: Path) -> VaultFolder:
    return replace(before, id="", exclude=(), inbox="")


@pytest.mark.parametrize(
    ("way", "kept", "folder", "leads_back"),
    [
        (restored, {"before", "since"}, as_they_are, True),
        (restored_from_another, {"other"}, as_they_are, True),
        (imported, {"before"}, nowhere_yet, False),
        (repaired, {"before"}, as_they_are, True),
        (repaired_after_damage, {"before"}, as_they_are, True),
        (moved, {"before"}, in_the_new_folder, True),
        (taken_and_given_back, {"before"}, said_anew, False),
    ],
)
def test_each_way_back_carries_and_leaves_what_the_tables_say(
    tmp_path: Path,
    way: Callable[[House], str],
    kept: set[str],
    folder: Callable[[VaultFolder, Path], VaultFolder],
    leads_back: bool,
) -> None:
    house = made_around(tmp_path)
    house.says("aone", "before")
    applies(house)
    before = around(house)
    heard = house.heard(way(house))
    assert {kind: said & {"before", "since", "other"} for kind, said in heard.items()} == dict.fromkeys(KINDS, kept)
    now = around(house)
    (was,), (vault,) = before.folders, now.folders
    assert (vault.id == was.id) is (folder is not said_anew)
    assert replace(vault, id=folder(was, tmp_path).id) == folder(was, tmp_path)
    assert replace(now, folders=()) == replace(before, folders=())
    undone = house.person.tries("review", "undo", "--profile", "aone")
    assert (undone.exit_code == 0) is leads_back
    assert ("cliff" in (Path(vault.root) / PATH).read_text()) is leads_back if is_attached(vault) else not leads_back


def test_undo_brings_back_what_the_tables_say_and_leaves_the_rest(tmp_path: Path) -> None:
    house = made_around(tmp_path)
    house.says("aone", "before")
    before = around(house)
    applies(house)
    assert around(house).notes != before.notes
    house.does("review", "undo")
    house.does("index")
    assert around(house) == before
    heard = dict(house.heard("aone"))
    assert len(heard.pop("suggestions") - {"before"}) == 1  # it waits again
    assert all(said == {"before"} for said in heard.values())
    assert house.person.tries("review", "undo").exit_code == 1
