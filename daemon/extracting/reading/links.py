"""Links in Markdown that stands in other files: `[[Note]]`, `![[paper.pdf#page=3]]`, `[text](file.md)`."""

import re
from urllib.parse import unquote

from scrubjay.daemon.markdown.links import ADDRESS, SCHEME

_WIKI = re.compile(r"\[\[([^\[\]|\n]{1,500})(?:\|[^\[\]\n]{0,500})?\]\]")
_INLINE = re.compile(rf"\]\(<?({ADDRESS})>?")
_ELSEWHERE = re.compile(rf"{SCHEME}|#")


def markdown_links(text: str) -> list[str]:
    """The files and notes that a text links to, as written, without addresses of the web."""
    wiki = [target.strip() for target in _WIKI.findall(text)]
    return wiki + [target for target in map(file_link, _INLINE.findall(text)) if target]


def file_link(target: str) -> str:
    """A link's target as a path, its percent signs decoded; "" where it leads to the web or nowhere else."""
    return "" if not target or _ELSEWHERE.match(target) else unquote(target)
