"""Which folders lie on file systems that report no changes made elsewhere, and so must be looked at."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import psutil

# Network shares and shared folders of virtual machines: the kernel sees only what this machine itself does there.
_SILENT = frozenset(
    {"9p", "afpfs", "cifs", "davfs", "drvfs", "ncpfs", "nfs", "nfs4", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs"}
)
_SILENT_FUSE = frozenset({"davfs2", "fuse-nfs", "google-drive-ocamlfuse", "rclone", "s3fs", "smbnetfs", "sshfs"})


@dataclass(frozen=True, slots=True)
class Mount:
    """A file system and the folder where it is mounted."""

    folder: str
    kind: str  # as the system names it: "ext4", "nfs4", "fuse.sshfs"


def mounts() -> tuple[Mount, ...]:
    """What is mounted now; nothing where the system does not say."""
    try:
        return tuple(Mount(found.mountpoint, found.fstype) for found in psutil.disk_partitions(all=True))
    except (OSError, psutil.Error):
        return ()


def is_silent(folder: Path, mounted: Iterable[Mount]) -> bool:
    """Whether changes below `folder` may come without an event. A Windows path to a share (`//host/share`) is."""
    place = os.path.normcase(folder)
    if place.startswith(("\\\\", "//")):
        return True
    above = [mount for mount in mounted if _is_above(os.path.normcase(mount.folder), place)]
    kind = max(above, key=lambda mount: len(mount.folder)).kind.lower() if above else ""
    return kind in _SILENT or kind.removeprefix("fuse.") in _SILENT_FUSE


def _is_above(folder: str, place: str) -> bool:
    return place == folder or place.startswith(folder.rstrip("/\\") + os.sep)
