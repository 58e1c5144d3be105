"""What is on disk: the allowed notes of a vault with their stamps, without opening one of them."""

import os
import stat
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from scrubjay.daemon.vault.allow import Allowance, Allowed
from scrubjay.daemon.vault.file_names import Below, is_note, redact_path
from scrubjay.daemon.vault.ignore_filters import IgnoreFilters
from scrubjay.daemon.vault.offline import is_placeholder
from scrubjay.profiles.database.rows import FailureRow
from scrubjay.profiles.names import nfc
from scrubjay.profiles.registry.registry import VaultFolder

DRIVE_AWAY = "drive-away"
VAULT_AWAY = frozenset({"vault-gone", "vault-empty"})  # codes of problems that one note, once found, proves to be over
_NOTES_STAY = "Its notes stay until it returns; `scrubjay profile exclude` forgets them."

_JUNCTION = 0xA0000003  # Windows' IO_REPARSE_TAG_MOUNT_POINT: a folder that is really a link


@dataclass(frozen=True, slots=True)
class FileStamp:
    """A note's file as the scan saw it."""

    path: str  # vault-relative, "/"-separated, NFC
    mtime_ns: int
    size: int  # bytes
    disk_path: str = ""  # the same path as the disk spells it, where that differs; else ""


@dataclass(frozen=True, slots=True)
class ScanResult:
    """All that a scan found out."""

    files: tuple[FileStamp, ...]  # ordered by path, each path once
    problems: tuple[FailureRow, ...]  # folders and files that can't be looked at; names redacted
    unseen: tuple[str, ...]  # folders ("" is the vault) and notes whose content is unknown now: not to be forgotten
    away: tuple[str, ...] = ()  # allowed folders that are not there, as the allowlist has them, and drives: likewise
    drives: tuple[str, ...] = ()  # folders where another drive is mounted, or was and may be again


def scan(
    vault: VaultFolder, *, only: Collection[str] | None = None, drives: Collection[str] = frozenset()
) -> ScanResult:
    """Find the allowed notes of `vault`, or just those that are, or lie below, one of the paths in `only`.

    drives: of earlier scans; those that are mounted no longer are away, since their folders only look empty.

    Enters no folder but the allowed ones and those on the way to them, opens no file, and follows no link: what a link
    inside the vault points to is found where it really is, and what lies outside is not the vault's. A file or folder
    that can't be looked at becomes a problem; nothing is raised.
    """
    filters = IgnoreFilters.of_vault(vault.id, Path(vault.root))
    walk = _Walk(vault, Allowance(vault, filters))
    starts = [""] if only is None else _outermost(only)
    for start in starts:
        walk.visit(start)
    walk.miss_allowed(starts)
    walk.miss_drives(drives)
    return walk.result(filters.problems)


