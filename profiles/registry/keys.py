"""The keys of encrypted profiles: the OS keyring or a passphrase, who has which, and changing one so that no crash
separates a database from its key."""

import secrets
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

import msgspec
import tomli_w

from scrubjay.profiles.errors import InvalidProfile, StoreLocked, WrongPassphrase
from scrubjay.profiles.os_keyring import KeyringFails, forget_secret, get_secret, put_secret
from scrubjay.profiles.private_files import write_atomically
from scrubjay.profiles.registry.on_server import OF_DISK, refuse_on_server
from scrubjay.profiles.registry.registry import PassphraseSettings, Profile, Registry
from scrubjay.profiles.registry.team_credentials import TeamCredentials, forget_sealed, packed, seal, unpacked, unseal
from scrubjay.profiles.store import backup, encryption
from scrubjay.profiles.store.migrations import migrate
from scrubjay.profiles.store.sqlite import KEY_BYTES, connect

_DERIVING = threading.Lock()


class KeyStore(Protocol):
    """Keeps keys by name, and whatever else must not be in a file."""

    def get(self, key_id: str) -> bytes | None:
        """The key, or None. Raises StoreLocked when keys can't be reached at all."""
        ...

    def put(self, key_id: str, key: bytes) -> None:
        """Keep a key in place of the one before. Raises StoreLocked as `get`."""
        ...

    def delete(self, key_id: str) -> None:
        """Forget a key, if there is one. Raises StoreLocked as `get`."""
        ...


class OsKeyring:
    """The keyring of the operating system."""

    def get(self, key_id: str) -> bytes | None:  # noqa: D102 (as KeyStore)
        with _reaching():
            value = get_secret(_user(key_id))
        return None if value is None else _kept_bytes(value)

    def put(self, key_id: str, key: bytes) -> None:  # noqa: D102
        with _reaching():
            put_secret(_user(key_id), key.hex())

    def delete(self, key_id: str) -> None:  # noqa: D102
        with _reaching():
            forget_secret(_user(key_id))


class MemoryKeys:
    """Keys for as long as the process lives: those that a passphrase unlocked, and tests."""

    def __init__(self) -> None:
        self._keys: dict[str, bytes] = {}

    def get(self, key_id: str) -> bytes | None:  # noqa: D102
        return self._keys.get(key_id)

    def put(self, key_id: str, key: bytes) -> None:  # noqa: D102
        self._keys[key_id] = key

    def delete(self, key_id: str) -> None:  # noqa: D102
        self._keys.pop(key_id, None)


def new_key() -> bytes:
    """A random key."""
    return secrets.token_bytes(KEY_BYTES)


def new_passphrase_settings() -> PassphraseSettings:
    """Settings with a fresh salt."""
    return PassphraseSettings(salt=secrets.token_hex(16))


def derive_key(passphrase: str, settings: PassphraseSettings) -> bytes:
    """The key that a passphrase stands for, by Argon2id (RFC 9106); takes about half a second, on purpose.

    One at a time, whoever asks: two of OpenSSL's at once, of several lanes each, can wait for each other for good.
    """
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id  # noqa: PLC0415 - 6 MB, for profiles with a passphrase

    derivation = Argon2id(
        salt=bytes.fromhex(settings.salt),
        length=KEY_BYTES,
        iterations=settings.passes,
        lanes=settings.lanes,
        memory_cost=settings.memory_kib,
    )
    with _DERIVING:
        return derivation.derive(passphrase.encode())


def _user(key_id: str) -> str:
    return f"profile:{key_id}"


def checked_key(key: bytes) -> bytes:
    """The key itself. Raises StoreLocked for what is none."""
    if len(key) != KEY_BYTES:
        raise StoreLocked("What the system's keyring has under the name of this profile's key is no key.")
    return key


def _kept_bytes(value: str) -> bytes:
    try:
        return bytes.fromhex(value)
    except ValueError:
        return b""


