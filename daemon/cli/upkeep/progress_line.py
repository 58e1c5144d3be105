"""One line in the terminal that tells how far indexing is, while the daemon runs in the foreground."""

import contextlib
import sys
import threading

from scrubjay.daemon.cli.output import console, errors, plural
from scrubjay.daemon.runtime.engine import Engine
from scrubjay.profiles.errors import ProfileError

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
            errors.print(f"\rReading: {read:,} of {of:,} notes ", end="", markup=False)
    counts = [opened.store.counts() for opened in engine.open_profiles.open()]
    notes = plural(sum(count.notes for count in counts), "note")
    _say(f"{notes} can be found by word.", living=living)
    for opened in engine.open_profiles.open():
        failures = opened.store.failures()
        if failures:
            _say(f"{plural(len(failures), 'file')} left out; `scrubjay status` names each.", living=living)
    while not supervisor.wait_until_idle(_EVERY_SECONDS):
        if living:
            waiting = sum(report.to_embed for report in supervisor.reports().values())
            etas = [report.eta_seconds for report in supervisor.reports().values() if report.eta_seconds]
            left = f", about {max(etas):.0f} s" if etas else ""
            errors.print(f"\rReading for meaning: {waiting:,} passages to go{left}   ", end="", markup=False)
    counts = [opened.store.counts() for opened in engine.open_profiles.open()]
    if counts and not any(count.pending_embeddings for count in counts):  # nothing waits where work was stopped, either
        _say("All notes can be found by meaning.", living=living)


def _say(sentence: str, *, living: bool) -> None:
    if living:
        errors.print("\r" + " " * 70 + "\r", end="")
    console.print(sentence, markup=False)
