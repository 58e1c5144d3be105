"""Exclusions that exclude nothing: a misspelt one protects as little as none, and should not look as if it did."""

import os
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scrubjay.profiles.names import file_key, nfc
from scrubjay.profiles.registry.registry import VaultFolder

_WITHOUT_INK = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})


@dataclass(frozen=True, slots=True)
class PointlessExclusion:
    """An exclusion that no file or folder of the vault has the name of."""

    path: str  # as it is in the profile
    alike: str | None  # what is there, and looks the same to a person


def pointless_exclusions(vault: VaultFolder) -> tuple[PointlessExclusion, ...]:
    """Those of a vault that is there; of hidden files and folders none, since these are never read.

    Lists the folders on the way to each exclusion, and opens no file.
    """
    found: list[PointlessExclusion] = []
    for path in vault.exclude:
        parts = [part for part in path.split("/") if part not in {"", "."}]
        if any(part.startswith(".") for part in parts) or _find(vault.root, parts, file_key) is not None:
            continue
        found.append(PointlessExclusion(path, _find(vault.root, parts, looks_like)))
    return tuple(found)


def looks_like(name: str) -> str:
    """Equal for names that a person can't tell apart: widths, cases, blanks and what has no ink don't count."""
    plain = unicodedata.normalize("NFKC", name)
    return "".join(character for character in plain if unicodedata.category(character) not in _WITHOUT_INK).casefold()


def _find(root: str, parts: Sequence[str], key: Callable[[str], str]) -> str | None:
    """The first path below `root` whose names have the same keys as `parts`; None where there is none."""
    way: list[str] = []
    for part in parts:
        wanted = key(part)
        name = next((name for name in _names_in(os.path.join(root, *way)) if key(name) == wanted), None)  # noqa: PTH118
        if name is None:
            return None
        way.append(name)
    return nfc("/".join(way))


def _names_in(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - as in the scan, names are enough
    except OSError:
        return []
