"""The quotations in an answer, and the notes that it cites for each. Pure; never raises.

A quotation stands between quotation marks of any language, or in lines that begin with ">". Its sources are the
`[#id]` that follow it before the next quotation, else those that stand before it in the same paragraph.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SOURCE = re.compile(r"\[#([0-9A-Fa-f]{6,12})\b[^\]\n]{0,80}\]")
_SOURCES_AT_END = re.compile(rf"(?:\s*{_SOURCE.pattern})+[\s.,;)]*\Z")
_FENCED = re.compile(r"^[ \t]{0,3}(```|~~~).*?(?:^[ \t]{0,3}\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_PARAGRAPH = re.compile(r"(?:^[^\n]*\S[^\n]*(?:\n|\Z))+", re.MULTILINE)
_QUOTED_LINE = re.compile(r"^[ \t]{0,3}>[ \t]?", re.MULTILINE)
_INSIDE = r"[^\n{0}](?:[^{0}\n]|\n(?!\n)){{0,4000}}?"
_PAIRS = ("“”", "„“", "„”", "«»", "»«", "‹›", "›‹", "「」", "『』", '""', "＂＂", "〝〞")
_QUOTATION = re.compile(
    "|".join(f"{first}({_INSIDE.format(first + last)}){last}" for first, last in _PAIRS)
    + r"|(?<![\w.,;:!?…])”(?=[\w\[(…*`])([^”“„\n](?:[^”“„\n]|\n(?!\n)){0,4000}?)”(?!\w)"  # as in Swedish
    + r"|(?<!\w)‘((?:[^‘’\n]|\n(?!\n)|’(?=\w)){1,2000})’(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """Words that an answer says are a note's. start: code point of the answer; ids: of passages, in lower case."""

    quote: str
    start: int
    ids: tuple[str, ...]
    own: bool  # whether the sources stand beside it and nowhere else


@dataclass(frozen=True, slots=True)
class _Quotation:
    start: int
    end: int
    text: str


def sources_of(answer: str) -> tuple[str, ...]:
    """Every id that the answer cites, each once, in order."""
    return tuple(dict.fromkeys(match[1].lower() for match in _SOURCE.finditer(_without_code(answer))))


def claims_of(answer: str) -> tuple[Claim, ...]:
    """The quotations in order, none of code."""
    answer = _without_code(answer)
    claims: list[Claim] = []
    before: tuple[str, ...] = ()  # sources of a paragraph that quotes nothing: those of what it introduces
    for paragraph in _PARAGRAPH.finditer(answer):
        found = list(_quotations(answer, *paragraph.span()))
        claims += _claims(answer, found, paragraph.span(), before)
        before = () if found else _ids(answer, *paragraph.span())
        if not found and claims and not claims[-1].ids:
            claims[-1] = Claim(claims[-1].quote, claims[-1].start, before, own=True)
            if _SOURCES_AT_END.fullmatch(paragraph[0]):  # they say whose the one before is, and introduce no other
                before = ()
    return tuple(claims)


def _claims(
    answer: str, found: list[_Quotation], paragraph: tuple[int, int], before: tuple[str, ...]
) -> Iterator[Claim]:
    """The quotations of a paragraph with their sources."""
    last = before
    for place, quotation in enumerate(found):
        stop = found[place + 1].start if place + 1 < len(found) else paragraph[1]
        leading = _ids(answer, paragraph[0], quotation.start) if place == 0 else ()
        following = _ids(answer, quotation.start, stop)
        ids = following or leading or last
        quote = _SOURCE.sub("", _SOURCES_AT_END.sub("", quotation.text)).strip()
        if any(map(str.isalnum, quote)):
            yield Claim(quote, quotation.start, ids, own=bool(following or leading))
        last = ids


def _quotations(answer: str, start: int, end: int) -> Iterator[_Quotation]:
    """Lines behind ">", and what stands between quotation marks outside of them."""
    at = start
    for first, last in _runs_of_quoted_lines(answer, start, end):
        yield from _between_marks(answer, at, first)
        text = _QUOTED_LINE.sub("", answer[first:last])
        yield _Quotation(first, last, text)
        at = last
    yield from _between_marks(answer, at, end)


def _runs_of_quoted_lines(answer: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Beginnings and ends of lines behind ">" that stand together."""
    first: int | None = None
    at = start
    for line in answer[start:end].splitlines(keepends=True):
        if _QUOTED_LINE.match(line):
            first = at if first is None else first
        elif first is not None:
            yield first, at
            first = None
        at += len(line)
    if first is not None:
        yield first, end


def _between_marks(answer: str, start: int, end: int) -> Iterator[_Quotation]:
    for match in _QUOTATION.finditer(answer, start, end):
        yield _Quotation(match.start(), match.end(), next(text for text in match.groups() if text is not None))


def _ids(answer: str, start: int, end: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match[1].lower() for match in _SOURCE.finditer(answer, start, end)))


def _without_code(answer: str) -> str:
    """The answer with what stands in fences blanked, each code point at its place."""
    return _FENCED.sub(lambda fenced: re.sub(r"[^\n]", " ", fenced[0]), answer)
