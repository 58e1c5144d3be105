"""The quotations in an answer, the notes that it cites for each, and what it cites and does not quote. Pure; never
raises.

A quotation stands between quotation marks of any language, in `<q>`, or in lines that begin with ">". Four words and
more are one between apostrophes, too, and between marks of emphasis or code, or in a block of code, where a source
stands right beside. Its sources are the `[#id]` that follow it before the next quotation, else those that stand before
it in the same paragraph.
"""

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

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
    + r"|<q\b[^<>\n]{0,200}>((?:[^<\n]|\n(?!\n)){1,4000})</q>"
    + r"|(?<!\w)'(?=\S)((?:[^\s']+(?:(?<=\w)'\w+)*\s+){3,400}[^\s']+(?:(?<=\w)'\w+)*)'(?!\w)"
)
_MARKED = re.compile(
    "|".join(
        rf"(?<![\w{mark}]){mark}{{1,3}}(?=\S)((?:[^\s{mark}]+\s+){{3,400}}[^\s{mark}]+){mark}{{1,3}}(?![\w{mark}])"
        for mark in ("\\*", "_", "`")
    )
)
_NEXT_SOURCE = re.compile(rf"[\s.,;:(—–-]{{0,4}}{_SOURCE.pattern}")
_LAST_SOURCE = re.compile(rf"{_SOURCE.pattern}[^\w\n]{{0,3}}\s?(?:says?)?:?\s*\Z")
_END_OF_SENTENCE = re.compile(r"[.!?…;][)\"'”’»]*\s+(?=[^\s\[])|[。！？；]|\n[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]")
_BEHIND_A_SENTENCE = re.compile(r"[.!?…。！？][)*_]*\s*\Z")
_NEW_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_ANY_LETTER = "x"  # for the beginning of a quotation
_FEWEST = 3  # words that are no quotation yet, in code
_FARTHEST = 5_000  # code points between a quotation and its source
_MOST_SOURCES = 400
_NEAR = 120  # code points before a mark in which a source is looked for


@dataclass(frozen=True, slots=True)
class Claim:
    """Words that an answer says are a note's. start: code point of the answer; ids: of passages, in lower case."""

    quote: str
    start: int
    end: int
    ids: tuple[str, ...]
    own: bool  # whether the sources stand beside it and nowhere else


@dataclass(frozen=True, slots=True)
class CitedOnly:
    """A source of which nothing is quoted where it stands. start: code point of the answer; id: in lower case."""

    id: str
    start: int


@dataclass(frozen=True, slots=True)
class _Quotation:
    start: int
    end: int
    text: str


def sources_of(answer: str) -> tuple[str, ...]:
    """Every id that the answer cites, each once, in order."""
    return tuple(dict.fromkeys(match[1].lower() for match in _SOURCE.finditer(_without_code(answer))))


def cited_only(answer: str, claims: Sequence[Claim]) -> tuple[CitedOnly, ...]:
    """Those of the first sources that stand in no sentence with a quotation of theirs, in order.

    claims: those of the answer.
    """
    answer = _without_code(answer)
    return tuple(
        CitedOnly(source[1].lower(), source.start())
        for source in islice(_SOURCE.finditer(answer), _MOST_SOURCES)
        if not any(_belongs(answer, source, claim) for claim in claims if source[1].lower() in claim.ids)
    )


def _belongs(answer: str, source: re.Match[str], claim: Claim) -> bool:
    """Whether a source is told to be that of a quotation: no sentence ends between them, or no other follows it."""
    if max(source.start() - claim.end, claim.start - source.end()) > _FARTHEST:
        return False
    if source.start() >= claim.end:
        between = answer[claim.end : source.start()]
        first = _SOURCE.search(between)
        if first is None:
            return True
        goes_on = any(map(str.isalpha, between[first.end() :])) and _BEHIND_A_SENTENCE.search(claim.quote)
        return not goes_on and not _END_OF_SENTENCE.search(between) and not _NEW_PARAGRAPH.search(between)
    if source.end() > claim.start:
        return True
    between = answer[source.end() : claim.start] + _ANY_LETTER
    if _NEW_PARAGRAPH.search(between) and _SOURCE.search(_NEW_PARAGRAPH.split(answer[claim.start :], 1)[0]):
        return False
    of_the_last = _BEHIND_A_SENTENCE.search(answer[max(source.start() - _NEAR, 0) : source.start()])
    leads_in = not of_the_last or any(char.isalpha() or char == ":" for char in between[:-1])
    return leads_in and not _END_OF_SENTENCE.search(between)


def claims_of(answer: str) -> tuple[Claim, ...]:
    """The quotations in order; of code what a source stands right beside."""
    blocks = tuple(_cited_blocks(answer))
    answer = _without_code(answer)
    claims: list[Claim] = []
    before: tuple[str, ...] = ()  # sources of a paragraph that quotes nothing: those of what it introduces
    for paragraph in _PARAGRAPH.finditer(answer):
        found = list(_quotations(answer, *paragraph.span()))
        claims += _claims(answer, found, paragraph.span(), before)
        before = () if found else _ids(answer, *paragraph.span())
        if not found and claims and not claims[-1].ids:
            claims[-1] = replace(claims[-1], ids=before, own=True)
            if _SOURCES_AT_END.fullmatch(paragraph[0]):  # they say whose the one before is, and introduce no other
                before = ()
    return tuple(sorted((*claims, *blocks), key=lambda claim: claim.start))


def _cited_blocks(answer: str) -> Iterator[Claim]:
    """Blocks of code right before a source, or right behind one and a colon."""
    for fenced in _FENCED.finditer(answer):
        lines = fenced[0].splitlines()[1:]
        text = "\n".join(lines[:-1] if lines and lines[-1].strip().startswith(fenced[1]) else lines)
        following = _NEXT_SOURCE.match(answer, fenced.end())
        leading = re.search(rf"{_SOURCE.pattern}[^\w\n]{{0,3}}:\s*\Z", answer[: fenced.start()][-_NEAR:])
        source = following or leading
        if source and len(text.split()) > _FEWEST:
            yield Claim(text, fenced.start(), fenced.end(), (source[1].lower(),), own=True)


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
            yield Claim(quote, quotation.start, quotation.end, ids, own=bool(following or leading))
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
    found = list(_QUOTATION.finditer(answer, start, end))
    starts = [match.start() for match in found]
    marked: list[re.Match[str]] = []
    for match in _MARKED.finditer(answer, start, end):
        at = bisect(starts, match.start())
        is_free = (at == 0 or found[at - 1].end() <= match.start()) and (at == len(found) or match.end() <= starts[at])
        if is_free and (
            _NEXT_SOURCE.match(answer, match.end(), end)
            or _LAST_SOURCE.search(answer[max(match.start() - _NEAR, start) : match.start()])
        ):
            marked.append(match)
    for match in sorted((*found, *marked), key=lambda match: match.start()):
        yield _Quotation(match.start(), match.end(), next(text for text in match.groups() if text is not None))


def _ids(answer: str, start: int, end: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match[1].lower() for match in _SOURCE.finditer(answer, start, end)))


def _without_code(answer: str) -> str:
    """The answer with what stands in fences blanked, each code point at its place."""
    return _FENCED.sub(lambda fenced: re.sub(r"[^\n]", " ", fenced[0]), answer)
