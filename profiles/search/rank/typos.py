"""Words that no note has: which of a query's they are, and what they are taken for.

A word one edit from others that notes have is taken for the most frequent of these; farther ones are searched, too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term, TypedPhrase
from scrubjay.profiles.store.rows import TermStats

# Words that no note has: which of the query's they are, and what they were taken for.
#
# A word one edit from others that notes have is taken for the most frequent of these; farther ones are searched beside
# it and mend nothing. A word that is found only because it equals the stem of another (`costum`, of *costume*) counts
# as mistyped where no note spells it so and a far more frequent word is near.

TYPO_WEIGHTS = {1: 0.7, 2: 0.4}
"""Of a near word in the place of one that no note holds, by edits."""
MAX_NEAR_TERMS = 3
DOUBTED_WEIGHT = 0.1
"""Of a word that only equals a stem, where it is mended."""
RARE = 8
"""Documents; a word in more of them is not doubted."""
LEAST_MENDED = 4
"""Letters; of a shorter word nearly every other short one is near."""
_MUCH_MORE = 5  # times as frequent
_LEAST_DOUBTED = 5  # letters
Near = Callable[[Term], Sequence[tuple[str, int, int]]]
"""(term, edits, frequency) of a word's neighbours in the vocabulary, nearest first, then the most frequent."""


@dataclass(frozen=True, slots=True)
class CorrectedQuery:
    """A query with near words in it. instead: by mistyped word, the term that it was taken for."""

    query: LexicalQuery
    instead: Mapping[str, str]


def correct_typos(
    query: LexicalQuery, stats: TermStats, near: Near, is_spelt: Callable[[Term], bool]
) -> CorrectedQuery:
    """Put, beside every word that no note holds, the nearest words that some note holds; never a small word.

    is_spelt: whether any note has a word as it was typed; asked of rare ones alone.
    """
    should: list[Term | TypedPhrase] = []
    known = {part.text for part in query.should}
    instead: dict[str, str] = {}
    for part in query.should:
        frequency = stats.frequencies.get(part.key, 0)
        if isinstance(part, TypedPhrase) or (frequency > 0 and not is_doubtful(part, frequency)):
            should.append(part)
            continue
        found = _nearby(part, near) if frequency == 0 or not is_spelt(part) else ()
        if frequency > 0:
            found = [(term, 1, count) for term, _, count in found if count >= _MUCH_MORE * frequency][:1]
        should.append(replace(part, weight=part.weight * DOUBTED_WEIGHT) if frequency and found else part)
        for term, edits, _ in found[:MAX_NEAR_TERMS]:
            if edits == 1 and not part.prefix:
                instead.setdefault(part.typed, term)
            if term not in known and edits in TYPO_WEIGHTS:
                known.add(term)
                should.append(Term(term, part.weight * TYPO_WEIGHTS[edits]))
    return CorrectedQuery(replace(query, should=tuple(should)), instead)


def _nearby(part: Term, near: Near) -> Sequence[tuple[str, int, int]]:
    """What a mistyped word may have been meant to be; no small word, since nobody searches for these."""
    if len(part.typed or part.text) < LEAST_MENDED:
        return ()
    return [found for found in near(part) if not analysis.is_small(found[0])]


def is_doubtful(part: Term, frequency: int) -> bool:
    """Whether a rare word may be a mistyped one that happens to equal the stem of another."""
    is_stem = part.typed == part.text and not part.prefix and part.text.isascii() and part.text.isalpha()
    return is_stem and 0 < frequency <= RARE and len(part.text) >= _LEAST_DOUBTED


def absent_words(words: Sequence[str], query: LexicalQuery, stats: TermStats, instead: Mapping[str, str]) -> list[str]:
    """Those of the words typed of which no note has any part, and which were not mended; once each, as typed."""
    asked = {part.text: part for part in query.should if isinstance(part, Term) and part.typed}
    sure = {
        text
        for text, part in asked.items()
        if part.prefix or part.typed in instead or stats.frequencies.get(part.key, 0)
    }
    absent: dict[str, str] = {}
    for word in words if len(sure) < len(asked) else ():
        parts = asked.keys() & analysis.query_words(word).keys()  # none of a small word
        if parts and sure.isdisjoint(parts):
            absent.setdefault(fold(word), word)
    return list(absent.values())
