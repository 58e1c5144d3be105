"""What was decided about a note that is gone waits a day for one of the same bytes, and no longer."""

import time

import pytest

from scrubjay.profiles.store.decisions import decide, decisions_of
from scrubjay.profiles.store.rows import DECISIONS_WAIT_NS, NO_DECISIONS, Decisions
from scrubjay.profiles.store.store import Store
from tests.integration.profiles.notes import VAULT, bundle

HOUR_NS = 3_600 * 10**9
DECIDED = Decisions(done=frozenset({"d1"}))


@pytest.mark.parametrize(("gone_for", "kept"), [(HOUR_NS, True), (DECISIONS_WAIT_NS + HOUR_NS, False)])
def test_decisions_wait_for_a_day(store: Store, monkeypatch: pytest.MonkeyPatch, gone_for: int, *, kept: bool) -> None:
    gone, restored = bundle("Router.md", "It blinks."), bundle("Attic/Router.md", "It blinks.")
    assert gone.note.digest == restored.note.digest
    with store.writing() as writer:
        note_id = writer.put_note(gone)
    decide(store, VAULT, "Router.md", ["d1"], "done", ())
    with store.writing() as writer:
        writer.forget_notes([note_id])
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + gone_for)
    assert decisions_of(store, VAULT).of("Attic/Router.md", restored.note.digest) == (DECIDED if kept else NO_DECISIONS)
    with store.writing() as writer:
        writer.put_note(restored)
    assert decisions_of(store, VAULT).by_path == ({"Attic/Router.md": DECIDED} if kept else {})
