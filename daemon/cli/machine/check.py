"""`scrubjay check`: is each index whole, does it hold what is on disk, and can it be mended."""

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import connect, open_engine, running
from scrubjay.daemon.cli.output import print_json, say, warn
from scrubjay.daemon.cli.profile.common import (
    Passphrases,
    custody,
    notify_daemon,
    registry,
    stdin_option,
    unlock_in_daemon,
)
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.endpoints.check import CHECK, CheckAsk, CheckedProfile, CheckReply, FoundProblem
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.registry.registry import Profile

if TYPE_CHECKING:
    from scrubjay.daemon.engine.engine import Engine

_POLL_SECONDS = 0.5
_NOT_READING = ("idle", "failed", "locked", "paused", "away", "embedding")


@click.command()
@click.option(
    "--profile", "profiles", shell_complete=profile_names, multiple=True, help="Check this profile only. Repeatable."
)
@click.option("--repair", is_flag=True, help="Repair it; what is derived is built again from the vault.")
@stdin_option
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def check(profiles: tuple[str, ...], repair: bool, passphrase_stdin: bool, as_json: bool) -> None:
    """Check every invariant of the indexes, and that they hold what is on disk. Exit status 1 when something is wrong.

    The passphrase of a profile that is locked by one is asked for; the profile is locked again afterwards.
    """
    passphrases = Passphrases(from_stdin=passphrase_stdin) if passphrase_stdin or sys.stdin.isatty() else None
    chosen = _chosen(profiles)
    look = _ask_daemon if running(Home.find()) else _look_here
    reply = look(chosen, passphrases, repair=repair)
    if not profiles:
        spoilt = (CheckedProfile(profile=one.name, closed=one.reason) for one in registry().survey().unreadable)
        reply = CheckReply(profiles=(*reply.profiles, *spoilt), warnings=reply.warnings)
    if as_json:
        print_json(reply)
    else:
        _print(reply)
    if any(each.problems or each.closed for each in reply.profiles):
        raise click.exceptions.Exit(1)


def _chosen(names: tuple[str, ...]) -> tuple[Profile, ...]:
    """The profiles with these names, or all. Raises ProfileNotFound."""
    found = registry()
    return tuple(found.get(name) for name in names) or tuple(found.survey().profiles)


def _ask_daemon(chosen: tuple[Profile, ...], passphrases: Passphrases | None, *, repair: bool) -> CheckReply:
    with connect() as client:
        locked = {state.name for state in client.ask(STATUS).profiles if state.state == "locked"}
        replies: list[CheckReply] = []
        for profile in chosen:
            _tell_begun(profile)
            with _unlocked(profile, passphrases) if profile.name in locked else nullcontext():
                reply = client.ask(CHECK, CheckAsk(profile=profile.name, repair=repair))
                if repair and any(each.did for each in reply.profiles):
                    _wait_until_read(client, profile.name)
                    after = client.ask(CHECK, CheckAsk(profile=profile.name))
                    did = {each.profile: each.did for each in reply.profiles}
                    reply = CheckReply(
                        profiles=tuple(_with(each, did.get(each.profile, ())) for each in after.profiles),
                        warnings=after.warnings,
                    )
            replies.append(reply)
    warnings = dict.fromkeys(warning for reply in replies for warning in reply.warnings)
    return CheckReply(profiles=tuple(each for reply in replies for each in reply.profiles), warnings=tuple(warnings))


def _tell_begun(profile: Profile) -> None:
    """Say what is being done, which takes minutes with many notes, to a person who looks on."""
    if sys.stderr.isatty():
        warn(f"Checking {profile.name} …", style="dim")


def _with(checked: CheckedProfile, did: tuple[str, ...]) -> CheckedProfile:
    return CheckedProfile(profile=checked.profile, problems=checked.problems, did=did, closed=checked.closed)


@contextmanager
def _unlocked(profile: Profile, passphrases: Passphrases | None) -> Generator[None]:
    """Have the daemon open a locked profile, if its passphrase can be asked for, and lock it again."""
    if passphrases is None or profile.passphrase is None:
        yield
        return
    unlock_in_daemon(profile, passphrases.present(profile))
    try:
        yield
    finally:
        profiles = registry()
        custody(profiles).lock(profiles.get(profile.name))
        notify_daemon()


def _wait_until_read(client: ScrubjayClient, name: str) -> None:
    while True:
        state = next((each for each in client.ask(STATUS).profiles if each.name == name), None)
        if state is None or state.state in _NOT_READING:
            return
        time.sleep(_POLL_SECONDS)


def _look_here(chosen: tuple[Profile, ...], passphrases: Passphrases | None, *, repair: bool) -> CheckReply:
    from scrubjay.daemon.server.instance import InstanceLock

    # Mending while another command works on the same file would be a fight over it.
    with InstanceLock(Home.find()) if repair else nullcontext(), open_engine(replaces=repair) as engine:
        checked = tuple(_checked(engine, profile, passphrases, repair=repair) for profile in chosen)
        return CheckReply(profiles=checked, warnings=engine.warnings())


def _checked(engine: "Engine", profile: Profile, passphrases: Passphrases | None, *, repair: bool) -> CheckedProfile:
    from scrubjay.daemon.engine.repair import RepairReport, problems_of, repair_and_read

    locks_again = profile.locked
    try:
        if profile.passphrase is not None and passphrases is not None:
            engine.custody.unlock(profile, passphrases.present(profile))
            engine.profile_sync.sync(retry=profile.id)
        opened = engine.open_profiles.named(profile.name)
        done = repair_and_read(engine, opened) if repair else RepairReport(left=problems_of(engine, opened))
    except ProfileError as error:
        return CheckedProfile(profile=profile.name, closed=str(error))
    finally:
        if locks_again:
            engine.custody.lock(profile)
    problems = tuple(FoundProblem(code=problem.code, about=problem.about) for problem in done.left)
    return CheckedProfile(profile=profile.name, problems=problems, did=done.did)


def _print(reply: CheckReply) -> None:
    for warning in reply.warnings:
        say(warning, style="yellow")
    for each in reply.profiles:
        verdict = "mended" if each.did else "nothing is wrong with it now" if reply.warnings else "all is well"
        say(f"{each.profile}: {each.closed or ('' if each.problems else verdict)}")
        for sentence in each.did:
            say(f"  {sentence}")
        for problem in each.problems:
            say(f"  {problem.about} ({problem.code})")
