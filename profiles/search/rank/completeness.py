"""How much of a query a passage says in one place: in one item of a list or row of a table, in one sentence or two."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from scrubjay.profiles.search.rank.highlights import Highlighter, Match
from scrubjay.profiles.search.results.plain_text import sentence_bounds
from scrubjay.profiles.store.rows import ChunkView

# The items of a list, and the rows of a table, have little to do with one another: a passage of forty links holds most
# words of any long question, each in another item. What counts is therefore the most that one item says, or all prose
# together. Words that stand in one sentence, or in two that follow each other, say more than those of a whole passage.
# What is called so in the title or above the passage belongs to all of it. docs/retrieval.md has what this is worth.

LEAST_SHARE = 0.4
"""Of the query, that a passage must hold to be looked at: less earns next to nothing, wherever it stands."""
SENTENCE_WEIGHT = 0.2
PAIR_WEIGHT = 0.4
"""Of a sentence, and of two, that say the whole query, against a passage that does. Both grow with the fourth power of
the share, so that only a sentence that says nearly all of it counts."""

_BREAK = re.compile(r"^[ \t>]*(?:((?:[-*+]|\d{1,9}[.)])[ \t]|\|)|$)", re.MULTILINE)
"""An item's or a row's beginning, which is group 1, or an empty line, which ends them."""
_PROSE = -1


def completeness(query_share: float, view: ChunkView, highlighter: Highlighter) -> float:
    """What a passage earns by saying the query in one place: from 0 to 1 + SENTENCE_WEIGHT + PAIR_WEIGHT.

    query_share: of the query's weight, that the passage and its note's header hold anywhere, 0 to 1. A passage
    without lists in which the words stand far apart earns `query_share` squared.
    """
    matches = highlighter.matches(view.text)
    sentences = _grouped(matches, _sentence_numbers(view.text, matches))
    said = {match.term for match in matches}
    whole = _points(query_share, query_share, query_share)
    if not said or said in sentences.values():
        return whole
    header = {match.term for match in highlighter.matches(_header(view))}
    pairs = [held | sentences.get(number + 1, set()) for number, held in sentences.items()]
    statements = _grouped(matches, _statement_numbers(view.text, matches))
    weights = highlighter.word_weights
    anywhere = _weight(said | header, weights)
    if not anywhere:
        return whole
    statement, sentence, pair = (
        query_share * max(_weight(held | header, weights) for held in places) / anywhere
        for places in (statements.values(), sentences.values(), pairs)
    )
    return _points(statement, sentence, pair)


def _points(statement: float, sentence: float, pair: float) -> float:
    return statement**2 + SENTENCE_WEIGHT * sentence**4 + PAIR_WEIGHT * pair**4


def _header(view: ChunkView) -> str:
    """What is said of the whole passage."""
    return "\n".join((view.title, *view.aliases, *view.tags, view.path.removesuffix(".md"), *view.headings))


def _grouped(matches: Iterable[Match], numbers: Iterable[int]) -> dict[int, set[int]]:
    """The terms that stand in each place. numbers: the place of each match."""
    places: dict[int, set[int]] = {}
    for match, number in zip(matches, numbers, strict=True):
        places.setdefault(number, set()).add(match.term)
    return places


def _statement_numbers(text: str, matches: Iterable[Match]) -> list[int]:
    """The item or row that each match stands in; _PROSE where it is none."""
    breaks = [(found.start(), found[1] is not None) for found in _BREAK.finditer(text)]
    starts = [start for start, _ in breaks]
    numbers = (bisect_right(starts, match.start) - 1 for match in matches)
    return [number if number >= 0 and breaks[number][1] else _PROSE for number in numbers]


def _sentence_numbers(text: str, matches: Iterable[Match]) -> list[int]:
    starts = [start for start, _ in sentence_bounds(text)]
    return [bisect_right(starts, match.start) - 1 for match in matches]


def _weight(terms: Iterable[int], weights: Sequence[float]) -> float:
    return sum(weights[term] for term in terms)
