"""Zip archives, as office files and books are: read without a path, and never more than such a file holds."""

import codecs
import io
import zipfile
from collections.abc import Iterator

from scrubjay.daemon.documents.extracted import CannotRead, Reason

_OLE = bytes.fromhex("D0CF11E0A1B11AE1")  # Microsoft's compound files: encrypted office files, and those before 2007
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_MOST_MEMBERS = 20_000
_MOST_BYTES = 400_000_000  # unpacked, all members that are read together
_MOST_RATIO = 200  # of unpacked to packed; deflate's best is 1,032, and no text comes near
_SMALL_BYTES = 20_000_000  # up to here a ratio means nothing
_MOST_AT_ONCE = 64_000_000  # of a member that is read as a whole
_BLOCK = 1 << 16

codecs.lookup("cp437")  # of old members' names; within the box it can't be loaded any more


class Archive:
    """A zip archive. All methods raise CannotRead for what is damaged, encrypted or unpacks to too much."""

    def __init__(self, data: bytes) -> None:
        if not data.startswith(_ZIP):
            raise CannotRead(_no_zip(data))
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
            raise CannotRead(Reason.DAMAGED) from None
        self._members = {each.filename.removeprefix("/"): each for each in self._zip.infolist()[:_MOST_MEMBERS]}
        self._unpacked = 0
        self._packed = len(data)

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def names(self, begin: str = "", end: str = "") -> list[str]:
        """The members whose names begin and end so, in order of length and name: slide2 before slide10."""
        fitting = [name for name in self._members if name.startswith(begin) and name.endswith(end)]
        return sorted(fitting, key=lambda name: (len(name), name))

    def blocks(self, name: str) -> Iterator[bytes]:
        """A member's content, block by block; nothing where there is none of this name."""
        member = self._members.get(name)
        if member is None:
            return
        if member.flag_bits & 1:
            raise CannotRead(Reason.ENCRYPTED)
        try:
            with self._zip.open(member) as stream:
                while block := stream.read(_BLOCK):
                    self._count(len(block))
                    yield block
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError, RuntimeError):
            raise CannotRead(Reason.DAMAGED) from None
        except Exception as error:
            if type(error).__module__ in ("zlib", "_lzma"):  # each has an error of its own
                raise CannotRead(Reason.DAMAGED) from None
            raise

    def read(self, name: str) -> bytes:
        """A member's whole content; b"" where there is none of this name."""
        pieces: list[bytes] = []
        length = 0
        for block in self.blocks(name):
            pieces.append(block)
            length += len(block)
            if length > _MOST_AT_ONCE:
                raise CannotRead(Reason.BOMB)
        return b"".join(pieces)

    def _count(self, length: int) -> None:
        self._unpacked += length
        too_dense = self._unpacked > _SMALL_BYTES and self._unpacked > _MOST_RATIO * self._packed
        if too_dense or self._unpacked > _MOST_BYTES:
            raise CannotRead(Reason.BOMB)


def _no_zip(data: bytes) -> Reason:
    if data.startswith(_OLE):
        return Reason.ENCRYPTED if _ENCRYPTED_PACKAGE in data else Reason.WRONG_EXTENSION
    return Reason.DAMAGED if not data.strip(b"\0") else Reason.WRONG_EXTENSION
