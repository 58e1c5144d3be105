"""Explains to a profile's owner why a note is not in the index: the rule that excludes it, and what to do.

Only for clients that manage profiles: to others, what a profile may not read is none of their business.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from scrubjay.daemon.vault.allowlist import Unread, why_unread
from scrubjay.daemon.vault.file_kinds import wanted_files
from scrubjay.daemon.vault.read import is_note
from scrubjay.profiles.registry.registry import Profile, VaultFolder
from scrubjay.profiles.search.types import NoteExplanation

_REASONS: Mapping[Unread, tuple[str, str]] = {
    "absent": ("No vault has a file at this path.", "Check the path: it begins in the vault's folder."),
    "hidden": ("A part of its path begins with a dot; such files are never read.", "Rename it."),
    "not-a-note": (
        "It is no note, and no file of a kind that profile {} finds.",
        "`scrubjay profile files {}` shows the kinds.",
    ),
    "not-allowed": ("It is in no folder that profile {} may read.", "Run `scrubjay profile allow {} FOLDER`."),
    "excluded": ("It is in a folder that profile {} excludes, which always wins.", "Move it, or exclude it no more."),
    "ignored-in-obsidian": (
        "Obsidian's settings of the vault exclude it.",
        "Take it out of Obsidian's Files and links → Excluded files.",
    ),
    "waiting": ("Profile {} may read it, and has not read it yet.", "Run `scrubjay index`."),
}


def _wants(folder: VaultFolder, profile: Profile, path: str) -> Callable[[str], bool]:
    return is_note if is_note(path) else wanted_files(Path(folder.root), profile.files)


def with_reason_unread(
    found: NoteExplanation, profiles: Iterable[Profile], path: str, vault: str | None
) -> NoteExplanation:
    """The explanation with the reason that the disk and the profiles' rules give for "not-indexed". Reads the disk."""
    reasons: list[tuple[Unread, str]] = [
        (why_unread(folder, path, _wants(folder, profile, path)), profile.name)
        for profile in profiles
        for folder in profile.vaults
        if vault is None or vault in (folder.id, folder.name)
    ]
    for reason, name in sorted(reasons, key=lambda each: each[0] == "absent"):
        message, remedy = _REASONS[reason]
        return replace(found, message=message.format(name), remedy=remedy.format(name))
    return found
