"""Backups and exports as a person uses them: each is its profile's, and a file from elsewhere brings no permission."""

import json
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scrubjay.credential_filter.rules.templates import expand
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.store.file_store import FileStore
from tests.helpers.installation import Installation
from tests.integration.profiles.test_commands import FIRST, NOTE, WORD, Person

SECRET = expand("ghp_{alnum:36}", "an export from elsewhere")


@pytest.fixture
def person(tmp_path: Path) -> Person:
    installation = Installation(tmp_path / "here")
    installation.write(NOTE)
    return Person(installation)


def indexes(person: Person) -> None:
    assert person.tries("index").exit_code == 0


def journal(person: Person, name: str) -> list[str]:
    return [entry["text"] for entry in person.does("journal", "log", "--profile", name)]


def remembers(person: Person, name: str, *texts: str) -> None:
    for text in texts:
        assert person.tries("journal", "add", "--profile", name, text).exit_code == 0


def two_profiles(person: Person) -> Registry:
    for name in ("aone", "btwo"):
        person.makes(name)
    indexes(person)
    return Registry(person.installation.home.profiles)


def test_the_backup_of_another_profile_is_refused_and_nothing_is_lost(person: Person, tmp_path: Path) -> None:
    registry = two_profiles(person)
    remembers(person, "aone", "decision A")
    remembers(person, "btwo", "decision B: about Bob's salary")
    file = str(tmp_path / "b.bak")
    person.does("profile", "backup", "btwo", file)
    refused = person.tries("profile", "restore", "aone", file, "--yes")
    assert (refused.exit_code, "another profile, btwo" in refused.stderr) == (1, True)
    assert journal(person, "aone") == ["decision A"]
    asked = person.tries("profile", "restore", "aone", file, "--from-other", types="y\n")
    assert (asked.exit_code, "1 journal entry are not in it" in asked.output) == (0, True)
    assert journal(person, "aone") == ["decision B: about Bob's salary"]
    (aside,) = registry.folder_of(registry.get("aone")).glob("*.before-restore-*")
    with closing(sqlite3.connect(aside)) as database:
        assert database.execute("SELECT text FROM journal").fetchall() == [("decision A",)]


def test_what_people_said_since_a_backup_outlives_its_restoring(person: Person, tmp_path: Path) -> None:
    registry = two_profiles(person)
    folder = registry.folder_of(registry.get("aone"))
    remembers(person, "aone", "before")
    person.does("profile", "backup", "aone", str(tmp_path / "a.bak"))
    remembers(person, "aone", "after", "and after that")
    asked = person.tries("profile", "restore", "aone", str(tmp_path / "a.bak"), types="y\n")
    assert (asked.exit_code, "2 journal entries are kept" in asked.output) == (0, True), asked.output
    assert journal(person, "aone") == ["and after that", "after", "before"]
    assert person.does("search", WORD, "--profile", "aone")["results"]
    assert len(list(folder.glob("*.before-restore-*"))) == 1
    person.does("profile", "encrypt", "aone", "--passphrase", "--passphrase-stdin", types=f"{FIRST}\n")
    assert list(folder.glob("*.before-restore-*")) == []  # it would be plain beside what is encrypted
    assert [path.name for path in folder.rglob("*") if path.is_file() and WORD.encode() in path.read_bytes()] == []


FOREIGN = {
    "trigger evil": "CREATE TRIGGER evil AFTER INSERT ON note BEGIN UPDATE note SET title = 'HACKED'; END",
    "view chunks": "CREATE VIEW chunks AS SELECT * FROM chunk",
    "table kept": "CREATE TABLE kept (text TEXT)",
    "index more": "CREATE INDEX more ON note (path)",
    "journal_never_changes": "DROP TRIGGER journal_never_changes;"
    " CREATE TRIGGER journal_never_changes AFTER DELETE ON note BEGIN SELECT 1; END",
}


def test_a_database_with_what_scrubjay_does_not_make_is_refused_and_seen(person: Person, tmp_path: Path) -> None:
    registry = two_profiles(person)
    for number, (named, sql) in enumerate(FOREIGN.items()):
        copy = tmp_path / f"{number}.bak"
        person.does("profile", "backup", "aone", str(copy))
        _tampered(copy, sql)
        refused = person.tries("profile", "restore", "aone", str(copy), "--yes")
        assert (refused.exit_code, named in refused.stderr) == (1, True), refused.output
        assert person.tries("check", "--profile", "aone").exit_code == 0
        _tampered(registry.store_path(registry.get("aone")), sql)
        seen = person.tries("check", "--profile", "aone")
        assert (seen.exit_code, named in seen.stdout) == (1, True), seen.output
        person.tries("check", "--profile", "aone", "--repair")
        assert person.tries("check", "--profile", "aone").exit_code == 0


BY_HAND = (
    (
        "INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_stat1', 'note', 0,"
        " 'CREATE TRIGGER sqlite_stat1 AFTER INSERT ON note BEGIN UPDATE note SET title = ''HACKED''; END')",
        "trigger sqlite_stat1",
    ),
    (
        "INSERT INTO sqlite_schema VALUES ('view', 'sqlite_sequence', 'sqlite_sequence', 0,"
        " 'CREATE VIEW sqlite_sequence AS SELECT * FROM chunk')",
        "no backup of Scrubjay",
    ),
    ("DELETE FROM sqlite_schema WHERE name = 'journal_never_changes'", "trigger journal_never_changes"),
    ("UPDATE sqlite_schema SET sql = lower(sql) WHERE name = 'note'", "table note"),
    ("UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = 'note'", ""),
    ("PRAGMA user_version = 1", ""),
    ("PRAGMA user_version = 0", ""),
    ("PRAGMA user_version = 4711", "newer"),
    ("PRAGMA application_id = 0", "no backup of Scrubjay"),
)


