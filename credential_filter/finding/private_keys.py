"""Private keys in PEM and PGP armour, whole or cut off, on lines of their own, quoted, indented or in one string."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scrubjay.credential_filter.deciding.shape import is_mask

_BEGIN = re.compile(r"-{4,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = re.compile(r"-{4,5} ?END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_LONGEST = 1 << 17
_KEY = re.compile(r"[A-Za-z0-9+/=]{12}")
# A line of a key that has no end, with what may stand around it: quotes, comments, indents, escaped line ends.
_LINE = re.compile(r"(?:[\s>*#/|\"'+,;]|\\[nrt])*+(?:[A-Za-z0-9+/=]{8,}+|[A-Za-z\-]{3,24}: [^\n]{0,200})")


def private_keys(text: str, places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Spans of the keys between the armour lines, which stay, given where "PRIVATE KEY" stands, in order.

    A key without its end goes on as long as it looks like one.
    """
    done = 0
    for place in places:
        begin = _BEGIN.search(text, max(done, place - 64), place + 32)
        if place < done or begin is None:
            continue
        done = _stop(text, begin.end())
        if (key := _KEY.search(text, begin.end(), done)) is not None and not is_mask(text[key.start() : done]):
            yield begin.end(), done


def _stop(text: str, start: int) -> int:
    """Where the key ends that starts here: at its last armour line, or before the next key."""
    following = _BEGIN.search(text, start, start + _LONGEST)
    limit = following.start() if following else min(len(text), start + _LONGEST)
    end = text.find("END ", start, limit)
    while end >= 0:
        if (armour := _END.search(text, max(start, end - 8), end + 80)) is not None:
            return armour.start()
        end = text.find("END ", end + 1, limit)
    stop = start
    while (line := _LINE.match(text, stop, limit if following else len(text))) is not None:
        stop = line.end()
    return stop
