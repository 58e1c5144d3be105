"""Text of files as it is kept: with line ends of one kind, and without what no text has."""

import re

from scrubjay.daemon.documents.extracted import LONGEST_NAME

_UNWANTED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]+")
# What a terminal obeys, and what has text run the other way.
_IN_NO_NAME = re.compile(r"[\x80-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]+")
_LINE_ENDS = re.compile(r"\r\n?|\u2028|\u2029")


def clean(text: str) -> str:
    """`text` with "\\n" as line ends, and without control characters and lone surrogates."""
    return _UNWANTED.sub("", _LINE_ENDS.sub("\n", text))


def clean_name(name: str) -> str:
    """A name on one line, cut to a length that a list can show, without what changes how the line is drawn."""
    return " ".join(_IN_NO_NAME.sub("", clean(name)).split())[:LONGEST_NAME].strip()
