"""What was written into notes, kept so that it can be taken back: the way back alone, no copies of notes.

One file a record in the profile's folder, for its owner alone. It holds the places that changed with what stood there,
and digests of the files; of the rest of a note, and so of the secrets in it, it knows nothing. An encrypted profile's
records are encrypted under a key made from the profile's own.
"""

import contextlib
import secrets
from hashlib import blake2b
from pathlib import Path
from typing import Literal

import msgspec

from scrubjay.daemon.review.applying.note_text import Edit
from scrubjay.profiles.database.encryption import shred
from scrubjay.profiles.errors import StoreLocked
from scrubjay.profiles.private_files import write_private

MOST_RECORDS = 500
MOST_DAYS = 30
_MOST_BYTES = 20_000_000  # of all records of a profile together
_NONCE = 12
_DAY_NS = 86_400_000_000_000


class FileRecord(msgspec.Struct, frozen=True):
    """What was done to one note. Digests are of its bytes, keyed, in hex."""

    vault: str  # id
    path: str
    to: str
    before: str
    after: str
    back: tuple[Edit, ...]  # of the text after, which make it the text before


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

    def __init__(self, profile_folder: Path, key: bytes | None) -> None:
        """key: the profile's; None where it is not encrypted."""
        self.folder = profile_folder / "review"
        self._key = None if key is None else blake2b(key=key, person=b"review-undo", digest_size=32).digest()

    def all(self) -> list[Record]:
        """All of them, oldest first. Raises StoreLocked where one was made under another key."""
        return [self._read(path) for path in self._paths()]

    def newest_run(self) -> str:
        """The id of the last run that there are records of; "" where there are none. Needs no key."""
        paths = self._paths()
        return paths[-1].name.partition("-")[0] if paths else ""

    def of_run(self, run: str) -> list[Record]:
        """Its records, newest first. Raises StoreLocked as `all`."""
        return [self._read(path) for path in reversed(self._paths()) if path.name.startswith(f"{run}-")]

    def next_id(self, run: str) -> str:
        """The id of a record that is to be the newest of a run."""
        last = next((path.name for path in reversed(self._paths()) if path.name.startswith(f"{run}-")), "-0")
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

    def prune(self, now_ns: int) -> None:
        """Forget what is older than `MOST_DAYS`, and the oldest of too many or too much. What is unfinished stays."""
        for half in self.folder.glob(".*") if self.folder.is_dir() else ():
            half.unlink()  # left by a process that was killed as it wrote a record
        size = 0
        for count, path in enumerate(reversed(self._paths())):
            size += path.stat().st_size
            is_old = now_ns - int(path.name[:16], 16) > MOST_DAYS * _DAY_NS
            if (is_old or count >= MOST_RECORDS or size > _MOST_BYTES) and self._read(path).state == "done":
                path.unlink()

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


def forget_records(profile_folder: Path) -> None:
    """Forget all records of a profile, their bytes overwritten: its key is about to be another one, or none."""
    folder = profile_folder / "review"
    for path in folder.glob("*") if folder.is_dir() else ():
        with contextlib.suppress(OSError):
            shred(path)
