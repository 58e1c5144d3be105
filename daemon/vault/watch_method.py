"""How changes below a folder are found out: not all file systems report those that are made elsewhere."""

import ctypes
import errno
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import psutil

# Network shares and shared folders of virtual machines: the kernel sees only what this machine itself does there.
_SILENT = frozenset(
    {"9p", "afpfs", "cifs", "davfs", "drvfs", "ncpfs", "nfs", "nfs4", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs"}
)
_SILENT_FUSE = frozenset({"davfs2", "fuse-nfs", "google-drive-ocamlfuse", "rclone", "s3fs", "smbnetfs", "sshfs"})
# Of this machine alone. What is behind any other FUSE file system can't be known.
_LOCAL_FUSE = frozenset(
    {"bindfs", "cryfs", "encfs", "exfat", "gocryptfs", "mergerfs", "ntfs-3g", "securefs", "veracrypt"}
)
WatchMethod: TypeAlias = Literal["events", "looks", "both"]


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


def watch_method(folder: Path, mounted: Iterable[Mount]) -> WatchMethod:
    """How changes below `folder` are found out: by events, by looking every now and then, or by both.

    A Windows path to a share (`//host/share`) must be looked at.
    """
    place = os.path.normcase(folder)
    if place.startswith(("\\\\", "//")):
        return "looks"
    above = [mount for mount in mounted if _is_above(os.path.normcase(mount.folder), place)]
    kind = max(above, key=lambda mount: len(mount.folder)).kind.lower() if above else ""
    fuse = kind.removeprefix("fuse.")
    if kind in _SILENT or fuse in _SILENT_FUSE:
        return "looks"
    return "both" if fuse != kind and fuse not in _LOCAL_FUSE else "events"


def _is_above(folder: str, place: str) -> bool:
    return place == folder or place.startswith(folder.rstrip("/\\") + os.sep)


# Whether the system has watches left. What watches folders for us passes over those that it gets none for.

_IN_DELETE_SELF = 0x400  # of sys/inotify.h; any event would do


def watch_limit_is_reached(folder: Path) -> bool:
    """Whether the user's limit of watched folders is reached, found out by asking to watch one more. Linux alone."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    handle = int(libc.inotify_init1(os.O_CLOEXEC))
    if handle < 0:
        return False  # another limit, which ours are not lost to
    try:
        watch = int(libc.inotify_add_watch(handle, os.fsencode(folder), _IN_DELETE_SELF))
        return watch < 0 and ctypes.get_errno() == errno.ENOSPC
    finally:
        os.close(handle)
