"""Checking and mending the indexes: the store's invariants first, then what only the vault can give back."""

import threading

from daemon.runtime.engine import Engine, OpenProfile
from profiles.integrity import Problem, check, repair


def problems_of(engine: Engine, opened: OpenProfile) -> tuple[Problem, ...]:
    """All that is wrong with a profile's index."""
    return check(opened.store, digest=engine.text_digest)


def mend(engine: Engine, opened: OpenProfile) -> tuple[Problem, ...]:
    """Repair a profile's index, reading damaged notes again from the vault; what could not be mended comes back."""
    left = repair(opened.store, digest=engine.text_digest)
    damaged = {note_id for problem in left for note_id in problem.note_ids}
    if damaged:
        with opened.store.writing() as writer:
            writer.forget_notes(damaged)
        engine.indexer(opened).reconcile(threading.Event())
    return problems_of(engine, opened)
