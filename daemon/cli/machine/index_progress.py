"""How far indexing is, in the terminal: one line, or a bar until the notes of a new profile can be found."""

import contextlib
import sys
import threading
import time
from collections.abc import Generator
from typing import TYPE_CHECKING

import click

from scrubjay.daemon.cli.output import advise, lasting, plural
from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.sentences.system import system_words
from scrubjay.daemon.server.endpoints.status import INDEX, STATUS, IndexAsk
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.store import reads

if TYPE_CHECKING:
    from scrubjay.daemon.client import ScrubjayClient
    from scrubjay.daemon.server.endpoints.status import ProfileStatus


_POLL_SECONDS = 0.2
_PATIENCE_SECONDS = 2.0  # that all the others are waited for once some notes can be found; most vaults need no more
_READING = ("scanning", "reading")
_FOLDER_MISSING = "allowed-missing"  # no file; `create` and `status` name the folder


def first_reading(profile: str) -> str:
    """Wait until notes of a profile can be found, and a little longer for the rest; say what can be found now.

    Ctrl-C ends the waiting, not the reading. Raises NotRunning.
    """
    from scrubjay.daemon.cli.connect import connect
    from scrubjay.daemon.cli.machine.index import progress_bar

    with connect() as client, progress_bar() as bar:
        task = bar.add_task(system_words().being_read.format(profile=profile), total=None)
        client.ask(
            INDEX, IndexAsk(profile=profile)
        )  # so that what is seen next is this reading, and not the quiet before it
        try:
            for state in states(client, profile):
                bar.update(task, total=state.total or None, completed=state.done)
        except KeyboardInterrupt:
            return system_words().in_background.format(profile=profile)
        bar.update(task, visible=False)
        return outcome(_state(client, profile))


def outcome(state: "ProfileStatus") -> str:
    """A sentence or two for the user."""
    words = system_words()
    stopped = {
        "locked": words.state_locked,
        "failed": words.state_failed,
        "paused": words.state_paused,
        "away": words.state_away,
    }.get(state.state)
    if stopped is not None:
        sentence = words.profile_is_because if state.reason else words.profile_is
        return sentence.format(profile=state.name, state=stopped, reason=state.reason)
    failed = sum(failure.code != _FOLDER_MISSING for failure in state.failures)
    left_out = words.left_out.format(files=words.counted(words.files, failed)) if failed else ""
    found = words.found_by_word if state.pending_embeddings else words.found_by_both
    passages = words.counted(words.passages, state.pending_embeddings)
    if state.state in _READING:
        left = f"{state.total - state.done:,}"
        return words.found_so_far.format(notes=words.counted(words.notes, state.notes), left=left)
    sentence = found.format(notes=words.counted(words.notes, state.notes), left_out=left_out, passages=passages)
    return f"{sentence}\n{state.suggestion.text}" if state.suggestion else sentence


def states(client: "ScrubjayClient", profile: str) -> "Generator[ProfileStatus]":
    """How far the reading is, again and again until it is done, or has been waited for long enough."""
    patience = _PATIENCE_SECONDS
    while (state := _state(client, profile)).state in _READING and patience > 0:
        yield state
        time.sleep(_POLL_SECONDS)
        if state.state == "reading" and state.notes:
            patience -= _POLL_SECONDS


def _state(client: "ScrubjayClient", profile: str) -> "ProfileStatus":
    return next(state for state in client.ask(STATUS).profiles if state.name == profile)


_EVERY_SECONDS = 0.5


def show_progress(engine: Engine) -> None:
    """Say when the notes can be searched by word and when by meaning; a living line between, on a terminal."""
    threading.Thread(target=follow, args=(engine,), name="progress", daemon=True).start()


def follow(engine: Engine) -> None:
    """As `show_progress`, in this thread; returns when all is said, or the daemon is being stopped."""
    with contextlib.suppress(ProfileError):  # a profile was closed meanwhile
        _follow(engine)


def _follow(engine: Engine) -> None:
    supervisor = engine.supervisor
    living = sys.stderr.isatty()
    while not supervisor.wait_until_idle(_EVERY_SECONDS, embedded=False):
        if living:
            read = sum(report.read for report in supervisor.reports().values())
            of = sum(report.to_read for report in supervisor.reports().values())
            if of:
                _show(f"\rReading: {read:,} of {of:,} notes ")
    counts = [opened.store.counts() for opened in engine.open_profiles.open()]
    there = len(counts)
    notes = plural(sum(count.notes for count in counts), "note")
    _say(f"{notes} can be found by word.", living=living)
    for opened in engine.open_profiles.open():
        failures = opened.store.read(reads.failures)
        if failures:
            _say(f"{plural(len(failures), 'file')} left out; `scrubjay status` names each.", living=living)
    while not supervisor.wait_until_idle(_EVERY_SECONDS):
        if living:
            waiting = sum(report.to_embed for report in supervisor.reports().values())
            etas = [report.eta_seconds for report in supervisor.reports().values() if report.eta_seconds]
            left = f", about {lasting(max(etas))}" if etas else ""
            if waiting:
                _show(f"\rReading for meaning: {waiting:,} passages to go{left}   ")
    counts = [opened.store.counts() for opened in engine.open_profiles.open()]
    # Nothing waits where work was stopped, either; and profiles are closed one after the other.
    if 0 < there == len(counts) and not any(count.pending_embeddings for count in counts):
        _say("All notes can be found by meaning.", living=living)


def _say(sentence: str, *, living: bool) -> None:
    if living:
        _show("\r" + " " * 70 + "\r")
    advise(sentence)


def _show(line: str) -> None:
    click.echo(line, err=True, nl=False)
