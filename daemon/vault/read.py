"""Reading one note's bytes, safely, and making text of them."""

import errno
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scrubjay.daemon.errors import ScrubjayError
from scrubjay.daemon.vault.file_times import changed_ns, modified_ns
from scrubjay.daemon.vault.offline import is_placeholder
from scrubjay.daemon.vault.scan import FileStamp
from scrubjay.profiles.database.rows import NO_DECISIONS, Decisions

_BLOCK = 1 << 20
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BY_FOLDER = os.open in os.supports_dir_fd and bool(_NO_FOLLOW)
_FLAGS = os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_FOLDER_FLAGS = _FLAGS | getattr(os, "O_DIRECTORY", 0)


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """What is too much for one note, and for one profile."""

    max_bytes: int = 5_000_000
    max_notes: int = 200_000  # that a profile holds


@dataclass(frozen=True, slots=True)
class RawNote:
    """A note as it is on disk. Its text has NOT been through the credential filter."""

    vault: str
    path: str  # vault-relative, "/"-separated, NFC
    text: str  # without a byte order mark; line ends are "\\n"
    size: int  # bytes
    mtime_ns: int
    digest: bytes  # of the file's bytes
    changed_ns: int = 0  # see `file_times.changed_ns`
    decisions: Decisions = NO_DECISIONS  # about the credentials in it


class Unreadable(ScrubjayError):
    """A note's file that can't be read or is no text. The message says why and what to do, and names nothing."""

    status = 422

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def read_note(
    vault: str, root: Path, stamp: FileStamp, limits: ReadLimits, digest: Callable[[bytes], bytes]
) -> RawNote:
    """Read the note that a scan found in the vault with the id `vault` below `root`; `digest` is applied to its bytes.

    Follows no link, not in the folders either, so nothing outside of `root` can be read even if the tree changes
    meanwhile. The stamps of the result are of before the reading: a note that is being written is read again later.
    Raises Unreadable with one of the codes gone, is-link, no-permission, not-a-file, not-downloaded, too-large, binary,
    not-utf8, read-error.
    """
    try:
        handle = _open(root, (stamp.disk_path or stamp.path).split("/"))
    except OSError as error:
        raise _unreadable(error) from None
    try:
        stats = os.fstat(handle)
        _check(stats, limits)
        data = _read(handle, limits)
    except OSError as error:
        raise _unreadable(error) from None
    finally:
        os.close(handle)
    stamps = (stats.st_size, modified_ns(stats), digest(data), changed_ns(stats))
    return RawNote(vault, stamp.path, decode(data), *stamps)


def decode(data: bytes) -> str:
    """The text of a note's bytes: UTF-8, or UTF-16 where a byte order mark says so. Raises Unreadable."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        if b"\0" in data:
            raise Unreadable("binary", "This is no text file, in spite of its name.") from None
        raise Unreadable("not-utf8", "The text is not in UTF-8; open it in an editor and save it as UTF-8.") from None
    if "\0" in text:
        raise Unreadable("binary", "This is no text file, in spite of its name.")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _open(root: Path, parts: list[str]) -> int:
    """Open the file below `root` name by name, so that no link can be slipped in on the way. Raises OSError."""
    if not _BY_FOLDER:
        return _open_by_path(root, parts)
    handle = os.open(root, _FOLDER_FLAGS & ~_NO_FOLLOW)
    for depth, name in enumerate(parts, start=1):
        flags = _FLAGS if depth == len(parts) else _FOLDER_FLAGS
        try:
            inner = os.open(name, flags, dir_fd=handle)
        finally:
            os.close(handle)
        handle = inner
    return handle


def _open_by_path(root: Path, parts: list[str]) -> int:
    """The same where the system can't open relative to a folder (Windows): the path must lead where it says."""
    path = root.resolve(strict=True).joinpath(*parts)
    handle = os.open(path, _FLAGS)
    no_link = os.path.normcase(path.resolve()) == os.path.normcase(path)
    if no_link and os.path.samestat(os.fstat(handle), path.lstat()):
        return handle
    os.close(handle)
    raise OSError(errno.ELOOP, "a link on the way")


def _check(stats: os.stat_result, limits: ReadLimits) -> None:
    if not stat.S_ISREG(stats.st_mode):
        raise Unreadable("not-a-file", "This is no ordinary file.")
    if is_placeholder(stats):
        raise Unreadable("not-downloaded", "The note is in the cloud and not on this machine; download it.")
    if stats.st_size > limits.max_bytes:
        raise _too_large(limits)


def _read(handle: int, limits: ReadLimits) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := os.read(handle, _BLOCK):
        parts.append(part)
        size += len(part)
        if size > limits.max_bytes:
            raise _too_large(limits)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _too_large(limits: ReadLimits) -> Unreadable:
    limit = f"{limits.max_bytes / 1e6:g} MB"
    return Unreadable("too-large", f"The note is larger than the limit of {limit}; split it or raise the limit.")


def _unreadable(error: OSError) -> Unreadable:
    match error.errno:
        case errno.ENOENT:
            return Unreadable("gone", "The note was moved or deleted meanwhile.")
        case errno.ELOOP | errno.ENOTDIR | errno.EMLINK:
            return Unreadable(
                "is-link", "The note, or a folder on the way to it, is a link, and links are not followed."
            )
        case errno.EACCES | errno.EPERM:
            return Unreadable("no-permission", "Scrubjay may not read this note; check its permissions.")
        case errno.EISDIR | errno.ENXIO:
            return Unreadable("not-a-file", "This is no ordinary file.")
        case _:
            return Unreadable("read-error", "The file system could not deliver this note; is the drive all right?")
