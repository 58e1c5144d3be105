"""Texts of notes inside Markdown that Scrubjay writes itself: none can pass for what stands around it."""

import re
from typing import Final

from scrubjay.daemon.printable import printable

_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])")
# Only marks of quotations and lists stand before a fence. One that follows other ticks or tildes is none, and stays:
# cut there, the line would be a fence of the first.
_FENCE: Final = re.compile(r"^([^`~\n]*+)(?:(`{3,}+)[^`\n]++|(~{3,}+)[^\n]++)$", re.MULTILINE)


def quoted(text: str) -> str:
    """The text as a block quotation, each of its lines marked, without what would steer a terminal."""
    return "\n".join(f"> {printable(line)}".rstrip() for line in text.splitlines())


def inert(markdown: str) -> str:
    """Markdown that loads and runs nothing when it is drawn: no picture, embedding, HTML, or code block that is drawn.

    Characters become references to them (https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references),
    which no backslash before them undoes. What it is given must be printable already.
    """
    return _FENCE.sub(r"\1\2\3", _TAG.sub("&lt;", markdown.replace("![", "!&#91;")))
