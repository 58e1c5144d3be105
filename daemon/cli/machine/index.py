"""`scrubjay index`: look at the vaults now."""

import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import connect, open_engine, running
from scrubjay.daemon.cli.output import plural, say, warn
from scrubjay.daemon.cli.terminal import errors
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.home import Home
from scrubjay.daemon.server.endpoints.status import INDEX, STATUS, IndexAsk, OnDisk
from scrubjay.daemon.server.endpoints.upkeep import HURRY, RETRY, ProfileChoice
from scrubjay.profiles.errors import Unavailable
from scrubjay.profiles.store import reads

if TYPE_CHECKING:
    from scrubjay.daemon.engine.engine import Engine
    from scrubjay.daemon.engine.open_profiles import OpenProfile
    from scrubjay.daemon.server.endpoints.status import Failure, ProfileStatus
    from scrubjay.profiles.store.rows import FailureRow

_POLL_SECONDS = 0.2
_NOT_READ = ("failed", "locked", "paused", "away")  # states in which nothing is read


@click.command()
@click.option("--profile", shell_complete=profile_names, help="This profile only.")
@click.option("--full", is_flag=True, help="Read every note again, changed or not.")
@click.option("--retry", is_flag=True, help="Read again also what could not be indexed.")
@click.option("--forget-missing", is_flag=True, help="Forget notes that vanished so many at once that they were kept.")
@click.option("--fast", is_flag=True, help="Take the whole machine until it is done.")
@click.option("--wait", is_flag=True, help="With a running daemon: wait until it is done.")
def index(profile: str | None, full: bool, retry: bool, forget_missing: bool, fast: bool, wait: bool) -> None:
    """Bring the indexes in step with the vaults: by the daemon if it runs, else right here."""
    from scrubjay.daemon.server.instance import InstanceLock

    home = Home.find().make()
    if running(home):
        with connect() as client:
            names = client.ask(INDEX, IndexAsk(profile=profile, full=full, forget_missing=forget_missing)).profiles
            if retry:
                client.ask(RETRY, ProfileChoice(profile=profile))
            if fast:
                client.ask(HURRY)
            if wait:
                _follow(client, names)
            elif names:
                say(f"Re-indexing {', '.join(names)}.")
            states = [
                state for state in client.ask(STATUS).profiles if (wait if state.name in names else profile is None)
            ]
        if _say_incomplete(states):
            raise click.exceptions.Exit(1)
        return
    with InstanceLock(home), open_engine(replaces=True) as engine:
        chosen = [engine.open_profiles.named(profile)] if profile else engine.open_profiles.open()
        read = [_index_here(engine, opened, full=full, retry=retry, forget_missing=forget_missing) for opened in chosen]
        left_out = {} if profile else engine.open_profiles.closed()
    for name, why in left_out.items():
        warn(f"{name} was not read. {why}", style="yellow")
    if left_out or not all(read):
        raise click.exceptions.Exit(1)


def _index_here(engine: "Engine", opened: "OpenProfile", *, full: bool, retry: bool, forget_missing: bool) -> bool:
    """Whether all of it could be done: without its model, a profile is read for words alone."""
    if opened.store.read_only is not None:
        warn(str(opened.store.read_only), style="yellow")
        return True
    stop, problem = threading.Event(), ""
    with progress_bar() as bar, ThreadPoolExecutor(1) as reader:
        task = bar.add_task(f"{opened.profile.name}: reading", total=None)
        reconcile = engine.preparation.indexer(opened).reconcile
        reading = reader.submit(reconcile, stop, full=full, retry=retry, forget_missing=forget_missing)
        while not reading.done():
            wait((reading,), _POLL_SECONDS)
            report = opened.progress.report()
            bar.update(task, total=report.to_read or None, completed=report.read)
        reading.result()
        _read_files_here(engine, opened, bar, stop, full=full, retry=retry)
        try:
            _embed_here(opened, bar, stop)
        except Unavailable as error:
            problem = str(error)
    if problem:
        warn(f"{opened.profile.name} is read for words alone. {problem}", style="yellow")
    _say_counts(opened)
    _warn_of_vaults(opened.profile.name, opened.store.read(reads.failures))
    return not problem


