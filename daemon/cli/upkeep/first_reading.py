"""Waiting until notes of a new profile can be found, with a bar on a terminal."""

import time
from collections.abc import Generator
from typing import TYPE_CHECKING

from scrubjay.daemon.api.endpoints.status import INDEX, STATUS, IndexAsk
from scrubjay.daemon.words.system import system_words

if TYPE_CHECKING:
    from scrubjay.daemon.api.endpoints.status import ProfileStatus
    from scrubjay.daemon.client import ScrubjayClient

_POLL_SECONDS = 0.2
_PATIENCE_SECONDS = 2.0  # that all the others are waited for once some notes can be found; most vaults need no more
_READING = ("scanning", "reading")
_FOLDER_MISSING = "allowed-missing"  # no file; `create` and `status` name the folder


def first_reading(profile: str) -> str:
    """Wait until notes of a profile can be found, and a little longer for the rest; say what can be found now.

    Ctrl-C ends the waiting, not the reading. Raises NotRunning.
    """
    from scrubjay.daemon.cli.connect import connect
    from scrubjay.daemon.cli.upkeep.index import progress_bar

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
