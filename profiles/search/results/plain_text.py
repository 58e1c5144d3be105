"""Markdown without its marks: plain text with offsets, and its sentences."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import inf
from typing import NamedTuple

WIKI = r"\[\[(?:[^\[\]\n|]*\|)?([^\[\]\n]*)\]\]"
"""[[target]] or [[target|text]]. Its group is what is read of it."""
ADDRESS = r"[^\s()<>]*+(?:\([^\s()<>]*+\)[^\s()<>]*+)*+"
"""Of [text](address), with parentheses one deep."""
SCHEME = r"(?:[A-Za-z][A-Za-z0-9+.-]*:|//)"
"""The beginning of an address that leads out of the vault."""
UNSEEN = (
    r"!?\[\[(?:[^\[\]|\n]{1,300}\|)?|\]\]"  # [[target|text]]
    r"|!?\[(?=[^\[\]\n]{0,300}\]\()"  # [text](address 'title')
    r"|\]\((?:[^()\s]|\([^()\s]{0,99}\)){0,600}(?:[ \t]+[\"'][^\"'\n]{0,300}[\"'])?\)"
)
"""What a reader does not see of a link, of which the stretch may hold a part only. Without groups."""
LINK = re.compile(
    r"!?\[\[[^\[\]\n]{1,600}\]\]"
    r"|!?(?:\[[^\[\]\n]{0,300})?\]\((?:[^()\s]|\([^()\s]{0,99}\)){0,600}(?:[ \t]+[\"'][^\"'\n]{0,300}[\"'])?\)?"
)
"""A whole link, of whichever form; of one whose beginning is missing, what is left."""
_ALONE = re.compile(r"\s*\[\[([^\[\]]+)\]\]\s*")


def target_alone(text: str) -> str | None:
    """The target of the wiki link that `text` is; None where it is anything else."""
    match = _ALONE.fullmatch(text)
    return match[1].partition("|")[0] if match else None


_REMEMBERED = 200
"""Passages whose sentences and plain text are remembered: each keystroke shows mostly those of the one before."""
# Where sentences begin and end in a stretch of Markdown.
#
# To show a text, every stop that a space follows will do, since too short a sentence costs nothing. To quote from it,
# a lower-case letter after the stop says that the sentence goes on ("approx. ten"). `blocks` cuts by rules of its own:
# a passage keeps every character, also those between its sentences.

LONGEST = 300
"""Code points of one quoted sentence; a longer one is cut at a space."""


def _end(closing: str, following: str, stopped: str = "") -> re.Pattern[str]:
    """A stop or a line's end, and what stands before the next sentence. stopped: what else holds behind the stop."""
    # The set at the front lets the regex engine hop from one such character to the next.
    return re.compile(rf"[.!?…。！？\n](?:(?<=[.!?…]){stopped}[{closing}]*\s+{following}|(?<=[。！？])|(?<=\n)\n*)")


_SHOWN = _end(r"\"')\]", "")
_GOES_ON = "".join(
    rf"(?<!{before}\.)"
    for before in (
        *(
            rf"\b{word}"
            for word in ("Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Nr", "vs", "bzw", "ca", "Abs", "Sr", "Sra")
        ),
        r"\b[^\W\d_]",
        *(rf"\b{word} \d{{{count}}}" for word in ("am", "vom", "zum", "bis", "den", "dem", "der") for count in (1, 2)),
    )
)
"""After an abbreviation, a single letter, or a German day of the month, a stop ends nothing."""
_QUOTED = _end(r"\"'”’)\]", r"(?=[^\sa-z])", _GOES_ON)
_LINE_MARK = re.compile(r"(?:[#>|]+|[-*+]|\d+[.)])\s+")
_LINE_MARK_STARTS = frozenset("#>|*+-0123456789")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and where it begins: code points of the text."""

    start: int
    text: str


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences and lines of a passage, for quoting; none is longer than LONGEST."""
    return tuple(piece for start, end in _bounds(text, _QUOTED) for piece in _pieces(text, start, end))


@lru_cache(maxsize=_REMEMBERED)
def sentence_bounds(text: str) -> tuple[tuple[int, int], ...]:
    """Where the sentences and lines of a passage begin and end, for showing it."""
    return tuple(_bounds(text, _SHOWN))


