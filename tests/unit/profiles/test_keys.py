"""What the system's keyring gives, and what it does not."""

import threading
from collections.abc import Iterator
from pathlib import Path

import keyring
import keyring.backend
import keyring.errors
import msgspec
import pytest

from scrubjay.profiles.errors import StoreLocked
from scrubjay.profiles.registry.keys import Custody, OsKeyring, derive_key, new_key
from scrubjay.profiles.registry.registry import PassphraseSettings, Registry
from tests.helpers.waiting import PATIENCE_SECONDS


class Backend(keyring.backend.KeyringBackend):
    """Keeps entries in memory, or fails as it is told to."""

    priority = -1  # never chosen unless named  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride]

    def __init__(self) -> None:
        super().__init__()
        self.entries: dict[str, str] = {}
        self.trouble: Exception | None = None

    def get_password(self, service: str, username: str) -> str | None:
        self._fail()
        return self.entries.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self._fail()
        self.entries[username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._fail()
        if self.entries.pop(username, None) is None:
            raise keyring.errors.PasswordDeleteError

    def _fail(self) -> None:
        if self.trouble is not None:
            raise self.trouble


@pytest.fixture
def backend() -> Iterator[Backend]:
    before, made = keyring.get_keyring(), Backend()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


def test_a_key_comes_back_until_it_is_forgotten(backend: Backend):
    key = new_key()
    OsKeyring().put("a", key)
    assert OsKeyring().get("a") == key
    OsKeyring().delete("a")
    OsKeyring().delete("a")
    assert (OsKeyring().get("a"), backend.entries) == (None, {})


@pytest.mark.parametrize("entry", ["", "not a key", "ab" * 31, "ab" * 33])
def test_an_entry_that_is_no_key_leaves_the_profile_locked(backend: Backend, entry: str, tmp_path: Path):
    registry = Registry(tmp_path)
    profile = registry.create("a", encrypted=True)
    backend.entries[f"profile:{profile.id}"] = entry
    with pytest.raises(StoreLocked, match="is no key"):
        Custody(registry, OsKeyring()).key(profile)


@pytest.mark.parametrize(
    "trouble", [keyring.errors.KeyringLocked("locked"), RuntimeError("no bus"), OSError(2, "gone")]
)
def test_a_keyring_that_fails_in_whatever_way_leaves_the_profile_locked(backend: Backend, trouble: Exception):
    backend.trouble = trouble
    keys = OsKeyring()
    for act in (lambda: keys.get("a"), lambda: keys.put("a", new_key()), lambda: keys.delete("a")):
        with pytest.raises(StoreLocked, match="can't be reached"):
            act()


def test_passphrases_that_are_tried_at_the_same_time_each_become_their_key() -> None:
    settings, made = PassphraseSettings(salt="ab" * 16, memory_kib=32, passes=1), list[bytes]()

    def derive() -> None:
        made.extend(derive_key("a dozen herons", settings) for _ in range(200))

    threads = [threading.Thread(target=derive, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    assert (len(made), {len(key) for key in set(made)}) == (800, {32})
    assert len({*made, derive_key("a dozen herons", msgspec.structs.replace(settings, salt="cd" * 16))}) == 2
