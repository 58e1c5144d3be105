"""What can go wrong with a profile.

ProfileError
├── ProfileNotFound        no such profile
├── ProfileExists          the name is taken
├── InvalidProfile         a name, folder or value that can't be accepted
└── StoreError             about one profile's database, a file or on a team's server
    ├── StoreLocked        encrypted, and the key is missing or wrong
    ├── StoreTooNew        written by a newer Scrubjay; left untouched
    ├── StoreCorrupt       SQLite can't read it
    ├── StoreForeign       it holds triggers, views or tables that are not ours
    ├── StoreBusy          another process holds the write lock for too long
    │   └── StoreInUse      a command is changing the profile; it opens again by itself
    ├── StoreAway          a team's server can't be reached, or stopped answering
    ├── StoreDenied        a team's server refuses the password, or what was asked
    └── StoreRefused       a team's server does not take what was to be written
"""

from pathlib import Path


class ProfileError(Exception):
    """Base of all: `code` is stable and kebab-case, the message a sentence with what to do."""

    code = "profile-error"


class ProfileNotFound(ProfileError):
    """No profile has this name."""

    code = "profile-not-found"


class ProfileExists(ProfileError):
    """A profile with this name is there already."""

    code = "profile-exists"


class InvalidProfile(ProfileError):
    """A name, a folder or a value that can't be accepted; the message says which and why."""

    code = "invalid-profile"


class StoreError(ProfileError):
    """Something about one profile's database: `path`, where it is a file and known."""

    code = "store-error"

    def __init__(self, message: str, path: Path | None = None) -> None:
        super().__init__(message)
        self.path = path


class StoreLocked(StoreError):
    """The file is encrypted and the key is missing or wrong."""

    code = "store-locked"


class StoreTooNew(StoreError):
    """The file was written by a newer version; it is left as it is."""

    code = "store-too-new"


class StoreCorrupt(StoreError):
    """SQLite can't make sense of the file."""

    code = "store-corrupt"


class StoreForeign(StoreError):
    """A database holds triggers, views, tables or indexes that Scrubjay does not make."""

    code = "store-foreign"


class StoreRefused(StoreError):
    """A server takes everything else, but not what was to be written: a value too long for an index, say."""

    code = "store-refused"


class StoreBusy(StoreError):
    """Another process kept the write lock for longer than the time-out."""

    code = "store-busy"


class StoreInUse(StoreBusy):
    """A command is at work on the whole file (encrypting, restoring); the profile opens again when that is done."""

    code = "store-held"


class StoreAway(StoreError):
    """A team's server can't be reached, or stopped answering; the message says which, why, and what to do."""

    code = "store-away"


class StoreDenied(StoreError):
    """A team's server refuses the password, or does not allow this role what was asked."""

    code = "store-denied"
