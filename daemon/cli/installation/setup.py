"""`scrubjay setup`: from nothing to the search page, asking for each thing that is the user's to decide."""

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from scrubjay.daemon.cli.connect import running
from scrubjay.daemon.cli.output import plural, say, warn
from scrubjay.daemon.cli.prompts import Prompts
from scrubjay.daemon.home import Home
from scrubjay.daemon.onboarding.obsidian import known_vaults, obsidian_lists
from scrubjay.daemon.onboarding.proposals import Overview, Proposals, overview, proposals
from scrubjay.daemon.program import this_platform
from scrubjay.profiles.registry.registry import Profile, Registry

_PROTECTIONS = ("no", "keyring", "passphrase")


@dataclass(frozen=True, slots=True)
class SetupOptions:
    """The options of the command; None where one was not given."""

    vault: Path | None
    name: str | None
    allow: tuple[str, ...]
    exclude: tuple[str, ...]
    encrypt: str | None
    plugin: bool | None
    service: bool | None
    open_page: bool
    yes: bool


@click.command()
@click.option("--vault", type=click.Path(exists=True, file_okay=False, path_type=Path), help="The vault's folder.")
@click.option("--profile", "name", help="What to call the profile; the vault's name if left out.")
@click.option("--allow", multiple=True, metavar="FOLDER", help='May be read; "." is the whole vault. Repeatable.')
@click.option("--exclude", multiple=True, metavar="FOLDER", help="May never be read. Repeatable.")
@click.option("--encrypt", type=click.Choice(_PROTECTIONS), help="Encrypt the profile's database, and by what.")
@click.option("--plugin/--no-plugin", default=None, help="Copy the search panel into the vault.")
@click.option("--service/--no-service", default=None, help="Start Scrubjay at every log-in.")
@click.option("--open/--no-open", "open_page", default=True, help="Open the search page at the end.")
@click.option("--yes", is_flag=True, help="Ask nothing: what is not said has its default, and nothing may be read.")
@click.pass_context
def setup(ctx: click.Context, **options: Any) -> None:
    """Set Scrubjay up: a vault, what of it may be read, a profile, the plugin, the service. Safe to run again."""
    given = SetupOptions(**options)
    prompts = Prompts(given.yes)
    home = Home.find().make()
    root = (given.vault or _ask_vault(prompts)).expanduser().resolve()
    made = _profile_of(home, root)
    if made is None:
        _create_profile(ctx, prompts, root, given)
    else:
        _allow_more(ctx, prompts, made, root, given)
    _install_plugin(ctx, prompts, root, given.plugin)
    _start(ctx, prompts, home, given.service)
    _read_first(home, root)
    _show_page(home, opened=given.open_page)


def _ask_vault(prompts: Prompts) -> Path:
    """One that Obsidian knows, or one that is typed in. Raises UsageError where there is nothing to choose from."""
    platform = this_platform()
    known = known_vaults(obsidian_lists(platform, Path.home(), os.environ))
    if known:
        say("Vaults that Obsidian knows:")
        for number, vault in enumerate(known, start=1):
            say(f"  {number}  {vault.root}")
    elif prompts.nothing:
        raise click.UsageError("Obsidian knows no vault here. Name the folder: scrubjay setup --yes --vault FOLDER")
    question = "Which one? Its number, or another folder" if known else "Which folder is your vault in?"
    while True:
        answer = prompts.line(question, "1" if known else None)
        if answer.isdecimal() and 0 < int(answer) <= len(known):
            return known[int(answer) - 1].root
        folder = Path(answer).expanduser()
        if folder.is_dir():
            return folder
        warn(f"{answer} is neither a number of the list nor a folder.")


def _profile_of(home: Home, root: Path) -> Profile | None:
    """The profile that this vault is in."""
    found = Registry(home.profiles).list()
    return next((one for one in found if any(Path(folder.root) == root for folder in one.vaults)), None)


def _create_profile(ctx: click.Context, prompts: Prompts, root: Path, given: SetupOptions) -> None:
    from scrubjay.daemon.cli.profile.options import create

    proposed = proposals(root)
    allow = given.allow or _ask_allowed(prompts, overview(root), proposed)
    exclude = given.exclude + _ask_excluded(prompts, proposed)
    chosen = given.name or prompts.line("What shall the profile be called?", name_from(root.name))
    protection = given.encrypt or prompts.choice("Encrypt its database?", _PROTECTIONS)
    ctx.invoke(
        create,
        name=chosen,
        vault=root,
        allow=allow,
        exclude=tuple(dict.fromkeys(exclude)),
        by=None if protection == "no" else protection,
        passphrase_stdin=False,
        as_json=False,
    )


def _allow_more(ctx: click.Context, prompts: Prompts, made: Profile, root: Path, given: SetupOptions) -> None:
    """A vault that has a profile: what is said now is added; it is asked again where nothing may be read yet."""
    from scrubjay.daemon.cli.profile import folders

    say(f"{root} belongs to profile {made.name} already; what that may read stays allowed.")
    listed = next(folder for folder in made.vaults if Path(folder.root) == root)
    proposed = proposals(root)
    allow = given.allow or (() if listed.allow else _ask_allowed(prompts, overview(root), proposed))
    asked = () if listed.allow or listed.exclude else _ask_excluded(prompts, proposed)
    for command, chosen in ((folders.exclude, given.exclude + asked), (folders.allow, allow)):
        if chosen:
            ctx.invoke(command, name=made.name, folders=chosen, undo=False, vault=root, as_json=False)