@contextmanager
def _reaching() -> Generator[None]:
    try:
        yield
    except KeyringFails as error:
        raise StoreLocked(
            "The system's keyring can't be reached, so profiles whose keys are in it stay locked. Unlock it, or use a"
            " passphrase (`--passphrase`)."
        ) from error


Protection: TypeAlias = Literal["none", "keyring", "passphrase"]
SHORTEST_PASSPHRASE = 8
_CHANGE = "change.toml"
_BEGINNING = 8192  # bytes: the first page, whose salt is drawn anew with each key


class _Change(msgspec.Struct, frozen=True):
    """The settings that hold once the new file is in place, and how that file begins ("" until it is made)."""

    encrypted: bool
    key_id: str = ""
    passphrase: PassphraseSettings | None = None
    old_entry: str = ""  # of the old key in the keyring
    beginning: str = ""


def protection_of(profile: Profile) -> Protection:
    """What a profile's database is protected by; of a team's, what opens the way to its server."""
    if not (profile.encrypted or profile.is_shared):
        return "none"
    return "keyring" if profile.passphrase is None else "passphrase"


class Custody:
    """The keys of the profiles of one registry. Thread-safe where its key stores are.

    keyring: keeps keys for good. Keys that a passphrase gave are kept in memory for as long as this object lives.
    """

    def __init__(self, registry: Registry, keyring: KeyStore) -> None:
        self._registry = registry
        self._keyring = keyring
        self._unlocked = MemoryKeys()
        self._unlocking = threading.Lock()  # between a key and the settings that say that it may be used

    def key(self, profile: Profile) -> bytes | None:
        """The key that opens a profile's database; None for a plain one. Raises StoreLocked, which says what to do."""
        if profile.locked:
            raise StoreLocked(f"Profile {profile.name} is locked. `scrubjay unlock {profile.argument}` opens it.")
        if not profile.encrypted:
            return None
        if profile.passphrase is not None:
            key = self._unlocked.get(profile.id)
            if key is None:
                raise StoreLocked(
                    f"Profile {profile.name} opens with a passphrase: `scrubjay unlock {profile.argument}` asks for it."
                )
            return key
        key = self._keyring.get(_entry(profile))
        if key is None:
            raise StoreLocked(
                f"Profile {profile.name} is encrypted, and its key is not in the keyring of this computer."
            )
        return checked_key(key)

    def team(self, profile: Profile) -> TeamCredentials:
        """What opens a team's profile on its server. Raises StoreLocked, which says what to do."""
        if profile.locked:
            raise StoreLocked(f"Profile {profile.name} is locked. `scrubjay unlock {profile.argument}` opens it.")
        if profile.passphrase is not None:
            key = self._unlocked.get(profile.id)
            found = unseal(self._registry.folder_of(profile), key) if key is not None else None
            if found is None:
                raise StoreLocked(
                    f"Profile {profile.name} opens with a passphrase: `scrubjay unlock {profile.argument}` asks for it."
                )
            return found
        data = self._keyring.get(_entry(profile))
        if data is None:
            raise StoreLocked(
                f"The password of the team's profile {profile.name} is not in the keyring of this computer."
                " `scrubjay team password` puts it there, `scrubjay team join` with the key of the team as well."
            )
        return unpacked(data)

    def keep_team(self, profile: Profile, credentials: TeamCredentials, passphrase: str | None = None) -> Profile:
        """Keep what opens a team's profile, in place of what was kept; the profile as it is with it.

        Kept in the keyring, or, with a passphrase, in a file that it opens. Nothing is written to the registry.
        Raises StoreLocked without a keyring, InvalidProfile for a short passphrase.
        """
        folder = self._registry.folder_of(profile)
        if passphrase is not None:
            profile = msgspec.structs.replace(self.new_passphrase_key(profile, passphrase), encrypted=False)
        if profile.passphrase is None:
            self._keyring.put(_entry(profile), packed(credentials))
            return profile
        key = self._unlocked.get(profile.id)
        if key is None:
            raise StoreLocked(f"Profile {profile.name} opens with a passphrase. Give it.")
        seal(folder, credentials, key)
        return profile

    def new_keyring_key(self, profile: Profile) -> Profile:
        """Put a random key into the keyring; the profile as it is with it. Nothing is written to the registry."""
        changed = _with_new_entry(profile)
        self._keyring.put(changed.key_id, new_key())
        return changed

    def new_passphrase_key(self, profile: Profile, passphrase: str) -> Profile:
        """As `new_keyring_key`, with a key that a passphrase gives. Raises InvalidProfile for a short one."""
        if len(passphrase) < SHORTEST_PASSPHRASE:
            raise InvalidProfile(f"A passphrase has at least {SHORTEST_PASSPHRASE} characters. Choose a longer one.")
        settings = new_passphrase_settings()
        self._unlocked.put(profile.id, derive_key(passphrase, settings))
        return msgspec.structs.replace(profile, encrypted=True, key_id="", passphrase=settings)

    def begin(self, profile: Profile) -> None:
        """Make a profile's database under its key, if there is none: only a database tells a wrong passphrase from the
        right one. Raises StoreLocked.
        """
        self._begin(profile, self.key(profile))

    def forget_key(self, profile: Profile) -> None:
        """Forget the key of a profile wherever it is. A keyring that can't be reached keeps what it has."""
        self._unlocked.delete(profile.id)
        if profile.is_shared:
            forget_sealed(self._registry.folder_of(profile))
        if protection_of(profile) == "keyring":
            with suppress(StoreLocked):
                self._keyring.delete(_entry(profile))

    def passphrase_keys(self) -> dict[str, bytes]:
        """The keys that passphrases gave and that are kept now, by profile."""
        return {each.id: key for each in self._registry.list() if (key := self._unlocked.get(each.id)) is not None}

    def take_passphrase_key(self, profile: Profile, key: bytes) -> None:
        """Open a profile with the key that its passphrase gave to another process. Raises StoreLocked."""
        if not self._opens(profile, key):
            raise StoreLocked(f"Profile {profile.name} has another passphrase by now. Lock it and unlock it.")
        self._unlocked.put(profile.id, key)

    def forget_passphrase_key(self, profile: Profile) -> None:
        """Forget the key that was derived from a passphrase, where a profile is locked still: by another process.

        Raises as `Registry.current`.
        """
        with self._unlocking:
            if self._registry.current(profile).locked:
                self._unlocked.delete(profile.id)

    def lock(self, profile: Profile) -> Profile:
        """Keep a profile closed until it is unlocked; a key that a passphrase gave is forgotten. Close its store."""
        self._unlocked.delete(profile.id)
        return self._registry.change(profile.id, lambda now: msgspec.structs.replace(now, locked=True))

    def unlock(self, profile: Profile, passphrase: str | None = None) -> Profile:
        """Let a profile be opened again. Raises StoreLocked without its passphrase, or with a wrong one."""
        found, key = self._registry.current(profile), None
        if found.passphrase is not None:
            if passphrase is None:
                raise StoreLocked(f"Profile {found.name} opens with a passphrase. Give it.")
            key = derive_key(passphrase, found.passphrase)
            if not self._opens(found, key):
                raise WrongPassphrase(f"That is not the passphrase of profile {found.name}.")
        with self._unlocking:
            if key is not None:
                self._unlocked.put(found.id, key)
            return self._registry.change(found.id, lambda now: msgspec.structs.replace(now, locked=False))

    def protect(self, profile: Profile, wanted: Protection, passphrase: str | None = None) -> Profile:
        """Encrypt a profile's database with a new key, or decrypt it. Take the work lock, and unlock it, first.

        passphrase: the new one, where `wanted` is "passphrase". Raises StoreLocked, StoreBusy, InvalidProfile; whatever
        happens, the database and what is known of its key stay together.
        """
        refuse_on_server(profile, OF_DISK)
        profile = self.finish_change(profile)
        old = self.key(profile)
        if wanted == "none":
            changed = msgspec.structs.replace(profile, encrypted=False, key_id="", passphrase=None)
        elif wanted == "keyring":
            changed = _with_new_entry(profile)
        else:
            changed = self.new_passphrase_key(profile, passphrase or "")
        try:
            self._begin(profile, old)
            self._change(profile, changed, old)
            backup.forget_aside(self._registry.store_path(profile))
        except BaseException:
            self.finish_change(profile)
            if old is not None and protection_of(profile) == "passphrase":
                self._unlocked.put(profile.id, old)
            raise
        return self.finish_change(profile)

    def finish_change(self, profile: Profile) -> Profile:
        """Complete or undo an interrupted change of key; returns the profile. Take the work lock first."""
        profile = self._registry.current(profile)
        note = self._registry.folder_of(profile) / _CHANGE
        encryption.sweep(self._registry.store_path(profile))
        backup.forget_incoming(self._registry.store_path(profile))
        try:
            change = msgspec.toml.decode(note.read_bytes(), type=_Change)
        except FileNotFoundError:
            return profile
        except (msgspec.MsgspecError, UnicodeDecodeError):  # cut off as it was written: nothing had begun
            note.unlink()
            return profile

        def with_key(now: Profile) -> Profile:
            return msgspec.structs.replace(
                now, encrypted=change.encrypted, key_id=change.key_id, passphrase=change.passphrase
            )

        changed = with_key(profile)
        path = self._registry.store_path(profile)
        done = change.beginning == (_beginning(path) if path.exists() else "")
        kept, dropped = (changed, change.old_entry) if done else (profile, _entry(changed))
        if done:
            kept = self._registry.change(profile.id, with_key)
        if dropped:
            with suppress(StoreLocked):
                self._keyring.delete(dropped)
        if protection_of(kept) != "passphrase":
            self._unlocked.delete(kept.id)
        note.unlink()
        return kept

    def remove(self, profile: Profile) -> None:
        """Delete a profile with its database, overwritten, and its key. Close its store first."""
        profile = self.finish_change(profile)
        self.forget_key(profile)  # while the settings tell which it is
        self._registry.remove(profile.name)

    def _opens(self, profile: Profile, key: bytes) -> bool:
        if profile.is_shared:
            return unseal(self._registry.folder_of(profile), key) is not None
        path = self._registry.store_path(profile)
        return not path.exists() or encryption.opens(path, key)

    def _begin(self, profile: Profile, key: bytes | None) -> None:
        path = self._registry.store_path(profile)
        if path.exists():
            return
        path.touch(mode=0o600)
        connection = connect(path, key, "writer")
        try:
            migrate(connection)
        finally:
            connection.close()

    def _change(self, profile: Profile, changed: Profile, old: bytes | None) -> None:
        note = self._registry.folder_of(profile) / _CHANGE
        path = self._registry.store_path(profile)
        change = _Change(changed.encrypted, changed.key_id, changed.passphrase, _entry(profile))
        _write(note, change)
        new = None
        if protection_of(changed) == "keyring":
            new = new_key()
            self._keyring.put(changed.key_id, new)
        elif changed.encrypted:
            new = self._unlocked.get(profile.id)
        encryption.change_key(
            path,
            old,
            new,
            before_replacing=lambda copy: _write(note, msgspec.structs.replace(change, beginning=_beginning(copy))),
        )


def _with_new_entry(profile: Profile) -> Profile:
    """The profile with its key under a name of its own in the keyring, so that the old key stays beside the new."""
    return msgspec.structs.replace(
        profile, encrypted=True, key_id=f"{profile.id}-{secrets.token_hex(4)}", passphrase=None
    )


def _entry(profile: Profile) -> str:
    """The name of a profile's key in the keyring; "" where it has none there."""
    return (profile.key_id or profile.id) if protection_of(profile) == "keyring" else ""


def _beginning(path: Path) -> str:
    with path.open("rb") as file:
        return blake2b(file.read(_BEGINNING), digest_size=16).hexdigest()


def _write(note: Path, change: _Change) -> None:
    values = {name: value for name, value in msgspec.to_builtins(change).items() if value is not None}
    write_atomically(note, tomli_w.dumps(values).encode())
