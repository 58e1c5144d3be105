"""Words that no note has: which of a query's they are, and what they are taken for.

A word that is spelt right is searched as it was typed, whatever notes have: a near word is only offered. One that no
dictionary has is taken for the nearest word of the notes, compared as both are written; where a short word is two edits
away from it, only if nothing else of the query is found.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term, TypedPhrase
from scrubjay.profiles.store.rows import TermStats

TYPO_WEIGHTS = {1: 0.7, 2: 0.4}
"""Of a near word in the place of one that no note holds, by edits."""
MAX_NEAR_TERMS = 3
LEAST_MENDED = 4
"""Letters; of a shorter word nearly every other short one is near."""
_SURE = 7  # letters of a word that is still itself two edits away


@dataclass(frozen=True, slots=True)
class NearWord:
    """A word of some note near to a typed one. form: as notes write it, folded; term: as the index has it.

    edits: from the typed form to this one. frequency: postings of the term.
    """

    form: str
    term: str
    edits: int
    frequency: int


Near = Callable[[Term], Sequence[NearWord]]
"""A word's neighbours in the notes, nearest first, then the most frequent."""


@dataclass(frozen=True, slots=True)
class CorrectedQuery:
    """A query with near words in it. instead: by mistyped word, what it was taken for; offered: what it was not."""

    query: LexicalQuery
    instead: Mapping[str, NearWord]
    offered: Mapping[str, NearWord]


def correct_typos(
    query: LexicalQuery,
    stats: TermStats,
    typed: Collection[str],
    near: Near,
    is_word: Callable[[str], bool],
    *,
    offers: bool = True,
) -> CorrectedQuery:
    """Put, beside each word that no note holds and that is spelt wrong, the nearest words that some note holds.

    typed: the words of the query, folded, without what was made of their parts. is_word: whether a word is spelt right.
    offers: whether near words are looked for that are not searched.
    """
    finds_else = any(stats.frequencies.get(part.key, 0) > 0 for part in query.should)
    should: list[Term | TypedPhrase] = []
    known = {part.text for part in query.should}
    instead: dict[str, NearWord] = {}
    offered: dict[str, NearWord] = {}
    for part in query.should:
        should.append(part)
        if isinstance(part, TypedPhrase) or stats.frequencies.get(part.key, 0) > 0 or not _may_be_typo(part, typed):
            continue
        is_right = is_word(part.typed)
        if is_right and not offers:
            continue
        found = [word for word in near(part) if not analysis.is_small(word.term)]
        if not found:
            continue
        is_sure = found[0].edits == 1 or len(part.typed) >= _SURE or not finds_else
        if is_right or not is_sure:
            if offers:
                offered[part.typed] = found[0]
            continue
        if not part.prefix:
            instead[part.typed] = found[0]
        for word in found[:MAX_NEAR_TERMS]:
            if word.term not in known:
                known.add(word.term)
                should.append(Term(word.term, part.weight * TYPO_WEIGHTS[word.edits]))
    return CorrectedQuery(replace(query, should=tuple(should)), instead, offered)


def _may_be_typo(part: Term, typed: Collection[str]) -> bool:
    """Numbers are exact, and pairs of characters are no words."""
    is_written = part.typed in typed and not any(map(str.isdecimal, part.typed))
    return is_written and len(part.typed) >= LEAST_MENDED and not analysis.is_unspaced(part.text)


def absent_words(words: Sequence[str], query: LexicalQuery, stats: TermStats, instead: Collection[str]) -> list[str]:
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
