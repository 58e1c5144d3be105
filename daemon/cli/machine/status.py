"""`scrubjay status`: does it run, what has it read, what did it leave out."""

from collections.abc import Iterator
from textwrap import wrap

import click

from scrubjay.daemon import __version__
from scrubjay.daemon.cli.connect import connect, running
from scrubjay.daemon.cli.machine.index import missing_sentence
from scrubjay.daemon.cli.output import advise, lasting, megabytes, plural, print_json, print_table, say, warn
from scrubjay.daemon.failures import FLAWS
from scrubjay.daemon.home import Home
from scrubjay.daemon.indexing.progress import differing_sentence
from scrubjay.daemon.printable import one_line
from scrubjay.daemon.server.endpoints.status import STATUS, Failure, ProfileStatus, Status
from scrubjay.daemon.vault.warning_codes import NOTES_MISSING, WARNINGS

_SHOWN_FAILURES = 20
_WIDTH = 76  # columns of what stands indented
_STATES = {
    "idle": "up to date",
    "scanning": "looking for changes",
    "embedding": "reading for meaning",
    "paused": "paused: `scrubjay resume` lets it go on",
    "away": "server away",
}
"""What is not said by the state's own name."""


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
            advise("Scrubjay is not running. Start it with `scrubjay start`.")
            _print_places(home)
        raise click.exceptions.Exit(1)
    with connect() as client:
        state = client.ask(STATUS)
    if as_json:
        print_json({"running": True, "url": found.url, "data": str(home.data), "logs": str(home.logs), "status": state})
        return
    say(f"Scrubjay {state.version} runs at {found.url}, for {lasting(state.uptime_seconds)}.")
    if state.version != __version__:
        advise(f"This program is {__version__}: `scrubjay restart` has the daemon run the same.", style="yellow")
    _print_places(home)
    say("")
    print_profiles(state)
    _print_warnings(state)
    for profile in state.profiles:
        _print_known(profile)
    for profile in state.profiles:
        _print_kinds(profile)
    for profile in state.profiles:
        print_failures(profile, all_failures)


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
        if (found := profile.on_disk) and found.differing:
            say(f"{profile.name}: {differing_sentence(found.differing, found.differing_paths)}", style="yellow")


def _print_places(home: Home) -> None:
    say(f"Indexes: {home.data}", style="dim")
    say(f"Logs: {home.logs}", style="dim")


def print_profiles(state: Status) -> None:
    """A few lines for each profile, none wider than a terminal of 80 columns, names of usual length given."""
    if not state.profiles:
        advise("No profile yet. Begin with `scrubjay setup`.")
    for profile in state.profiles:
        say(f"{profile.name}: {_state(profile)}", style="bold" if profile.state == "idle" else "bold yellow")
        for line in _lines(profile):
            say(f"  {line}")
        for vanished in (failure for failure in profile.failures if failure.code == NOTES_MISSING):
            for line in wrap(vanished.reason, _WIDTH, break_on_hyphens=False):
                say(f"  {line}", style="yellow")


def _lines(profile: ProfileStatus) -> Iterator[str]:
    if not profile.bytes_on_disk:  # it is closed, and nobody can say
        return
    notes, passages = plural(profile.notes, "note"), plural(profile.chunks, "passage")
    yield f"{notes}, {passages}, {megabytes(profile.bytes_on_disk)}"
    if profile.pending_embeddings:
        yield f"{plural(profile.pending_embeddings, 'passage')} found by words only for now"
    done = f", {profile.redactions_done:,} done" if profile.redactions_done else ""
    yield f"{plural(profile.redactions, 'credential')} taken out{done}"
    if left_out := len(_left_out(profile)):
        yield f"{plural(left_out, 'file')} left out"
    if flawed := len(_flawed(profile)):
        yield f"{plural(flawed, 'note')} indexed, but not all of it"
    if profile.on_disk and profile.on_disk.missing:
        yield f"{plural(profile.on_disk.missing, 'note')} on disk not in the index"
    if profile.on_disk and profile.on_disk.differing:
        yield f"{plural(profile.on_disk.differing, 'note')} here unlike the index"


def _state(profile: ProfileStatus) -> str:
    said = _STATES.get(profile.state, profile.state)
    if profile.total and profile.state in ("reading", "embedding"):
        said = f"{said}, {profile.done / profile.total:.0%}"
        return f"{said}, {lasting(profile.eta_seconds)} left" if profile.eta_seconds else said
    if profile.state == "idle" and any(failure.code == NOTES_MISSING for failure in profile.failures):
        said = "read, but notes have vanished and wait for a word from you"
    return f"{said}: {profile.reason}" if profile.reason else said


def _left_out(profile: ProfileStatus) -> list[Failure]:
    return [failure for failure in profile.failures if failure.code not in WARNINGS | FLAWS]


def _flawed(profile: ProfileStatus) -> list[Failure]:
    return [failure for failure in profile.failures if failure.code in FLAWS]


def _print_known(profile: ProfileStatus) -> None:
    """What the user should know of its notes."""
    if profile.payloads:
        what = "the data of drawings and pictures, minified code and the like are not indexed"
        say(f"{profile.name}: of {plural(profile.payloads, 'note')}, {what}; their words are.", style="dim")
    if profile.suggestion:
        say(profile.suggestion.text, style="yellow")


def _print_kinds(profile: ProfileStatus) -> None:
    """The files beside notes, a line for each kind."""
    is_paused = profile.state == "paused"
    if profile.files_waiting is None and not is_paused:
        say(f"\n{profile.name}: files beside notes are being looked for.", style="dim")
    elif profile.files_waiting:
        then = "once you resume" if is_paused else "after all notes"
        say(f"\n{profile.name}: {plural(profile.files_waiting, 'file')} beside notes to be read, {then}.")
    if (found := profile.recognising) and found.left:
        speed = f", {found.pages_per_hour:,.0f} pages an hour" if found.pages_per_hour else ""
        left = f", {found.eta_seconds / 3_600:.1f} hours left" if found.eta_seconds else ""
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


def print_failures(profile: ProfileStatus, all_failures: bool) -> None:
    """Say what is wrong with files of a profile, the same reason once."""
    for warning in (failure for failure in profile.failures if failure.code in WARNINGS - {NOTES_MISSING}):
        where = "" if warning.path == "." else f"{one_line(warning.path)}: "
        warn(f"{profile.name}: {where}{warning.reason}", style="yellow")
    _print_files(f"Left out of {profile.name}", _left_out(profile), all_failures)
    _print_files(f"Indexed, but not all of it, in {profile.name}", _flawed(profile), all_failures)


def _print_files(heading: str, failures: list[Failure], every: bool) -> None:
    if not failures:
        return
    say(f"\n{heading}:")
    shown = failures if every else failures[:_SHOWN_FAILURES]
    by_reason: dict[tuple[str, str], list[str]] = {}
    for failure in shown:
        by_reason.setdefault((failure.reason, failure.code), []).append(one_line(failure.path))
    for (reason, code), (path, *more) in by_reason.items():
        say(f"  {path}: {reason} ({code})")
        for other in more:
            say(f"  {other}: the same")
    if len(shown) < len(failures):
        left = plural(len(failures) - len(shown), "more file")
        say(f"  and {left}; --all names every one.", style="dim")