class _Walk:
    """The state of one scan."""

    def __init__(self, vault: VaultFolder, allowance: Allowance) -> None:
        self._vault = vault
        self._allowance = allowance
        self._files: dict[str, FileStamp] = {}
        self._problems: dict[str, FailureRow] = {}
        self._unseen: set[str] = set()
        self._away: set[str] = set()
        self._drives: set[str] = set()
        self._device = _device(vault.root)
        self._waiting: list[tuple[str, str]] = []  # folders to enter: as the disk spells them, and as we do
        self._listings: dict[str, dict[str, os.DirEntry[str]]] = {}

    def visit(self, path: str) -> None:
        """Take the file or folder at `path`, which may be spelt in any normalisation, with all below it."""
        *folders, name = path.split("/")
        disk = folder = ""
        for part in folders:
            way = self._entry(disk, folder, part)
            if way is not None:
                self._take(way, disk, folder, only_folders=True)
            if not self._waiting:
                return  # no folder, or none that may be entered
            disk, folder = self._waiting.pop()
        if path == "":
            self._waiting.extend([("", "")] if self._allowance.may_enter("") else [])
        elif (entry := self._entry(disk, folder, name)) is not None:
            self._take(entry, disk, folder)
        while self._waiting:
            self._enter(*self._waiting.pop())

    def miss_allowed(self, starts: Collection[str]) -> None:
        """Report what is allowed, but not there, of what lies below or above `starts`; folders, as being away."""
        keys = [self._allowance.key(start) for start in starts]
        for allowed in self._allowance.roots:
            if allowed not in Below(keys) and not any(key in Below([allowed]) for key in keys):
                continue
            if not self._allowance.may_enter(allowed) or self._is_there(allowed) or allowed in Below(self._unseen):
                continue
            if is_note(allowed):
                self._report(allowed, "allowed-missing", "It is allowed, but there is no such note; renamed?")
            else:
                self._away.add(allowed)
                reason = f"It is allowed, but not there. {_NOTES_STAY}"
                self._report(allowed, "allowed-missing", reason)

    def miss_drives(self, before: Collection[str]) -> None:
        """Report the drives of before that are no longer mounted."""
        for folder in before:
            if not self._allowance.may_enter(folder):
                continue
            self._drives.add(folder)
            if folder not in Below(self._unseen) and not self._is_drive(folder):
                self._away.add(folder)
                reason = f"A drive was mounted here. {_NOTES_STAY}"
                self._report(folder, DRIVE_AWAY, reason)

    def result(self, more: Iterable[FailureRow]) -> ScanResult:
        """What was found, in a fixed order."""
        files = tuple(stamp for _, stamp in sorted(self._files.items()))
        problems = tuple(problem for _, problem in sorted(self._problems.items()))
        told = (tuple(sorted(each)) for each in (self._unseen, self._away, self._drives))
        return ScanResult(files, (*more, *problems), *told)

    def _enter(self, disk: str, folder: str) -> None:
        if self._is_drive(disk):
            self._drives.add(folder)
        entries = self._list(disk, folder)
        for entry in entries:
            self._take(entry, disk, folder)
        if not entries and folder == "" and not self._unseen:
            self._unseen.add("")
            self._report(".", "vault-empty", "The vault's folder is empty, as if its drive were away. Its notes stay.")

    def _entry(self, disk: str, folder: str, name: str) -> os.DirEntry[str] | None:
        """The entry of that name, found in the listing: asking for it by name would also find it in another case."""
        if disk not in self._listings:
            key = self._allowance.key
            self._listings[disk] = {key(entry.name): entry for entry in self._list(disk, folder)}
        return self._listings[disk].get(self._allowance.key(name))

    def _is_there(self, path: str) -> bool:
        """Whether the vault has a file, folder or link of that name; what a link leads to is not looked at."""
        disk = folder = ""
        for part in path.split("/") if path else ():
            entry = self._entry(disk, folder, part)
            if entry is None:
                return False
            if _is_link(entry):
                return True
            disk = f"{disk}/{entry.name}" if disk else entry.name
            folder = f"{folder}/{nfc(entry.name)}" if folder else nfc(entry.name)
        return True

    def _is_drive(self, disk: str) -> bool:
        """Whether another drive is mounted just here. One look is enough for all but the folders of such a drive."""
        device = _device(os.path.join(self._vault.root, disk))  # noqa: PTH118 - as below
        if device in (None, self._device):
            return False
        return device != _device(os.path.join(self._vault.root, os.path.dirname(disk)))  # noqa: PTH118, PTH120

    def _list(self, disk: str, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self._vault.root, disk)) as entries:  # noqa: PTH118 - Path is 10 times slower
                return sorted(entries, key=lambda entry: entry.name)
        except FileNotFoundError:
            if folder == "":
                self._unseen.add("")
                self._report(".", "vault-gone", "The vault's folder is not there. Its notes stay until it returns.")
        except OSError:
            self._unseen.add(folder)
            self._report(folder or ".", "unreadable-folder", "This folder can't be listed; check its permissions.")
        return []

    def _take(self, entry: os.DirEntry[str], disk: str, folder: str, *, only_folders: bool = False) -> None:
        name = entry.name
        if name.startswith("."):
            return
        disk_path = f"{disk}/{name}" if disk else name
        path = f"{folder}/{nfc(name)}" if folder else nfc(name)
        try:
            if _is_link(entry):
                self._meet_link(disk_path, path)
            elif entry.is_dir(follow_symlinks=False):
                if self._allowance.may_enter(path) and self._is_sayable(path):
                    self._waiting.append((disk_path, path))
            elif not only_folders and self._is_wanted(path) and self._is_sayable(path):
                self._stamp(entry.stat(follow_symlinks=False), disk_path, path)
        except FileNotFoundError:
            return  # gone since the listing
        except OSError:
            self._unseen.add(path)
            self._report(path, "unreadable-file", "The file system refuses to say what this is; check its permissions.")

    def _stamp(self, stats: os.stat_result, disk_path: str, path: str) -> None:
        if not stat.S_ISREG(stats.st_mode):
            return
        stamp = FileStamp(path, stats.st_mtime_ns, stats.st_size, "" if disk_path == path else disk_path)
        if is_placeholder(stats):
            self._unseen.add(path)
            reason = "The note is in the cloud and not on this machine; it is read once it has been downloaded."
            self._report(path, "not-downloaded", reason, stamp)
        elif path in self._files and self._files[path] != stamp:
            reason = "Another file's name differs from this one's only in its Unicode form; rename one of them."
            self._report(path, "same-name", reason, stamp)
        else:
            self._files[path] = stamp

    def _meet_link(self, disk_path: str, path: str) -> None:
        if not self._is_wanted(path) and not self._allowance.may_enter(path):
            return
        root = os.path.realpath(self._vault.root)
        target = Path(os.path.realpath(os.path.join(root, disk_path)))  # noqa: PTH118 - unlike Path's, minds no loop
        if not target.is_relative_to(root) and (is_note(path) or target.is_dir()):
            self._report(path, "link-outside", "This is a link out of the vault and is not followed.")

    def _is_wanted(self, path: str) -> bool:
        return is_note(path) and isinstance(self._allowance.decide(path), Allowed)

    def _is_sayable(self, path: str) -> bool:
        try:
            path.encode("utf-8")
        except UnicodeEncodeError:
            shown = path.encode("utf-8", "replace").decode("utf-8")
            self._report(shown, "name-not-utf8", "The name is not valid Unicode; rename it.")
            return False
        return True

    def _report(self, path: str, code: str, reason: str, stamp: FileStamp | None = None) -> None:
        shown = redact_path(path)[0]
        mtime_ns, size = (stamp.mtime_ns, stamp.size) if stamp else (0, 0)
        self._problems.setdefault(shown, FailureRow(self._vault.id, shown, code, reason, mtime_ns, size))


def _device(folder: str) -> int | None:
    try:
        return os.stat(folder).st_dev  # noqa: PTH116 - as above
    except OSError:
        return None


def _is_link(entry: os.DirEntry[str]) -> bool:
    if entry.is_symlink():
        return True
    return os.name == "nt" and getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0) == _JUNCTION


def _outermost(paths: Collection[str]) -> list[str]:
    """The paths as plain relative ones, without those that lie below another."""
    plain = {"/".join(part for part in path.split("/") if part not in {"", "."}) for path in paths}
    if "" in plain:
        return [""]
    return sorted(path for path in plain if not any(parent in plain for parent in _parents(path)))


def _parents(path: str) -> Iterable[str]:
    end = path.rfind("/")
    while end > 0:
        yield path[:end]
        end = path.rfind("/", 0, end)
