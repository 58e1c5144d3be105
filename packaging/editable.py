"""The package `scrubjay` around the repository's three folders, whenever hatchling builds a wheel.

An editable install gets a folder of links to them. In any other wheel they are copied (see `pyproject.toml`), and
only the package's own beginning and its bill of materials (PEP 770) are added here.
"""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("credential_filter", "daemon", "profiles")
START = Path("packaging") / "package" / "__init__.py"
PLACE = Path("build") / "package" / "scrubjay"  # `dev-mode-dirs` in pyproject.toml names the folder above it
BILL = Path("build") / "scrubjay.cdx.json"


class PackageAround(BuildHookInterface[Any]):
    """Links the folders before an editable wheel is made, and gives every other wheel the package's beginning."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling; `version` is the kind of wheel: standard or editable."""
        if version == "editable":
            link_package(Path(self.root))
        else:
            build_data["force_include"][str(Path(self.root) / START)] = "scrubjay/__init__.py"
            build_data["sbom_files"].append(str(write_bill(Path(self.root))))


def write_bill(root: Path) -> Path:
    """Write what the wheel carries into the build folder; where it is now."""
    release = str(root / "packaging" / "release")
    sys.path.insert(0, release)
    try:
        import bill  # noqa: PLC0415 - it is found only from here on
    finally:
        sys.path.remove(release)
    (root / BILL).parent.mkdir(exist_ok=True)
    (root / BILL).write_text(bill.of_wheel(root), encoding="utf-8")
    return root / BILL


def link_package(root: Path) -> None:
    """Make `build/package/scrubjay` point at the folders of this checkout. Raises OSError where no link can be made."""
    package = root / PLACE
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").write_bytes((root / START).read_bytes())
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
