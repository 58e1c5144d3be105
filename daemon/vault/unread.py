"""Why a note of a vault is not in the index, as far as its path and the disk tell."""

from pathlib import Path
from typing import Literal, TypeAlias

from daemon.vault.allow import Allowance, Reason, Refused
from daemon.vault.ignore_filters import IgnoreFilters
from profiles.errors import InvalidProfile
from profiles.registry import VaultFolder, relative_path

Unread: TypeAlias = Reason | Literal["absent", "waiting"]


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
