"""Which notes of a store this machine looks after, and so writes: all, unless other machines write there, too."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import KnownNote, NoteBundle, NoteMove
from scrubjay.profiles.store.snapshots import Snapshots
from scrubjay.profiles.store.writer import Writer


class Stamped(Protocol):
    """A file as a scan saw it."""

    @property
    def path(self) -> str: ...  # noqa: D102
    @property
    def mtime_ns(self) -> int: ...  # noqa: D102
    @property
    def size(self) -> int: ...  # noqa: D102


F = TypeVar("F", bound=Stamped)


@dataclass(frozen=True, slots=True)
class Share(Generic[F]):
    """What of a scan, and of what the store has, is this machine's."""

    files: tuple[F, ...]
    known: Mapping[str, KnownNote]
    prepared: frozenset[str]  # paths of those that need not be prepared again where their bytes are the same
    orphans: tuple[KnownNote, ...] = ()  # that nobody looks after any more, and that are the same here
    beside: tuple[F, ...] = ()  # copies of notes that others look after, of another date or size


@dataclass(frozen=True, slots=True)
class Writable:
    """What of some notes may be written. over: those that could be if whoever writes had room for their passages."""

    bundles: Sequence[NoteBundle]
    over: Sequence[NoteBundle] = ()


class Ownership:
    """All of them. What is asked within a transaction is settled by it: what may be written is to be."""

    def __init__(self, store: Snapshots) -> None:
        self._store = store

    def vaults(self) -> frozenset[str]:
        """The vaults of which this machine looks after notes. Raises StoreError."""
        return frozenset(self._store.read(reads.vaults))

    def own(self, vault: str, notes: Mapping[str, KnownNote]) -> Mapping[str, KnownNote]:
        """Those of the notes, by path, that this machine looks after. Raises StoreError."""
        del vault
        return notes

    def share(
        self,
        vault: str,
        files: Sequence[F],
        known: Mapping[str, KnownNote],
        is_prepared: Callable[[KnownNote], bool],
        *,
        whole: bool,
        forget_missing: bool = False,
    ) -> Share[F]:
        """What a pass is to plan with. Raises StoreError.

        is_prepared: whether a note would be prepared here as its fingerprint says. What another machine prepared is
        good as it is; who takes it over prepares it again only once its own way of doing so has changed since.
        whole: whether the scan was of the whole vault. forget_missing: notes of machines that are away are this one's
        to forget.
        """
        del vault, whole, forget_missing
        return Share(tuple(files), known, frozenset(note.path for note in known.values() if is_prepared(note)))

    def is_compared(self, vault: str, path: str) -> bool:
        """Whether a file is in this machine's share only to be compared with what another one prepared."""
        del vault, path
        return False

    def settled(self, vault: str, paths: Iterable[str], *, failed: Collection[str], again: Collection[str]) -> None:
        """These files were read, and what was to be written of them was. failed: may be read again; again: will be."""

    def writable(self, writer: Writer, vault: str, bundles: Sequence[NoteBundle]) -> Writable:
        """Those of the notes that may be written."""
        del writer, vault
        return Writable(bundles)

    def passages_left(self) -> int | None:
        """How many passages there is room for, perhaps below 0; None where nobody has set that. Raises StoreError."""
        return None

    def taken(
        self, writer: Writer, vault: str, notes: Sequence[KnownNote], fingerprint: Callable[[KnownNote], str]
    ) -> frozenset[str]:
        """The paths of those of the notes, whose files are as they are stored, that this machine looks after now.

        fingerprint: what it would prepare a note with.
        """
        del writer, vault, fingerprint
        return frozenset(note.path for note in notes)

    def forgettable(
        self, writer: Writer, vault: str, ids: Sequence[int], *, deleted: bool, asked: bool = False
    ) -> Sequence[int]:
        """Those of the notes that may be forgotten.

        deleted: their files are gone, which others are to know. asked: the user wants what is missing forgotten.
        """
        del writer, vault, deleted, asked
        return ids

    def movable(self, writer: Writer, vault: str, moves: Sequence[NoteMove]) -> Sequence[NoteMove]:
        """Those of the notes that may be moved."""
        del writer, vault
        return moves
