"""The package `scrubjay` of a checkout: a folder of links to the repository's own folders, for editable installs.

hatchling calls this when it builds. A wheel needs none of it: there the folders are copied (see `pyproject.toml`).
"""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("credential_filter", "daemon", "profiles")
PLACE = Path("build") / "package" / "scrubjay"  # `dev-mode-dirs` in pyproject.toml names the folder above it


class EditableLinks(BuildHookInterface[Any]):
    """Links the folders before an editable wheel is made."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling; `version` is the kind of wheel: standard or editable."""
        del build_data
        if version == "editable":
            link_package(Path(self.root))


def link_package(root: Path) -> None:
    """Make `build/package/scrubjay` point at the folders of this checkout. Raises OSError where no link can be made."""
    package = root / PLACE
    package.mkdir(parents=True, exist_ok=True)
    start = (root / "packaging" / "package" / "__init__.py").read_text(encoding="utf-8")
    (package / "__init__.py").write_text(start, encoding="utf-8")
    for name in FOLDERS:
        link = package / name
        if not link.exists():
            link.unlink(missing_ok=True)  # one that leads nowhere
            _link(root / name, link)


def _link(folder: Path, link: Path) -> None:
    if sys.platform == "win32":  # a junction needs no rights, unlike a symbolic link
        import _winapi  # noqa: PLC0415

        _winapi.CreateJunction(str(folder), str(link))
    else:
        link.symlink_to(os.path.relpath(folder, link.parent), target_is_directory=True)
