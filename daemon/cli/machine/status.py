"""`scrubjay status`: does it run, what has it read, what did it leave out."""

import click

from scrubjay.daemon import __version__
from scrubjay.daemon.cli.connect import connect, running
from scrubjay.daemon.cli.machine.index import missing_sentence
from scrubjay.daemon.cli.output import megabytes, plural, print_json, print_table, say, warn
from scrubjay.daemon.home import Home
from scrubjay.daemon.printable import one_line
from scrubjay.daemon.server.endpoints.status import STATUS, ProfileStatus, Status
from scrubjay.daemon.vault.warning_codes import WARNINGS

_SHOWN_FAILURES = 20


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
@click.option("--all", "all_failures", is_flag=True, help="Name every file that was left out.")
def status(as_json: bool, all_failures: bool) -> None:
    """Show the daemon's state. Exit status 1 when it is not running."""
    home = Home.find()
    found = running(home)
    if found is None:
        if as_json:
            print_json({"running": False, "data": str(home.data), "logs": str(home.logs)})
        else:
            say("Scrubjay is not running. Start it with `scrubjay start`.")
            _print_places(home)
        raise click.exceptions.Exit(1)
    with connect() as client:
        state = client.ask(STATUS)
    if as_json:
        print_json({"running": True, "url": found.url, "data": str(home.data), "logs": str(home.logs), "status": state})
        return
    minutes = state.uptime_seconds / 60
    say(f"Scrubjay {state.version} runs at {found.url}, for {minutes:.0f} minutes.")
    if state.version != __version__:
        say(f"This program is {__version__}: `scrubjay restart` has the daemon run the same.", style="yellow")
    _print_places(home)
    say("")
    _print_profiles(state)
    _print_warnings(state)
    for profile in state.profiles:
        _print_known(profile)
    for profile in state.profiles:
        _print_kinds(profile)
    for profile in state.profiles:
        _print_failures(profile, all_failures)


def _print_warnings(state: Status) -> None:
    for warning in state.warnings:
        say(warning, style="yellow")
    if state.taken_port:
        say(state.taken_port.sentence, style="yellow")
    if state.box:
        say(state.box.sentence, style="yellow" if state.box.missing else "dim")
    for profile in state.profiles:
        if profile.on_disk and profile.on_disk.missing:
            say(missing_sentence(profile.name, profile.on_disk), style="yellow")


def _print_places(home: Home) -> None:
    say(f"Indexes: {home.data}", style="dim")
    say(f"Logs: {home.logs}", style="dim")


def _print_profiles(state: Status) -> None:
    if not state.profiles:
        say("No profile yet. Begin with: scrubjay profile create NAME --vault FOLDER --allow .")
        return
    print_table(
        ("profile", "state", "notes", "passages", "without meaning yet", "secrets", "left out", "missing", "size"),
        (
            (
                profile.name,
                _state(profile),
                f"{profile.notes:,}",
                f"{profile.chunks:,}",
                f"{profile.pending_embeddings:,}",
                _credentials(profile),
                sum(failure.code not in WARNINGS for failure in profile.failures),
                f"{profile.on_disk.missing:,}" if profile.on_disk else "",
                megabytes(profile.bytes_on_disk),
            )
            for profile in state.profiles
        ),
    )
    for profile in state.profiles:
        if profile.reason:
            say(f"{profile.name} is {profile.state}: {profile.reason}", style="yellow")


def _credentials(profile: ProfileStatus) -> str:
    done = f", {profile.redactions_done:,} done" if profile.redactions_done else ""
    return f"{profile.open_credentials:,}{done}"


def _state(profile: ProfileStatus) -> str:
    if profile.total and profile.state in ("reading", "embedding"):
        left = f", {profile.eta_seconds:.0f} s to go" if profile.eta_seconds else ""
        return f"{profile.state} {profile.done / profile.total:.0%}{left}"
    return profile.state


def _print_known(profile: ProfileStatus) -> None:
    """What the user should know of its notes."""
    if profile.payloads:
        what = "the data of drawings and pictures, minified code and the like are not indexed"
        say(f"{profile.name}: of {plural(profile.payloads, 'note')}, {what}; their words are.", style="dim")
    if profile.suggestion:
        say(profile.suggestion.text, style="yellow")


def _print_kinds(profile: ProfileStatus) -> None:
    """The files beside notes, a line for each kind."""
    if profile.files_waiting is None:
        say(f"\n{profile.name}: files beside notes are being looked for.", style="dim")
    elif profile.files_waiting:
        say(f"\n{profile.name}: {plural(profile.files_waiting, 'file')} beside notes to be read, after all notes.")
    if (found := profile.recognising) and found.left:
        speed = f", {found.pages_per_hour:,.0f} pages an hour" if found.pages_per_hour else ""
        left = f", {found.eta_seconds / 3_600:.1f} hours to go" if found.eta_seconds else ""
        pages = plural(found.left, "picture or scanned page", "pictures and scanned pages")
        say(f"\n{profile.name}: {pages} to be recognised{speed}{left}. {found.problem}".rstrip())
    if profile.kinds:
        say(f"\nFiles of {profile.name} beside its notes:")
        print_table(
            ("kind", "files", "pages and the like", "passages", "size", "unreadable", "pictures not recognised"),
            (
                (
                    each.kind,
                    f"{each.files:,}",
                    f"{each.parts:,}",
                    f"{each.passages:,}",
                    megabytes(each.bytes),
                    f"{each.unread:,}",
                    f"{each.scans:,}",
                )
                for each in profile.kinds
            ),
        )


def _print_failures(profile: ProfileStatus, all_failures: bool) -> None:
    for warning in (failure for failure in profile.failures if failure.code in WARNINGS):
        where = "" if warning.path == "." else f"{one_line(warning.path)}: "
        warn(f"{profile.name}: {where}{warning.reason}", style="yellow")
    failures = [failure for failure in profile.failures if failure.code not in WARNINGS]
    if not failures:
        return
    say(f"\nLeft out of {profile.name}:")
    shown = failures if all_failures else failures[:_SHOWN_FAILURES]
    for failure in shown:
        say(f"  {one_line(failure.path)}: {failure.reason} ({failure.code})")
    if len(shown) < len(failures):
        more = plural(len(failures) - len(shown), "more file")
        say(f"  and {more}; --all names every one.", style="dim")
