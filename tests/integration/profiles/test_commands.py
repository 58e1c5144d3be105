"""`scrubjay profile …` as a person uses it, beside a running daemon and without one.

The daemon is a real one, in a process of its own; the commands run in this process, as they would in theirs.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import Result

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.cli.profile import profile
from scrubjay.daemon.cli.profile.filter import GROUPS
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.profiles import LIST_PROFILES, UNLOCK_PROFILE, UnlockAsk
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.daemon.transport import ApiError
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.store.sqlite import is_encrypted
from tests.helpers.file_keyring import kept_in
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.waiting import until

FIRST, SECOND = "correct horse battery", "staple of another kind"
WORD = "kittiwake"
NOTE = {"Birds.md": f"The {WORD} nests on the cliff."}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at a terminal, with a home and a vault."""

    installation: Installation

    def tries(self, *arguments: str, types: str = "") -> Result:
        return self.installation.invoke(*arguments, types=types)

    def does(self, *arguments: str, types: str = "") -> Any:
        """What the command prints with `--json`."""
        done = self.tries(*arguments, "--json", types=types)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    def makes(self, name: str, *options: str) -> Path:
        """A profile over the whole vault; where its database is."""
        self.installation.vault.mkdir(parents=True, exist_ok=True)
        self.does("profile", "create", name, "--vault", str(self.installation.vault), "--allow", ".", *options)
        registry = Registry(self.installation.home.profiles)
        return registry.store_path(registry.get(name))


@dataclass(frozen=True, slots=True)
class Running(Person):
    """The same, with a daemon that serves the home."""

    client: ScrubjayClient

    def is_asked(self, name: str) -> None:
        """Wait until a profile is open and all of it read, and find its note."""
        until(lambda: (state := self.state(name)).state == "idle" and state.notes > 0, lambda: self.state(name))
        assert name in self.finds()

    def finds(self, *profiles: str) -> set[str]:
        answer = self.client.ask(SEARCH, SearchAsk(query=WORD, profiles=profiles or None))
        return {name for hit in answer.results for name in (hit.profile, *(place.profile for place in hit.also_in))}

    def state(self, name: str) -> Any:
        return {one.name: one for one in self.client.ask(STATUS).profiles}[name]


@pytest.fixture(scope="module")
def keyring_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keyring") / "keyring.json"


def an_installation(root: Path, keyring_file: Path) -> Installation:
    made = Installation(root, kept_in(keyring_file))
    made.write(NOTE)
    return made


@pytest.fixture
def person(tmp_path: Path, keyring_file: Path) -> Person:
    return Person(an_installation(tmp_path, keyring_file))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, keyring_file: Path) -> Iterator[Running]:
    installation = an_installation(tmp_path_factory.mktemp("running"), keyring_file)
    Person(installation).makes("other")
    with installation.daemon() as client:
        wait_until_indexed(client)
        yield Running(installation, client)


def keys(keyring_file: Path, database: Path) -> Mapping[str, str]:
    """What the keyring keeps for the profile with this database."""
    kept: dict[str, str] = json.loads(keyring_file.read_text()) if keyring_file.exists() else {}
    return {name: value for name, value in kept.items() if name.startswith(f"profile:{database.parent.name}")}


def test_a_profile_is_encrypted_rekeyed_and_decrypted_beside_a_running_daemon(
    running: Running, keyring_file: Path
) -> None:
    path = running.makes("keyed")
    running.is_asked("keyed")
    assert running.does("profile", "encrypt", "keyed")["protection"] == "keyring"
    assert is_encrypted(path)
    (entry,) = keys(keyring_file, path)
    running.is_asked("keyed")
    running.does("profile", "rekey", "keyed")
    assert (len(keys(keyring_file, path)), entry in keys(keyring_file, path)) == (1, False)
    running.is_asked("keyed")
    assert running.does("profile", "decrypt", "keyed")["protection"] == "none"
    assert (is_encrypted(path), keys(keyring_file, path)) == (False, {})
    running.is_asked("keyed")


