"""Refuses a built site that would fetch anything from elsewhere: `python check_offline.py site`."""

import re
import sys
from pathlib import Path

_FETCHES = re.compile(r"""<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//[^"'>\s]+""")
_HARMLESS = re.compile(r"rel=[\"']?canonical")


def fetches(page: str) -> list[str]:
    """The tags of a page that make a browser fetch something from another machine."""
    return [tag for tag in _FETCHES.findall(page) if not _HARMLESS.search(tag)]


if __name__ == "__main__":
    found = {str(file): fetches(file.read_text("utf-8")) for file in Path(sys.argv[1]).rglob("*.html")}
    sys.exit("\n".join(f"{file}: {', '.join(tags)}" for file, tags in found.items() if tags) or 0)
