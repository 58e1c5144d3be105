"""The stand-alone program as one file to download: a tar archive, on Windows a zip. A folder gives the same bytes."""

import gzip
import platform
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

_SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
_MACHINES = {"amd64": "x86_64", "x86_64": "x86_64", "arm64": "arm64", "aarch64": "arm64"}


def archive_name(version: str) -> str:
    """What it is called for this system and machine."""
    machine = platform.machine().lower()
    kind = "zip" if sys.platform == "win32" else "tar.gz"
    return f"scrubjay-{version}-{_SYSTEMS[sys.platform]}-{_MACHINES.get(machine, machine)}.{kind}"


def archived(folder: Path, target: Path, epoch: int) -> None:
    """Pack everything below `folder`; times are `epoch`, owners nobody's; links and the right to execute are kept."""
    if target.suffix == ".zip":
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
            for file in _files(folder):
                entry = zipfile.ZipInfo(file.relative_to(folder).as_posix(), time.gmtime(epoch)[:6])
                entry.compress_type = zipfile.ZIP_DEFLATED
                packed.writestr(entry, file.read_bytes())
        return

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = epoch
        entry.mode = 0o755 if entry.mode & 0o100 else 0o644
        return entry

    with (
        target.open("wb") as file,
        gzip.GzipFile("", "wb", 9, file, mtime=epoch) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as packed,
    ):
        for each in _files(folder):
            packed.add(each, each.relative_to(folder).as_posix(), recursive=False, filter=plain)


def _files(folder: Path) -> Iterator[Path]:
    return (file for file in sorted(folder.rglob("*")) if file.is_symlink() or file.is_file())
