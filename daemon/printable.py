"""Text from notes and file names, made fit to be shown in a terminal, a log or a line for an agent.

A terminal obeys control characters: they can fill the clipboard (OSC 52), clear the screen or write a title. Overrides
of the writing direction (UAX #9) make a line read as another than it is, and tag characters are read by models alone.
"""

import re

_SHOWN_AS = "\N{REPLACEMENT CHARACTER}"
_CONTROLS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and line feed, DEL, C1
    "\u2028\u2029"  # separators of lines and paragraphs
    "\u202a-\u202e\u2066-\u2069"  # embeddings, overrides and isolates
    "\U000e0000-\U000e007f"  # tags
    "\ud800-\udfff"  # half characters, which file names may hold and no terminal can print
)
_UNPRINTABLE = re.compile(f"[{_CONTROLS}]")
_BEYOND_ASCII = re.compile(f"[{_CONTROLS}\x80-\U0010ffff]")
_LINE_ENDS = re.compile(r"\r\n?")


def printable(text: str) -> str:
    """The text with a mark in place of each control character but tabs and line feeds; as long as it was, CRs aside."""
    return _UNPRINTABLE.sub(_SHOWN_AS, _LINE_ENDS.sub("\n", text))


def is_printable(text: str) -> bool:
    """Whether `printable` would show the text as it is, line ends aside."""
    return not _UNPRINTABLE.search(_LINE_ENDS.sub("\n", text))


def one_line(text: str) -> str:
    """The same on one line, with runs of white space as one blank."""
    return " ".join(printable(text).split())


def escaped_json(document: str, *, in_ascii: bool = False) -> str:
    """A JSON document with the same characters as escapes of JSON, so that what it says stays the same.

    in_ascii: with all beyond ASCII as escapes, too.
    """
    return (_BEYOND_ASCII if in_ascii else _UNPRINTABLE).sub(lambda found: _as_escape(found[0]), document)


def _as_escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
