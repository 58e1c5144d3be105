"""Whether the plugin in each vault is of the version that runs here."""

import json
from collections.abc import Iterable
from pathlib import Path

from scrubjay.daemon import __version__
from scrubjay.daemon.doctor.check_result import CheckResult
from scrubjay.daemon.home import Home
from scrubjay.daemon.updates import parsed
from scrubjay.profiles.registry.registry import Registry

MANIFEST = Path(".obsidian") / "plugins" / "scrubjay" / "manifest.json"
"""Below a vault, where the plugin is installed."""


def plugin(home: Home) -> CheckResult:
    """The plugin in each vault has this version."""
    roots = dict.fromkeys(Path(vault.root) for profile in Registry(home.profiles).list() for vault in profile.vaults)
    found = dict(_versions(roots))
    other = {root: version for root, version in found.items() if version != __version__}
    if not other:
        return CheckResult("Plugin", "good", f"{__version__} in each of {len(found)}" if found else "in no vault")
    seen = f"this is {__version__}; {', '.join(f'{version} in {root}' for root, version in other.items())}"
    if any(is_later(version) for version in other.values()):
        return CheckResult(
            "Plugin", "weak", seen, "The plugin is newer. `scrubjay update` says how to update Scrubjay."
        )
    advice = " ".join(f'scrubjay plugin install "{root}"' for root in other)
    return CheckResult("Plugin", "weak", seen, f"{advice} and reload Obsidian.")


def is_later(version: str) -> bool:
    """Whether a version is after the one that runs; what can't be read as one is not."""
    try:
        return parsed(version) > parsed(__version__)
    except ValueError:
        return False


def _versions(roots: Iterable[Path]) -> Iterable[tuple[Path, str]]:
    for root in roots:
        try:
            said = json.loads((root / MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(said, dict) and isinstance(version := said.get("version"), str):  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            yield root, version