def test_a_database_whose_inner_tables_were_written_by_hand_is_refused(person: Person, tmp_path: Path) -> None:
    registry = two_profiles(person)
    whole = tmp_path / "a.bak"
    person.does("profile", "backup", "aone", str(whole))
    before = registry.store_path(registry.get("aone")).read_bytes()
    for number, (sql, named) in enumerate(BY_HAND):
        copy = Path(shutil.copy(whole, tmp_path / f"{number}.bak"))
        with closing(sqlite3.connect(copy, isolation_level=None)) as opened:
            opened.execute("PRAGMA writable_schema = ON")
            opened.execute(sql)
        refused = person.tries("profile", "restore", "aone", str(copy), "--yes")
        assert (refused.exit_code, named in refused.stderr) == (1, True), (sql, refused.output)
        assert registry.store_path(registry.get("aone")).read_bytes() == before, sql
        assert list(registry.folder_of(registry.get("aone")).glob("*.incoming*")) == [], sql
    assert person.tries("check", "--profile", "aone").exit_code == 0


def _tampered(path: Path, sql: str) -> None:
    with closing(FileStore.open(path)) as store, store.writing() as writer:
        for statement in sql.split("; C"):
            text = statement if statement.startswith(("CREATE", "DROP")) else f"C{statement}"
            writer.connection.execute(text).fetchall()


def _export(person: Person, file: Path, change: Callable[[dict[str, Any]], object], sql: str = "") -> None:
    """Export a profile, and write other settings and rows into the file, as anybody can."""
    two_profiles(person)
    person.does("profile", "export", "aone", str(file), "--readable")
    apart = file.parent / "taken apart"
    with zipfile.ZipFile(file) as parcel:
        parcel.extractall(apart)
    with closing(sqlite3.connect(apart / "index.sqlite3")) as opened:
        (settings,) = opened.execute("SELECT value FROM meta WHERE name = 'exported-profile'").fetchone()
        values = json.loads(settings)
        change(values)
        opened.execute("UPDATE meta SET value = ? WHERE name = 'exported-profile'", (json.dumps(values),))
        opened.execute(sql)
        opened.commit()
    with zipfile.ZipFile(file, "w") as parcel:
        for name in ("scrubjay.json", "index.sqlite3"):
            parcel.write(apart / name, name)


def test_an_import_reads_no_folder_and_lets_no_text_stand(person: Person, tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    diary.mkdir()
    (diary / "deep.md").write_text(f"privatemarker, {SECRET}", encoding="utf-8")

    def evil(values: dict[str, Any]) -> None:
        values["name"] = "recipes"
        values["vaults"][0] |= {"root": str(diary), "allow": ["."]}
        values |= {"filter_allow": [".*"], "federate": True}

    file = tmp_path / "evil.parcel"
    _export(person, file, evil)
    imported = person.tries("profile", "import", str(file))
    assert imported.exit_code == 0, imported.output
    for said in (str(diary), "profile move recipes", "profile federate recipes on", "let stand"):
        assert said in imported.output
    indexes(person)
    assert "diary" not in person.tries("search", "privatemarker", "--as-typed", "--profile", "recipes", "--json").stdout
    everywhere = person.tries("search", "privatemarker", "--json").stdout
    assert SECRET not in everywhere
    for path in person.installation.home.profiles.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()
    profile = Registry(person.installation.home.profiles).get("recipes")
    assert (profile.filter_allow, profile.federate, profile.server) == ((), False, "")
    assert not Path(profile.vaults[0].root).exists()


def test_an_imported_index_is_searched_at_once_and_reads_its_vault_when_that_is_allowed(
    person: Person, tmp_path: Path
) -> None:
    file = tmp_path / "aone.parcel"
    _export(person, file, lambda values: values.update(name="again"))
    person.does("profile", "import", str(file))
    indexes(person)
    assert person.does("search", WORD, "--profile", "again")["results"]
    (person.installation.vault / "New.md").write_text("A shearwater passes by.", encoding="utf-8")
    refused = person.tries("profile", "move", "again", str(person.installation.vault))
    assert (refused.exit_code, "--allow" in refused.stderr) == (2, True)
    person.does("profile", "move", "again", str(person.installation.vault), "--allow", ".")
    indexes(person)
    assert person.does("search", "shearwater", "--profile", "again")["results"]


def test_an_import_takes_over_nothing_that_asks_or_opens(person: Person, tmp_path: Path) -> None:
    values = {
        "name": "other",
        "server": "postgresql://anna@db.example.org/notes",
        "team_number": 1,
        "model": "../../../../etc",
        "locked": True,
        "key_id": "0123456789ab-00000000",
    }
    file = tmp_path / "evil.parcel"
    _export(person, file, lambda settings: settings.update(values))
    person.does("profile", "import", str(file))
    made = Registry(person.installation.home.profiles).get("other")
    assert (made.server, made.team_number, made.model, made.locked, made.key_id) == ("", 0, "bundled", False, "")


def test_what_was_accepted_elsewhere_is_asked_again(person: Person, tmp_path: Path) -> None:
    answer = "INSERT INTO review_answer VALUES ('k', 'suggested', 'v', 'p.md', x'', x'', x'', 'yes', '[]', 1)"
    file = tmp_path / "aone.parcel"
    _export(person, file, lambda values: values.update(name="again"), answer)
    person.does("profile", "import", str(file))
    registry = Registry(person.installation.home.profiles)
    opened = FileStore.open(registry.store_path(registry.get("again")))
    with closing(opened) as store, store.reading() as connection:
        assert connection.execute("SELECT count(*) FROM review_answer").get == 0
