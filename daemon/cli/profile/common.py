"""What the commands about profiles share: passphrases, having a profile to oneself, how one is shown."""

import sys
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from scrubjay.daemon.cli.connect import running
from scrubjay.daemon.cli.output import print_json, print_table, say, warn
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.endpoints.profiles import REFRESH_PROFILES, UNLOCK_PROFILE, UnlockAsk
from scrubjay.daemon.standing_values import installation_key
from scrubjay.daemon.vault.read import holds_credential
from scrubjay.profiles.errors import StoreLocked, Unavailable
from scrubjay.profiles.registry.keys import Custody, OsKeyring, Protection, protection_of
from scrubjay.profiles.registry.registry import Profile, Registry, Survey, VaultFolder, is_attached
from scrubjay.profiles.registry.work_lock import work_lock

json_option = click.option("--json", "as_json", is_flag=True, help="For scripts.")
stdin_option = click.option(
    "--passphrase-stdin", is_flag=True, help="Read passphrases from standard input, one a line: the present, the new."
)
_WORDS: dict[Protection, str] = {"none": "no", "keyring": "yes, key in the keyring", "passphrase": "yes, passphrase"}
_ON_SERVER: dict[Protection, str] = {
    "none": "",
    "keyring": "password in the keyring",
    "passphrase": "password behind a passphrase",
}


class ProfileShown(msgspec.Struct, frozen=True, kw_only=True):
    """A profile as `--json` prints it. `problem`: why its settings can't be read; the rest is null then."""

    id: str
    name: str
    colour: str | None = None
    federate: bool | None = None
    protection: Protection | None = None
    locked: bool | None = None
    server: str | None = None  # of a team's profile; "" where it is a file
    model: str | None = None
    vaults: tuple[VaultFolder, ...] | None = None
    problem: str | None = None


class Passphrases:
    """Where passphrases come from: standard input, or the person at the terminal.

    keys: in place of them, those of the profiles that are open in the daemon, by id; nobody is asked for another then.
    """

    def __init__(self, *, from_stdin: bool, keys: Mapping[str, bytes] | None = None) -> None:
        self._from_stdin = from_stdin
        self._keys = keys

    def leave_closed(self, profile: Profile) -> bool:
        """Whether a profile can't be opened, nor its passphrase be asked for."""
        return self._keys is not None and (
            profile.locked or (profile.passphrase is not None and profile.id not in self._keys)
        )

    def open(self, keys: Custody, profile: Profile) -> None:
        """Unlock the key of a profile that opens with a passphrase. Raises StoreLocked."""
        if self._keys is not None and profile.id in self._keys:
            keys.take_passphrase_key(profile, self._keys[profile.id])
        else:
            keys.unlock(profile, self.present(profile))

    def present(self, profile: Profile) -> str:
        """The one that a profile opens with now."""
        return self.ask(f"Passphrase of {profile.name}")

    def new(self, what: str) -> str:
        """A new one, asked for twice where a person types it."""
        return self.ask(f"New passphrase for {what}", twice=True)

    def ask(self, words: str, *, twice: bool = False) -> str:
        """A line. Raises UsageError where standard input has none left."""
        if self._keys is not None:
            raise StoreLocked("Unlock the profile first.")
        if not self._from_stdin:
            return click.prompt(words, hide_input=True, confirmation_prompt=twice, err=True)
        line = sys.stdin.readline().rstrip("\r\n")
        if not line:
            raise click.UsageError("Standard input holds no passphrase, or too few: one a line.")
        return line


def registry() -> Registry:
    """The profiles of this installation."""
    return Registry(Home.find().make().profiles, holds_credential)


def custody(found: Registry) -> Custody:
    """Their keys."""
    return Custody(found, OsKeyring())


def opened(keys: Custody, profile: Profile, passphrases: Passphrases) -> Profile:
    """A profile with its key unlocked; prompts for its passphrase where it has one. Raises StoreLocked."""
    if profile.passphrase is not None and not profile.locked:
        passphrases.open(keys, profile)
    keys.key(profile)
    return profile


def digest_key(profile: Profile, passphrases: Passphrases) -> bytes:
    """What a profile's digests are made with: its team's key, or the installation's. Raises StoreLocked."""
    if not profile.is_shared:
        return installation_key(Home.find())
    keys = custody(registry())
    return keys.team(opened(keys, profile, passphrases)).key


