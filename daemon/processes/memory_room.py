"""How much memory there is to work in: what a control group allows, or what the machine has free."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

_OWN_GROUPS = Path("/proc/self/cgroup")
_GROUPS = Path("/sys/fs/cgroup")


def memory_room() -> int:
    """Bytes that this process and those that it starts may have: the least limit of their control groups (Linux), or
    what is free on the machine where that is less.
    """
    limits = group_limits(_OWN_GROUPS.read_text("ascii"), _GROUPS) if sys.platform == "linux" else ()
    return min(psutil.virtual_memory().available, *limits)


def group_limits(own: str, groups: Path) -> Iterator[int]:
    """The memory limits of the control groups that a process is in, and of those around them, in bytes.

    own: its `/proc/self/cgroup`. groups: where they are mounted; of version 1, memory has a folder of its own.
    https://docs.kernel.org/admin-guide/cgroup-v2.html, https://docs.kernel.org/admin-guide/cgroup-v1/memory.html
    """
    for line in own.splitlines():
        _, controllers, group = line.split(":", 2)
        if controllers in ("", "memory"):
            top, name = (groups / controllers, "memory.limit_in_bytes") if controllers else (groups, "memory.max")
            inner = top / group.lstrip("/")
            for folder in (inner, *inner.parents):
                if not folder.is_relative_to(top):
                    break
                with suppress(OSError, ValueError):  # not mounted here, or "max"
                    yield int((folder / name).read_text("ascii"))
