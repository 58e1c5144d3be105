"""What `make dist` runs: everything of a release, built twice, and refused unless both builds are the same bytes.

scrubjay-VERSION.tar.gz, ….whl      for pip and pipx
scrubjay-plugin-VERSION.zip         the plugin as one file; its three files beside it, as Obsidian wants them
scrubjay-VERSION.sbom.json          what it is made with (CycloneDX), from the lock file
LICENCES.md, SHA256SUMS
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Any

from licences import all_parts, npm_packages, report
from versions import version

ROOT = Path(__file__).resolve().parents[2]
_PLUGIN = ROOT / "daemon" / "cli" / "plugin_files"
_ASSETS = ("main.js", "manifest.json", "styles.css")


def main() -> None:
    """Build into `dist/`, in place of what was there."""
    epoch = source_date()
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        for folder in (first, second):
            build(Path(folder), epoch)
        sums = digests(Path(first))
        differing = sorted(name for name, digest in digests(Path(second)).items() if sums[name] != digest)
        if differing:
            sys.exit(f"Two builds of the same tree differ in: {', '.join(differing)}")
        dist = ROOT / "dist"
        shutil.rmtree(dist, ignore_errors=True)
        shutil.copytree(first, dist)
        dist.chmod(0o755)  # a temporary folder is its owner's alone
    (dist / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()), encoding="ascii")
    for name, digest in sums.items():
        print(f"{digest[:16]}  {(dist / name).stat().st_size / 1e6:7.2f} MB  {name}")
    print("Two builds, the same bytes.")


def build(target: Path, epoch: int) -> None:
    """Everything, once; file times are those of the last commit."""
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(epoch), "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(target)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    for name in _ASSETS:
        shutil.copyfile(_PLUGIN / name, target / name)
    zip_of_plugin(target / f"scrubjay-plugin-{version()}.zip", epoch)
    (target / f"scrubjay-{version()}.sbom.json").write_text(sbom(), encoding="utf-8")
    (target / "LICENCES.md").write_text(report(all_parts()), encoding="utf-8")


def zip_of_plugin(target: Path, epoch: int) -> None:
    """The plugin's files in a folder of its name, to be unpacked into `.obsidian/plugins`."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in _ASSETS:
            entry = zipfile.ZipInfo(f"scrubjay/{name}", time.gmtime(epoch)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, (_PLUGIN / name).read_bytes())


def sbom() -> str:
    """The packages that are installed with Scrubjay, as CycloneDX 1.6 tells them."""
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", "--output-reproducible", "--spec-version", "1.6"]
    lock = str(ROOT / "packaging" / "locks" / "runtime.lock")
    made = subprocess.run([*command, lock], capture_output=True, check=True, text=True, cwd=ROOT)
    tree: dict[str, Any] = json.loads(made.stdout)
    tree["metadata"]["component"] = {
        "type": "application",
        "bom-ref": "scrubjay",
        "name": "scrubjay",
        "version": version(),
        "licenses": [{"license": {"id": "MIT"}}],
    }
    tree["components"] += [
        {
            "type": "library",
            "bom-ref": f"npm-{library.name}",
            "name": library.name,
            "version": library.version,
            "purl": f"pkg:npm/{library.name}@{library.version}",
            "licenses": [{"expression": library.licence}],
        }
        for library in npm_packages(ROOT / "obsidian-plugin" / "package-lock.json", shipped=True)
    ]
    return json.dumps(tree, indent=2) + "\n"


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of each file, by name."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


def source_date() -> int:
    """When this tree was made: $SOURCE_DATE_EPOCH, else the time of the last commit."""
    if said := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(said)
    told = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, check=True, text=True)
    return int(told.stdout)


if __name__ == "__main__":
    main()
