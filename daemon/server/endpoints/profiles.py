"""`/v1/profiles`: listing for everybody within what they see; changes for managers."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from scrubjay.daemon.server.endpoint import Ask, Done, Endpoint, Nothing, Reply
from scrubjay.daemon.server.endpoints.common import Folder, Name, Secret
from scrubjay.profiles.registry.profile_settings import FileSettings

FilterGroup: TypeAlias = Literal["hashes", "identity", "payment"]
"""The filter's groups of rules that are off unless asked for."""


class ProfileId(Ask, frozen=True):
    """One profile, by its id."""

    profile_id: str


class VaultAsk(Ask, frozen=True):
    """A vault of a profile. Nothing is read but what lies below `allow` ("." is all); `exclude` always wins."""

    root: Folder
    allow: Annotated[tuple[Folder, ...], Meta(max_length=1_000)] = ()
    exclude: Annotated[tuple[Folder, ...], Meta(max_length=1_000)] = ()
    inbox: Annotated[str, Meta(max_length=1_000, description='Where new notes wait; "" is none.')] | None = None


class ProfileAsk(Ask, frozen=True):
    """A new profile."""

    name: Name
    vaults: Annotated[tuple[VaultAsk, ...], Meta(max_length=50)]
    colour: Annotated[str, Meta(max_length=20)] | None = None


class ProfileChange(Ask, frozen=True):
    """What to change of a profile; what is left out stays.

    folders_revision: that of the reply whose vaults were changed. Where somebody has changed them since, 409
    `folders-changed`; without it, all that is excluded stays so, and what others have added or taken away since the
    daemon last looked.
    """

    profile_id: str
    name: Name | None = None
    vaults: Annotated[tuple[VaultAsk, ...], Meta(max_length=50)] | None = None
    colour: Annotated[str, Meta(max_length=20)] | None = None
    federate: bool | None = None
    files: FileSettings | None = None
    model: Name | None = None  # one of `GET /v1/models`; the notes are embedded anew, in the background
    folders_revision: Annotated[str, Meta(max_length=64)] | None = None
    filter_groups: tuple[FilterGroup, ...] | None = None  # optional rules of the filter; the notes are read again


class ProtectAsk(Ask, frozen=True):
    """How a profile's database is protected from now on.

    passphrase: the new one, where it opens with one. present: the one that opens it now, where one does.
    """

    profile_id: str
    by: Literal["none", "keyring", "passphrase"]
    passphrase: Secret | None = None
    present: Secret | None = None


class UnlockAsk(Ask, frozen=True):
    """The passphrase, where one opens the profile; nothing where the keyring has its key."""

    profile_id: str
    passphrase: Secret | None = None


class FolderLook(Ask, frozen=True):
    """Which folder of which vault to look into; `below` is relative to `root`, "." the vault itself."""

    root: Folder
    below: Folder = "."


class KnownVaultReply(Reply, frozen=True):
    """A vault that Obsidian has opened, and the profile that it is in; "" where it is in none."""

    root: str
    name: str
    profile: str


class KnownVaultsReply(Reply, frozen=True):
    """The vaults that Obsidian knows on this computer, the one opened last first."""

    vaults: tuple[KnownVaultReply, ...]
    home: str = ""  # the user's own folder, where looking for another begins


class FolderReply(Reply, frozen=True):
    """A folder, how many notes lie in and below it, and whether there are folders in it."""

    name: str
    notes: int
    has_folders: bool


class FoldersReply(Reply, frozen=True):
    """What is in a folder of a vault. Names alone are read; no note is opened."""

    folders: tuple[FolderReply, ...]
    loose_notes: int  # in no folder
    complete: bool  # else there are so many files that not all were counted
    excluded_elsewhere: tuple[str, ...]  # folders that other plugins of the vault leave out; of the vault itself alone


class VaultReply(Reply, frozen=True):
    """A folder of a profile. `root` is told to clients that manage. own: this client was let in for this very folder.

    No other vault of the profile has its name.
    """

    id: str
    name: str
    allow: tuple[str, ...]
    exclude: tuple[str, ...]
    root: str | None = None
    own: bool = False
    inbox: str = ""  # where new notes wait to be filed; "": nowhere


