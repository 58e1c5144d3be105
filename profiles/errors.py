"""What can go wrong, with the words a person reads."""

from pathlib import Path


class ScrubjayError(Exception):
    """Base of all. `code` is stable and kebab-case; `status` is the HTTP status that tells it best.

    The message says what happened, to what, and what to do. It holds no note text, query, token or secret.
    """

    code = "scrubjay-error"
    status = 500


class UsageError(ScrubjayError):
    """The request or command can't be understood."""

    code = "usage"
    status = 400


class NotFound(ScrubjayError):
    """Nothing has this name or id, or the caller may not know of it."""

    code = "not-found"
    status = 404


class Unavailable(ScrubjayError):
    """It can't be answered now."""

    code = "unavailable"
    status = 503


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


class WrongPassphrase(StoreLocked):
    """A passphrase was given, and it opens nothing here."""

    code = "wrong-passphrase"


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


class StoreChanging(StoreInUse):
    """What a profile may read was changed, and what is forbidden now is being forgotten; then it answers again."""

    code = "store-changing"


class StoreClosed(StoreBusy):
    """A store was closed while something was under way with it: its profile is locked, removed or changed just now."""

    code = "store-closed"

    def __init__(self, path: Path | None = None) -> None:
        super().__init__("The profile was closed while this was under way. Ask again in a moment.", path)


class StoreAway(StoreError):
    """A team's server can't be reached, or stopped answering; the message says which, why, and what to do."""

    code = "store-away"


class StoreFull(StoreAway):
    """A team's server runs, and has no room for another connection."""


class StoreDenied(StoreError):
    """A team's server refuses the password, or does not allow this role what was asked."""

    code = "store-denied"


class KeyChanged(StoreDenied):
    """The words of a team's profile are hashed by another key than this member has: a laptop was lost, say."""

    code = "store-key-changed"


class StoreReadOnly(StoreError):
    """This member of a team searches the profile, and writes nothing in it."""

    code = "store-read-only"