def test_a_passphrase_opens_a_profile_and_nothing_else_does(running: Running) -> None:
    running.makes("private")
    running.is_asked("private")
    running.does("profile", "encrypt", "private", "--passphrase-stdin", types=f"{FIRST}\n")
    running.is_asked("private")
    running.does("lock", "private")
    state = running.state("private")
    assert (state.state, "scrubjay unlock" in state.reason) == ("locked", True)
    answer = running.client.ask(SEARCH, SearchAsk(query=WORD))
    [unanswered] = answer.unanswered
    assert (unanswered.profile, "scrubjay unlock" in unanswered.reason) == ("private", True)
    assert "other" in running.finds()
    refused = running.tries("unlock", "private", "--passphrase-stdin", types=f"{SECOND}\n")
    assert (refused.exit_code, "not the passphrase" in refused.stderr) == (1, True)
    with pytest.raises(ApiError, match="not the passphrase") as wrong:
        running.client.ask(UNLOCK_PROFILE, UnlockAsk(profile_id=state.id, passphrase=SECOND))
    assert (wrong.value.status, wrong.value.code) == (423, "wrong-passphrase")
    running.does("unlock", "private", "--passphrase-stdin", types=f"{FIRST}\n")
    running.is_asked("private")
    running.does("profile", "passphrase", "private", "--passphrase-stdin", types=f"{FIRST}\n{SECOND}\n")
    running.is_asked("private")
    assert FIRST.encode() not in b"".join(running.installation.everything_written().values())
    running.does("profile", "remove", "private", "--yes")


def test_a_locked_profile_stays_closed_over_a_restart(person: Person) -> None:
    person.makes("first", "--encrypt")
    assert person.tries("index").exit_code == 0
    assert person.does("profile", "lock", "first")["locked"]
    assert "first did not answer" in person.tries("search", WORD).stderr
    with person.installation.daemon() as client:
        running = Running(person.installation, client)
        assert running.state("first").state == "locked"
        client.ask(UNLOCK_PROFILE, UnlockAsk(profile_id=client.ask(LIST_PROFILES).profiles[0].id))
        running.is_asked("first")


def test_what_may_be_read_can_be_widened_and_narrowed_again(person: Person, tmp_path: Path) -> None:
    person.makes("first")
    (tmp_path / "second vault").mkdir()
    (tmp_path / "second vault" / "Sea.md").write_text(f"A {WORD} at sea.", encoding="utf-8")
    second = str(tmp_path / "second vault")

    def finds() -> set[str]:
        assert person.tries("index").exit_code == 0
        return {hit["path"] for hit in json.loads(person.tries("search", WORD, "--json").stdout)["results"]}

    assert len(person.does("profile", "add-vault", "first", second)["vaults"]) == 2
    assert finds() == {"Birds.md"}
    person.does("profile", "allow", "first", ".", "--vault", second)
    assert finds() == {"Birds.md", "Sea.md"}
    person.does("profile", "exclude", "first", "Sea.md", "--vault", second)
    assert finds() == {"Birds.md"}
    person.does("profile", "exclude", "first", "Sea.md", "--undo", "--vault", second)
    assert finds() == {"Birds.md", "Sea.md"}
    person.does("profile", "allow", "first", ".", "--undo", "--vault", str(person.installation.vault))
    assert finds() == {"Sea.md"}
    assert len(person.does("profile", "remove-vault", "first", second)["vaults"]) == 1
    assert finds() == set()


def test_the_filter_of_a_profile_is_shown_and_changed(person: Person) -> None:
    person.makes("first")
    assert tuple(sorted({rule.group for rule in BUILT_IN.rules if rule.group})) == GROUPS
    nothing: dict[str, list[str]] = {"allow": [], "values": [], "groups": []}
    assert person.does("profile", "filter", "first") == nothing
    changed = person.does("profile", "filter", "first", "--allow", "TEST-[0-9]+", "--group", "payment")
    assert changed == nothing | {"allow": ["TEST-[0-9]+"], "groups": ["payment"]}
    assert changed == person.does("profile", "filter", "first")
    shown = person.tries("profile", "filter", "first").stdout
    assert ("TEST-[0-9]+" in shown, "payment" in shown) == (True, True)
    back = person.does("profile", "filter", "first", "--no-allow", "TEST-[0-9]+", "--no-group", "payment")
    assert back == nothing
    refused = person.tries("profile", "filter", "first", "--allow", "of no matter")
    assert (refused.exit_code, "--allow-value" in refused.stderr) == (2, True)
    assert person.tries("profile", "filter", "first", "--group", "paymnt").exit_code == 2


