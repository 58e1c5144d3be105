"""Tags as words, and what looks like a tag and is none."""

import re

from scrubjay.profiles.names import fold

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_COLOUR = re.compile(r"(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})")


def tag_words(text: str) -> str:
    """The words of a tag or a text, folded, with one space between them. Of a nested tag, those of its last part."""
    return " ".join(_WORD.findall(fold(_CAMEL.sub(" ", text.rpartition("/")[2] if " " not in text else text))))


def is_colour(tag: str) -> bool:
    """Whether a folded tag is a colour of a style sheet, such as #dcddde, and no word such as #cafe."""
    if not _COLOUR.fullmatch(tag):
        return False
    return len(tag) > 3 or any(map(str.isdigit, tag)) or len(set(tag)) == 1