def _bounds(text: str, boundary: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Without the white space between them, and without the mark of a list, a quotation or a heading before them."""
    start = 0
    ends = [(at if text[at] == "\n" else at + 1, stop) for at, stop in map(re.Match[str].span, boundary.finditer(text))]
    for end, following in [*ends, (len(text), len(text))]:
        start = _past_spaces(text, start, end)
        if start < end and text[start] in _LINE_MARK_STARTS and (mark := _LINE_MARK.match(text, start, end)):
            start = mark.end()
        if end > start:
            yield start, end
        start = following


def _pieces(text: str, start: int, end: int) -> Iterator[Sentence]:
    """A sentence, cut where it is too long."""
    while start < end:
        stop = end
        if end - start > LONGEST:
            space = text.rfind(" ", start, start + LONGEST)
            stop = space if space > start else start + LONGEST
        if piece := text[start:stop].rstrip():
            yield Sentence(start, piece)
        start = _past_spaces(text, stop, end)


def _past_spaces(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


# Markdown as it reads: the marks taken out of a stretch of text, and where everything else comes to stand.
#
# Not a parser. A stretch may begin and end anywhere, so a mark goes wherever it looks like one; code stays as written.
# No pattern has two unbounded parts that can match the same text, so time is linear in the stretch.

BREAK = "·"
"""Stands where a heading, an item of a list or a cell of a table begins."""
_OPEN, _DONE = "☐", "☑"
_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)[^\n]*$", re.MULTILINE)
FENCES = re.compile(r"^[ \t]{0,3}(?:```|~~~)", re.MULTILINE)
# One set at the front, so that the regex engine hops from one space to the next.
_SPACES = re.compile(r"\s(?:(?<! )\s*|\s+)")
_ANY = re.compile(r"[`*_~=\[\]!<\\%^|]")  # without one of these a line has no marks inside
_LINE_STARTS = frozenset(" \t>#*-+_=|:0123456789")  # without one of these a line is no rule, quotation or item
_GONE_STARTS = re.compile(r"[`*\[\]!<\\%]")
_BEFORE = " \t#>|*+-.)0123456789"  # what may stand between the beginning of a line and its first word
_RULE = re.compile(r"[ \t]{0,3}(?:(?:[-*_=][ \t]*){3,}|\|?[ \t]*:?-{2,}[-:| \t]*)$", re.MULTILINE)
_QUOTE = re.compile(r"(?:[ \t]{0,9}>)+[ \t]?(?:\[![\w-]{1,30}\][-+]?[ \t]?)?")
_ITEM = re.compile(
    r"[ \t]{0,20}(?P<mark>#{1,6}|[-*+]|\d{1,9}[.)])(?:[ \t]+(?P<box>\[[ xX]\]))?(?=[ \t]|$)", re.MULTILINE
)
_CODE = re.compile(r"(?P<open>`{1,4})(?!`)(?P<code>[^`\n]{1,300})(?P<close>(?P=open))(?!`)")
_TAGS = (
    "a|abbr|b|big|br|center|code|del|details|div|em|figcaption|figure|font|h[1-6]|hr|i|iframe|img|ins|kbd|li|mark|ol|p"
    "|pre|s|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|video"
)
_GONE = re.compile(
    rf"""
      %%[^%\n]{{0,300}}%% | <!--[^>\n]{{0,300}}--> | </?(?:{_TAGS})(?=[\s/>])[^<>\n]{{0,300}}>   # comments and tags
    | \[\^[^\]\s]{{1,60}}\]:?                                                                   # footnotes
    | {UNSEEN}
    | \\(?=[!-/:-@\[-`{{-~]) | \*{{2,3}}(?=[^\s*]) | (?<=[^\s*])\*{{2,3}} | `
    """,
    re.VERBOSE,
)
"""Begins with one of `_GONE_STARTS`."""
_BLOCK_ID = re.compile(r"[ \t]\^[A-Za-z0-9-]{1,40}[ \t]*$", re.MULTILINE)
_PAIR_SIGNS = re.compile(r"[*_~=]")
_BAR = re.compile(r"\|")


def _pair(mark: str) -> str:
    """Two such marks around words, none of them inside a word."""
    one, sign = re.escape(mark), re.escape(mark[0])
    # The mark stands before what must not precede it, so that the regex engine hops from one mark to the next.
    return rf"{one}(?<![\w\\{sign}]{one})(?=[^\s{sign}])[^{sign}\n]{{1,300}}(?<=[^\s\\{sign}]){one}(?![\w{sign}])"


_PAIRS = tuple((mark, re.compile(_pair(mark))) for mark in ("*", "_", "__", "~~", "=="))


class Replacement(NamedTuple):
    """`text[start:end]` reads as `shown`."""

    start: int
    end: int
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Plain:
    """One line of text, made of a stretch of another that begins at `source`."""

    text: str
    source: int
    edits: tuple[Replacement, ...]  # in order, not overlapping
    places: tuple[tuple[int, int], ...]  # where each edit begins and ends in `text`

    def place(self, at: int) -> int:
        """Where the code point at `at` of the source stands; what is not shown stands where it would be."""
        index = bisect_right(self.edits, (at + 1,)) - 1
        if index < 0:
            return at - self.source
        edit, (start, end) = self.edits[index], self.places[index]
        return start if at < edit.end else end + at - edit.end


def read_of(text: str, start: int, end: int) -> Plain:
    """`text[start:end]` in one line, never longer: marks taken out, white space as single spaces, parts set apart."""
    return _read(text, start, end, inf)[0]


def read_end(text: str, start: int, end: int, most: int) -> int:
    """The last place up to which `text[start:end]` reads no longer than `most` code points."""
    read, looked = _read(text, start, end, most)
    return bisect_right(range(start, looked + 1), most, key=read.place) + start - 1


def _read(text: str, start: int, end: int, most: float) -> tuple[Plain, int]:
    """As `read_of`, of what comes before something that stands behind `most` code points; and where that ends."""
    edits: list[Replacement] = []
    places: list[tuple[int, int]] = []
    line, at = "", start
    for edit in chain(_edits(text, start, end), (Replacement(end, end),)):
        if text[at : min(at + 1, edit.start)] == " " and line[-1:] in ("", " "):
            edits.append(Replacement(at, at + 1))  # what stood between this space and the one before is gone
            places.append((len(line), len(line)))
            at += 1
        line += text[at : edit.start]
        shown = "" if _is_idle(edit.shown, line) else edit.shown
        edits.append(edit)
        places.append((len(line), len(line) + len(shown)))
        line += shown
        at = edit.end
        if len(line) > most:
            break
    return Plain(line.rstrip(f" {BREAK}"), start, tuple(edits), tuple(places)), at


_OTHER_SPACES = "".join(filter(str.isspace, map(chr, range(ord(" ") + 1, 0x3001)))) + "\t-\r\x1c-\x1f"
_EDITED = re.compile(f"[{_ANY.pattern[1:-1]}{_OTHER_SPACES}]")


def reads_as_written(text: str, start: int, end: int) -> bool:
    """Whether it is certain that `read_of` gives this stretch, and what leads to it in a longer one, as it stands."""
    if text[start : start + 1] in _LINE_STARTS or text.find("  ", start, end) >= 0:
        return False
    return _EDITED.search(text, start, end) is None


plain = lru_cache(maxsize=_REMEMBERED)(read_of)
"""The same, remembered: for what is shown, not for what is only looked through."""


def as_read(text: str, start: int = 0, end: int | None = None) -> str:
    """How a stretch of a text reads."""
    return read_of(text, start, len(text) if end is None else end).text


def _is_idle(shown: str, line: str) -> bool:
    """Whether `shown` says nothing after `line`: at its beginning, after another like it, a break after a colon."""
    if shown == " ":
        return line[-1:] in ("", " ")
    return shown == BREAK and line.rstrip()[-1:] in ("", BREAK, ":")


def _edits(text: str, start: int, end: int) -> Iterator[Replacement]:
    """What reads otherwise than it is written."""
    is_code = in_code(text, start)
    at = text.rfind("\n", 0, start) + 1
    if text[at:start].strip(_BEFORE):
        at = start  # in the middle of a line: nothing here begins one
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        if _FENCE.match(text, at, stop):
            is_code = not is_code
            yield Replacement(max(at, start), stop)
        else:
            for edit in _spaces(text, at, stop) if is_code else _line(text, at, stop):
                if edit.end > start:
                    yield edit if edit.start >= start else Replacement(start, edit.end, edit.shown)
        if stop < end:
            yield Replacement(stop, stop + 1, ": " if not is_code and _is_heading(text, at, stop, start, end) else " ")
        at = stop + 1


def _is_heading(text: str, at: int, stop: int, start: int, end: int) -> bool:
    """Whether a line is a heading that a colon may follow without making the whole longer than it is written."""
    spare = (at >= start and text.startswith("##", at)) or text.startswith("\n", stop + 1)
    return (
        spare
        and text.startswith("#", at)
        and text[stop - 1].isalnum()
        and stop + 2 < end
        and _ITEM.match(text, at) is not None
    )


def in_code(text: str, at: int) -> bool:
    """Whether a fence is open at `at`."""
    if "```" not in text and "~~~" not in text:
        return False
    return sum(1 for _ in FENCES.finditer(text, 0, at)) % 2 == 1


def _line(text: str, at: int, stop: int) -> Iterator[Replacement]:
    if text[at : at + 1] in _LINE_STARTS:
        if _RULE.match(text, at, stop):
            yield Replacement(at, stop)
            return
        if quote := _QUOTE.match(text, at, stop):
            yield Replacement(at, quote.end())
            at = quote.end()
        if item := _ITEM.match(text, at, stop):
            yield Replacement(at, item.end("mark"), BREAK)
            at = item.end("mark")
            if item["box"]:
                yield Replacement(at, item.start("box"), " ")
                yield Replacement(*item.span("box"), _OPEN if item["box"] == "[ ]" else _DONE)
                at = item.end("box")
    if not _ANY.search(text, at, stop):
        yield from _spaces(text, at, stop)
        return
    is_row = text[at:stop].lstrip().startswith("|")
    if text.find("`", at, stop) >= 0:
        for code in _CODE.finditer(text, at, stop):
            yield from _inline(text, at, code.start(), is_row)
            yield Replacement(*code.span("open"))
            yield from _spaces(text, *code.span("code"))
            yield Replacement(*code.span("close"))
            at = code.end()
    yield from _inline(text, at, stop, is_row)


def _inline(text: str, start: int, stop: int, is_row: bool) -> list[Replacement]:
    """Marks inside a line, outside code."""
    found = _gone(text, start, stop)
    if _PAIR_SIGNS.search(text, start, stop):
        for sign, pair in _PAIRS:
            if text.find(sign, start, stop) >= 0:
                for mark in pair.finditer(text, start, stop):
                    found += (
                        Replacement(mark.start(), mark.start() + len(sign)),
                        Replacement(mark.end() - len(sign), mark.end()),
                    )
    if is_row:
        found += [Replacement(bar.start(), bar.end(), BREAK) for bar in _BAR.finditer(text, start, stop)]
    found += _spaces(text, start, stop)
    found.sort(key=_longest_first)
    edits: list[Replacement] = []
    last = start
    for edit in found:
        if edit.start >= last:
            edits.append(edit)
            last = edit.end
    return edits


def _longest_first(edit: Replacement) -> tuple[int, int]:
    return edit.start, -edit.end


def _gone(text: str, start: int, stop: int) -> list[Replacement]:
    """Marks that leave nothing behind but, for a line break, a space."""
    gone: list[Replacement] = []
    sign = _GONE_STARTS.search(text, start, stop)
    while sign:
        mark = _GONE.match(text, sign.start(), stop)
        if mark:
            gone.append(Replacement(mark.start(), mark.end(), " " if text.startswith("<br", mark.start()) else ""))
        sign = _GONE_STARTS.search(text, mark.end() if mark else sign.end(), stop)
    if text.find("^", start, stop) >= 0:
        gone += [Replacement(*block.span()) for block in _BLOCK_ID.finditer(text, start, stop)]
    return gone


def _spaces(text: str, start: int, stop: int) -> Iterator[Replacement]:
    """Runs of white space that are not one space already."""
    return (Replacement(gap.start(), gap.end(), " ") for gap in _SPACES.finditer(text, start, stop))