def test_the_manual_names_every_command_about_profiles() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "profiles.md").read_text(encoding="utf-8")
    table = manual.partition("| `scrubjay profile …` |")[2].partition("\n\n")[0]
    assert [name for name in profile.commands if not re.search(rf"`{name}\b", table)] == []


def test_an_export_under_a_passphrase_becomes_a_profile_elsewhere(
    running: Running, person: Person, tmp_path: Path
) -> None:
    parcel = tmp_path / "other.scrubjay"
    running.does("profile", "export", "other", str(parcel), "--passphrase-stdin", types=f"{FIRST}\n")
    assert WORD.encode() not in parcel.read_bytes()
    wrong = person.tries("profile", "import", str(parcel), "--passphrase-stdin", types="wrong\n")
    assert (wrong.exit_code, person.does("profile", "list")) == (1, [])
    assert f"not the passphrase of {parcel}" in wrong.stderr
    imported = person.does("profile", "import", str(parcel), "--passphrase-stdin", types=f"{FIRST}\n")
    said = person.tries("profile", "list").stdout
    assert ("nothing yet" in said, "the whole vault" in said, imported["protection"]) == (True, False, "passphrase")
    person.does("profile", "move", "other", str(person.installation.vault), "--allow", ".")
    assert "other did not answer" in person.tries("search", WORD).stderr


def test_federate_off_holds_without_a_daemon_too(person: Person) -> None:
    for name in ("first", "second"):
        person.makes(name)
    assert person.tries("index").exit_code == 0
    shown = person.tries("search", WORD).stdout
    assert [f"{name}\n" in shown for name in ("also Birds.md  first", "also Birds.md  second")].count(True) == 1
    person.does("profile", "federate", "first", "off")
    assert {hit["profile"] for hit in person.does("search", WORD)["results"]} == {"second"}
    unknown = person.tries("search", WORD, "--profile", "nowhere")
    assert (unknown.exit_code, "no such profile" in unknown.stderr) == (1, True)


def test_removing_overwrites_the_index_and_forgets_the_key(running: Running, keyring_file: Path) -> None:
    path = running.makes("gone", "--encrypt")
    running.is_asked("gone")
    assert len(keys(keyring_file, path)) == 1
    with path.open("rb") as opened:
        assert running.does("profile", "remove", "gone", "--yes") == {"removed": "gone"}
        assert set(opened.read()) == {0}
    assert (path.parent.exists(), keys(keyring_file, path)) == (False, {})
    assert "gone" not in {profile.name for profile in running.client.ask(LIST_PROFILES).profiles}
    assert "other" in running.finds()


def test_a_profile_whose_settings_are_spoilt_is_listed_as_such_beside_the_others(person: Person) -> None:
    person.makes("first")
    settings = person.makes("second").parent / "profile.toml"
    whole = settings.read_text(encoding="utf-8")
    settings.write_text(whole.replace("federate = true", "federate = perhaps"), encoding="utf-8")
    sound, spoilt = person.does("profile", "list")
    assert (sound["name"], sound["problem"]) == ("first", None)
    assert (spoilt["name"], str(settings) in spoilt["problem"], spoilt["vaults"]) == ("second", True, None)
    listed = person.tries("profile", "list")
    assert (listed.exit_code, "first" in listed.stdout, str(settings) in listed.stderr) == (0, True, True)
    read = person.tries("index")
    assert (read.exit_code, f"second was not read. {settings}" in " ".join(read.stderr.split())) == (1, True)
    assert {hit["profile"] for hit in person.does("search", WORD)["results"]} == {"first"}
    for command in ("lock", "rekey", "remove"):
        refused = person.tries("profile", command, "second", types="y\n")
        assert (refused.exit_code, "Mend it" in refused.stderr) == (1, True), command
    settings.write_text(whole, encoding="utf-8")
    assert [one["problem"] for one in person.does("profile", "list")] == [None, None]


