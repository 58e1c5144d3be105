"""What a quotation that is not in a note was made of: the nearest words that are, and negations that it leaves out.

Pure and deterministic.
"""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from scrubjay.daemon.quotes.verify import ComparedText

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+(?:['.,:/-][^\W_]+)*")
"""A word or number; each character of a script without spaces is one."""
_NEGATION = (
    r"not|no|never|none|nothing|neither|nor|without|cannot|\w+n't|hardly|nicht|kein\w{0,2}|nie|niemals|ohne|ne|pas|jamais"
    r"|sans|aucune?|nunca|jamás|ningun[oa]?|sin|non|mai|senza|não|nunca|sem|niet|geen|nooit|не|нет|ни|никогда|без"
)
_LAST_NEGATION = re.compile(rf"(?:(?<!\w)(?:{_NEGATION})[^\w.!?…\n]{{1,3}}|[不没無无未非勿])\Z")
_ONLY_NEGATION = re.compile(rf"\W*(?:(?:\w+\W+){{0,2}}(?:{_NEGATION})(?:\W+\w+){{0,2}}|[^\w\s]*[不没無无未非勿])\W*")
_LIKE_ENOUGH = 0.6
_BACK = 20  # code points before a quotation that are looked at


@dataclass(frozen=True, slots=True)
class Nearest:
    """The words of a text that are most like a quotation. Code points of the text, end exclusive."""

    start: int
    end: int


def nearest(quote: str, text: str) -> Nearest | None:
    """Where a text says nearly what a quotation says; None where no stretch of it has three fifths of the words."""
    wanted = _words(ComparedText.of(quote).text)
    compared = ComparedText.of(text)
    spans = [match.span() for match in _places(compared.text)]
    words = [compared.text[start:end] for start, end in spans]
    width = len(wanted)
    if not width or not words:
        return None
    missing = Counter(wanted)
    held = place = 0
    best = (0, 0)  # words of the quotation in the window, and those of them in their places
    for at, word in enumerate(words):
        held += missing[word] > 0
        missing[word] -= 1
        if at >= width:
            gone = words[at - width]
            missing[gone] += 1
            held -= missing[gone] > 0
        if held >= max(best[0], 1) and at >= width - 1:
            aligned = sum(map(str.__eq__, words[at - width + 1 : at + 1], wanted))
            if (held, aligned) > best:
                best, place = (held, aligned), at
    if best[0] < _LIKE_ENOUGH * width:
        return None
    first, last = spans[max(place - width + 1, 0)][0], spans[place][1]
    return Nearest(compared.origins[first], compared.origins[last - 1] + 1)


def drops_negation(text: str, spans: tuple[tuple[int, int], ...]) -> bool:
    """Whether a quotation that stands at these places of a text begins behind a negation, or leaves out just one."""
    first = spans[0][0]
    before = text[max(first - _BACK, 0) : first].lower().replace("’", "'")
    if _LAST_NEGATION.search(before):
        return True
    gaps = (text[one[1] : other[0]].lower().replace("’", "'") for one, other in pairwise(spans))
    return any(_ONLY_NEGATION.fullmatch(gap) for gap in gaps)


def _words(compared: str) -> list[str]:
    return [match[0] for match in _places(compared)]


def _places(compared: str) -> list[re.Match[str]]:
    return list(_WORD.finditer(compared))
