"""The first and the last minute on a real, empty home: `scrubjay setup` and `scrubjay uninstall`."""

import contextlib
import json
import subprocess
import sys
import urllib.request
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scrubjay.daemon.home import Home
from scrubjay.profiles.registry.registry import Registry
from tests.helpers.installation import PROGRAM, run_command

needs_keyring = pytest.mark.skipif(PROGRAM is not None, reason="the keyring is the tests' own: no other program has it")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="where the platform keeps its folders differs")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a home of their own, a vault that Obsidian knows, and no service manager."""

    root: Path

    @property
    def vault(self) -> Path:
        return self.root / "Notes"

    @property
    def home(self) -> Home:
        return Home(
            config=self.root / ".config/scrubjay",
            data=self.root / ".local/share/scrubjay",
            state=self.root / ".local/state/scrubjay",
            cache=self.root / ".cache/scrubjay",
        )

    def run(
        self, *arguments: str, answers: str = "", check: bool = True, language: str = "C.UTF-8"
    ) -> subprocess.CompletedProcess[str]:
        keyring = "keyring.backends.fail.Keyring" if PROGRAM else "tests.helpers.file_keyring.FileKeyring"
        environment = {
            "HOME": str(self.root),
            "LANG": language,
            "PATH": str(self.root / "no-programs"),
            "PYTHON_KEYRING_BACKEND": keyring,
            "PYTHONPATH": str(Path(__file__).parents[3]),
            "SCRUBJAY_TEST_KEYRING": str(self.root / "keyring.json"),
        }
        with contextlib.chdir(self.root):
            done = run_command(arguments, environment, answers)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def files(self) -> set[str]:
        """Everything below the home, by relative path."""
        return {path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if not path.is_dir()}

    def secrets_kept(self) -> dict[str, str]:
        file = self.root / "keyring.json"
        return json.loads(file.read_text()) if file.exists() else {}


@pytest.fixture
def person(tmp_path: Path) -> Generator[Person]:
    made = Person(tmp_path)
    for note, text in {
        "Work/Ferry.md": "# Ferry\n\nThe ferry to the island leaves at nine.\n",
        "Archive/Old.md": "# Old\n\nAn old ferry timetable.\n",
        "Private/Diary.md": "# Diary\n\nNobody reads of the ferry here.\n",
        ".obsidian/community-plugins.json": '["copilot"]',
        ".obsidian/plugins/copilot/data.json": '{"qaExclusions": "Archive"}',
    }.items():
        (made.vault / note).parent.mkdir(parents=True, exist_ok=True)
        (made.vault / note).write_text(text, encoding="utf-8")
    known = tmp_path / ".config/obsidian/obsidian.json"
    known.parent.mkdir(parents=True)
    known.write_text(json.dumps({"vaults": {"1": {"path": str(made.vault), "ts": 1}}}), encoding="utf-8")
    (tmp_path / "keyring.json").write_text("{}", encoding="utf-8")
    made.home.make()
    made.home.settings.write_text("port = 0\n", encoding="utf-8")  # not the port that somebody may be using
    yield made
    if made.home.discovery.exists():
        made.run("stop", check=False)


def test_it_asks_in_the_language_of_the_system(person: Person) -> None:
    done = person.run("setup", answers="1\n.\n", check=False, language="de_DE.UTF-8")
    assert "Vaults, die Obsidian kennt:" in done.stdout
    assert "Archive  (1 Notiz)" in done.stdout
    assert "Was darf gelesen werden?" in done.stdout
    assert "Auch aus Scrubjay ausschließen? [J/n]" in done.stdout


QUIET = ("--no-open", "--no-plugin", "--no-service")


def test_setup_without_questions_lets_nothing_be_read_and_asks_again_the_next_time(person: Person) -> None:
    said = person.run("setup", "--yes", *QUIET).stdout
    for words in ("Scrubjay runs at", "Nothing may be read yet", "scrubjay profile allow Notes FOLDER"):
        assert words in said
    (profile,) = Registry(person.home.profiles).list()
    assert (profile.name, profile.vaults[0].allow, profile.vaults[0].exclude) == ("Notes", (), ("Archive",))
    assert not (person.vault / ".obsidian/plugins/scrubjay").exists()
    asked = person.run("setup", *QUIET, answers="1\n3\n").stdout
    for words in (
        "What may be read?",
        "1 note can be found by word",
        "PDFs and office files are read after all notes.",
    ):
        assert words in asked
    said = person.run("setup", *QUIET, "--allow", "Private", "--exclude", "Work/Secret", answers="1\n").stdout
    assert "What may be read?" not in said
    (profile,) = Registry(person.home.profiles).list()
    assert (profile.vaults[0].allow, profile.vaults[0].exclude) == (("Work", "Private"), ("Archive", "Work/Secret"))


@needs_keyring
def test_setup_asks_and_the_search_answers_from_what_was_allowed_alone(person: Person) -> None:
    answers = "\n".join(["1", "3, 1", "y", "sea", "keyring", "y", "y", ""])
    done = person.run("setup", "--no-open", answers=answers)
    assert "Nothing is read unless you allow it" in done.stdout
    assert "3  Work  (1 note)" in done.stdout
    assert "Copilot leaves out: Archive" in done.stdout
    assert "systemctl` is not on this machine" in done.stderr.replace("\n", " ")
    (profile,) = Registry(person.home.profiles).list()
    assert (profile.name, profile.encrypted) == ("sea", True)
    assert "1 note can be found by word" in done.stdout
    found = json.loads(person.run("search", "ferry", "--mode", "lexical", "--json").stdout)
    assert [result["path"] for result in found["results"]] == ["Work/Ferry.md"]
    again = person.run("setup", "--yes", "--no-open", "--no-service").stdout
    assert "belongs to profile sea already" in again


@needs_keyring
def test_uninstall_with_purge_leaves_nothing_behind(person: Person) -> None:
    before = person.files()
    person.run("setup", "--yes", "--no-open", "--no-service", "--allow", ".", "--encrypt", "keyring")
    person.run("mcp", "install", "codex")
    person.run("hooks", "install", "claude-code")
    person.run("index", "--wait")
    (person.home.config / "my own.txt").write_text("not Scrubjay's", encoding="utf-8")
    assert len(person.secrets_kept()) >= 3  # the profile's key, the user's token, the agent's token
    (person.vault / ".obsidian/community-plugins.json").write_text('["copilot", "scrubjay"]', encoding="utf-8")
    done = person.run("uninstall", "--purge", "--yes", check=False)
    assert done.returncode == 1
    assert "my own.txt" in done.stderr.replace("\n", "")
    assert person.secrets_kept() == {}
    assert json.loads((person.vault / ".obsidian/community-plugins.json").read_text()) == ["copilot"]
    (person.home.config / "my own.txt").unlink()
    assert person.files() == before - {".config/scrubjay/settings.toml"}
    person.run("uninstall", "--purge", "--yes")
    assert person.run("uninstall", "--purge").stdout.strip() == "There is nothing of Scrubjay to remove."


def test_setup_ends_when_the_notes_can_be_found_and_uninstall_tells_what_it_will_do_first(person: Person) -> None:
    said = person.run("setup", "--yes", "--no-open", "--no-service", "--allow", ".").stdout
    assert "2 notes can be found by word" in said  # Copilot leaves the archive out
    found = json.loads(person.run("search", "ferry", "--mode", "lexical", "--json").stdout)
    assert {result["path"] for result in found["results"]} == {"Work/Ferry.md", "Private/Diary.md"}
    opener = next(word for word in said.split() if word.startswith("file:///"))
    with urllib.request.urlopen(opener) as page:
        assert b"#ticket=" in page.read(), "the address opens the search page"
    refused = person.run("uninstall", "--purge", answers="n\n", check=False)
    assert refused.returncode == 1
    assert "Overwrite and delete the index and the key of profile Notes" in refused.stdout
    assert person.home.discovery.exists()
    person.run("uninstall", "--yes")
    assert [profile.name for profile in Registry(person.home.profiles).list()] == ["Notes"], "kept unless told to purge"
    assert not (person.vault / ".obsidian/plugins/scrubjay").exists()
    assert not person.home.discovery.exists()