@pytest.mark.parametrize("at_once", [True, False], ids=["at-once", "later"])
def test_a_wrong_passphrase_is_refused_even_before_anything_is_indexed(person: Person, at_once: bool) -> None:
    """Else the next index would be encrypted with it, and the right one would open nothing."""
    if at_once:
        vault = str(person.installation.vault)
        person.does("profile", "create", "new", "--vault", vault, "--passphrase-stdin", types=f"{FIRST}\n")
    else:
        person.makes("new")
        person.does("profile", "encrypt", "new", "--passphrase-stdin", types=f"{FIRST}\n")
    wrong = person.tries("profile", "unlock", "new", "--passphrase-stdin", types=f"{SECOND}\n")
    assert (wrong.exit_code, "not the passphrase" in wrong.stderr) == (1, True)
    person.does("profile", "unlock", "new", "--passphrase-stdin", types=f"{FIRST}\n")


def test_what_is_said_of_a_folder_comes_with_results_until_it_is_taken_away(running: Running) -> None:
    def about() -> str:
        answer = running.client.ask(SEARCH, SearchAsk(query=WORD, profiles=("other",)))
        return answer.results[0].about

    assert running.does("profile", "describe", "other", ".", "What Ada\n saw") == [
        {"folder": ".", "text": "What Ada saw"}
    ]
    assert about() == "What Ada saw"
    running.does("profile", "describe", "other", "Birds.md", "Of sea birds")
    assert about() == "Of sea birds"
    running.does("profile", "describe", "other", "Birds.md", "--remove")
    assert about() == "What Ada saw"
    running.does("profile", "exclude", "other", "Attic")
    assert running.does("profile", "describe", "other") == [{"folder": ".", "text": "What Ada saw"}]
    for wrong in (["x" * 201], ["The key is ghp" + "_" + "q7Zr" * 9], []):
        assert running.tries("profile", "describe", "other", "Birds.md", *wrong).exit_code != 0
    assert "Nothing is said" in running.tries("profile", "describe", "other", "Attic", "--remove").output
    running.does("profile", "describe", "other", ".", "--remove")
    assert about() == ""


def test_what_is_said_of_a_folder_goes_when_it_may_not_be_read_any_more_and_holds_no_credential(person: Person) -> None:
    secret = "ghp" + "_" + "q7Zr" * 9
    settings = person.makes("home").with_name("profile.toml")
    for folder in (".", "Attic", "Attic/Old", "Cellar"):
        person.does("profile", "describe", "home", folder, f"The {folder} is here")
    person.does("profile", "exclude", "home", "Attic")
    assert [each["folder"] for each in person.does("profile", "describe", "home")] == [".", "Cellar"]
    settings.write_text(settings.read_text().replace(". is here", f"key is {secret}"))  # by hand, past the command
    assert person.tries("index", "--profile", "home").exit_code == 0
    (found,) = person.does("search", WORD)["results"]
    assert found["about"].startswith("The key is [REDACTED:")
    person.does("profile", "allow", "home", ".", "--undo")
    assert person.does("profile", "describe", "home") == []


def test_an_inbox_is_named_shown_and_taken_back(person: Person) -> None:
    person.makes("home")
    assert person.does("profile", "inbox", "home") == {"inbox": ""}
    person.does("profile", "inbox", "home", "Inbox/")
    assert person.does("profile", "inbox", "home") == {"inbox": "Inbox"}
    for wrong in (["."], ["../Inbox"], ["/Inbox"], ["Inbox", "--none"]):
        assert person.tries("profile", "inbox", "home", *wrong).exit_code != 0
    person.does("profile", "inbox", "home", "--none")
    assert "no inbox" in person.tries("profile", "inbox", "home").output