@contextmanager
def exclusive_access(found: Registry, profile: Profile) -> Generator[None]:
    """Take a profile's work lock for a block; a daemon closes the profile's database meanwhile, then opens it."""
    with work_lock(found.folder_of(profile)):
        notify_daemon()
        yield
    notify_daemon()


def notify_daemon() -> None:
    """Make the daemon, if one runs, reload the profiles now."""
    if running(Home.find()):
        with ScrubjayClient.discover(Home.find()) as client:
            client.ask(REFRESH_PROFILES)


def changed(name: str, how: Callable[[Profile], Profile]) -> Profile:
    """Change the settings of a profile as `Registry.change` does, and have the daemon take them over."""
    profiles = registry()
    before = profiles.get(name)
    after = profiles.change(before.id, how)
    if after != before:
        notify_daemon()
    return after


def unlock_in_daemon(profile: Profile, passphrase: str | None) -> bool:
    """Open a profile in the daemon. False where none runs. Raises ApiError."""
    if not running(Home.find()):
        return False
    with ScrubjayClient.discover(Home.find()) as client:
        client.ask(UNLOCK_PROFILE, UnlockAsk(profile_id=profile.id, passphrase=passphrase))
    return True


def usable_model(name: str | None) -> str:
    """The model of this name (None: the bundled one), as it is spelled. Raises ModelNotAvailable."""
    from scrubjay.daemon.models.installed import BUNDLED_NAME, resolve  # numpy comes with it

    return BUNDLED_NAME if name in (None, BUNDLED_NAME) else resolve(name, Home.find().models).name


def is_model_missing(profile: Profile) -> bool:
    """Whether the model that a profile names is not on this machine."""
    try:
        usable_model(profile.model)
    except Unavailable:
        return True
    return False


def shown(profile: Profile) -> ProfileShown:
    """What there is to say about a profile."""
    return ProfileShown(
        id=profile.id,
        name=profile.name,
        colour=profile.colour,
        federate=profile.federate,
        protection=protection_of(profile),
        locked=profile.locked,
        server=profile.server,
        model=profile.model,
        vaults=profile.vaults,
    )


def print_survey(found: Survey, *, as_json: bool) -> None:
    """All profiles, those whose settings can't be read named last."""
    if as_json:
        unreadable = [ProfileShown(id=one.id, name=one.name, problem=one.reason) for one in found.unreadable]
        print_json([*map(shown, found.profiles), *unreadable])
        return
    if found.profiles:
        print_profiles(found.profiles)
    for one in found.unreadable:
        warn(f"Profile {one.name}: {one.reason}")


def print_profiles(profiles: tuple[Profile, ...]) -> None:
    """A table, a line for each vault."""
    nowhere = (VaultFolder(id="", root="(no vault)", name=""),)
    print_table(
        ("profile", "encrypted", "in searches over all", "model", "vault", "may be read"),
        [
            (
                f"{one.name} (locked)" if one.locked else one.name,
                _protected(one),
                "yes" if one.federate else "no",
                one.model,
                folder.root,
                allowed(folder),
            )
            for one in profiles
            for folder in one.vaults or nowhere
        ],
    )
    for one in profiles:
        if one.is_shared:
            say(f"{one.name} is on {one.server}", style="dim")


def _protected(profile: Profile) -> str:
    protection = protection_of(profile)
    if profile.is_shared:
        return f"on a server, {_ON_SERVER[protection]}"
    return _WORDS[protection]


def print_changed(profile: Profile, said: str = "", *, as_json: bool) -> None:
    """The profile as it is now; to a person `said` instead, where one sentence tells it."""
    if as_json:
        print_json(shown(profile))
    elif said:
        say(said)
    else:
        print_profiles((profile,))


def warn_of_missing(folder: VaultFolder, paths: Iterable[str]) -> None:
    """Say which of these paths are not in a vault; they are allowed or excluded once they are there."""
    missing = [path for path in paths if not (Path(folder.root) / path).exists()]
    if missing:
        warn(f"Not there, at least not yet: {', '.join(missing)}. Look at the spelling.", style="yellow")


def allowed(folder: VaultFolder) -> str:
    """What may be read of a vault, in words."""
    if not folder.allow or not is_attached(folder):
        return "nothing yet"
    named = ["the whole vault" if name == "." else name for name in folder.allow]
    return ", ".join(named) + (f"; never {', '.join(folder.exclude)}" if folder.exclude else "")
