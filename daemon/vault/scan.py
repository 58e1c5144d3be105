"""What is on disk: the allowed notes of a vault with their stamps, without opening one of them; and what to warn of."""

import os
import stat
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from scrubjay.daemon.failures import FailureReason
from scrubjay.daemon.program import this_platform
from scrubjay.daemon.vault.allowlist import Allowance, Allowed, IgnoreFilters, pointless_exclusions
from scrubjay.daemon.vault.paths import folds_case, literal
from scrubjay.daemon.vault.read import Below, FileStamp, changed_ns, is_note, is_placeholder, modified_ns, redact_path
from scrubjay.daemon.vault.warning_codes import EXCLUDES_NOTHING, HARD_LINKS
from scrubjay.profiles.names import nfc
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store.rows import FailureRow

_NAMED_LINKS = 3


def problem(vault_id: str, path: str, code: str, reason: str, stamp: FileStamp | None = None) -> FailureRow:
    """A row about `path`, of which credentials are redacted. stamp: of the file, where its content is the problem."""
    stamps = (stamp.mtime_ns, stamp.size, stamp.changed_ns) if stamp else (0, 0, 0)
    return FailureRow(vault_id, redact_path(path)[0], code, reason, *stamps)


def exclusion_warnings(vault: VaultFolder) -> Iterator[FailureRow]:
    """A warning of every exclusion that excludes nothing, of a vault that is there."""
    for found in pointless_exclusions(vault):
        reason = "It is excluded, but nothing in the vault is called so: it excludes nothing."
        if found.alike is not None:
            reason += f" There is {found.alike!r}, which only looks the same; exclude it by its own name."
        yield problem(vault.id, found.path, EXCLUDES_NOTHING, reason)


class HardLinks:
    """The notes that a scan found to be hard links, and whether the files have other names outside of what it saw."""

    def __init__(self) -> None:
        self._paths: defaultdict[tuple[int, int], list[str]] = defaultdict(list)  # by the file that they name
        self._names: dict[tuple[int, int], int] = {}  # how many names such a file has, wherever they are

    def add(self, path: str, stats: os.stat_result) -> None:
        """A note was found; most have one name, and are passed over."""
        if stats.st_nlink > 1:
            file = (stats.st_dev, stats.st_ino)
            self._paths[file].append(path)
            self._names[file] = stats.st_nlink

    def warnings(self, vault_id: str) -> Iterator[FailureRow]:
        """One warning of the notes that have another name elsewhere, if any has: their content may come from there."""
        linked = sorted(path for file, paths in self._paths.items() if len(paths) < self._names[file] for path in paths)
        if linked:
            named = ", ".join(redact_path(path)[0] for path in linked[:_NAMED_LINKS])
            more = f" and {len(linked) - _NAMED_LINKS} more" if len(linked) > _NAMED_LINKS else ""
            reason = f"These notes are hard links to files that also lie elsewhere, and are read: {named}{more}."
            yield problem(vault_id, ".", HARD_LINKS, reason)


DRIVE_AWAY = "drive-away"
UNREADABLE_FOLDER = "unreadable-folder"
VAULT_EMPTY = "vault-empty"
VAULT_AWAY = frozenset({"vault-gone", VAULT_EMPTY})  # codes of problems of the vault as a whole
_NOTES_STAY = "Its notes stay until it returns; `scrubjay profile exclude` forgets them."
_Named: TypeAlias = tuple[os.DirEntry[str], str]  # what a folder holds, and the name by which it goes here
_LEFT_BY_DRIVES = frozenset({"lost+found", "System Volume Information", "$RECYCLE.BIN", "desktop.ini"})
_JUNCTION = 0xA0000003  # Windows' IO_REPARSE_TAG_MOUNT_POINT: a folder that is really a link


@dataclass(frozen=True, slots=True)
class ScanResult:
    """All that a scan found out."""

    files: tuple[FileStamp, ...]  # ordered by path, each path once
    problems: tuple[FailureRow, ...]  # folders and files that can't be looked at; names redacted
    unseen: tuple[str, ...]  # folders ("" is the vault) and notes whose content is unknown now: not to be forgotten
    away: tuple[str, ...] = ()  # allowed folders that are not there, as the allowlist has them, and drives: likewise
    drives: tuple[str, ...] = ()  # folders where another drive is mounted, or was and may be again


