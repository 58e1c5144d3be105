"""Lines, paragraphs, sections and tasks of a note, and whether one of them holds what is wanted. Pure.

Patterns are RE2's, whose time is linear in the text whatever the pattern.
"""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Literal, Protocol, TypeAlias, cast

import re2  # pyright: ignore[reportMissingTypeStubs]

Part: TypeAlias = Literal["text", "line", "block", "section", "task", "task-todo", "task-done"]

_HEADING = re.compile(r"^#{1,6}[ \t]", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*\n")
_TASK = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(.)\](?:[ \t]+|$)(.*)")
_PATTERN_BYTES = 8 << 20
"""That a compiled pattern may take; a larger one is refused."""


@dataclass(frozen=True, slots=True)
class CutPassage:
    """A stretch of a note, as it was cut."""

    chunk: int  # its id
    headings: tuple[str, ...]
    line: int  # 1-based, of its first
    end_line: int
    text: str


@dataclass(frozen=True, slots=True)
class PartCondition:
    """What one part must hold: every word, every phrase (as indexed, unless the case matters) and every pattern."""

    phrases: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    match_case: bool = False


def check_pattern(pattern: str) -> None:
    """Raises ValueError for what is no regular expression, or one that takes too much memory."""
    _compiled(pattern, match_case=True)


@dataclass(frozen=True, slots=True)
class Sought:
    """What is sought in one kind of part, made ready once for any number of texts."""

    part: Part
    matches: Callable[[str], bool]  # whether a text has the patterns, and the phrases where their case matters
    terms: tuple[tuple[str, ...], ...]  # of each phrase that is compared as it is indexed
    is_of_words: bool  # of single words, whatever their case, and of nothing else

    @classmethod
    def of(cls, part: Part, wanted: PartCondition) -> "Sought":
        """A part and what it must hold."""
        from scrubjay.profiles.search.words import analysis  # noqa: PLC0415  (it loads SQLite; clients only name parts)

        patterns = [_compiled(pattern, wanted.match_case).search for pattern in wanted.patterns]
        if not wanted.match_case:
            different = dict.fromkeys(map(analysis.phrase_terms, wanted.phrases))
            terms = tuple(each for each in different if " ".join(each))
            return cls(part, partial(_all_in, patterns), terms, not patterns and all(len(each) == 1 for each in terms))
        exact = [re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)") for phrase in wanted.phrases]
        return cls(part, partial(_all_in, [*patterns, *(each.search for each in exact)]), (), is_of_words=False)


def _all_in(searches: Sequence[Callable[[str], object | None]], text: str) -> bool:
    return all(search(text) for search in searches)


class NoteText:
    """A note's passages, of which each part is cut out and tokenised once, whatever is sought in it. For one thread."""

    def __init__(self, passages: Sequence[CutPassage]) -> None:
        """passages: all of the note's, in order."""
        self._passages = passages
        self._stretches: dict[Part, list[_Stretch]] = {}

    def holds(self, sought: Sought, chunks: Sequence[Set[int]] = ()) -> bool:
        """Whether one such part of the note holds all that is sought.

        chunks: for some of the words that stand alone, all passages that hold it; no part elsewhere is looked at.
        """
        stretches = self._stretches.get(sought.part)
        if stretches is None:
            stretches = self._stretches[sought.part] = list(_stretches(sought.part, self._passages))
        possible = [each for each in stretches if not any(each.chunks.isdisjoint(having) for having in chunks)]
        if sought.part == "section" and sought.is_of_words and len(sought.terms) == len(chunks):  # of each word its own
            words = sorted(zip(map(_spaced, sought.terms), chunks, strict=True), key=_rarest_first)
            return any(stretch.holds_words(words) for stretch in possible)
        return any(stretch.holds(sought) for stretch in possible)