def test_a_backup_is_restored_where_its_key_opens_it_and_stays_as_protected_as_the_profile(
    running: Running, tmp_path: Path
) -> None:
    path = running.makes("kept")
    running.is_asked("kept")
    plain, copy = tmp_path / "plain.sqlite3", tmp_path / "copy.sqlite3"
    running.does("profile", "backup", "kept", str(plain))
    running.does("profile", "encrypt", "kept")
    assert running.does("profile", "backup", "kept", str(copy))["bytes"] == copy.stat().st_size
    for from_file in (plain, copy):
        running.does("profile", "restore", "kept", str(from_file), "--yes")
        running.is_asked("kept")
        assert [is_encrypted(each) for each in (plain, copy, path)] == [False, True, True]
    running.does("profile", "rekey", "kept")
    plain.write_bytes(b"nothing of the kind" * 1000)
    for arguments, said in (
        (("backup", "kept", str(copy)), "already"),
        (("backup", "kept", str(tmp_path / "nowhere" / "copy")), "can't be written"),
        (("restore", "kept", str(copy), "--yes"), f"{copy} does not open with the key"),
        (("restore", "kept", str(plain), "--yes"), str(plain)),
    ):
        refused = running.tries("profile", *arguments)
        assert (refused.exit_code, said in refused.stderr) == (1, True), refused.output
    running.is_asked("kept")
    running.does("profile", "remove", "kept", "--yes")


def test_a_vault_that_moved_is_not_indexed_anew(person: Person, tmp_path: Path) -> None:
    person.makes("first")
    assert person.tries("index").exit_code == 0
    (before,) = person.does("search", WORD)["results"]
    person.installation.vault.rename(tmp_path / "moved")
    person.does("profile", "move", "first", str(tmp_path / "moved"))
    (after,) = person.does("search", WORD)["results"]
    assert (after["id"], after["vault"]) == (before["id"], "moved")


def test_without_its_model_a_profile_is_indexed_for_words_and_says_what_to_download(
    person: Person, tmp_path: Path
) -> None:
    person.makes("first")
    person.makes("second")
    registry = Registry(person.installation.home.profiles)
    registry.change(registry.get("first").id, lambda now: msgspec.structs.replace(now, model="makers/other"))
    done = person.tries("index")
    assert (done.exit_code, "scrubjay model download makers/other" in done.stderr) == (1, True)
    hits = person.does("search", WORD)["results"]
    names = {name["profile"] for hit in hits for name in (hit, *hit["also_in"])}
    assert names == {"first", "second"}
    parcel = str(tmp_path / "first.scrubjay")
    person.does("profile", "export", "first", parcel, "--readable")
    imported = person.tries("profile", "import", parcel, "--name", "again")
    assert (imported.exit_code, "scrubjay model download makers/other" in imported.stdout) == (0, True)


def test_what_cannot_be_done_is_said_and_changes_nothing(person: Person) -> None:
    person.makes("first")
    before = person.does("profile", "list")
    for command, says in (
        ("profile decrypt first", "not encrypted"),
        ("profile rekey first", "not encrypted"),
        ("profile encrypt nobody", "no profile named"),
        ("profile encrypt first --passphrase-stdin", "at least 8 characters"),
        ("profile restore first /nowhere/at/all --yes", "not there"),
        ("profile passphrase first --keyring", "not encrypted"),
        ("profile import /nowhere/at/all", "not there"),
        (f"profile import {__file__}", "not an export"),
        ("profile backup first /nowhere/at/all", "has not been indexed"),
        ("profile move first /nowhere/at/all", "not a folder"),
        ("profile move first / --vault /nowhere", "no vault /nowhere"),
        ("profile add-vault first /nowhere/at/all", "not a folder"),
        ("profile remove-vault first /nowhere", "no vault /nowhere"),
        ("profile allow first Other --undo", "Not on the list: Other"),
        ("profile exclude first ../up", "inside the vault"),
        ("profile filter nobody", "no profile named"),
        *((f"journal add --replaces {id_} text", "12 characters") for id_ in ("1a2b", "0123456789abc", "0123456789ag")),
    ):
        done = person.tries(*command.split(), types="short\n")
        assert (done.exit_code, says in " ".join(done.stderr.split())) == (1, True), (command, done.output)
        assert person.does("profile", "list") == before, command
    assert person.tries("journal", "add", "--replaces", "", "text").exit_code == 1
    assert "Nothing remembered" in person.tries("journal", "log").output
    missing = person.tries("profile", "exclude", "first", "Privat", "Birds.md")
    assert (missing.exit_code, "Privat. Look at the spelling" in missing.stderr) == (0, True)