def scan(
    vault: VaultFolder,
    *,
    only: Collection[str] | None = None,
    drives: Collection[str] = frozenset(),
    empty_is_away: bool = True,
    wants: Callable[[str], bool] = is_note,
) -> ScanResult:
    """Find the allowed notes of `vault`, or just those that are, or lie below, one of the paths in `only`.

    wants: whether a file of this path is looked for; what is said of notes holds for such files.
    drives: of earlier scans; those that are mounted no longer are away, since their folders only look empty.
    empty_is_away: whether a vault with nothing in it but hidden files, which programs leave in any folder, is away.

    Enters no folder but the allowed ones and those on the way to them, opens no file, and follows no link: what a link
    inside the vault points to is found where it really is, and what lies outside is not the vault's. A file or folder
    that can't be looked at becomes a problem; nothing is raised.
    """
    root = Path(vault.root)
    filters = IgnoreFilters.of_vault(vault.id, root)
    walk = _Walk(vault, Allowance(vault, filters, fold_case=folds_case(root), wants=wants))
    starts = [""] if only is None else _outermost(only)
    for start in starts:
        walk.visit(start)
    if empty_is_away:
        walk.miss_vault()
    walk.report_missing_folders(starts)
    walk.report_missing_drives(drives)
    if only is None:
        walk.warn()
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
        self._device = _device(self._on_disk(""))
        self._links = HardLinks()
        self._top: list[str] | None = None  # what the vault's own folder holds; None: not looked at
        self._waiting: list[tuple[str, str]] = []  # folders to enter: as the disk spells them, and as we do
        self._listings: dict[str, dict[str, list[_Named]]] = {}

    def visit(self, path: str) -> None:
        """Take the file or folder at `path`, which may be spelt in any normalisation, with all below it."""
        if path == "":
            self._waiting.extend([("", "")] if self._allowance.may_enter("") else [])
        else:
            self._walk_to(path.split("/"))
        while self._waiting:
            self._enter(*self._waiting.pop())

    def _walk_to(self, names: list[str]) -> None:
        """Take what these names lead to; more than one way leads there where names differ in their form alone."""
        ways = [("", "")]
        for name in names[:-1]:
            for disk, folder in ways:
                for entry, shown in self._named(disk, folder, name):
                    self._take(entry, disk, folder, shown, only_folders=True)
            ways, self._waiting = self._waiting, []  # none: no folder, or none that may be entered
        for disk, folder in ways:
            for entry, shown in self._named(disk, folder, names[-1]):
                self._take(entry, disk, folder, shown)

    def miss_vault(self) -> None:
        """Report a vault whose folder is there and holds nothing to be seen, as where its drive is mounted."""
        if self._top is None or "" in self._unseen:
            return
        if all(name.startswith(".") or name in _LEFT_BY_DRIVES for name in self._top):
            self._unseen.add("")
            reason = "The vault's folder is empty, as if its drive were away. Its notes stay in the index;"
            self._report(".", VAULT_EMPTY, f"{reason} `scrubjay index --forget-missing` forgets them.")

    def report_missing_folders(self, starts: Collection[str]) -> None:
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

    def report_missing_drives(self, before: Collection[str]) -> None:
        """Report the drives of before that are no longer mounted."""
        for folder in before:
            if not self._allowance.may_enter(folder):
                continue
            self._drives.add(folder)
            if folder not in Below(self._unseen) and not self._is_drive(folder):
                self._away.add(folder)
                reason = f"A drive was mounted here. {_NOTES_STAY}"
                self._report(folder, DRIVE_AWAY, reason)

    def warn(self) -> None:
        """Report what leaves nothing out. Of a vault that is not there, or looks empty, no exclusion is known."""
        exclusions = exclusion_warnings(self._vault) if "" not in self._unseen else ()
        for row in (*exclusions, *self._links.warnings(self._vault.id)):
            self._problems.setdefault(row.path, row)

    def result(self, more: Iterable[FailureRow]) -> ScanResult:
        """What was found, in a fixed order."""
        files = tuple(stamp for _, stamp in sorted(self._files.items()))
        problems = tuple(row for _, row in sorted(self._problems.items()))
        sorted_paths = (tuple(sorted(each)) for each in (self._unseen, self._away, self._drives))
        return ScanResult(files, (*more, *problems), *sorted_paths)

    def _enter(self, disk: str, folder: str) -> None:
        if self._is_drive(disk):
            self._drives.add(folder)
        entries = _with_names(self._list(disk, folder))
        for entry, shown in entries:
            self._take(entry, disk, folder, shown)
        if folder == "":
            self._top = [entry.name for entry, _ in entries]

    def _named(self, disk: str, folder: str, name: str) -> list[_Named]:
        """The entries of that name, found in the listing: asking for it by name would also find it in another case."""
        if disk not in self._listings:
            listing = self._listings[disk] = {}
            for entry, shown in _with_names(self._list(disk, folder)):
                listing.setdefault(self._allowance.key(entry.name), []).append((entry, shown))
            if disk == "":
                self._top = [entry.name for listed in listing.values() for entry, _ in listed]
        return self._listings[disk].get(self._allowance.key(name), [])

    def _is_there(self, path: str) -> bool:
        """Whether the vault has a file, folder or link of that name; what a link leads to is not looked at."""
        disk = folder = ""
        for part in path.split("/") if path else ():
            named = self._named(disk, folder, part)
            if not named or _is_link(named[0][0]):
                return bool(named)
            [(entry, shown), *_] = named
            disk = f"{disk}/{entry.name}" if disk else entry.name
            folder = f"{folder}/{shown}" if folder else shown
        return True

    def _is_drive(self, disk: str) -> bool:
        """Whether another drive is mounted just here. One look is enough for all but the folders of such a drive."""
        device = _device(self._on_disk(disk))
        if device in (None, self._device):
            return False
        return device != _device(self._on_disk(os.path.dirname(disk)))  # noqa: PTH120 - Path is 10 times slower

    def _on_disk(self, disk: str) -> str:
        return literal(os.path.join(self._vault.root, disk), this_platform())  # noqa: PTH118 - as above

    def _list(self, disk: str, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self._on_disk(disk)) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except FileNotFoundError:
            if folder == "":
                self._unseen.add("")
                self._report(".", "vault-gone", "The vault's folder is not there. Its notes stay until it returns.")
        except OSError:
            self._unseen.add(folder)
            self._report(folder or ".", UNREADABLE_FOLDER, "This folder can't be listed; check its permissions.")
        return []

    def _take(self, entry: os.DirEntry[str], disk: str, folder: str, shown: str, *, only_folders: bool = False) -> None:
        name = entry.name
        if name.startswith("."):
            return
        disk_path = f"{disk}/{name}" if disk else name
        path = f"{folder}/{shown}" if folder else shown
        try:
            if _is_link(entry):
                self._check_link(disk_path, path)
            elif entry.is_dir(follow_symlinks=False):
                if self._allowance.may_enter(path) and self._can_be_reported(path):
                    self._waiting.append((disk_path, path))
            elif not only_folders and self._is_wanted(path) and self._can_be_reported(path):
                self._stamp(entry.stat(follow_symlinks=False), disk_path, path)
        except FileNotFoundError:
            return  # gone since the listing
        except OSError:
            self._unseen.add(path)
            self._report(path, "unreadable-file", "The file system refuses to say what this is; check its permissions.")

    def _stamp(self, stats: os.stat_result, disk_path: str, path: str) -> None:
        if not stat.S_ISREG(stats.st_mode):
            return
        spelt = "" if disk_path == path else disk_path
        stamp = FileStamp(path, modified_ns(stats), stats.st_size, spelt, changed_ns(stats))
        if is_placeholder(stats):
            self._unseen.add(path)
            reason = "The note is in the cloud and not on this machine; it is read once it has been downloaded."
            self._report(path, FailureReason.NOT_DOWNLOADED, reason, stamp)
        else:
            self._files[path] = stamp
            self._links.add(path, stats)

    def _check_link(self, disk_path: str, path: str) -> None:
        if not self._is_wanted(path) and not self._allowance.may_enter(path):
            return
        root = os.path.realpath(self._vault.root)
        target = Path(os.path.realpath(os.path.join(root, disk_path)))  # noqa: PTH118 - unlike Path's, minds no loop
        if not target.is_relative_to(root) and (self._is_wanted(path) or target.is_dir()):
            self._report(path, "link-outside", "This is a link out of the vault and is not followed.")

    def _is_wanted(self, path: str) -> bool:
        return isinstance(self._allowance.decide(path), Allowed)

    def _can_be_reported(self, path: str) -> bool:
        try:
            path.encode("utf-8")
        except UnicodeEncodeError:
            shown = path.encode("utf-8", "replace").decode("utf-8")
            self._report(shown, "name-not-utf8", "The name is not valid Unicode; rename it.")
            return False
        return True

    def _report(self, path: str, code: str, reason: str, stamp: FileStamp | None = None) -> None:
        row = problem(self._vault.id, path, code, reason, stamp)
        self._problems.setdefault(row.path, row)


def _with_names(entries: Sequence[os.DirEntry[str]]) -> list[_Named]:
    """Entries of one folder with the names by which they go: composed, unless another one composes to the same."""
    composed = [nfc(entry.name) for entry in entries]
    sharing = Counter(composed)
    return [(entry, name if sharing[name] == 1 else entry.name) for entry, name in zip(entries, composed, strict=True)]


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
