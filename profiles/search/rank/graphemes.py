"""What a reader takes for one character, of however many code points it is made (Unicode's UAX 29, in outline)."""

import re
import unicodedata

_JOINS = "\u200d\u1039\u17d2"
"""Joiner of emoji; what puts the next letter of Burmese and Khmer below this one."""
_GOES_ON = re.compile("[\u0e33\u0eb3\u1160-\u11ff\uff9e\uff9f\U0001f3fb-\U0001f3ff\u200d]")
"""Belongs to the character before it: vowels of Thai, Lao and Hangul, its finals, narrow voicing marks, skin tones."""
_FLAGS = re.compile("[\U0001f1e6-\U0001f1ff]+")  # two characters each


def goes_on(text: str, at: int) -> bool:
    """Whether what a reader takes for one character goes on across `at`."""
    if not 0 < at < len(text):
        return False
    if _FLAGS.match(text, at):
        before = at
        while before and _FLAGS.match(text, before - 1):
            before -= 1
        return (at - before) % 2 == 1
    return text[at - 1] in _JOINS or unicodedata.category(text[at])[0] == "M" or _GOES_ON.match(text, at) is not None
