"""What `make reproduce` runs: builds what is in `dist/` again from a copy of this tree in another folder, and compares.

Where `dist/` has an archive of the stand-alone program or a Debian package, these are built again too: minutes.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sums import digests
from versions import source_date

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
from editable import link_package  # noqa: E402


def main() -> None:
    """Leave with the names of the files that differ, if any do."""
    wanted = digests(ROOT / "dist")
    with tempfile.TemporaryDirectory(prefix="another-folder-") as place:
        tree = Path(place) / "tree"
        copy_sources(tree)
        build(tree, whole=any("linux" in name or name.endswith(".deb") for name in wanted))
        found = digests(tree / "dist")
    differing = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
    if differing:
        sys.exit(f"Not the same in another folder: {', '.join(differing)}")
    print(f"{len(wanted)} files, the same bytes when built in another folder.")


def copy_sources(tree: Path) -> None:
    """What git would commit of this tree as it is now; libraries of the panel are linked."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        source = ROOT / name
        if source.is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, tree / name, follow_symlinks=False)
    libraries = (ROOT / "obsidian-plugin" / "node_modules").resolve()
    (tree / "obsidian-plugin" / "node_modules").symlink_to(libraries, target_is_directory=True)


def build(tree: Path, *, whole: bool) -> None:
    """Everything that `make release` builds; the stand-alone program only as part of the whole."""
    link_package(tree)
    environment = os.environ | {
        "PYTHONPATH": str(tree / "build" / "package"),
        "SOURCE_DATE_EPOCH": str(source_date()),
    }
    subprocess.run(["node", "esbuild.config.mjs"], cwd=tree / "obsidian-plugin", env=environment, check=True)
    scripts = ["release/dist.py", *(("bundle/build.py", "deb/build.py") if whole else ()), "channels/write.py"]
    for script in scripts:
        command = [sys.executable, str(tree / "packaging" / script)]
        subprocess.run(command, cwd=tree, env=environment, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
