"""What opens a team's profile: kept in the keyring, or behind a passphrase, and in no file that can be read."""

import secrets
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from scrubjay.profiles.errors import InvalidProfile, StoreLocked
from scrubjay.profiles.registry import keys
from scrubjay.profiles.registry.keys import Custody, MemoryKeys, Protection, protection_of
from scrubjay.profiles.registry.registry import PassphraseSettings, Profile, Registry
from scrubjay.profiles.registry.team_credentials import TeamCredentials

SERVER = "postgresql://anna@db.example.org/notes"
PASSPHRASE = "correct horse battery"
PLAIN = "-".join(("in", "plain", "sight"))


class NoKeyring(MemoryKeys):
    def put(self, key_id: str, key: bytes) -> None:
        raise StoreLocked("There is no keyring.")


@dataclass(frozen=True)
class Machine:
    registry: Registry
    keyring: MemoryKeys
    credentials: TeamCredentials

    def restarted(self) -> Custody:
        return Custody(self.registry, self.keyring)

    def joins(self, *, passphrase: str | None = None) -> Profile:
        made = self.registry.new("team", server=SERVER, team_number=3)
        profile = self.restarted().keep_team(made, self.credentials, passphrase)
        self.registry.add(profile)
        return profile


@pytest.fixture(autouse=True)
def _a_passphrase_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    cheap = PassphraseSettings(salt="ab" * 16, memory_kib=32, passes=1)
    monkeypatch.setattr(keys, "new_passphrase_settings", lambda: cheap)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = TeamCredentials(secrets.token_urlsafe(18), secrets.token_bytes(32))
    return Machine(Registry(tmp_path), MemoryKeys(), made)


def test_what_the_keyring_keeps_comes_back_after_a_restart(machine: Machine) -> None:
    profile = machine.joins()
    assert machine.restarted().team(profile) == machine.credentials
    assert protection_of(profile) == "keyring"


def test_where_a_passphrase_keeps_it_only_that_passphrase_opens_it(machine: Machine) -> None:
    profile = machine.joins(passphrase=PASSPHRASE)
    custody = machine.restarted()
    with pytest.raises(StoreLocked, match="opens with a passphrase"):
        custody.team(profile)
    with pytest.raises(StoreLocked, match="not the passphrase"):
        custody.unlock(profile, "another passphrase")
    custody.unlock(profile, PASSPHRASE)
    assert custody.team(profile) == machine.credentials
    assert (protection_of(profile), profile.encrypted) == ("passphrase", False)


def test_a_locked_profile_gives_nothing_until_it_is_unlocked(machine: Machine) -> None:
    custody, profile = machine.restarted(), machine.joins()
    locked = custody.lock(profile)
    with pytest.raises(StoreLocked, match="is locked"):
        custody.team(locked)
    assert custody.team(custody.unlock(locked)) == machine.credentials


@pytest.mark.parametrize("passphrase", [None, PASSPHRASE])
def test_no_file_holds_the_password_or_the_key_and_removing_the_profile_forgets_them(
    machine: Machine, passphrase: str | None
) -> None:
    password, key = machine.credentials.password, machine.credentials.key
    assert password not in f"{machine.credentials!r} {machine.credentials}"
    profile = machine.joins(passphrase=passphrase)
    written = [path.read_bytes() for path in machine.registry.folder.rglob("*") if path.is_file()]
    assert written
    assert not [data for data in written for secret in (password.encode(), key, key.hex().encode()) if secret in data]
    machine.restarted().remove(profile)
    left = [path.name for path in machine.registry.folder.rglob("*") if path.is_file()]
    assert (machine.registry.list(), left, machine.keyring.get(profile.id)) == ((), [], None)


def test_credentials_that_were_lost_are_asked_for_by_name(machine: Machine) -> None:
    profile = machine.joins()
    machine.keyring.delete(profile.id)
    with pytest.raises(StoreLocked, match="scrubjay team password"):
        machine.restarted().team(profile)
    machine.keyring.put(profile.id, b"no credentials")
    with pytest.raises(StoreLocked, match="scrubjay team join"):
        machine.restarted().team(profile)


def test_without_a_keyring_nothing_is_kept_and_a_passphrase_helps(machine: Machine) -> None:
    custody = Custody(machine.registry, NoKeyring())
    made = machine.registry.new("team", server=SERVER, team_number=3)
    with pytest.raises(StoreLocked):
        custody.keep_team(made, machine.credentials)
    profile = custody.keep_team(made, machine.credentials, PASSPHRASE)
    assert custody.team(profile) == machine.credentials


def test_a_sealed_file_opens_for_its_own_profile_alone(machine: Machine) -> None:
    profile = machine.joins(passphrase=PASSPHRASE)
    other = msgspec.structs.replace(profile, id=secrets.token_hex(6), name="other")
    sealed = (machine.registry.folder_of(profile) / "team.sealed").read_bytes()
    machine.registry.add(other)
    (machine.registry.folder_of(other) / "team.sealed").write_bytes(sealed)
    with pytest.raises(StoreLocked):
        machine.restarted().unlock(other, PASSPHRASE)


def test_there_is_no_file_to_encrypt_or_decrypt(machine: Machine) -> None:
    custody, profile = machine.restarted(), machine.joins()
    wishes: tuple[Protection, ...] = ("none", "keyring", "passphrase")
    for wanted in wishes:
        with pytest.raises(InvalidProfile, match="on a server"):
            custody.protect(profile, wanted, PASSPHRASE)
    assert custody.team(profile) == machine.credentials


@pytest.mark.parametrize(
    ("server", "number", "said"),
    [
        ("", 3, "belong together"),
        (SERVER, 0, "belong together"),
        (f"postgresql://anna:{PLAIN}@db.example.org/notes", 3, "has a password in it"),
        ("postgresql://anna@db.example.org/notes?sslmode=require", 3, "TLS"),
        ("mysql://anna@db.example.org/notes", 3, "no address"),
        ("postgres://anna@db.example.org:5432/notes", 3, "spelt"),
    ],
)
def test_settings_that_name_no_server_are_refused(machine: Machine, server: str, number: int, said: str) -> None:
    with pytest.raises(InvalidProfile, match=said) as refused:
        machine.registry.new("team", server=server, team_number=number)
    assert PLAIN not in str(refused.value)


def test_an_edited_file_with_a_password_in_it_is_refused_without_repeating_it(machine: Machine) -> None:
    profile = machine.joins()
    settings = machine.registry.folder_of(profile) / "profile.toml"
    settings.write_text(settings.read_text().replace("anna@", f"anna:{PLAIN}@"))
    (unreadable,) = machine.registry.survey().unreadable
    assert "has a password in it" in unreadable.reason
    assert PLAIN not in unreadable.reason
