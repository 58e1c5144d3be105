"""The sentences and lines of a passage, and in which order they are worth quoting in answer to a question. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scrubjay.profiles.search.results.plain_text import Sentence, sentences
from scrubjay.profiles.search.words import analysis

_CLAUSE_END = re.compile("[，；：、]")
_LONG = 60  # code points
_SHORT = 20
_RULE = frozenset("|-: \t")
_NAMED = 0.3
"""What a word of the question counts where the passage's title or headings have it: every sentence is about it then."""
_AGAIN = 0.1
"""What a word counts that a better sentence has said already."""


@dataclass(frozen=True, slots=True)
class PassagePart:
    """A sentence, or a row of a table, which is never cut. Code points of the passage, end exclusive."""

    start: int
    end: int
    heads: tuple[int, int] | None = None  # the first row of the table, for another row of it


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
    return tuple(sorted((*prose, *kept), key=lambda part: part.start))


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
    text: str, parts: Sequence[PassagePart], weights: Mapping[str, float], named: frozenset[str] = frozenset()
) -> list[int]:
    """All parts by number, the one most worth quoting first.

    weights: of the question's analysed terms, such as their IDF, > 0. named: terms of the passage's title and headings.
    A part is worth what it adds to those before it; equal ones stand in their order. Those that say no word follow, the
    nearest to one that does first: there an answer goes on.
    """
    lightened = {term: weight * (_NAMED if term in named else 1) for term, weight in weights.items()}
    held = [lightened.keys() & analysis.terms(text[part.start : part.end]) for part in parts]
    chosen: list[int] = []
    left = {number for number, terms in enumerate(held) if terms}
    said: set[str] = set()
    while left:
        best = max(left, key=lambda number: (_worth(held[number], lightened, said), -number))
        chosen.append(best)
        left.remove(best)
        said |= held[best]
    rest = sorted(set(range(len(parts))).difference(chosen), key=lambda number: (_way(number, chosen), number))
    return [*chosen, *rest]


def _way(number: int, chosen: Sequence[int]) -> int:
    """How far a part is from the nearest chosen one; one behind it is nearer than one before it."""
    return min((2 * abs(number - other) - (number > other) for other in chosen), default=0)


def _worth(terms: set[str], weights: Mapping[str, float], said: set[str]) -> float:
    return sum(weights[term] * (_AGAIN if term in said else 1) for term in terms)
