"""What was written into notes, kept so that it can be taken back: the way back alone, no copies of notes.

One file a record in the profile's folder, for its owner alone. It holds the places that changed with what stood there,
and digests of the files; of the rest of a note, and so of the secrets in it, it knows nothing. An encrypted profile's
records are encrypted under a key made from the profile's own.
"""

import contextlib
import secrets
from collections.abc import Collection, Generator
from hashlib import blake2b
from pathlib import Path
from typing import Literal

import msgspec

from scrubjay.daemon.review.changes.note_text import TextEdit
from scrubjay.profiles.errors import StoreLocked
from scrubjay.profiles.private_files import write_private
from scrubjay.profiles.store.encryption import shred

MOST_RECORDS = 5_000
"""Of a profile: what is more, goes with the oldest runs, whole; the newest run stays, however many it has."""
MOST_DAYS = 30
_MOST_BYTES = 20_000_000  # of the runs before the newest
_UNFINISHED = "unfinished"  # as no record is named
_NONCE = 12
_DAY_NS = 86_400_000_000_000


class FileRecord(msgspec.Struct, frozen=True):
    """What was done to one note. Digests are of its bytes, keyed, in hex."""

    vault: str  # id
    path: str
    to: str
    before: str
    after: str
    back: tuple[TextEdit, ...]  # of the text after, which make it the text before
    modified_ns: int = 0  # when the note had been modified before; 0: made by a version that did not keep it
    raw: bool = False  # as of `FilePlan`


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One group of changes. begun, undoing: this was not finished; the notes are put back when it is next looked at."""

    id: str  # that of its run, and its number there: later records sort after earlier ones
    made_ns: int
    state: Literal["begun", "done", "undoing"]
    keys: tuple[str, ...]  # of the proposals
    files: tuple[FileRecord, ...]
    folders: tuple[tuple[str, str], ...] = ()  # (vault id, path) of folders that were made, outermost first


class UndoRecords:
    """The records of one profile. For who has the lock of their folder."""

    def __init__(self, profile_folder: Path, key: bytes | None, name: str = "review") -> None:
        """key: the profile's; None where it is not encrypted. name: of the folder of the records."""
        self.folder = profile_folder / name
        self._key = None if key is None else blake2b(key=key, person=b"review-undo", digest_size=32).digest()

    @property
    def is_unfinished(self) -> bool:
        """Whether a process was ended as it wrote or took back, so that notes may have to be put back. Needs no key."""
        return (self.folder / _UNFINISHED).exists()

    @contextlib.contextmanager
    def unfinished(self) -> Generator[None]:
        """While notes are written: whoever comes after a process that was ended in here is told by `is_unfinished`, and
        so is everybody as long as a record waits to be put back.
        """
        write_private(self.folder / _UNFINISHED, b"")
        yield
        if all(record.state == "done" for record in self.all()):
            (self.folder / _UNFINISHED).unlink()

    def all(self) -> list[Record]:
        """All of them, oldest first. Raises StoreLocked where one was made under another key."""
        return [self._read(path) for path in self._paths()]

    def runs(self) -> list[str]:
        """The ids of the runs that there are records of, newest first. Needs no key."""
        return list(dict.fromkeys(path.name.partition("-")[0] for path in reversed(self._paths())))

    def of_run(self, run: str) -> list[Record]:
        """Its records, newest first. Raises StoreLocked as `all`."""
        return [self._read(path) for path in reversed(self._paths()) if path.name.startswith(f"{run}-")]

    def next_id(self, run: str) -> str:
        """The id of a record that is to be the newest of a run."""
        names = (path.name for path in self.folder.glob(f"{run}-*"))
        last = max(names, default="-0")
        return f"{run}-{int(last.rpartition('-')[2], 16) + 1:06x}"

    def put(self, record: Record) -> None:
        """Keep a record, in place of the one with its id. Raises OSError."""
        data = msgspec.json.encode(record)
        if self._key is not None:
            from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415 - 6 MB

            nonce = secrets.token_bytes(_NONCE)
            data = nonce + ChaCha20Poly1305(self._key).encrypt(nonce, data, record.id.encode())
        write_private(self.folder / record.id, data)

    def remove(self, record: Record) -> None:
        """Forget a record. Raises OSError."""
        (self.folder / record.id).unlink()

    def outdated(self, now_ns: int, coming: int) -> list[str]:
        """The runs that can't be kept once one of so many records has come: those that are too old, and the oldest of
        too many or too much. The present ones that are unfinished stay. Oldest first; needs no key.
        """
        runs: dict[str, list[Path]] = {}
        for path in self._paths():
            runs.setdefault(path.name.partition("-")[0], []).append(path)
        gone: list[str] = []
        count, size = coming, 0
        for run, paths in reversed(runs.items()):
            count += len(paths)
            size += sum(path.stat().st_size for path in paths)
            if is_old(run, now_ns) or count > MOST_RECORDS or size > _MOST_BYTES:
                gone.append(run)
        return gone[::-1]

    def forget(self, runs: Collection[str]) -> None:
        """Forget these runs, each whole; one of which a part is unfinished stays whole. Raises StoreLocked, OSError."""
        for half in self.folder.glob(".*") if self.folder.is_dir() else ():
            half.unlink()  # left by a process that was killed as it wrote a record
        for run in runs:
            records = self.of_run(run)
            if all(record.state == "done" for record in records):
                for record in reversed(records):  # the oldest first: after a kill, those that are left can be undone
                    self.remove(record)

    def _paths(self) -> list[Path]:
        return sorted(self.folder.glob("[0-9a-f]*")) if self.folder.is_dir() else []

    def _read(self, path: Path) -> Record:
        data = path.read_bytes()
        if self._key is not None:
            from cryptography.exceptions import InvalidTag  # noqa: PLC0415
            from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415

            try:
                data = ChaCha20Poly1305(self._key).decrypt(data[:_NONCE], data[_NONCE:], path.name.encode())
            except (InvalidTag, ValueError):
                raise StoreLocked(f"What {path} says can't be read with the profile's key.") from None
        return msgspec.json.decode(data, type=Record)


def new_run(now_ns: int) -> str:
    """An id for all that one `review apply` writes, in whatever profile."""
    return f"{now_ns:016x}{secrets.token_hex(4)}"


def run_time_ns(run: str) -> int:
    """When a run was made."""
    return int(run[:16], 16)


def is_old(run: str, now_ns: int) -> bool:
    """Whether a run is older than what is promised to be kept."""
    return now_ns - run_time_ns(run) > MOST_DAYS * _DAY_NS


def forget_records(profile_folder: Path) -> None:
    """Forget all records of a profile, their bytes overwritten: its key is about to be another one, or none."""
    folder = profile_folder / "review"
    for path in folder.glob("*") if folder.is_dir() else ():
        with contextlib.suppress(OSError):
            shred(path)