def _warn_of_vaults(profile: str, failures: "Iterable[FailureRow | Failure]") -> None:
    """Say what is wrong with vaults of a profile as a whole."""
    for each in failures:
        if each.path == ".":
            warn(f"{profile}: {each.reason}", style="yellow")


def _read_files_here(
    engine: "Engine", opened: "OpenProfile", bar: Progress, stop: threading.Event, *, full: bool, retry: bool
) -> None:
    task = bar.add_task(f"{opened.profile.name}: files beside notes", total=None)

    def show(read: int, of: int) -> None:
        bar.update(task, total=of, completed=read)

    engine.preparation.file_indexer(opened).reconcile(stop, show, full=full, retry=retry)


def _embed_here(opened: "OpenProfile", bar: Progress, stop: threading.Event) -> None:
    from scrubjay.daemon.indexing.embedding_pass import embed_pending

    embedder = opened.model.embedder
    waiting = opened.store.pending_count(embedder.spec.fingerprint)
    meaning = bar.add_task(f"{opened.profile.name}: reading for meaning", total=waiting)
    embed_pending(
        opened.store,
        embedder,
        opened.progress,
        stop,
        wait_turn=lambda: bar.update(meaning, completed=opened.progress.report().embedded),
    )
    bar.update(meaning, completed=waiting)


def _say_counts(opened: "OpenProfile") -> None:
    counts, files = opened.store.counts(), sum(each.files for each in opened.store.read(reads.kind_counts))
    others = f"{plural(files, 'other file')}, " if files else ""
    say(
        f"{opened.profile.name}: {plural(counts.notes, 'note')}, {others}{plural(counts.chunks, 'passage')}, "
        f"{plural(counts.redactions, 'credential')} hidden, {plural(counts.failures, 'file')} left out.",
    )


def _follow(client: ScrubjayClient, names: tuple[str, ...]) -> None:
    """Show the progress until there is none any more."""
    with progress_bar() as bar:
        tasks = {name: bar.add_task(name, total=None) for name in names}
        while True:
            states = [state for state in client.ask(STATUS).profiles if state.name in tasks]
            for state in states:
                is_read = state.state == "idle" and _is_done(state)
                done, of = (state.notes, state.notes) if is_read else (state.done, state.total)
                bar.update(
                    tasks[state.name], description=f"{state.name}: {state.state}", total=of or None, completed=done
                )
            if all(map(_is_done, states)):
                return
            time.sleep(_POLL_SECONDS)


def _is_done(state: "ProfileStatus") -> bool:
    """Whether nothing goes on in the profile: no file beside notes waits either, unless what is wrong keeps it."""
    return state.state in _NOT_READ or (state.state == "idle" and state.files_waiting == 0)


def _say_incomplete(states: "list[ProfileStatus]") -> bool:
    """Say which profiles failed, what is wrong with vaults, and which notes are neither indexed nor left out for a
    reason; whether any profile failed or any note is so.
    """
    failed = [state for state in states if state.state in _NOT_READ]
    missing = [(state.name, state.on_disk) for state in states if state.on_disk and state.on_disk.missing]
    for state in failed:
        why = state.reason or "it is paused; `scrubjay resume` lets it go on."
        warn(f"Not all of {state.name} is read: {why}", style="yellow")
    for state in states:
        _warn_of_vaults(state.name, state.failures)
    for name, on_disk in missing:
        warn(missing_sentence(name, on_disk), style="yellow")
    return bool(failed or missing)


def missing_sentence(name: str, on_disk: OnDisk) -> str:
    """What to say of notes of a profile that are not in its index."""
    more = on_disk.missing - len(on_disk.missing_paths)
    paths = ", ".join(on_disk.missing_paths) + (f" and {more:,} more" if more else "")
    return f"{name}: {plural(on_disk.missing, 'note')} of {on_disk.notes:,} on disk not in the index: {paths}"


def progress_bar() -> Progress:
    """On standard error; nothing but the last state of it where that is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=errors)
