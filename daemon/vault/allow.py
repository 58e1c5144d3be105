"""Which notes of a vault may be read: none that was not allowed, and an exclusion always wins."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from scrubjay.daemon.vault.file_names import is_note
from scrubjay.daemon.vault.ignore_filters import IgnoreFilters
from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.names import file_key, nfc
from scrubjay.profiles.registry.registry import VaultFolder, relative_path

RefusalReason: TypeAlias = Literal["hidden", "not-a-note", "not-allowed", "excluded", "ignored-in-obsidian"]
Unread: TypeAlias = RefusalReason | Literal["absent", "waiting"]

# Where the file system takes "Notes" and "notes" for one folder, so does the allowlist. Exclusions do it everywhere.
_NAMES_FOLD_CASE = sys.platform in {"darwin", "win32"}


@dataclass(frozen=True, slots=True)
class Allowed:
    """The note may be read."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The note must not be read, and why."""

    reason: RefusalReason


Decision: TypeAlias = Allowed | Refused

_ALLOWED = Allowed()


class Allowance:
    """The rules of one vault: its allowed and excluded folders and notes, and Obsidian's own excluded files.

    Paths are vault-relative with "/" between the names, in any Unicode normalisation. `key` makes equal what the file
    system takes for equal names; `roots` are the keys of the allowed folders and notes, "" for the whole vault.
    """

    def __init__(
        self, vault: VaultFolder, ignore_filters: IgnoreFilters, *, fold_case: bool = _NAMES_FOLD_CASE
    ) -> None:
        self.key = file_key if fold_case else nfc
        self.roots = tuple(self.key(_clean(path)) for path in vault.allow)
        self._allow = _prefixes(self.roots)
        self._exclude = _prefixes(file_key(_clean(path)) for path in vault.exclude)
        self._filters = ignore_filters

    @classmethod
    def of_vault(cls, vault: VaultFolder) -> "Allowance":
        """The rules as they are now, with what Obsidian's settings in the vault say."""
        return cls(vault, IgnoreFilters.of_vault(vault.id, Path(vault.root)))

    def decide(self, path: str) -> Decision:
        """Whether the note at `path` may be read. Looks at the path alone, at no file."""
        if not is_note(path):
            return Refused("not-a-note")
        reason = self._refuse(path)
        if reason is None and not f"{self.key(path)}/".startswith(self._allow):
            reason = "not-allowed"
        if reason is None and self._filters.matches(path):
            reason = "ignored-in-obsidian"
        return Refused(reason) if reason else _ALLOWED

    def allows(self, path: str) -> bool:
        """Whether the note at `path` may be read, see `decide`."""
        return isinstance(self.decide(path), Allowed)

    def may_enter(self, folder: str) -> bool:
        """Whether an allowed note can lie in `folder` or below it. The vault itself is ""."""
        if folder == "":
            return bool(self._allow)
        if self._refuse(folder) is not None or self._filters.covers_folder(folder):
            return False
        key = f"{self.key(folder)}/"
        return key.startswith(self._allow) or any(allowed.startswith(key) for allowed in self._allow)

    def _refuse(self, path: str) -> RefusalReason | None:
        if path.startswith((".", "/")) or "/." in path:
            return "hidden"
        return "excluded" if f"{file_key(path)}/".startswith(self._exclude) else None


def why_unread(vault: VaultFolder, path: str) -> Unread:
    """Why the note at a vault-relative path has not been read; "absent": there is no file; "waiting": it may be read.

    Looks for the file, and into no file but Obsidian's settings.
    """
    try:
        clean = relative_path(path)
        is_there = (Path(vault.root) / clean).is_file()
    except (InvalidProfile, OSError, ValueError):
        return "absent"
    if not is_there:
        return "absent"
    decision = Allowance(vault, IgnoreFilters.of_vault(vault.id, Path(vault.root))).decide(clean)
    return decision.reason if isinstance(decision, Refused) else "waiting"


def _clean(path: str) -> str:
    """A folder as a person writes it ("./Notes/", ".", "Notes") as a plain relative path; "" is the whole vault."""
    return "/".join(part for part in path.split("/") if part not in {"", "."})


def _prefixes(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{path}/" if path else "" for path in paths)
