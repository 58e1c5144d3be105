"""Waiting until the notes of a new profile can be found, with a bar on a terminal."""

import time
from collections.abc import Generator
from typing import TYPE_CHECKING

from scrubjay.daemon.api.endpoints.status import INDEX, STATUS, IndexAsk
from scrubjay.daemon.words.system import system_words

if TYPE_CHECKING:
    from scrubjay.daemon.api.endpoints.status import ProfileStatus
    from scrubjay.daemon.client import ScrubjayClient

_POLL_SECONDS = 0.2
_FOLDER_MISSING = "allowed-missing"  # no file; `create` and `status` name the folder


def first_reading(profile: str) -> str:
    """Wait until all notes of a profile have been read, and say what can be found now.

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
            for state in _states(client, profile):
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
    sentence = found.format(notes=words.counted(words.notes, state.notes), left_out=left_out, passages=passages)
    return f"{sentence}\n{state.suggestion.text}" if state.suggestion else sentence


def _states(client: "ScrubjayClient", profile: str) -> "Generator[ProfileStatus]":
    """How far the reading is, again and again until it is done."""
    while (state := _state(client, profile)).state in ("scanning", "reading"):
        yield state
        time.sleep(_POLL_SECONDS)


def _state(client: "ScrubjayClient", profile: str) -> "ProfileStatus":
    return next(state for state in client.ask(STATUS).profiles if state.name == profile)