class ProfileReply(Reply, frozen=True):
    """One profile."""

    id: str
    name: str
    colour: str
    vaults: tuple[VaultReply, ...]
    federate: bool
    encrypted: bool
    model: str
    protection: Literal["none", "keyring", "passphrase"] = "none"
    filter_groups: tuple[str, ...] = ()
    locked: bool = False  # its owner closed it
    files: FileSettings = FileSettings()
    server: str = ""  # the address of a team's, told to clients that manage; "" for a file
    folders_revision: str = ""  # changes whenever a vault, or what of one may be read, does; for clients that manage


class BackupReply(Reply, frozen=True):
    """A copy of a profile's database: where it lies on the daemon's computer, and its size."""

    file: str
    bytes: int


class ModelsReply(Reply, frozen=True):
    """The models on this computer, by the names that profiles call them; "bundled" came with the program."""

    models: tuple[str, ...]


class ProfilesReply(Reply, frozen=True):
    """The profiles that this client may see."""

    profiles: tuple[ProfileReply, ...]


LIST_PROFILES = Endpoint(
    "GET", "/v1/profiles", "search", Nothing, ProfilesReply, "The profiles that this client may see."
)
KNOWN_VAULTS = Endpoint(
    "GET",
    "/v1/vaults",
    "manage",
    Nothing,
    KnownVaultsReply,
    "The vaults that Obsidian knows on this computer. Only a client that sees all profiles may ask.",
)
LOOK_INTO = Endpoint(
    "POST",
    "/v1/vaults/folders",
    "manage",
    FolderLook,
    FoldersReply,
    "The folders of a vault, to choose what may be read. Only a client that sees all profiles may ask.",
    example={"root": "/home/ada/Work", "below": "Projects"},
    is_long=True,
)
CREATE_PROFILE = Endpoint(
    "POST",
    "/v1/profiles",
    "manage",
    ProfileAsk,
    ProfileReply,
    "Create a profile; its indexing begins. Only a client that sees all profiles may: others could read any folder.",
    example={"name": "work", "vaults": [{"root": "/home/ada/Work", "allow": ["Projects"], "exclude": []}]},
    status=201,
)
CHANGE_PROFILE = Endpoint(
    "POST",
    "/v1/profiles/{profile_id}",
    "manage",
    ProfileChange,
    ProfileReply,
    """Change a profile's name, folders, colour, model, filter, or whether it takes part in searches over all.

A refused change changes nothing.

Another name or vault takes a client that sees all profiles.""",
    example={"name": "job", "federate": False},
    is_long=True,
)
REMOVE_PROFILE = Endpoint(
    "DELETE",
    "/v1/profiles/{profile_id}",
    "manage",
    ProfileId,
    Done,
    "Remove a profile and its index. The notes themselves are not touched.",
    is_long=True,
)
PROTECT_PROFILE = Endpoint(
    "POST",
    "/v1/profiles/{profile_id}/protection",
    "manage",
    ProtectAsk,
    ProfileReply,
    """Encrypt a profile's database by the keyring or a passphrase, change either, or decrypt it; it is written anew.

423 `store-locked` where the present passphrase is missing, `wrong-passphrase` where it is wrong.""",
    example={"by": "passphrase", "passphrase": "the words that only you know"},
    is_long=True,
)
BACK_UP_PROFILE = Endpoint(
    "POST",
    "/v1/profiles/{profile_id}/backup",
    "manage",
    ProfileId,
    BackupReply,
    "Write a complete copy of a profile's database into the data folder; an encrypted one stays so.",
    is_long=True,
)
LIST_MODELS = Endpoint("GET", "/v1/models", "manage", Nothing, ModelsReply, "The models on this computer.")
LOCK_PROFILE = Endpoint(
    "POST",
    "/v1/profiles/{profile_id}/lock",
    "manage",
    ProfileId,
    ProfileReply,
    "Close a profile until it is unlocked. Searches of others go on, and say that it did not answer.",
    is_long=True,
)
UNLOCK_PROFILE = Endpoint(
    "POST",
    "/v1/profiles/{profile_id}/unlock",
    "manage",
    UnlockAsk,
    ProfileReply,
    "Open a locked profile; 423 `wrong-passphrase`, or `store-locked` when it is missing or the key is not there.",
    example={"passphrase": "the words that only you know"},
    is_long=True,
)
REFRESH_PROFILES = Endpoint(
    "POST",
    "/v1/profiles/refresh",
    "manage",
    Nothing,
    Done,
    "Look at the profiles' folders now, not in a second: take over what changed, let go of what a command holds.",
    is_long=True,
)