class _Stretch:
    """Passages whose parts reach into no others."""

    def __init__(self, part: Part, passages: Sequence[CutPassage]) -> None:
        self.chunks = frozenset(passage.chunk for passage in passages)
        self._part: Part = part
        self._passages = passages

        self._said_of: dict[str, str] = {}
        self._said: list[str] = []  # the terms of the first parts, with spaces between and around; of the last, some

    @cached_property
    def _texts(self) -> Sequence[str]:
        return tuple(_parts(self._part, self._passages))

    @cached_property
    def _steps(self) -> Iterator[tuple[int, list[str]]]:
        from scrubjay.profiles.search.words import analysis  # noqa: PLC0415  (it loads SQLite; clients only name parts)

        return analysis.terms_of_each(self._texts)

    def holds(self, sought: Sought) -> bool:
        """Whether one part holds all that is sought. No text is tokenised beyond the first that does."""
        phrases = list(map(_spaced, sought.terms))
        return any(
            sought.matches(text) and all(self._says(place, phrase) for phrase in phrases)
            for place, text in enumerate(self._texts)
        )

    def holds_words(self, words: Sequence[tuple[str, Set[int]]]) -> bool:
        """Whether one section says all the words, each given with all passages that may say it: no others are read."""
        return any(
            all(
                any((chunk == _ABOVE or chunk in having) and word in self._said_in(text) for chunk, text in section)
                for word, having in words
            )
            for section in self._sections
        )

    @cached_property
    def _sections(self) -> Sequence[Sequence[tuple[int, str]]]:
        """What passages say in each section, with their chunks' ids."""
        sections = [[(_ABOVE, heading) for heading in self._passages[0].headings[-1:]]]
        last = 0
        for passage in self._passages:
            is_in_line = passage.line <= last  # which no heading begins in
            starts = [found.start() for found in _HEADING.finditer(passage.text, 1 if is_in_line else 0)]
            first, *others = pairwise((0, *starts, len(passage.text)))
            sections[-1].append((passage.chunk, passage.text[slice(*first)]))
            sections += [[(passage.chunk, passage.text[slice(*other)])] for other in others]
            last = passage.end_line
        return sections

    def _said_in(self, text: str) -> str:
        said = self._said_of.get(text)
        if said is None:
            from scrubjay.profiles.search.words import analysis  # noqa: PLC0415  (it loads SQLite; clients only name parts)

            terms = [term for _, some in analysis.terms_of_each([text]) for term in some]
            said = self._said_of[text] = f" {' '.join(terms)} "
        return said

    def _says(self, place: int, phrase: str) -> bool:
        looked_at = 0
        while True:
            if place < len(self._said):
                said = self._said[place]
                if said.find(phrase, looked_at) >= 0:
                    return True
                looked_at = max(0, len(said) - len(phrase))
            is_complete = place + 1 < len(self._said)
            if is_complete or not self._tokenise_on():
                return False

    def _tokenise_on(self) -> bool:
        """Take the next terms; False where there are none left."""
        place, terms = next(self._steps, (-1, ()))
        said = "".join(f"{term} " for term in terms)
        if place == len(self._said):
            self._said.append(f" {said}")
        elif place >= 0:
            self._said[place] += said
        return place >= 0


_ABOVE = 0
"""In place of a chunk's id: the heading above a stretch."""


def _rarest_first(word: tuple[str, Set[int]]) -> int:
    return len(word[1])


def _spaced(terms: tuple[str, ...]) -> str:
    """What a phrase is in `_Stretch._said`; the text has a single unspaced character in pairs alone."""
    from scrubjay.profiles.search.words import analysis  # noqa: PLC0415  (it loads SQLite; clients only name parts)

    is_single = len(terms) == 1 and len(terms[0]) == 1 and analysis.is_unspaced(terms[0])
    return terms[0] if is_single else f" {' '.join(terms)} "


class _Pattern(Protocol):
    """What is used of RE2's patterns, in types."""

    def search(self, text: str) -> object | None: ...


_compile = cast("Callable[[str, re2.Options], _Pattern]", re2.compile)  # pyright: ignore[reportUnknownMemberType]
_PatternError = cast("type[Exception]", re2.error)  # pyright: ignore[reportUnknownMemberType]


def _compiled(pattern: str, match_case: bool) -> _Pattern:
    options = re2.Options()
    options.case_sensitive, options.log_errors, options.max_mem = match_case, False, _PATTERN_BYTES
    try:
        return _compile(pattern, options)  # which remembers the last ones
    except _PatternError as error:
        raise ValueError("not a regular expression that can be searched") from error


def _stretches(part: Part, passages: Sequence[CutPassage]) -> Iterator[_Stretch]:
    """A note's passages, taken apart where no such part goes on."""
    run: list[CutPassage] = []
    for passage in passages:
        if run and _ends_between(part, run[-1], passage):
            yield _Stretch(part, run)
            run = []
        run.append(passage)
    if run:
        yield _Stretch(part, run)


def _ends_between(part: Part, before: CutPassage, after: CutPassage) -> bool:
    match part:
        case "text":
            return False
        case "section":
            return before.headings != after.headings
        case "block":
            return after.line - before.end_line > 1
        case _:
            return after.line > before.end_line


def _parts(part: Part, passages: Sequence[CutPassage]) -> Iterator[str]:
    """The parts of a stretch."""
    text = _joined(passages)
    match part:
        case "text":
            yield text
        case "section":
            yield from _sections(text, passages[0].headings)
        case "block":
            yield from _BLANK.split(text)
        case "line":
            yield from text.split("\n")
        case _:
            yield from _tasks(part, text)


def _joined(passages: Sequence[CutPassage]) -> str:
    """The text as it stands in the file, but for blank lines and the headings that no passage repeats."""
    text, last = "", None
    for passage in passages:
        gap = 0 if last is None else passage.line - last
        text += ("" if last is None else " " if gap <= 0 else "\n" if gap == 1 else "\n\n") + passage.text
        last = passage.end_line
    return text


def _sections(text: str, headings: tuple[str, ...]) -> Iterator[str]:
    """What stands between two headings, with the first of them, and without the end of its last line: "$" is there."""
    text = "\n".join((*headings[-1:], text))
    starts = [0, *(match.start() for match in _HEADING.finditer(text)), len(text)]
    return (text[start:end].rstrip("\n") for start, end in pairwise(starts))


def _tasks(part: Part, text: str) -> Iterator[str]:
    for line in text.split("\n"):
        task = _TASK.match(line)
        if task and (part == "task" or (task[1] == " ") == (part == "task-todo")):
            yield task[2]
