"""Which profiles there are: one folder each, holding `profile.toml` and the database.

The id names the folder and never changes; the name is the user's.
"""

import contextlib
import os
import re
import secrets
import shutil
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, cast

import msgspec
import tomli_w

from scrubjay.profiles.errors import InvalidProfile, ProfileExists, ProfileNotFound
from scrubjay.profiles.private_files import FileBusy, locked, write_atomically
from scrubjay.profiles.registry.profile_settings import Descriptions, FileSettings, team_vault_id, told_apart
from scrubjay.profiles.registry.work_lock import WORK_LOCK, remove_if_only_lock
from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.store.encryption import destroy, shred

SETTINGS = "profile.toml"
DATABASE = "index.sqlite3"
NOT_ATTACHED = "not attached"
"""Where vaults of an imported profile lie until they are moved: a folder that is never made."""
COLOURS = ("#3b82c4", "#c4703b", "#4a9a5b", "#8a5bc4", "#c43b6a", "#3ba6a6", "#a68f3b", "#6b7280")
_NAME = re.compile(r"[^\W_][\w -]{0,39}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_ID = re.compile(r"[0-9a-f]{12}")
_TRIES = 5  # to write settings that somebody else is writing without the lock
_LOOKED_AT = 65_536  # characters of a file that can't be read, in which its name is looked for
_RETIRED_PRIORS = frozenset({"pagerank", "centrality", "links", "ladder"})  # settings of earlier versions


class _Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of `profile.toml`. A misspelt key is refused: "exlude" must not leave what it names to be read."""


class VaultFolder(_Strict, frozen=True, kw_only=True):
    """A vault of a profile and what of it may be read. Nothing is allowed unless said; an exclusion always wins."""

    id: str  # 8 hex digits
    root: str  # absolute path
    name: str
    allow: tuple[str, ...] = ()  # vault-relative folders or notes; "." is the whole vault
    exclude: tuple[str, ...] = ()
    descriptions: Descriptions = ()  # what agents are told of its folders
    inbox: str = ""  # vault-relative folder where new notes wait to be filed; empty: none


class PassphraseSettings(_Strict, frozen=True, kw_only=True):
    """How a passphrase becomes a key (Argon2id, RFC 9106). No secret.

    Defaults: the RFC's second recommended option (64 MiB, 3 passes, 4 lanes).
    """

    salt: str  # hex
    memory_kib: int = 65_536
    passes: int = 3
    lanes: int = 4


class PriorSettings(_Strict, frozen=True, kw_only=True):
    """What moves this profile's results after fusion. All but one off: docs/retrieval.md has what each was worth."""

    recency_days: Annotated[float, msgspec.Meta(ge=0, le=36_500)] = 0.0  # half-life; 0: off
    opened: bool = True  # whether what was opened before after the same query stands higher
    importance: bool = False  # whether `importance` and `priority` in the frontmatter count

    @property
    def moves_results(self) -> bool:
        """Whether any of them has an effect by itself, whatever was opened before."""
        return msgspec.structs.replace(self, opened=True) != PriorSettings()


class Profile(_Strict, frozen=True, kw_only=True):
    """A profile's settings. Everything that it indexed is in its own database."""

    id: str  # 12 hex digits; also its folder's name
    name: str
    colour: str  # "#rrggbb"
    vaults: tuple[VaultFolder, ...] = ()
    federate: bool = True  # whether a search over all profiles includes this one
    model: str = "bundled"
    encrypted: bool = False
    passphrase: PassphraseSettings | None = None  # where a passphrase gives the key; otherwise the keyring has it
    key_id: str = ""  # the key's entry in the keyring; empty: the profile's id
    locked: bool = False  # its owner said `lock`: it stays closed until `unlock`, key or no key
    history: bool = True  # whether searches are remembered in its database, the newest 1,000
    filter_allow: tuple[str, ...] = ()  # patterns of what the credential filter lets stand; once, texts too
    filter_digests: tuple[str, ...] = ()  # keyed digests of texts that it lets stand
    filter_groups: tuple[str, ...] = ()  # optional groups of filter rules
    priors: PriorSettings = PriorSettings()
    tuned: bool = True  # whether its aliases and link texts may teach how its notes are asked for
    files: FileSettings = FileSettings()
    server: str = ""  # of a team: the address of its database, without a password; empty: it is a file
    team_number: int = 0  # which of that database's profiles it is

    @property
    def is_shared(self) -> bool:
        """Whether it is a team's, on a server."""
        return bool(self.server)

    @property
    def argument(self) -> str:
        """The name as it is given to a command."""
        return f'"{self.name}"' if " " in self.name else self.name


class UnreadableProfile(msgspec.Struct, frozen=True):
    """A profile whose `profile.toml` can't be used. It stays as it is until the file is repaired."""

    id: str
    name: str  # as far as the file tells it; otherwise the id
    reason: str  # which file, what is wrong with it and what to do


class Survey(msgspec.Struct, frozen=True):
    """What one look at the data folder found."""

    profiles: tuple[Profile, ...]  # by name
    unreadable: tuple[UnreadableProfile, ...]  # by id


def vault_folder(
    root: str | Path, *, allow: Sequence[str] = (), exclude: Sequence[str] = (), name: str | None = None
) -> VaultFolder:
    """A new vault entry for a folder on disk.

    Raises InvalidProfile when the root is not a folder, or a path to allow or exclude leaves it.
    """
    folder = Path(root).expanduser()
    if not folder.is_dir():
        raise InvalidProfile(f"{folder} is not a folder. Give the folder that your vault is in.")
    folder = folder.resolve()
    return VaultFolder(
        id=secrets.token_hex(4),
        root=str(folder),
        name=name or folder.name,
        allow=tuple(relative_path(path) for path in allow),
        exclude=tuple(relative_path(path) for path in exclude),
    )


def is_attached(vault: VaultFolder) -> bool:
    """Whether a vault lies anywhere: one that came with an import does once it was moved."""
    return Path(vault.root).parent.name != NOT_ATTACHED


def relative_path(path: str) -> str:
    """A vault-relative path in its one spelling; "." is the whole vault.

    Raises InvalidProfile for an absolute one, one that climbs out, and for nothing at all: an unset variable of a
    script must not allow a whole vault.
    """
    if not path.strip():
        raise InvalidProfile('No folder is named. Say "." for the whole vault.')
    pure = PurePosixPath(path.replace("\\", "/").strip())
    if pure.is_absolute() or ".." in pure.parts or re.match("[A-Za-z]:", path):
        raise InvalidProfile(f"{path!r} must be a path inside the vault, such as Projects or Notes/Private.")
    return str(pure)


def inbox_path(folder: str) -> str:
    """A vault's inbox in its one spelling. Raises InvalidProfile as `relative_path`, and for the vault itself."""
    path = relative_path(folder)
    if path == ".":
        raise InvalidProfile("The inbox is a folder in the vault, and not the vault itself.")
    return path


class Registry:
    """The profiles under one data folder. Reads the disk each time, so that several processes agree.

    is_secret: whether a name must not be stored, since it holds a credential; new names of profiles and vaults that do
    are refused.
    """

    def __init__(self, folder: Path, is_secret: Callable[[str], bool] = lambda _: False) -> None:
        self.folder = folder
        self._is_secret = is_secret

    def stamps(self) -> tuple[tuple[str, int, int, int], ...]:
        """What differs as soon as anybody has changed the settings of a profile, or what profiles there are.

        Of each settings file: the folder's name, inode, time of its last change in ns, and size. Takes some
        microseconds a profile.
        """
        found: list[tuple[str, int, int, int]] = []
        with contextlib.suppress(FileNotFoundError), os.scandir(self.folder) as folders:
            for folder in folders:
                with contextlib.suppress(OSError):  # it is removed just now, or was never one
                    stats = (Path(folder) / SETTINGS).stat()
                    found.append((folder.name, stats.st_ino, stats.st_ctime_ns, stats.st_size))
        return tuple(sorted(found))

    def survey(self) -> Survey:
        """All profiles. One whose settings can't be used costs the others nothing: it is named, with the reason."""
        profiles: dict[str, Profile] = {}
        unreadable: list[UnreadableProfile] = []
        entries = sorted(self.folder.iterdir()) if self.folder.is_dir() else []
        for folder in (entry for entry in entries if _ID.fullmatch(entry.name)):
            try:
                found = self._read(folder)
            except InvalidProfile as error:
                unreadable.append(UnreadableProfile(folder.name, _name_in(folder / SETTINGS), str(error)))
                continue
            if found is not None and profiles.setdefault(found.name.casefold(), found) is not found:
                reason = f"{folder / SETTINGS}: there is another profile named {found.name!r}. Choose another name."
                unreadable.append(UnreadableProfile(folder.name, folder.name, reason))
        return Survey(tuple(profiles[name] for name in sorted(profiles)), tuple(unreadable))

    def list(self) -> tuple[Profile, ...]:
        """All profiles whose settings can be used, by name."""
        return self.survey().profiles

    def get(self, name: str) -> Profile:
        """The profile of this name, case aside. Raises ProfileNotFound, or InvalidProfile where it can't be read."""
        survey = self.survey()
        for found in (*survey.profiles, *survey.unreadable):
            if found.name.casefold() == name.casefold():
                if isinstance(found, UnreadableProfile):
                    raise InvalidProfile(found.reason)
                return found
        raise ProfileNotFound(f"There is no profile named {name!r}. `scrubjay profile list` shows those there are.")

    def current(self, profile: Profile) -> Profile:
        """A profile's settings as they are on disk now, whatever it is called by now.

        Raises ProfileNotFound, InvalidProfile for settings that can't be used.
        """
        found = self._read(self.folder_of(profile))
        if found is None:
            raise ProfileNotFound(f"The profile {profile.name!r} is not there any more.")
        return found

    def create(
        self,
        name: str,
        *,
        vaults: Sequence[VaultFolder] = (),
        colour: str | None = None,
        federate: bool = True,
        model: str = "bundled",
        encrypted: bool = False,
    ) -> Profile:
        """Make a profile. Raises ProfileExists for a name that is taken, InvalidProfile for what can't be accepted."""
        made = self.new(name, model=model)
        profile = msgspec.structs.replace(
            made,
            vaults=_told_apart(vaults),
            colour=colour or made.colour,
            federate=federate,
            encrypted=encrypted,
        )
        self.add(profile)
        return profile

    def new(self, name: str, *, model: str = "bundled", server: str = "", team_number: int = 0) -> Profile:
        """A profile that may be added: nothing is written. Raises as `create`."""
        profile = Profile(
            id=secrets.token_hex(6),
            name=name.strip(),
            colour=COLOURS[len(self.list()) % len(COLOURS)],
            model=model,
            server=server,
            team_number=team_number,
        )
        self._check(profile)
        return profile

    def add(self, profile: Profile, prepared: Path | None = None) -> None:
        """Write a new profile: from here on the others see it. Raises as `create`.

        prepared: a folder on the same disk with what it is to have beside its settings; it becomes the profile's, in
        one step.
        """
        with locked(self.folder):
            self._check(profile)
            folder = prepared or self.folder_of(profile)
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(folder / SETTINGS, tomli_w.dumps(_values(profile)).encode())
            if prepared is not None:
                prepared.rename(self.folder_of(profile))

    def rename(self, name: str, new: str) -> Profile:
        """Give a profile another name. Raises ProfileNotFound, ProfileExists, InvalidProfile."""
        return self.change(self.get(name).id, lambda now: msgspec.structs.replace(now, name=new.strip()))

    def change(self, profile_id: str, how: Callable[[Profile], Profile]) -> Profile:
        """Change a profile's settings, all of it or nothing; what they are then.

        `how` is given the settings as they are on disk at this moment, and says what becomes of them; it may be called
        again where somebody writes the file meanwhile, and must not change a profile itself. Whatever others wrote
        since the caller looked stays, unless `how` takes it away; a person's comments stay, too.
        Raises ProfileNotFound, ProfileExists, FileBusy, InvalidProfile (also for a file that can't be read, which stays
        as it is), and what `how` raises.
        """
        folder = self.folder / profile_id
        with locked(self.folder):
            for _ in range(_TRIES):
                written = _content(folder / SETTINGS)
                before = self._parsed(folder, written)
                if before is None:
                    raise ProfileNotFound("The profile is not there any more.")
                after = how(before)
                after = msgspec.structs.replace(after, id=profile_id, vaults=_told_apart(after.vaults))
                if after == before:
                    return before
                self._check(after, before)
                from scrubjay.profiles.registry.settings_file import edited  # noqa: PLC0415 - few commands write

                content = edited(written or b"", _values(before), _values(after), partial(self._parsed, folder))
                if _content(folder / SETTINGS) == written:
                    write_atomically(folder / SETTINGS, content)
                    return after
        raise FileBusy(f"{folder / SETTINGS} is being written by another program again and again. Nothing was changed.")

    def with_team_vaults(self, profile: Profile, key: bytes) -> Profile:
        """A team's profile whose vaults have the ids that they have on every machine, and so it is kept.

        key: the team's. Raises as `change`.
        """

        def with_ids(now: Profile) -> Profile:
            vaults = tuple(msgspec.structs.replace(each, id=team_vault_id(each.name, key)) for each in now.vaults)
            return msgspec.structs.replace(now, vaults=vaults)

        return profile if with_ids(profile) == profile else self.change(profile.id, with_ids)

    def remove(self, name: str) -> None:
        """Delete a profile, its database's bytes overwritten. Close its store first. Raises ProfileNotFound.

        The work lock, which Windows will not delete while it is held, goes when `work_lock` ends. Its key is not the
        registry's to forget: `Custody.remove` does both.
        """
        profile = self.get(name)
        destroy(self.store_path(profile))
        for aside in self.folder_of(profile).glob(f"{DATABASE}*"):
            shred(aside)
        for entry in self.folder_of(profile).iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            elif entry.name not in (WORK_LOCK, SETTINGS):
                entry.unlink()
        (self.folder_of(profile) / SETTINGS).unlink()  # last: until then it can be removed again
        remove_if_only_lock(self.folder_of(profile))

    def folder_of(self, profile: Profile) -> Path:
        """Where all of it is."""
        return self.folder / profile.id

    def store_path(self, profile: Profile) -> Path:
        """Where its database is, or will be."""
        return self.folder_of(profile) / DATABASE

    def _read(self, folder: Path) -> Profile | None:
        try:
            return self._parsed(folder, _content(folder / SETTINGS))
        except OSError as error:
            raise _unreadable(folder, error) from error

    def _parsed(self, folder: Path, written: bytes | None) -> Profile | None:
        """The settings in these bytes of a profile's file. None: there is no file and no profile."""
        if written is None:
            if (folder / DATABASE).exists():
                raise InvalidProfile(
                    f"{folder / SETTINGS} is gone, though the profile's index is there. Put it back from a backup, or "
                    f"delete {folder} and make the profile anew."
                )
            return None
        try:
            profile = profile_of({**tomllib.loads(written.decode("utf-8")), "id": folder.name})
            return _refuse_odd(msgspec.structs.replace(profile, vaults=_told_apart(tuple(map(_spelt, profile.vaults)))))
        except (ValueError, RecursionError, msgspec.ValidationError, InvalidProfile) as error:
            raise _unreadable(folder, error) from error

    def _check(self, profile: Profile, before: Profile | None = None) -> None:
        _refuse_odd(profile)
        for text in _texts(profile) - (_texts(before) if before else set()):
            if self._is_secret(text):
                raise InvalidProfile(
                    "The name of the profile or of a vault's folder, or what is said of one, looks like a credential."
                )
        survey = self.survey()
        for other in (*survey.profiles, *survey.unreadable):
            if other.id != profile.id and other.name.casefold() == profile.name.casefold():
                raise ProfileExists(f"There is a profile named {other.name!r} already.")
        data = self.folder.resolve()
        for vault in profile.vaults:
            if data.is_relative_to(Path(vault.root).resolve()):
                raise InvalidProfile(f"{vault.root} holds Scrubjay's own data ({data}). Choose a folder that does not.")


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _unreadable(folder: Path, error: Exception) -> InvalidProfile:
    wrong = str(error).rstrip(".")
    return InvalidProfile(f"{folder / SETTINGS} can't be read: {wrong}. Mend it; its profile waits for that.")


def _values(profile: Profile) -> dict[str, Any]:
    """What stands in `profile.toml`."""
    values = {name: value for name, value in msgspec.to_builtins(profile).items() if value is not None}
    del values["id"]
    return values


def profile_of(values: Mapping[str, Any]) -> Profile:
    """The profile that these settings describe; what they say of priors that there are no more is passed over.

    Raises msgspec.ValidationError where a setting is unknown or has a wrong value.
    """
    priors = values.get("priors")
    if isinstance(priors, dict):
        kept = {key: value for key, value in cast("dict[str, Any]", priors).items() if key not in _RETIRED_PRIORS}
        values = {**values, "priors": kept}
    return msgspec.convert(values, Profile)


def _refuse_odd(profile: Profile) -> Profile:
    """The profile itself. Raises InvalidProfile where it can be seen that a value is none; looks at no file."""
    if not _NAME.fullmatch(profile.name):
        raise InvalidProfile(
            f"{profile.name!r} can't be a name: 1 to 40 letters, digits, spaces, - or _, a letter or digit first."
        )
    if not _COLOUR.fullmatch(profile.colour):
        raise InvalidProfile(f"{profile.colour!r} is not a colour such as #3b82c4.")
    for vault in profile.vaults:
        if not Path(vault.root).is_absolute():
            raise InvalidProfile(f"{vault.root} must be an absolute path.")
    if profile.is_shared != (profile.team_number > 0):
        raise InvalidProfile("`server` and `team_number` belong together: a team's profile has both, others neither.")
    if profile.is_shared and str(ServerAddress.parse(profile.server)) != profile.server:
        raise InvalidProfile("`server` must be spelt as Scrubjay writes it. `scrubjay team join` does that.")
    return profile


def _texts(profile: Profile) -> set[str]:
    said = (each.text for vault in profile.vaults for each in vault.descriptions)
    return {profile.name, *(vault.name for vault in profile.vaults), *said}


def _told_apart(vaults: Sequence[VaultFolder]) -> tuple[VaultFolder, ...]:
    names = told_apart((vault.root, vault.name) for vault in vaults)
    return tuple(msgspec.structs.replace(vault, name=name) for vault, name in zip(vaults, names, strict=True))


def _spelt(vault: VaultFolder) -> VaultFolder:
    """A vault with its paths in the spelling that they are compared in, however a person wrote them."""
    allow, exclude = (tuple(map(relative_path, paths)) for paths in (vault.allow, vault.exclude))
    said = tuple(msgspec.structs.replace(each, folder=relative_path(each.folder)) for each in vault.descriptions)
    inbox = inbox_path(vault.inbox) if vault.inbox else ""
    return msgspec.structs.replace(vault, allow=allow, exclude=exclude, descriptions=said, inbox=inbox)


def _name_in(path: Path) -> str:
    """The name in a `profile.toml` that can't be read otherwise; its folder's where that line is unreadable too."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            found = re.search(r"""^name\s*=\s*["']([^"'\n]*)["']""", file.read(_LOOKED_AT), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found and _NAME.fullmatch(found[1]) else path.parent.name
