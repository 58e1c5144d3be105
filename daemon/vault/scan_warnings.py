"""What a scan of a whole vault warns of and leaves nothing out for: exclusions of nothing, and hard links."""

import os
from collections import defaultdict
from collections.abc import Iterator

from scrubjay.daemon.vault.exclusions import pointless_exclusions
from scrubjay.daemon.vault.read import FileStamp, redact_path
from scrubjay.daemon.vault.warning_codes import EXCLUDES_NOTHING, HARD_LINKS
from scrubjay.profiles.database.rows import FailureRow
from scrubjay.profiles.registry.registry import VaultFolder

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
