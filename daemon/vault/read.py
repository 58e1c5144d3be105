"""Reading one note: its name without credentials, its bytes, safely, and these as text."""

import errno
import os
import stat
import sys
from collections.abc import Callable, Collection, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path, PurePosixPath

from scrubjay.credential_filter import BUILT_IN, Finding, Rules, redact
from scrubjay.daemon.documents.extracted import kind_of
from scrubjay.daemon.failures import FailureReason
from scrubjay.daemon.program import this_platform
from scrubjay.daemon.vault.paths import literal
from scrubjay.profiles.errors import ScrubjayError
from scrubjay.profiles.store.rows import NO_DECISIONS, Decisions


@dataclass(frozen=True, slots=True)
class FileStamp:
    """A note's file as the scan saw it."""

    path: str  # vault-relative, "/"-separated, NFC unless two files differ in their Unicode form alone
    mtime_ns: int
    size: int  # bytes
    disk_path: str = ""  # the same path as the disk spells it, where that differs; else ""
    changed_ns: int = 0  # what `changed_ns` tells


# Files that a sync service shows but keeps elsewhere: reading one would download it.

_OFFLINE = 0x1000  # Windows' FILE_ATTRIBUTE_OFFLINE
_RECALL_ON_OPEN = 0x40000
_RECALL_ON_DATA_ACCESS = 0x400000
_NOT_HERE = _OFFLINE | _RECALL_ON_OPEN | _RECALL_ON_DATA_ACCESS

_COMPRESSED = 0x20  # macOS' UF_COMPRESSED: content in the metadata, so no blocks though all is there
_DATALESS = 0x40000000  # macOS' SF_DATALESS


def is_placeholder(stats: os.stat_result) -> bool:
    """Whether the file's bytes are not on this machine (OneDrive, iCloud Drive and their like)."""
    return not_here(
        attributes=getattr(stats, "st_file_attributes", 0),
        flags=getattr(stats, "st_flags", 0),
        size=stats.st_size,
        blocks=getattr(stats, "st_blocks", None),
        platform=sys.platform,
    )


def not_here(*, attributes: int, flags: int, size: int, blocks: int | None, platform: str) -> bool:
    """The same from plain values. Only on macOS does a lack of blocks say anything: small files have none elsewhere."""
    if attributes & _NOT_HERE or flags & _DATALESS:
        return True
    return platform == "darwin" and size > 0 and blocks == 0 and not flags & _COMPRESSED


# A file's time stamps as they can be kept: file systems know dates that SQLite's 64 bits of nanoseconds do not.

_FIRST, _LAST = -(2**63), 2**63 - 1  # 1677-09-21 and 2262-04-11


def modified_ns(stats: os.stat_result) -> int:
    """When the file says it was modified, in Unix nanoseconds; what lies beyond 64 bits is moved to their edge."""
    return _kept(stats.st_mtime_ns)


def changed_ns(stats: os.stat_result) -> int:
    """When the system last saw the file change, likewise; 0 on Windows, which tells when it was made instead.

    Unlike the time of modification nobody can set it, so an edit that restores that one shows here.
    """
    return _kept(stats.st_ctime_ns) if os.name == "posix" else 0


def _kept(nanoseconds: int) -> int:
    return min(max(nanoseconds, _FIRST), _LAST)


# Names as files carry them, and no credential in the ones that are shown.

NOTE_SUFFIXES = (".md", ".markdown")


def is_note(path: str) -> bool:
    """Whether the name ends like a Markdown note's."""
    return path.lower().endswith(NOTE_SUFFIXES)


def name_of(path: str) -> str:
    """The file's name without folders."""
    return path.rpartition("/")[2]


def stem_of(path: str) -> str:
    """The file's name without folders and extension."""
    return PurePosixPath(path).stem


class Below:
    """Whether a path is one of some files and folders, or lies below one; "" is the whole vault."""

    def __init__(self, places: Collection[str]) -> None:
        self._places = frozenset(places)

    def __contains__(self, path: str) -> bool:
        if not self._places:
            return False
        names = path.split("/")
        return any("/".join(names[:length]) in self._places for length in range(len(names) + 1))

    def is_ancestor(self, folder: str) -> bool:
        """Whether one of the places lies below `folder`; "." is the vault, below which all lie."""
        return folder == "." or any(place.startswith(f"{folder}/") for place in self._places)


def redact_path(path: str, rules: Rules = BUILT_IN) -> tuple[str, tuple[Finding, ...]]:
    """`path` with the credentials in its folders' and its file's names hidden, and what was found.

    Each name stands on a line of its own before the filter, without the file's extension if we know it: a long path is
    then not taken for one random-looking string. Lines and columns of the findings count accordingly.
    """
    stem, dot, suffix = path.rpartition(".") if is_note(path) or kind_of(path) else (path, "", "")
    redacted = redact(stem.replace("/", "\n"), rules)
    if not redacted.findings:
        return path, ()
    return redacted.text.replace("\n", "/") + dot + suffix, redacted.findings


def holds_credential(name: str) -> bool:
    """Whether a credential stands in a name, of a profile or a vault, say."""
    return bool(redact(name).findings)


_BLOCK = 1 << 20
_READINGS = 3  # of a note that is being written
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
    changed_ns: int = 0  # what `changed_ns` tells
    decisions: Decisions = NO_DECISIONS  # about the credentials in it


