"""Checking and mending the indexes: the store's invariants, and whether it holds what is on disk."""

import threading
from dataclasses import dataclass, replace

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.open_profiles import OpenProfile
from scrubjay.daemon.indexing.progress import DiskCount, differing_sentence
from scrubjay.daemon.indexing.vanished_notes import DifferingNotes, count_disk
from scrubjay.daemon.vault.known_drives import known_drives
from scrubjay.daemon.vault.scan import scan
from scrubjay.profiles.errors import StoreCorrupt
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.integrity_check import BEYOND_REPAIR, IntegrityProblem, check, repair

_BUILT_ANEW = "The damaged index was set aside, and another one is built from the notes."
_NAMED = 5  # paths in a sentence
_FOR_A_BACKUP = "It can't be mended from here: ask the server's operator for the last backup."


@dataclass(frozen=True, slots=True)
class RepairReport:
    """What became of a profile's index."""

    did: tuple[str, ...] = ()  # sentences
    left: tuple[IntegrityProblem, ...] = ()  # what reading the vault has to mend
    must_read: bool = False  # whether the vault must be looked at, by `Indexer.reconcile`


def problems_of(engine: Engine, opened: OpenProfile) -> tuple[IntegrityProblem, ...]:
    """All that is wrong with a profile's index. Looks at the vaults, too.

    It opens no file of theirs but those that, by date or size, may say something else than a note of the team's.
    """
    try:
        found = check(
            opened.store,
            digest=engine.preparation.text_digest(opened.profile),
            fingerprint=engine.preparation.fingerprint(opened),
        )
        if any(problem.code in BEYOND_REPAIR for problem in found):
            return found
        return (*found, *_against_disk(count_of(engine, opened)))
    except StoreCorrupt as error:
        return (IntegrityProblem("sqlite", str(error)),)


def repair_profile(engine: Engine, opened: OpenProfile) -> RepairReport:
    """Mend all of a profile's index that can be mended without reading notes.

    A file that SQLite itself can't read is set aside, and its place taken by a new one; notes whose rows are wrong are
    forgotten: both are then to be read from the vault.
    """
    before = problems_of(engine, opened)
    begun_anew = engine.is_begun_anew(opened.profile)
    if not before:
        return RepairReport((_BUILT_ANEW,) if begun_anew else (), must_read=begun_anew)
    try:
        left = repair(
            opened.store,
            digest=engine.preparation.text_digest(opened.profile),
            fingerprint=engine.preparation.fingerprint(opened),
        )
    except StoreCorrupt as error:
        left = (IntegrityProblem("sqlite", str(error)),)
    if beyond := tuple(problem for problem in left if problem.code in BEYOND_REPAIR):
        if opened.profile.is_shared:  # what others wrote is there alone
            return RepairReport(left=tuple(replace(each, about=f"{each.about} {_FOR_A_BACKUP}") for each in beyond))
        engine.profile_sync.begin_anew(opened.profile.name)
        return RepairReport((_BUILT_ANEW,), (), True)
    did = [_BUILT_ANEW] if begun_anew else []
    if {problem.code for problem in before} - _OF_DISK - {problem.code for problem in left}:
        did.append("What derives from the notes was built anew.")
    if damaged := {note_id for problem in left for note_id in problem.note_ids}:
        with opened.store.writing() as writer:
            writer.forget_notes(damaged)
        did.append(f"{len(damaged):,} notes are read again from the vault.")
    if missing := [problem for problem in before if problem.code in _OF_DISK]:
        did.append("Notes that the index lacked are read." if len(missing) == 1 else "Notes are read anew.")
    return RepairReport(tuple(did), problems_of(engine, opened), must_read=True)


def repair_and_read(engine: Engine, opened: OpenProfile) -> RepairReport:
    """As `repair_profile`, and read from the vault what must be; `left` is what is wrong after that."""
    mended = repair_profile(engine, opened)
    if not mended.must_read:
        return mended
    opened = engine.open_profiles.same(opened.profile)
    engine.preparation.indexer(opened).reconcile(threading.Event(), retry=True)
    return replace(mended, left=problems_of(engine, opened), must_read=False)


def count_of(engine: Engine, opened: OpenProfile) -> DiskCount:
    """What lies on disk of what this machine looks after in a profile, and what the index has of it.

    A reader's machine looks after nothing.
    """
    store, total = opened.store, DiskCount()
    if store.read_only is not None:
        return total
    source = engine.preparation.indexer(opened).source
    for vault in opened.profile.vaults:
        left_out = [row for row in store.read(reads.failures) if row.vault == vault.id]
        found, known = scan(vault, drives=known_drives(vault, store)), store.read(reads.known_notes, vault.id)
        share = store.ownership().share(vault.id, found.files, known, lambda _note: True, whole=True)
        others = {stamp.path for stamp in share.beside}
        own = tuple(stamp for stamp in share.files if stamp.path not in others)
        total += count_disk(replace(found, files=own), share.known, left_out)
        total += DiskCount(differing=DifferingNotes(source).look(vault, share.beside, known))
    return total


_OF_DISK = frozenset({"missing", "outdated"})  # what reading notes mends


def _against_disk(count: DiskCount) -> tuple[IntegrityProblem, ...]:
    found: list[IntegrityProblem] = []
    if count.missing:
        about = f"Of {count.on_disk:,} notes on disk, {len(count.missing):,} are not in the index: "
        found.append(IntegrityProblem("missing", f"{about}{_named(count.missing)}. `scrubjay index` reads them."))
    if count.outdated:
        about = f"{len(count.outdated):,} notes changed since they were read: {_named(count.outdated)}."
        found.append(IntegrityProblem("outdated", f"{about} `scrubjay index` reads them again."))
    if count.differing:
        found.append(IntegrityProblem("differing", differing_sentence(len(count.differing), count.differing[:_NAMED])))
    return tuple(found)


def _named(paths: tuple[str, ...]) -> str:
    more = len(paths) - _NAMED
    return ", ".join(paths[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
