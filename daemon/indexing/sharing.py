"""What this machine looks after of a vault that other machines have a copy of, too.

Before a pass is planned, what is other machines' business is taken out of it, by the rules of
`profiles/store/leases.py`; they are asked again when something is written. In a file all is this machine's.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from scrubjay.daemon.vault.read import FileStamp
from scrubjay.daemon.vault.scan import ScanResult
from scrubjay.profiles.store.leases import Holder, Lease, Leases, leases_of
from scrubjay.profiles.store.rows import KnownNote
from scrubjay.profiles.store.store import Store

Matter: TypeAlias = tuple[FileStamp, bytes, Holder]
"""A file, and what it was compared with: the digest of a note, or of one that was deleted, and who has it, or had."""


@dataclass(frozen=True, slots=True)
class Share:
    """A scan and the store's notes without what is other machines' business."""

    found: ScanResult
    known: Mapping[str, KnownNote]
    prepared: frozenset[str]  # paths of those that need not be prepared again where their bytes are the same
    take: tuple[tuple[KnownNote, FileStamp], ...] = ()  # that nobody looks after any more, and that are the same here
    compared: Mapping[str, Matter] = field(default_factory=dict[str, Matter])  # what reading the others will decide


class Sharing:
    """Finds out what is this machine's business. It remembers which files it has compared with others' notes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._decided: dict[tuple[str, str], Matter] = {}  # by vault and path: nothing was to be done

    def of_vault(
        self,
        vault: str,
        found: ScanResult,
        known: Mapping[str, KnownNote],
        is_prepared: Callable[[KnownNote], bool],
        *,
        whole: bool,
        forget_missing: bool = False,
    ) -> Share:
        """What a pass is to plan with. Raises StoreError.

        is_prepared: whether a note would be prepared here as its fingerprint says. What another machine prepared is
        good as it is; who takes it over prepares it again only once its own way of doing so has changed since.
        whole: whether the scan was of the whole vault. forget_missing: notes of machines that are away are this one's
        to forget.
        """
        if not self._store.machine:
            return Share(found, known, frozenset(note.path for note in known.values() if is_prepared(note)))
        paths = None if whole else {*known, *(stamp.path for stamp in found.files)}
        leases = leases_of(self._store, vault, paths)
        return self._divided(vault, found, known, leases, is_prepared, forget_missing=forget_missing)

    def decided(self, vault: str, compared: Mapping[str, Matter], failed: Collection[str]) -> None:
        """These files were read, and what was to be written of them was. Those that failed may be read again."""
        self._decided.update({(vault, path): matter for path, matter in compared.items() if path not in failed})

    def _divided(
        self,
        vault: str,
        found: ScanResult,
        known: Mapping[str, KnownNote],
        leases: Leases,
        is_prepared: Callable[[KnownNote], bool],
        *,
        forget_missing: bool,
    ) -> Share:
        mine: dict[str, KnownNote] = {}
        outdated: set[str] = set()
        take: list[tuple[KnownNote, FileStamp]] = []
        compared: dict[str, Matter] = {}
        stamps = {stamp.path: stamp for stamp in found.files}
        for path, note in known.items():
            lease, stamp = leases.held.get(path) or Lease("lost", note.mtime_ns), stamps.get(path)
            if lease.holder == "ours":
                mine[path] = note
                if not is_prepared(replace(note, fingerprint=lease.fingerprint)):
                    outdated.add(path)
            elif stamp is None:
                if forget_missing and lease.holder != "theirs":
                    mine[path] = note
            elif (stamp.mtime_ns, stamp.size) == (note.mtime_ns, note.size):
                if lease.holder != "theirs":
                    take.append((note, stamp))
            elif lease.holder != "theirs" or stamp.mtime_ns > lease.clock_ns:
                matter = (stamp, note.digest, lease.holder)
                if self._decided.get((vault, path)) != matter:
                    compared[path] = matter
                    mine[path] = note
        files = [stamp for path, stamp in stamps.items() if path in mine]
        for path in stamps.keys() - known.keys():
            files.append(stamp := stamps[path])
            if (gone := leases.tombstones.get(path)) and gone.holder != "ours":
                compared[path] = (stamp, gone.digest, gone.holder)
                if self._decided.get((vault, path)) == compared[path]:
                    del compared[path], files[-1]
        files.sort(key=lambda stamp: stamp.path)
        return Share(replace(found, files=tuple(files)), mine, frozenset(mine) - outdated, tuple(take), compared)