class UnreadableNote(ScrubjayError):
    """A note's file that can't be read or is no text. The message says why and what to do, and names nothing."""

    status = 422

    def __init__(self, failure: FailureReason, reason: str) -> None:
        super().__init__(reason)
        self.code = failure.value
        self.failure = failure
        self.reason = reason


def read_note(
    vault: str, root: Path, stamp: FileStamp, limits: ReadLimits, digest: Callable[[bytes], bytes]
) -> RawNote:
    """Read the note that a scan found in the vault with the id `vault` below `root`; `digest` is applied to its bytes.

    What was written while it was read is read again: of two texts in one, a credential might have lost what it is known
    by. Raises UnreadableNote as `opened`, and with the codes binary and not-utf8.
    """
    for _ in range(_READINGS):
        with _opened(root, stamp, limits.max_bytes) as (handle, before):
            data = _read(handle, limits.max_bytes)
            is_whole = stamp_now(stamp, handle) == before
        if is_whole:
            return RawNote(
                vault, stamp.path, decode(data), before.size, before.mtime_ns, digest(data), before.changed_ns
            )
    raise UnreadableNote(FailureReason.GONE, "The note was being written; it is read again once that is over.")


@contextmanager
def opened(root: Path, stamp: FileStamp, max_bytes: int) -> Generator[tuple[FileIO, FileStamp]]:
    """The file that a scan found below `root`, open at its beginning, with its stamps from just before.

    Follows no link, not in the folders either, so nothing outside of `root` can be read even if the tree changes
    meanwhile. The stamps of the result are of before the reading: a note that is being written is read again later.
    Raises UnreadableNote with one of the codes gone, is-link, no-permission, not-a-file, not-downloaded, too-large,
    read-error; also for an OSError within the block.
    """
    with _opened(root, stamp, max_bytes) as (handle, before):
        yield FileIO(handle, closefd=False), before


@contextmanager
def _opened(root: Path, stamp: FileStamp, max_bytes: int) -> Generator[tuple[int, FileStamp]]:
    """As `opened`, with the file's descriptor."""
    with ExitStack() as stack:
        try:
            handle = _open(root, (stamp.disk_path or stamp.path).split("/"))
            stack.callback(os.close, handle)
            _check(os.fstat(handle), max_bytes)
            yield handle, stamp_now(stamp, handle)
        except OSError as error:
            raise _unreadable(error) from None


def stamp_now(seen: FileStamp, handle: int) -> FileStamp:
    """The stamp of an open file that a scan saw, as it is now: another one where it was written meanwhile."""
    stats = os.fstat(handle)
    return FileStamp(seen.path, modified_ns(stats), stats.st_size, seen.disk_path, changed_ns(stats))


def decode(data: bytes) -> str:
    """The text of a note's bytes: UTF-8, or UTF-16 where a byte order mark says so. Raises UnreadableNote."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        if b"\0" in data:
            raise UnreadableNote(FailureReason.BINARY, "This is no text file, in spite of its name.") from None
        raise UnreadableNote(
            FailureReason.NOT_UTF8, "The text is not in UTF-8; open it in an editor and save it as UTF-8."
        ) from None
    if "\0" in text:
        raise UnreadableNote(FailureReason.BINARY, "This is no text file, in spite of its name.")
    return with_line_feeds(text)


def with_line_feeds(text: str) -> str:
    """The text with a line feed for each end of a line."""
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
    path = Path(literal(str(root.resolve(strict=True).joinpath(*parts)), this_platform()))
    handle = os.open(path, _FLAGS)
    no_link = os.path.normcase(path.resolve()) == os.path.normcase(path)
    if no_link and os.path.samestat(os.fstat(handle), path.lstat()):
        return handle
    os.close(handle)
    raise OSError(errno.ELOOP, "a link on the way")


def _check(stats: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(stats.st_mode):
        raise UnreadableNote(FailureReason.NOT_A_FILE, "This is no ordinary file.")
    if is_placeholder(stats):
        raise UnreadableNote(
            FailureReason.NOT_DOWNLOADED, "The note is in the cloud and not on this machine; download it."
        )
    if stats.st_size > max_bytes:
        raise _too_large(max_bytes)


def _read(handle: int, max_bytes: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := os.read(handle, _BLOCK):
        parts.append(part)
        size += len(part)
        if size > max_bytes:
            raise _too_large(max_bytes)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _too_large(max_bytes: int) -> UnreadableNote:
    limit = f"{max_bytes / 1e6:g} MB"
    return UnreadableNote(
        FailureReason.TOO_LARGE, f"The note is larger than the limit of {limit}; split it or raise the limit."
    )


def _unreadable(error: OSError) -> UnreadableNote:
    match error.errno:
        case errno.ENOENT:
            return UnreadableNote(FailureReason.GONE, "The note was moved or deleted meanwhile.")
        case errno.ELOOP | errno.ENOTDIR | errno.EMLINK:
            return UnreadableNote(
                FailureReason.IS_LINK, "The note, or a folder on the way to it, is a link, and links are not followed."
            )
        case errno.EACCES | errno.EPERM:
            return UnreadableNote(
                FailureReason.NO_PERMISSION, "Scrubjay may not read this note; check its permissions."
            )
        case errno.EISDIR | errno.ENXIO:
            return UnreadableNote(FailureReason.NOT_A_FILE, "This is no ordinary file.")
        case _:
            return UnreadableNote(
                FailureReason.READ_ERROR, "The file system could not deliver this note; is the drive all right?"
            )