def _ask_allowed(prompts: Prompts, seen: Overview, proposed: Proposals) -> tuple[str, ...]:
    """What may be read; nothing unless the user says so."""
    preferred = proposed.paths("allow")
    if prompts.nothing:
        return ()
    say("\nNothing is read unless you allow it. This vault holds:")
    for number, folder in enumerate(seen.folders, start=1):
        say(f"  {number:>2}  {folder.name}  ({plural(folder.notes, 'note')})")
    loose = f", with {plural(seen.loose_notes, 'note')} in no folder" if seen.loose_notes else ""
    say(f"   .  the whole vault{loose}")
    if not seen.complete:
        say("      (so many files that not all were counted)", style="dim")
    if preferred:
        say(f"{proposed.sources('allow')} reads only: {', '.join(preferred)}")
    names = [folder.name for folder in seen.folders]
    while True:
        answer = prompts.line("What may be read? Numbers or folders, with commas between", ", ".join(preferred))
        chosen = picked(answer, names)
        missing = [path for path in chosen if path != "." and path not in names and path not in preferred]
        if not missing or prompts.confirm(
            f"{', '.join(missing)} is not at the top of the vault. Allow it still?", True
        ):
            return chosen


def _ask_excluded(prompts: Prompts, proposed: Proposals) -> tuple[str, ...]:
    """The exclusions of other plugins that the user takes over. What they hide, `--yes` hides too."""
    hidden, lower = proposed.paths("exclude"), proposed.paths("rank-down")
    exclude: tuple[str, ...] = ()
    if hidden:
        say(f"\n{proposed.sources('exclude')} leaves out: {', '.join(hidden)}")
        exclude += hidden if prompts.confirm("Exclude this from Scrubjay too?", True) else ()
    if lower:
        say(f"\n{proposed.sources('rank-down')} shows last: {', '.join(lower)}")
        exclude += (
            lower if prompts.confirm("Exclude this from Scrubjay? (It would not be found at all.)", False) else ()
        )
    for preferred in proposed.left:
        say(f"Not taken over from {preferred.by}: {preferred.path} (no folder or note of this vault)", style="dim")
    return exclude


def _install_plugin(ctx: click.Context, prompts: Prompts, root: Path, wanted: bool | None) -> None:
    from scrubjay.daemon.cli.installation.plugin import install

    if not (root / ".obsidian").is_dir():
        if wanted:
            warn("The plugin was not copied: this folder was never opened in Obsidian.")
        return
    if prompts.confirm("Copy the search panel for Obsidian into the vault?", True) if wanted is None else wanted:
        ctx.invoke(install, vault=root)


def _start(ctx: click.Context, prompts: Prompts, home: Home, as_service: bool | None) -> None:
    """Have the daemon run: as a service where that is wanted and possible, else in the background."""
    from scrubjay.daemon.cli.serve import start, stop, wait_until_running
    from scrubjay.daemon.service import manage

    here = manage.service_here(home)
    if manage.is_active(here):
        say("The service runs already.")
    elif prompts.confirm("Start Scrubjay whenever you log in?", True) if as_service is None else as_service:
        if running(home):
            ctx.invoke(stop)
        try:
            manage.install(here)
        except manage.ServiceFailed as failed:
            warn(f"{failed} It is started by hand instead: `scrubjay start`, after each log-in.")
        else:
            say(f"Installed the service: {here.path}")
            wait_until_running(home)
    if running(home) is None:
        ctx.invoke(start, port=None)


def _read_first(home: Home, root: Path) -> None:
    """Wait until the vault's notes can be found by word. Reading them for meaning goes on in the background."""
    from scrubjay.daemon.cli.upkeep.first_reading import first_reading

    profile = _profile_of(home, root)
    if profile is None:
        return
    if any(folder.allow for folder in profile.vaults):
        say(first_reading(profile.name))
    else:
        say(f"Nothing may be read yet. Allow a folder: scrubjay profile allow {shlex.quote(profile.name)} FOLDER")


def _show_page(home: Home, *, opened: bool) -> None:
    from scrubjay.daemon.cli.serve import show_page

    if opened and show_page():
        say("The search page opens in your browser. `scrubjay open` opens it again.")
    else:
        say(f"The search page: open {home.page.as_uri()} in your browser. Only you can read that file.")
        say("`scrubjay open` does so at any time.")


def picked(answer: str, names: Sequence[str]) -> tuple[str, ...]:
    """What an answer such as `1, 3, Notes/Work` names: numbers count from 1 in `names`, all else is a path."""
    parts = [part.strip() for part in answer.split(",") if part.strip()]
    chosen = (
        names[int(part) - 1] if part.isdecimal() and part not in names and 0 < int(part) <= len(names) else part
        for part in parts
    )
    return tuple(dict.fromkeys(chosen))


def name_from(vault: str) -> str:
    """A name that a profile may have, as like the vault's as can be."""
    kept = " ".join(re.sub(r"[^\w -]", " ", vault).split()).strip("_-")[:40].rstrip()
    return kept or "notes"
