"""Whether a result is likely what was meant: tiers from how near and how complete it is."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from scrubjay.profiles.search.types import Relevance

# How much of what the words found is program code, whose words tell less than those of prose. Pure.
#
# Nearly every function says `file`, `get` and `list`, whatever it does, so that a passage of code that holds the
# query's words is weak evidence; docs/retrieval.md has what the semantic leg gains where it is told so.

PASSAGES = 10
"""That are looked at: the best by words."""
_READ = 600  # characters of each
# The set at the front lets the regex engine hop from one such character to the next: ten times as fast in prose.
_MARKS = re.compile(
    r"[(_=).;A-Z](?:(?<=\w\()|(?<=[a-z]_)(?=[a-z])|(?<= =)(?= )|(?<==)=|(?<=\)):|(?<=\w\.)[a-z_]+\("
    r"|(?<=[a-z][A-Z])(?=[a-z])|(?<=;)$)",
    re.MULTILINE,
)
_BRACES = re.compile(r"^\s*[}{]", re.MULTILINE)
_MOST = 3.0  # marks in 100 characters; one passage with more counts no more
_PROSE, _CODE = 1.0, 2.0
"""Mean marks in 100 characters. Of prose, wiki pages with links and examples too, 99 queries in 100 find less than 1.5;
of Python functions, 99 in 100 find more than 1.9."""


def code_share(texts: Sequence[str]) -> float:
    """From 0, where the texts are prose, to 1, where they are code; fewer than PASSAGES tell less."""
    mean = sum(min(_marks(text[:_READ]), _MOST) for text in texts) / max(len(texts), PASSAGES)
    return min(max((mean - _PROSE) / (_CODE - _PROSE), 0.0), 1.0)


def _marks(text: str) -> float:
    """Marks of code in 100 characters: calls, assignments, names of several words, ends of blocks."""
    marks = len(_MARKS.findall(text))
    if "{" in text or "}" in text:
        marks += len(_BRACES.findall(text))
    return 100 * marks / max(1, len(text))


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Cosine similarity, and share of the query's word weight in the passage, from which a tier is given.

    query_share: the least share of the words, each counted once, that a high tier by words takes: one rare word said
    often is not what was asked. high_sum: of similarity and coverage, from which on both make a high tier together.
    """

    high_similarity: float
    medium_similarity: float
    high_coverage: float
    medium_coverage: float
    query_share: float
    high_sum: float


DEFAULT = Thresholds(0.55, 0.42, 0.52, 0.5, query_share=0.6, high_sum=0.68)
"""Calibrated for the bundled model: of questions put to notes about something else, nine in ten are "low" at best, and
of questions that the notes can answer, three in a hundred; see docs/retrieval.md."""


def relevance(
    similarity: float | None,
    coverage: float,
    query_share: float = 1.0,
    thresholds: Thresholds = DEFAULT,
    *,
    trust: float = 1.0,
    adds_up: bool = False,
) -> Relevance:
    """The tier of one passage by itself; see `stands_out` for what it takes beside that.

    similarity: cosine, None where the passage has no vector. coverage: in [0, ...).

    query_share: share of the query's words that it holds, each counted once; 1 where the query is of one word.
    trust: how much of the query its model can read, 0 to 1; what it can't read is alike to anything that it can't read.
    adds_up: whether some nearness and some words together make a high tier, see `ScoredWords.adds_up`.
    """
    near = -1.0 if similarity is None else similarity * trust
    if near >= thresholds.high_similarity or (
        coverage >= thresholds.high_coverage and query_share >= thresholds.query_share
    ):
        return "high"
    if adds_up and max(near, 0.0) + coverage >= thresholds.high_sum:
        return "high"
    if near >= thresholds.medium_similarity or coverage >= thresholds.medium_coverage:
        return "medium"
    return "low"


LEAD = 0.2
"""Of its score, by which the best result is ahead of the next, where it alone is what was meant. Calibrated on labelled
collections: of those that lead by so much, more than nine in ten are relevant; see docs/retrieval.md."""


_PLURALS = ("s", "es")


def stands_out(score: float, following: float) -> bool:
    """Whether a first result is so far ahead of the next that it is likely the one that was meant."""
    return score - following >= LEAD * score


def as_written(typed: str, said: AbstractSet[str]) -> bool:
    """Whether a text says a word as it was typed, or its plural or singular, and not just another of the same stem.

    said: the words of the text, folded.
    """
    singulars = (typed[: -len(ending)] for ending in _PLURALS if typed.endswith(ending))
    return not said.isdisjoint((typed, *singulars, *(typed + ending for ending in _PLURALS)))
