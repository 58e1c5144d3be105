"""`scrubjay setup`: from nothing to the search page, asking for each thing that is the user's to decide."""

import os
import re
import shlex
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from scrubjay.daemon.cli.connect import running
from scrubjay.daemon.cli.output import advise, as_typed_here, say, warn
from scrubjay.daemon.cli.prompts import Prompts
from scrubjay.daemon.home import Home
from scrubjay.daemon.program import this_platform
from scrubjay.daemon.sentences.system import system_words
from scrubjay.daemon.setup.obsidian_vaults import known_vaults, obsidian_lists
from scrubjay.daemon.setup.vault_proposals import Overview, Proposals, overview, proposals
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
    platform, words = this_platform(), system_words()
    known = known_vaults(obsidian_lists(platform, Path.home(), os.environ))
    if known:
        say(words.vaults_known)
        for number, vault in enumerate(known, start=1):
            say(f"  {number}  {vault.root}")
    elif prompts.nothing:
        command = "`scrubjay setup --yes --vault FOLDER`"
        raise click.UsageError(as_typed_here(words.no_vault.format(command=command)))
    question = words.which_of_these if known else words.which_folder
    while True:
        answer = prompts.line(question, "1" if known else None)
        if answer.isdecimal() and 0 < int(answer) <= len(known):
            return known[int(answer) - 1].root
        folder = Path(answer).expanduser()
        if folder.is_dir():
            return folder
        warn(words.neither.format(answer=answer))


def _profile_of(home: Home, root: Path) -> Profile | None:
    """The profile that this vault is in."""
    found = Registry(home.profiles).list()
    return next((one for one in found if any(Path(folder.root) == root for folder in one.vaults)), None)


def _create_profile(ctx: click.Context, prompts: Prompts, root: Path, given: SetupOptions) -> None:
    from scrubjay.daemon.cli.profile.options import create

    words, proposed = system_words(), proposals(root)
    allow = given.allow or _ask_allowed(prompts, overview(root), proposed)
    exclude = given.exclude + _ask_excluded(prompts, proposed)
    chosen = given.name or prompts.line(words.profile_name, name_from(root.name))
    protection = given.encrypt or prompts.choice(words.encrypt, _PROTECTIONS)
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

    say(system_words().belongs.format(root=root, profile=made.name))
    listed = next(folder for folder in made.vaults if Path(folder.root) == root)
    proposed = proposals(root)
    allow = given.allow or (() if listed.allow else _ask_allowed(prompts, overview(root), proposed))
    asked = () if listed.allow or listed.exclude else _ask_excluded(prompts, proposed)
    for command, chosen in ((folders.exclude, given.exclude + asked), (folders.allow, allow)):
        if chosen:
            ctx.invoke(command, name=made.name, folders=chosen, undo=False, vault=root, as_json=False)


def _ask_allowed(prompts: Prompts, seen: Overview, proposed: Proposals) -> tuple[str, ...]:
    """What may be read; nothing unless the user says so."""
    words, preferred = system_words(), proposed.paths("allow")
    if prompts.nothing:
        return ()
    say(f"\n{words.nothing_read}")
    for number, folder in enumerate(seen.folders, start=1):
        say(f"  {number:>2}  {folder.name}  ({words.counted(words.notes, folder.notes)})")
    loose = words.whole_with_loose.format(notes=words.counted(words.notes, seen.loose_notes))
    say(f"   .  {loose if seen.loose_notes else words.whole}")
    if not seen.complete:
        say(f"      {words.not_all_counted}", style="dim")
    if preferred:
        say(words.reads_only.format(plugins=proposed.sources("allow"), paths=", ".join(preferred)))
    names = [folder.name for folder in seen.folders]
    while True:
        answer = prompts.line(words.which_folders, ", ".join(preferred))
        chosen = picked(answer, names)
        missing = [path for path in chosen if path != "." and path not in names and path not in preferred]
        if not missing or prompts.confirm(words.not_at_top.format(paths=", ".join(missing)), True):
            return chosen


def _ask_excluded(prompts: Prompts, proposed: Proposals) -> tuple[str, ...]:
    """The exclusions of other plugins that the user takes over. What they hide, `--yes` hides too."""
    words = system_words()
    hidden, lower = proposed.paths("exclude"), proposed.paths("rank-down")
    exclude: tuple[str, ...] = ()
    if hidden:
        say("\n" + words.leaves_out.format(plugins=proposed.sources("exclude"), paths=", ".join(hidden)))
        exclude += hidden if prompts.confirm(words.exclude_too, True) else ()
    if lower:
        say("\n" + words.shows_last.format(plugins=proposed.sources("rank-down"), paths=", ".join(lower)))
        exclude += lower if prompts.confirm(words.exclude_hidden, False) else ()
    for preferred in proposed.left:
        say(words.not_taken_over.format(plugin=preferred.by, path=preferred.path), style="dim")
    return exclude


def _install_plugin(ctx: click.Context, prompts: Prompts, root: Path, wanted: bool | None) -> None:
    from scrubjay.daemon.cli.programs.plugin import install

    if not (root / ".obsidian").is_dir():
        if wanted:
            warn(system_words().plugin_not_copied)
        return
    if prompts.confirm(system_words().copy_plugin, True) if wanted is None else wanted:
        ctx.invoke(install, vault=root)


def _start(ctx: click.Context, prompts: Prompts, home: Home, as_service: bool | None) -> None:
    """Have the daemon run: as a service where that is wanted and possible, else in the background."""
    from scrubjay.daemon.cli.serve import start, stop, wait_until_running
    from scrubjay.daemon.setup import services

    here, words = services.service_here(home), system_words()
    if services.is_active(here):
        say(words.service_runs)
    elif prompts.confirm(words.start_at_login, True) if as_service is None else as_service:
        if running(home):
            ctx.invoke(stop)
        try:
            services.install(here)
        except services.ServiceFailed as failed:
            warn(as_typed_here(words.started_by_hand.format(trouble=failed)))
        else:
            say(words.service_installed.format(path=here.path))
            wait_until_running(home)
    if running(home) is None:
        ctx.invoke(start, port=None)


def _read_first(home: Home, root: Path) -> None:
    """Wait until the vault's notes can be found by word. Reading them for meaning goes on in the background."""
    from scrubjay.daemon.cli.machine.index_progress import first_reading

    profile = _profile_of(home, root)
    if profile is None:
        return
    if any(folder.allow for folder in profile.vaults):
        advise(first_reading(profile.name))
        advise(_of_files(profile.name), style="dim")
    else:
        command = f"`scrubjay profile allow {shlex.quote(profile.name)} FOLDER`"
        advise(system_words().nothing_allowed.format(command=command))


def _of_files(profile: str) -> str:
    """What becomes of files beside notes, and how to have pictures read where that is installed."""
    from scrubjay.daemon.documents.sandbox.box import can_recognise

    words = system_words()
    if not can_recognise():
        return words.files_follow
    command = f"`scrubjay profile files {shlex.quote(profile)} --ocr`"
    return f"{words.files_follow} {words.pictures_too.format(command=command)}"


def _show_page(home: Home, *, opened: bool) -> None:
    from scrubjay.daemon.cli.serve import show_page

    if opened and show_page():
        advise(system_words().page_opens)
    else:
        say(system_words().page_file.format(address=home.page.as_uri()))
        advise(system_words().page_anytime)


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
    composed = unicodedata.normalize("NFC", vault)  # macOS has letters and their accents apart
    kept = " ".join(re.sub(r"[^\w -]", " ", composed).split()).strip("_- ")[:40].rstrip()
    return kept or "notes"
