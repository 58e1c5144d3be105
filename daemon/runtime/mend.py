"""Checking and mending the indexes: the store's invariants first, then what only the vault can give back."""

import threading

from scrubjay.daemon.runtime.engine import Engine
from scrubjay.daemon.runtime.opened import OpenProfile
from scrubjay.profiles.errors import StoreCorrupt
from scrubjay.profiles.store.integrity import Problem, check, repair

_UNREADABLE = "sqlite"  # the code of the problem that no repair can mend


def problems_of(engine: Engine, opened: OpenProfile) -> tuple[Problem, ...]:
    """All that is wrong with a profile's index."""
    try:
        return check(opened.store, digest=engine.text_digest, fingerprint=engine.fingerprint(opened))
    except StoreCorrupt as error:
        return (Problem(_UNREADABLE, str(error)),)


def mend(engine: Engine, opened: OpenProfile) -> tuple[Problem, ...]:
    """Repair a profile's index, reading damaged notes again from the vault; what could not be mended comes back.

    A file that SQLite itself can't read is set aside, and its place taken by a new one, filled from the vault.
    """
    left = problems_of(engine, opened)
    if not left and not engine.is_begun_anew(opened.profile):
        return ()
    try:
        left = repair(opened.store, digest=engine.text_digest, fingerprint=engine.fingerprint(opened))
    except StoreCorrupt as error:
        left = (Problem(_UNREADABLE, str(error)),)
    if any(problem.code == _UNREADABLE for problem in left):
        opened = engine.begin_anew(opened.profile.name)
    elif damaged := {note_id for problem in left for note_id in problem.note_ids}:
        with opened.store.writing() as writer:
            writer.forget_notes(damaged)
    elif not left and not engine.is_begun_anew(opened.profile):
        return ()
    engine.indexer(opened).reconcile(threading.Event())
    return problems_of(engine, opened)
