"""What stands in one list with a secret that was found: `Tokens: ci=…, deploy=…`."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from scrubjay.credential_filter.finders.noted_passwords import bare
from scrubjay.credential_filter.text.scanned_note import Note, in_address
from scrubjay.credential_filter.text.secret_names import Name
from scrubjay.credential_filter.verdict.passwords import is_mixed, is_password
from scrubjay.credential_filter.verdict.shape import contains_example_word
from scrubjay.credential_filter.verdict.verdict import NAMED, PASSWORD, Hit

_MOST = 24  # values in one list
_REACH = 400  # code points from the word that announces them to the first
_LABEL = (
    r"""["'`*_(\[{<]{0,3}+[^\W\d_][\w.\-]{0,24}+(?:[ ][\w.\-]{1,24}+)?["'`*_)\]}>]{0,3}+"""
    r"""(?:[ \t]?(?:[:=]=?>?|->|→)[ \t]{0,2}+|[ \t]{1,2}+)"""
)
_AND = r"(?:and|und|et|y|e|och|en|og|и|i)[ \t]{1,2}+"
_NEXT = re.compile(
    r"""["'`*_)\]}>]{0,4}+(?:[ \t]{0,3}+[,;|/&+](?:[ \t]{0,3}+\r?\n)?[ \t]{0,8}+|[ \t]{1,3}+(?=[^\W\d_]{1,3}+[ \t]|[<(\[{]))"""
    rf"""(?:{_AND})?(?P<label>{_LABEL})?(?P<value>[^\s,;]{{8,120}}+)"""
)
_IS_LABELLED = re.compile(_LABEL)
_ENDS = ",;"  # which a span may hold at its end
_BETWEEN = re.compile(r"""[\s:=(\[{"'`*_|>→\-]{0,12}""")


def listed(note: Note, names: Sequence[Name], hits: Sequence[Hit]) -> Iterator[Hit]:
    """What goes on a list of secrets. names: in order, that announce some; hits: what is known to be one.

    A value with a label counts where the first has one, too: what follows in `password: x, user: y` is another thing.
    """
    text = note.text
    # Of a router's password `router` is the label, though it announces one by itself.
    weighed, others = [name.stop for name in names if not name.kind], [name.stop for name in names if name.kind]
    known = {hit.start for hit in hits}
    for hit in hits:
        announced = _behind(text, weighed, hit.start) or _behind(text, others, hit.start)
        if announced is None:
            continue
        is_labelled = _IS_LABELLED.match(text, announced, hit.stop) is not None
        stop = hit.stop
        for _ in range(_MOST):
            following = _NEXT.match(text, stop - 1 if text[stop - 1] in _ENDS else stop)
            if following is None or (following["label"] is not None and not is_labelled):
                break
            start, stop = bare(text, *following.span("value"))
            value = text[start:stop]
            if hit.rule == PASSWORD:
                looks_so = is_password(value) or is_mixed(value)
            else:
                looks_so = is_password(value) and not contains_example_word(value)
            if start in known or not looks_so or in_address(text, start):
                break
            yield Hit(start, stop, hit.rule, NAMED)


def _behind(text: str, stops: Sequence[int], start: int) -> int | None:
    """Where what a name announces begins, if the last name before `start` stands on that line; None otherwise."""
    place = bisect_right(stops, start) - 1
    if place < 0 or start - stops[place] > _REACH or "\n" in text[stops[place] : start].strip():
        return None
    between = _BETWEEN.match(text, stops[place])
    return between.end() if between else start
