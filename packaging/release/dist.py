"""What `make dist` runs: the parts of a release that are the same for every system, in `dist/`.

scrubjay-VERSION.tar.gz, ….whl      for pip, pipx and uv
scrubjay-VERSION.lock               all that is installed with it, each with its digests
scrubjay-VERSION.mcpb               for programs that install MCP servers by one click
scrubjay-plugin-VERSION.zip         the plugin as one file; its three files beside it, as Obsidian wants them
scrubjay-VERSION.sbom.json          what it is made with (CycloneDX)
LICENCES.md
"""

import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from bill import of_release
from licences import all_parts, report
from versions import source_date, version

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "packaging"), str(ROOT / "packaging" / "channels")]
from index_page import repository  # noqa: E402
from write import Release, write_mcp_bundle  # noqa: E402

_PLUGIN = ROOT / "daemon" / "cli" / "plugin_files"
_ASSETS = ("main.js", "manifest.json", "styles.css")


def main() -> None:
    """Build into `dist/`, in place of the files that were there; a stand-alone program in it stays."""
    dist = ROOT / "dist"
    dist.mkdir(exist_ok=True)
    for file in dist.iterdir():
        if file.is_file():
            file.unlink()
    shutil.rmtree(dist / "channels", ignore_errors=True)
    build(dist, source_date())
    for file in sorted(dist.iterdir()):
        if file.is_file():
            print(f"{file.stat().st_size / 1e6:7.2f} MB  {file.name}")


def build(target: Path, epoch: int) -> None:
    """Everything, once; `epoch` is the time that the files in the archives carry."""
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(epoch), "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(target)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    for name in _ASSETS:
        shutil.copyfile(_PLUGIN / name, target / name)
    number = version()
    zip_of_plugin(target / f"scrubjay-plugin-{number}.zip", epoch)
    shutil.copyfile(ROOT / "packaging" / "locks" / "runtime.lock", target / f"scrubjay-{number}.lock")
    write_mcp_bundle(target / f"scrubjay-{number}.mcpb", Release(number, repository(ROOT), {}, epoch))
    (target / f"scrubjay-{number}.sbom.json").write_text(of_release(), encoding="utf-8")
    (target / "LICENCES.md").write_text(report(all_parts()), encoding="utf-8")


def zip_of_plugin(target: Path, epoch: int) -> None:
    """The plugin's files in a folder of its name, to be unpacked into `.obsidian/plugins`."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in _ASSETS:
            entry = zipfile.ZipInfo(f"scrubjay/{name}", time.gmtime(epoch)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, (_PLUGIN / name).read_bytes())


if __name__ == "__main__":
    main()
