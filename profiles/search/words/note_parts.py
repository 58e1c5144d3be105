"""Lines, paragraphs, sections and tasks of a note, and whether one of them holds what is wanted. Pure.

Patterns are RE2's, whose time is linear in the text whatever the pattern.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
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

    position: int
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


def holds(part: Part, wanted: PartCondition, passages: Sequence[CutPassage]) -> bool:
    """Whether one such part of a note holds all that is wanted. passages: all of the note's, in order."""
    return any(_has(text, wanted) for text in _parts(part, passages))


def _has(text: str, wanted: PartCondition) -> bool:
    if not all(_compiled(pattern, wanted.match_case).search(text) for pattern in wanted.patterns):
        return False
    if wanted.match_case:
        return all(re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) for phrase in wanted.phrases)
    if not wanted.phrases:
        return True
    from scrubjay.profiles.search.words import analysis  # noqa: PLC0415  (it loads SQLite; clients only name parts)

    said = f" {' '.join(analysis.terms(text))} "
    return all(_contains(said, phrase) for phrase in wanted.phrases)


def _contains(said: str, phrase: str) -> bool:
    """Whether the terms of a text, with spaces between, have those of a phrase side by side."""
    from scrubjay.profiles.search.words import analysis  # noqa: PLC0415  (it loads SQLite; clients only name parts)

    terms = " ".join(analysis.phrase_terms(phrase))
    is_single = len(terms) == 1 and analysis.is_unspaced(terms)  # the text has it in pairs alone
    return terms in said if is_single or not terms else f" {terms} " in said


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


def _parts(part: Part, passages: Sequence[CutPassage]) -> Iterator[str]:
    match part:
        case "text":
            yield _joined(passages)
        case "section":
            yield from _sections(passages)
        case "block":
            yield from _BLANK.split(_joined(passages))
        case "line":
            yield from _joined(passages).split("\n")
        case _:
            yield from _tasks(part, _joined(passages))


def _joined(passages: Sequence[CutPassage]) -> str:
    """The text as it stands in the file, but for blank lines and the headings that no passage repeats."""
    text, last = "", None
    for passage in passages:
        gap = 0 if last is None else passage.line - last
        text += ("" if last is None else " " if gap <= 0 else "\n" if gap == 1 else "\n\n") + passage.text
        last = passage.end_line
    return text


def _sections(passages: Sequence[CutPassage]) -> Iterator[str]:
    """What stands between two headings, with the first of them."""
    run: list[CutPassage] = []
    for passage in (*passages, None):
        if run and (passage is None or passage.headings != run[-1].headings):
            text = "\n".join((*run[0].headings[-1:], _joined(run)))
            starts = [0, *(match.start() for match in _HEADING.finditer(text)), len(text)]
            yield from (text[start:end] for start, end in pairwise(starts))
            run = []
        if passage is not None:
            run.append(passage)


def _tasks(part: Part, text: str) -> Iterator[str]:
    for line in text.split("\n"):
        task = _TASK.match(line)
        if task and (part == "task" or (task[1] == " ") == (part == "task-todo")):
            yield task[2]
