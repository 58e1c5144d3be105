"""`scrubjay profile backup | restore | export | import`: copies of a profile."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from shlex import quote as quoted

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.output import megabytes, print_json, say
from scrubjay.daemon.cli.profile.common import (
    Passphrases,
    custody,
    exclusive_access,
    is_model_missing,
    json_option,
    notify_daemon,
    opened,
    print_changed,
    registry,
    stdin_option,
    unlock_in_daemon,
)
from scrubjay.daemon.cli.terminal import console
from scrubjay.daemon.printable import one_line
from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.registry.on_server import OF_COPIES, refuse_on_server
from scrubjay.profiles.registry.registry import Profile, Registry
from scrubjay.profiles.store.sqlite import is_encrypted

_NAMED = 5  # patterns in a sentence
_file = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.argument("file", type=_file)
@stdin_option
@json_option
def backup(name: str, file: Path, passphrase_stdin: bool, as_json: bool) -> None:
    """Write a complete copy of a profile's database to FILE; the daemon may run. An encrypted one stays so."""
    from scrubjay.profiles.store import backup as lifecycle

    profiles = registry()
    profile = _indexed(profiles, name)
    keys = custody(profiles)
    opened(keys, profile, Passphrases(from_stdin=passphrase_stdin))
    with console.status("Copying the database…"):
        lifecycle.backup(profiles.store_path(profile), keys.key(profile), file)
    _print_written(profile, file, "Backed up", as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.argument("file", type=_file)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--from-other", is_flag=True, help="Also the backup of another profile, with its journal and answers.")
@stdin_option
@json_option
def restore(name: str, file: Path, yes: bool, from_other: bool, passphrase_stdin: bool, as_json: bool) -> None:
    """Put the backup FILE in the place of a profile's database. It is checked before anything changes.

    Journal entries, answers, decisions and searches that came after the backup are kept; what was there is set aside.
    """
    from scrubjay.profiles.store import backup as lifecycle
    from scrubjay.profiles.store.backup import in_words, newer

    if not file.exists():
        raise StoreError(f"{file} is not there.")
    profiles = registry()
    profile = profiles.get(name)
    refuse_on_server(profile, OF_COPIES)
    keys = custody(profiles)
    passphrases = Passphrases(from_stdin=passphrase_stdin)
    given = passphrases.present(profile) if profile.passphrase and not profile.locked else None
    keys.unlock(profile, given) if given is not None else keys.key(profile)
    key = keys.key(profile)
    # A backup of the time before it was encrypted is encrypted on the way.
    source_key = key if is_encrypted(file) else None
    owner = lifecycle.owner_of(file, source_key)
    is_own = owner in ("", profile.id)
    if not is_own and not from_other:
        raise StoreError(
            f"{file} is a backup of another profile{_called(profiles, owner)}. Its journal, answers and notes would"
            f" show in {profile.name}, to whoever may see that. `--from-other` restores it all the same."
        )
    path = profiles.store_path(profile)
    if not yes:
        gone = ""
        with suppress(StoreError):  # what can't be read can't be counted, and is set aside like all else
            gone = in_words(newer(path, key, file, source_key)) if path.exists() else ""
        unknown = "" if owner else " It does not say of which profile it is."
        later = f" Of what came since, {gone} {'are kept' if is_own else 'are not in it'}." if gone else ""
        question = f"Replace the index of {profile.name} by {file.name}?{unknown}{later} What is there now is set aside"
        click.confirm(question, abort=True)
    with exclusive_access(profiles, profile), console.status("Checking and restoring…"):
        keys.finish_change(profile)
        done = lifecycle.restore(file, source_key, path, key, keep_newer=is_own)
    if given is not None:
        unlock_in_daemon(profile, given)
    said = f"Restored {profile.name} from {file}. What has changed in your notes since then is read next."
    if done.aside is not None:
        said += f" What was there is set aside as {done.aside}; delete it when you are sure."
    if done.kept.missed:
        said += f" Not in the restored index: {done.kept.missed}."
    print_changed(profile, said, as_json=as_json)


@click.command()
@click.argument("name", shell_complete=profile_names)
@click.argument("file", type=_file)
@click.option("--readable", is_flag=True, help="Without encryption: anyone who has the file can read it.")
@stdin_option
@json_option
def export(name: str, file: Path, readable: bool, passphrase_stdin: bool, as_json: bool) -> None:
    """Write a profile to FILE, to be taken to another computer; encrypted under a passphrase unless --readable."""
    from scrubjay.profiles.registry import export as parcel

    profiles = registry()
    profile = _indexed(profiles, name)
    keys = custody(profiles)
    passphrases = Passphrases(from_stdin=passphrase_stdin)
    opened(keys, profile, passphrases)
    chosen = None if readable else passphrases.new(file.name)
    with console.status("Packing the profile…"):
        parcel.pack(profile, profiles.store_path(profile), keys.key(profile), file, chosen)
    _print_written(profile, file, "Exported", as_json=as_json)


@click.command(name="import")
@click.argument("file", type=_file)
@click.option("--name", help="Call it so, instead of as it was called.")
@stdin_option
@json_option
def import_(file: Path, name: str | None, passphrase_stdin: bool, as_json: bool) -> None:
    """Make a new profile of an exported one, which reads nothing until you say what it may.

    A file brings an index, never a permission: `scrubjay profile move` says where its vault lies on this computer.
    """
    from scrubjay.profiles.registry import export as parcel

    given = Passphrases(from_stdin=passphrase_stdin).ask("Passphrase") if parcel.needs_passphrase(file) else None
    profiles = registry()
    with console.status("Unpacking the profile…"):
        imported = parcel.unpack(file, given, profiles, custody(profiles), name=name)
    made = imported.profile
    notify_daemon()
    if given is not None:
        unlock_in_daemon(made, given)
    if as_json:
        print_changed(made, as_json=True)
        return
    say(f"Imported profile {made.name}.")
    if is_model_missing(made):
        say(f"Its model is not on this computer: scrubjay model download {made.model}")
    for sentence in _not_taken_over(made, imported.there):
        say(sentence)


def _called(profiles: Registry, owner: str) -> str:
    """The name of a profile, as part of a sentence, where it is one of this computer."""
    return next((f", {each.name}" for each in profiles.list() if each.id == owner), "")


def _not_taken_over(made: Profile, there: Profile) -> Iterator[str]:
    """What a profile was allowed where it was exported, and how to allow it here."""
    several = len(made.vaults) > 1
    for vault, was in zip(made.vaults, there.vaults, strict=True):
        said = f"Nothing on this computer is read for it. There, {one_line(was.name)} lay at {one_line(was.root)}"
        allowed = " ".join(f"--allow {quoted(one_line(folder))}" for folder in was.allow) or "--allow FOLDER"
        which = f" --vault {quoted(vault.root)}" if several else ""
        command = f"scrubjay profile move {made.argument} FOLDER{which} {allowed}"
        yield f"{said}. Where it lies here, and what may be read: {command}"
    if there.federate:
        yield f"Searches over all profiles leave it out. To include it: scrubjay profile federate {made.argument} on"
    if there.filter_allow:
        texts = ", ".join(one_line(entry) for entry in there.filter_allow[:_NAMED])
        yield f"There, these patterns were let stand as no credentials: {texts}. Here they are hidden like all others."
    if there.is_shared:
        yield f"There, it was a team's, on {one_line(there.server)}. Here it is a file; no server is asked."


def _indexed(profiles: Registry, name: str) -> Profile:
    profile = profiles.get(name)
    refuse_on_server(profile, OF_COPIES)
    if not profiles.store_path(profile).exists():
        raise StoreError(f"Profile {profile.name} has not been indexed yet: there is nothing to copy.")
    return profile


def _print_written(profile: Profile, file: Path, done: str, *, as_json: bool) -> None:
    size = file.stat().st_size
    if as_json:
        print_json({"profile": profile.name, "file": str(file.absolute()), "bytes": size})
    else:
        say(f"{done} {profile.name} to {file} ({megabytes(size)}).")
