"""The sentences and lines of a passage, and in which order they are worth quoting in answer to a question. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from scrubjay.daemon.answers.question import Question
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.profiles.search.results.plain_text import Sentence, as_read, sentences

_CLAUSE_END = re.compile("[，；：、]")
_LONG = 60  # code points
_SHORT = 20
_FENCE = re.compile(r"^[ \t>]*(?:```|~~~|\$\$)(?![^\n]*(?:```|\$\$))[^\n]*$", re.MULTILINE)
_RULE = frozenset("|-: \t")
_HEADING = re.compile(r"^#{1,6}[ \t]+(?=\S)([^\n]*)$", re.MULTILINE)
_NAMED = 0.3
"""What a word of the question counts where only titles or headings above have it: every sentence is about it then."""
_FITS = 0.6
"""What it counts that a part has what answers such a question, beside the share of its words."""
_AGAIN = 0.1
"""What a word counts that a better sentence has said already."""


@dataclass(frozen=True, slots=True)
class PassagePart:
    """A sentence, or a row of a table, which is never cut. Code points of the passage, end exclusive."""

    start: int
    end: int
    heads: tuple[int, int] | None = None  # the first row of the table, for another row of it
    is_code: bool = False  # in a fence of code or of formulas
    heading: tuple[int, int] | None = None  # in the passage, that it stands below or belongs to; without its mark

    @property
    def is_heading(self) -> bool:
        """Whether it belongs to a heading."""
        return self.heading is not None and self.start < self.heading[1]


def parts_of(text: str) -> tuple[PassagePart, ...]:
    """The parts of a passage in order; the rule below a table's head is none."""
    rows = {part.start: part for part in _rows(text)}
    covered = sorted((row.start, row.end) for row in rows.values())
    prose = [
        clause
        for sentence in sentences(text)
        if not any(start <= sentence.start < end for start, end in covered)
        for clause in _clauses(sentence)
    ]
    kept = [row for row in rows.values() if not _RULE.issuperset(text[row.start : row.end])]
    parts = sorted((*prose, *kept), key=lambda part: part.start)
    fences = tuple(_fences(text))
    headings = [span for span in map(_span_of_heading, _HEADING.finditer(text)) if not _is_within(span[0], fences)]
    return tuple(
        replace(
            part,
            is_code=_is_within(part.start, fences),
            heading=next((span for span in reversed(headings) if span[0] <= part.start), None),
        )
        for part in parts
    )


def _span_of_heading(line: re.Match[str]) -> tuple[int, int]:
    return line.start(1), line.start(1) + len(line[1].rstrip())


def _is_within(place: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _fences(text: str) -> Iterable[tuple[int, int]]:
    """From where each fence opens to where it is closed, or to the end."""
    marks = [mark.span() for mark in _FENCE.finditer(text)]
    for opening, closing in zip_longest(marks[::2], marks[1::2]):
        yield opening[0], closing[1] if closing else len(text)


def _clauses(sentence: Sentence) -> Iterable[PassagePart]:
    """A sentence; a long one of a script without spaces, each character of which costs as much as a word, in pieces."""
    ends = [stop.end() for stop in _CLAUSE_END.finditer(sentence.text)] if len(sentence.text) > _LONG else []
    start = 0
    for end in (*ends, len(sentence.text)):
        if end - start >= _SHORT or end == len(sentence.text):
            yield PassagePart(sentence.start + start, sentence.start + end)
            start = end


def _rows(text: str) -> Iterable[PassagePart]:
    """Every line of a table, rules too."""
    heads: tuple[int, int] | None = None
    at = 0
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if bare.startswith("|") and len(bare) > 1:
            start = at + len(line) - len(line.lstrip())
            span = (start, start + len(bare))
            yield PassagePart(*span, heads)
            heads = heads or span
        else:
            heads = None
        at += len(line)


def worth_quoting(
    text: str,
    parts: Sequence[PassagePart],
    asked: AskedTerms,
    question: Question,
    named: frozenset[str] = frozenset(),
) -> list[int]:
    """All parts by number, the one most worth quoting first.

    named: what of the question the passage's title and headings say. A part says what the heading above it says, too,
    which is quoted with it and not for itself, but less, since all that stands below it does. It is worth what it adds
    to those before it, and more if it has what answers such a question; equal ones stand in their order. Those that say
    no word follow, the nearest to one that does first: there an answer goes on.
    """
    total = asked.total or 1.0
    lightened = {term: weight / total * (_NAMED if term in named else 1) for term, weight in asked.weights.items()}
    own = [asked.said(_below_head(text, part)) for part in parts]
    held = [asked.said(with_heads(text, part)) for part in parts]
    fits = [_FITS * (question.fit(*_read(text, part)) == 1.0) for part in parts]
    near = [bool(held[number]) or any(held[max(number - 1, 0) : number + 2]) for number in range(len(parts))]
    chosen: list[int] = []
    left = {
        number
        for number in range(len(parts))
        if (held[number] or (near[number] and fits[number])) and not _heads_another(parts, number)
    }
    said: set[str] = set()

    def worth(number: int) -> float:
        above = _worth(held[number] - own[number], lightened, said)
        return _worth(own[number], lightened, said) + _NAMED * above

    while left:
        best = max(left, key=lambda number: (worth(number) + fits[number], -number))
        chosen.append(best)
        left.remove(best)
        said |= held[best]
    rest = sorted(set(range(len(parts))).difference(chosen), key=lambda number: (_way(number, chosen), number))
    return [*chosen, *rest]


def _heads_another(parts: Sequence[PassagePart], number: int) -> bool:
    """Whether a part belongs to a heading below which there is text."""
    return parts[number].is_heading and any(
        other.heading == parts[number].heading and not other.is_heading for other in parts[number + 1 :]
    )


def with_heads(text: str, part: PassagePart) -> str:
    """A part below what it is quoted with: its heading in the passage, and the first row of its table."""
    heading = f"{text[slice(*part.heading)]}\n" if part.heading and not part.is_heading else ""
    return heading + _below_head(text, part)


def _below_head(text: str, part: PassagePart) -> str:
    """A part below the first row of its table."""
    head = f"{text[slice(*part.heads)]} " if part.heads else ""
    return head + text[part.start : part.end]


def _read(text: str, part: PassagePart) -> tuple[str, str]:
    """A part as it is written, and as it reads below the first row of its table."""
    head = f"{as_read(text, *part.heads)} " if part.heads else ""
    return text[part.start : part.end], head + as_read(text, part.start, part.end)


def _way(number: int, chosen: Sequence[int]) -> int:
    """How far a part is from the nearest chosen one; one behind it is nearer than one before it."""
    return min((2 * abs(number - other) - (number > other) for other in chosen), default=0)


def _worth(terms: frozenset[str], weights: Mapping[str, float], said: set[str]) -> float:
    return sum(weights[term] * (_AGAIN if term in said else 1) for term in terms)
