"""Waiting until the notes of a new profile can be found, with a bar on a terminal."""

import time
from collections.abc import Generator
from typing import TYPE_CHECKING

from scrubjay.daemon.api.endpoints.status import INDEX, STATUS, IndexAsk
from scrubjay.daemon.cli.output import plural

if TYPE_CHECKING:
    from scrubjay.daemon.api.endpoints.status import ProfileStatus
    from scrubjay.daemon.client import ScrubjayClient

_POLL_SECONDS = 0.2


def first_reading(profile: str) -> str:
    """Wait until all notes of a profile have been read, and say what can be found now.

    Ctrl-C ends the waiting, not the reading. Raises NotRunning.
    """
    from scrubjay.daemon.cli.connect import connect
    from scrubjay.daemon.cli.upkeep.index import progress_bar

    with connect() as client, progress_bar() as bar:
        task = bar.add_task(f"{profile}: reading", total=None)
        client.ask(
            INDEX, IndexAsk(profile=profile)
        )  # so that what is seen next is this reading, and not the quiet before it
        try:
            for state in _states(client, profile):
                bar.update(task, total=state.total or None, completed=state.done)
        except KeyboardInterrupt:
            return f"{profile} is being read in the background; `scrubjay status` says how far."
        bar.update(task, visible=False)
        return outcome(_state(client, profile))


def outcome(state: "ProfileStatus") -> str:
    """A sentence or two for the user."""
    if state.state in ("locked", "failed", "paused"):
        because = f": {state.reason}" if state.reason else "."
        return f"{state.name} is {state.state}{because}"
    found = f"{plural(state.notes, 'note')} can be found by word"
    if state.failures:
        found += f" ({plural(len(state.failures), 'file')} left out; `scrubjay status` names each)"
    if state.pending_embeddings:
        return f"{found}.\nBy meaning soon: {plural(state.pending_embeddings, 'passage')} to go, in the background."
    return f"{found} and by meaning."


def _states(client: "ScrubjayClient", profile: str) -> "Generator[ProfileStatus]":
    """How far the reading is, again and again until it is done."""
    while (state := _state(client, profile)).state in ("scanning", "reading"):
        yield state
        time.sleep(_POLL_SECONDS)


def _state(client: "ScrubjayClient", profile: str) -> "ProfileStatus":
    return next(state for state in client.ask(STATUS).profiles if state.name == profile)
