"""Passwords as people note them: behind a name, or beside who they belong to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from scrubjay.credential_filter.text.scanned_note import BLOT, Note, in_address
from scrubjay.credential_filter.text.secret_names import Name
from scrubjay.credential_filter.verdict.passwords import is_password, is_ticket
from scrubjay.credential_filter.verdict.shape import is_passphrase

# Passwords as people note them: behind a name or somewhere behind it on its line, on a line below, in a cell, a tag.
#
# What is found here is hidden only if it looks like a password by itself (`passwords.is_password`), so the forms in
# which people tie a value to its name need not be told apart: everything up to the value is skipped.

# A digit, a capital inside a word, three words in a row: without one of them there is no password that looks like one.
_PROMISING = re.compile(r"\d|[a-z][A-Z]|(?<=[\s\"'`])[^\W\d_]{3,12} [^\W\d_]{3,12} [^\W\d_]{3}")
_PROMISING_REACH = 240
_REACH = 96  # how far behind a name on its line a password may stand
_MOST_ITEMS = 10
_LINES_BELOW = 4
_LONGEST_HEADING = 64  # of the line that a value stands below
_LONGEST = 200

# What ends at the name: quotes, emphasis, tags. Then what ties a value to it. Then white space, tags, marks of lists.
_LINK = re.compile(
    r"""(?x)
    (?: ["'`”’»」』)\]}*_~>] | \^\w{1,3}\^ | \[\^\w{1,8}\] | ==(?!>) | \\(?=[:：=]) | &quot; ){0,6}+
    [ \t\u00a0\u202f\u2009\u3000]{0,12}+
    (?: (?: </?\w{1,12}(?:\s[^<>\n]{0,80})?> [ \t]{0,12} ){1,6}+ (?: [:：=] )?
      | (?: is|was|are|ist|war|lautet|heißt|es|est|son|é|è|to|jest|är|er|on|je|este|este|olup|adalah|là )\b (?:\s?:)?
      | [:=]=?>? | => | [﹕∶︰／] | :: | [-=~–—]{1,2}> | [→⇒⟶➜➡►▶»：＝｜|│] | [–—―\-](?=\s)
      | は | が | を | 是 | 为 | 為 | 은 | 는 | 이 | 가 | 을 | 를 | (?=[「『【“"'`(（\[«]) )
    [:=：]?
    """
)
_WRAP = re.compile(
    r"(?:[ \t\u00a0\u202f\u2009\u3000|│]|</?[a-zA-Z]{1,12}\d?(?:[ \t][^<>\n]{0,80})?/?>|(?:\*\*|__)(?=\s)){0,12}+"
)
_ITEM = re.compile(
    r"[^\s\u2009\u202f\u00a0\u3000-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]{1,200}+"
)
_TAGGED = re.compile(
    r"(?:<[a-z!][^<>]{0,80}>){0,4}+(?P<inner>[^\s]{4,200}?)(?:</[a-zA-Z]\w{0,20}>|<[bB][rR] ?/?>).{0,80}"
)
_WRAPPERS = (
    ("==", "=="), ("**", "**"), ("~~", "~~"), ("||", "||"), ("`", "`"), ('"', '"'), ("'", "'"), ("“", "”"), ("„", "“"), ("«", "»"),
    ("‹", "›"), ("‘", "’"), ("(", ")"), ("[", "]"), ("<", ">"), ("*", "*"), ("_", "_"), ("|", "|"), ("{", "}"), ("”", "”"),
)  # fmt: skip
_PAIRS = {pair[0][0]: tuple(other for other in _WRAPPERS if other[0][0] == pair[0][0]) for pair in _WRAPPERS}
_QUOTES = ("'", '"', "`")
_LETTER_OR_DIGIT = re.compile(r"\w")
_BEHIND = ",;|"
_ENDINGS = ")]}>.:!?»”\"'"  # of a sentence or a bracket, where they are no part of the password
_CODE = re.compile(r"""[\w"'][(){}<>=;\\|\[\]]""")  # behind which nothing but more code is to be expected
_TAG = re.compile(r"</?\w{1,12}>")
_SHORTEST_NEAR = 8
_WORD_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_"
_LONGEST_WORD = 48  # that is a name
_APART = re.compile(r"""["'`”’»」』)\]*_]{0,4}(?:[\s,\u3000]|[^\x00-\x7f])""")
_GOES_ON = ("/", "@", "-", "+", "%", "?", "&")
_NAMED = re.compile(r"""["'`*([{]{0,3}[\w\-#.]{1,24}(?:[:=﹕：]=?>?|->|→)(?!//)["']?(?=\S{6})""")
# A line that is nothing but a heading, label or key, and what may stand on the lines between it and its value.
_HEAD = re.compile(r"[\s>*+\-#|\[\]!xX\w.\"'`(:/&@<=]{0,40}")
_REST_WORDS, _LONGEST_REST = 5, 80
_REST = re.compile(r"(?:[\w()#.&'’/\-]{1,24}|[:：=\-–—>→\"'`*_\])}”»|+\[{<\\]{1,4}|<br ?/?>|</?\w{1,8}>)")
MARKERS = re.compile(
    r"(?:[ \t]|>|[-*+](?=[ \t])|\d{1,2}[.)](?=[ \t])|\[[ xX]?\](?=[ \t])|:(?=[ \t])|\|(?=[ \t])){0,24}+"
)
_KEYED = re.compile(r"[\w\-]{1,20}[ \t]?[:=][ \t]{1,8}(?=\S{8,200}\Z)")
_FENCE = re.compile(r"(?:`{3,}|~{3,})[^`~]{0,200}\Z|<[^<>]{1,80}>\s{0,4}\Z|\{\s{0,4}\Z")


class Noted(NamedTuple):
    """A span that may hold what a name announces.

    bits: the name's
    tied: whether nothing but marks stands between them, or a line's end
    """

    start: int
    stop: int
    bits: float
    tied: bool


def noted(note: Note, names: Sequence[Name], is_inside: Callable[[Name], bool]) -> Iterator[Noted]:
    """Spans behind the names, which are in order; none comes twice.

    is_inside: whether a name is a part of a longer string (`is_inside_word`)
    """
    text = note.text
    searched = 0  # what stands before has been judged: no part of a text is read again for each of its names
    promise = 0  # where a place is that makes it worth looking
    for name in names:
        if not name.noted:
            continue
        if promise < name.stop:
            promise = note.flat.find(b"0", name.stop, name.stop + _PROMISING_REACH)  # what is nearly always there
            if promise < 0:
                following = _PROMISING.search(text, name.stop)
                promise = following.start() if following else len(text) + _PROMISING_REACH
        if promise - name.stop > _PROMISING_REACH:
            continue
        if is_inside(name):
            continue
        line_stop = note.line_stop(name.stop)
        is_heading = True
        for found in _on_line(note, name, line_stop, searched):
            searched = max(searched, found.stop)
            is_heading = is_heading and not is_password(text[found.start : found.stop])
            yield found
        if is_heading and line_stop >= searched and _ends_line(text[name.stop : line_stop]):
            for start, stop in _below(note, name, line_stop):
                searched = max(searched, stop)
                yield Noted(start, stop, name.bits, tied=True)


def _on_line(note: Note, name: Name, line_stop: int, searched: int) -> Iterator[Noted]:
    """What stands behind the name on its line, from where nothing has been judged."""
    link = _LINK.match(note.text, name.stop)
    if link is None and _APART.match(note.text, name.stop) is None:
        return
    wrap = _WRAP.match(note.text, link.end() if link else name.stop)
    begin = wrap.end() if wrap else name.stop
    if link is not None:
        for start, stop in _phrase(note, begin, line_stop):
            yield Noted(start, stop, name.bits, tied=True)
    first = _ITEM.match(note.text, begin)
    tied_stop = first.end() if link and first else begin
    for start, stop in items(note, max(begin, searched), min(line_stop, begin + _REACH), near=link is None):
        if not _is_ticket_in_brackets(note.text, start, stop):
            yield Noted(start, stop, name.bits, tied=stop <= tied_stop)


def _is_ticket_in_brackets(text: str, start: int, stop: int) -> bool:
    """Whether a ticket's number is added here, where no mark says that it is the password: change password (JIRA-1234)."""
    return (
        text[start - 1] == "("
        and text[stop : stop + 1] == ")"
        and is_ticket(text[start:stop])
        and not text[max(0, start - 8) : start - 1].rstrip().endswith((":", "：", "="))
    )


def _ends_line(rest: str) -> bool:
    """Whether behind the name there are no more than a few words and marks on its line."""
    if len(rest) > _LONGEST_REST:
        return False
    pieces = rest.replace(":", " : ").replace("<", " <").split()
    return len(pieces) <= _REST_WORDS and all(map(_REST.match, pieces))


def _phrase(note: Note, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The rest of a line, without quotes or marks around it, if it is words as they are drawn from a list."""
    rest = note.text[start : min(stop, start + _LONGEST)]
    value = rest.strip(" \t\r\"'`*_|“”«»")
    if value.count(" ") > 1 and is_passphrase(value):
        begin = note.text.index(value, start)
        yield begin, begin + len(value)


def is_inside_word(note: Note, name: Name) -> bool:
    """Whether the name is a part of an address, of a longer string, or goes on behind its end."""
    text = note.text
    return text[name.stop : name.stop + 1] in _GOES_ON or _is_in_long_word(note, name) or in_address(text, name.start)


def _is_in_long_word(note: Note, name: Name) -> bool:
    text, size = note.text, name.stop - name.start
    if size >= _LONGEST_WORD:
        return size == _LONGEST_WORD
    if note.flat[name.stop : name.stop + 1] == b" " and (
        not name.start or note.flat[name.start - 1 : name.start] == b" "
    ):
        return False
    first, last = max(0, name.start - _LONGEST_WORD), name.stop + _LONGEST_WORD
    begin, end = note.flat.rfind(b" ", first, name.start), note.flat.find(b" ", name.stop, last)
    if begin >= 0 and end >= 0 and end - begin <= _LONGEST_WORD:
        return False
    before, behind = text[first : name.start], text[name.stop : last]
    size += len(before) - len(before.rstrip(_WORD_CHARS)) + len(behind) - len(behind.lstrip(_WORD_CHARS))
    return size >= _LONGEST_WORD


def items(
    note: Note, start: int, stop: int, *, most: int = _MOST_ITEMS, near: bool = False
) -> Iterator[tuple[int, int]]:
    """The strings between blanks from `start`, each to its end, without what is wrapped around it; up to code.

    near: whether nothing ties the first of them to a name
    """
    text = note.text
    limit = min(len(text), stop + _LONGEST)
    for number, item in enumerate(_ITEM.finditer(text, start, limit)):
        begin, end = item.span()
        word = item[0]
        if begin >= stop or number >= most or BLOT in word:
            return
        if word.isalnum():  # as most are: nothing is around it, and it is no code
            if not (near or number) or end - begin >= _SHORTEST_NEAR:
                yield begin, end
            continue
        span = bare(text, begin, end)
        if not (near or number) or span[1] - span[0] >= _SHORTEST_NEAR:
            yield span
            if (shorter := len(text[span[0] : span[1]].rstrip(_ENDINGS))) < span[1] - span[0]:
                yield span[0], span[0] + shorter
        if (named := _NAMED.match(text, begin, end)) is not None:  # `router=x`, perhaps the first of several
            yield bare(text, named.end(), end)
            word = text[named.end() : end].rstrip(";")
        if _CODE.search(_TAG.sub("", word).strip("()[]{}:：,.\\")) is not None:
            return


def bare(text: str, start: int, stop: int) -> tuple[int, int]:
    """The span without quotes, marks and tags around it, and without a comma behind it."""
    if text[start].isalnum() and text[stop - 1].isalnum() and text.find("<", start, stop) < 0:
        return start, stop
    for _ in range(4):
        size = stop - start
        while stop - start > 1 and text[stop - 1] in _BEHIND:
            stop -= 1
        if text[start] in "<>" or "</" in text[start:stop] or "<b" in text[start:stop]:
            tagged = _TAGGED.match(text, start, stop)
            if tagged is not None:
                start, stop = tagged.span("inner")
        if (
            text[start] in _QUOTES
            and (end := text.rfind(text[start], start + 1, stop)) > start
            and not _LETTER_OR_DIGIT.search(text, end, stop)
        ):
            stop = end + 1
        for opening, closing in _PAIRS.get(text[start], ()):
            if (
                stop - start > len(opening) + len(closing)
                and text.startswith(opening, start)
                and text.endswith(closing, start, stop)
            ):
                start, stop = start + len(opening), stop - len(closing)
                break
        if stop - start == size:
            break
    return start, stop


def _below(note: Note, name: Name, line_stop: int) -> Iterator[tuple[int, int]]:
    """What stands on the next lines, below a line that is no more than a heading with the name in it.

    One line, or the lines of a list, each alone or behind a few words, until several in a row hold no password.
    """
    text = note.text
    line_start = note.line_start(name.start)
    if name.start - line_start > _LONGEST_HEADING or text[line_start : name.start].count(" ") > 8:
        return
    start, others = line_stop + 1, 0
    while start < len(text) and others < _LINES_BELOW:
        stop = note.line_stop(start)
        markers = MARKERS.match(text, start, stop)
        begin = markers.end() if markers else start
        line = text[begin:stop].rstrip(" \t\r,;|")
        start, others = stop + 1, others + 1
        if not line.strip("-*_=") or _FENCE.match(line):
            continue
        if line.count(" ") >= _REST_WORDS and not line.startswith(("<", '"', "'", "`")):
            yield from _phrase(note, begin, stop)
            return
        for span in _in_row(note, begin, begin + len(line)):
            yield span
            others = 0 if is_password(text[span[0] : span[1]]) else others


def _in_row(note: Note, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """What may be a password in a line of a list: all of it, what stands behind a key, its last word, its words."""
    text = note.text
    if (keyed := _KEYED.match(text, start, stop)) is not None:
        yield bare(text, keyed.end(), stop)
    last = text.rfind(" ", start, stop) + 1
    if last and text[start] not in "<\"'`":
        yield from _phrase(note, start, stop)
        span = bare(text, last, stop)
        is_code = _CODE.search(text[start:last]) is not None or "\\" in text[last:stop]  # use Rules\Password;
        if not is_code and is_password(text[span[0] : span[1]]):
            yield span
        return
    span = bare(text, start, stop)
    if span[1] - span[0] >= _SHORTEST_NEAR:
        yield span
