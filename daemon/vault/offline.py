"""Files that a sync service shows but keeps elsewhere: reading one would download it."""

import os
import sys

_OFFLINE = 0x1000  # Windows' FILE_ATTRIBUTE_OFFLINE
_RECALL_ON_OPEN = 0x40000
_RECALL_ON_DATA_ACCESS = 0x400000
_NOT_HERE = _OFFLINE | _RECALL_ON_OPEN | _RECALL_ON_DATA_ACCESS

_COMPRESSED = 0x20  # macOS' UF_COMPRESSED: content in the metadata, so no blocks though all is there
_DATALESS = 0x40000000  # macOS' SF_DATALESS


def is_placeholder(stats: os.stat_result) -> bool:
    """Whether the file's bytes are not on this machine (OneDrive, iCloud Drive and their like)."""
    return not_here(
        attributes=getattr(stats, "st_file_attributes", 0),
        flags=getattr(stats, "st_flags", 0),
        size=stats.st_size,
        blocks=getattr(stats, "st_blocks", None),
        platform=sys.platform,
    )


def not_here(*, attributes: int, flags: int, size: int, blocks: int | None, platform: str) -> bool:
    """The same from plain values. Only on macOS does a lack of blocks say anything: small files have none elsewhere."""
    if attributes & _NOT_HERE or flags & _DATALESS:
        return True
    return platform == "darwin" and size > 0 and blocks == 0 and not flags & _COMPRESSED
