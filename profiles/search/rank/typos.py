"""Words that no note has: which of a query's they are, and what they are taken for.

A word that is spelt right is searched as it was typed, whatever notes have: a near word is only offered. One that no
dictionary has is taken for the nearest word of the notes, compared as both are written; where a short word is two edits
away from it, only if nothing else of the query is found. What is searched then is the query with that word in it, as if
it had been typed so; notes that have nothing but other near words stand after those that have a word of this query.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.query.query_plan import QueryPlan
from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term, TypedPhrase
from scrubjay.profiles.search.words.stems import WORD
from scrubjay.profiles.store.rows import TermStats

BEGUN_WEIGHTS = {1: 0.7, 2: 0.4}
"""Of the nearest word to one that is being typed and that no note holds, by edits."""
OTHER_WEIGHT = 0.001
"""Of the other near words: so little that it puts no note before one that has the nearest."""
MAX_NEAR_TERMS = 3
LEAST_MENDED = 4
"""Letters; of a shorter word nearly every other short one is near."""
_VOWELS = frozenset("aeiouy")
_SURE = 7  # letters of a word that is still itself two edits away


@dataclass(frozen=True, slots=True)
class NearWord:
    """A word of some note near to a typed one. form: as notes write it, folded; term: as the index has it.

    edits: from the typed form to this one. frequency: postings of the term. is_written: whether a note has this form,
    and not just another one of its term.
    """

    form: str
    term: str
    edits: int
    frequency: int
    is_written: bool = True


def likelihood(typed: str, form: str) -> float:
    """How much likelier it is that a form was mistyped so than by one wrong letter, as a power of ten.

    One of n places was left out, or two neighbours were swapped; of a wrong or needless letter there are 25 n. Fingers
    double a letter, ears take vowels for another, and few mistakes are made with the first letter. The shares are those
    of Damerau, A technique for computer detection and correction of spelling errors (1964), rounded.
    """
    start = sum(takewhile(bool, map(str.__eq__, typed, form)))
    wrong, right = typed[start:], form[start:]
    first = -0.5 if start == 0 else 0.0
    if wrong == right[1:]:
        return 1.5 + first
    if len(typed) == len(form):
        if wrong[1::-1] == right[:2]:
            return 1.0 + first
        return (0.5 if wrong[0] in _VOWELS and right[0] in _VOWELS else 0.0) + first
    return (0.5 if start and wrong[:1] == typed[start - 1] else 0.0) + first


Near = Callable[[Term], Sequence[NearWord]]
"""A word's neighbours in the notes, nearest first, then the likeliest by their mistake and their frequency."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What is searched in the place of words that no note has, or only offered.

    instead: by mistyped word, what it was taken for. beside: near words that are searched without being named: others
    than that, and what an unfinished word may be. offered: by word that is spelt right, what it was not taken for.
    """

    instead: Mapping[str, NearWord]
    beside: tuple[Term, ...]
    offered: Mapping[str, NearWord]


def correct_typos(
    query: LexicalQuery,
    stats: TermStats,
    typed: Collection[str],
    near: Near,
    is_word: Callable[[str], bool],
    *,
    offers: bool = True,
) -> Correction:
    """The nearest words that some note holds to each word that no note holds and that is spelt wrong.

    typed: the words of the query, folded, without what was made of their parts. is_word: whether a word is spelt right.
    offers: whether near words are looked for that are not searched.
    """
    finds_else = any(stats.frequencies.get(part.key, 0) > 0 for part in query.should)
    instead: dict[str, NearWord] = {}
    beside: dict[str, Term] = {}
    offered: dict[str, NearWord] = {}
    for part in query.should:
        if isinstance(part, TypedPhrase) or stats.frequencies.get(part.key, 0) > 0 or not _may_be_typo(part, typed):
            continue
        is_right = is_word(part.typed)
        if is_right and not offers:
            continue
        found = [word for word in near(part) if not analysis.is_small(word.term) and (word.is_written or not is_right)]
        if not found:
            continue
        nearest, *others = found[:MAX_NEAR_TERMS]
        is_sure = nearest.edits == 1 or len(part.typed) >= _SURE or not finds_else
        if is_right or not is_sure:
            if offers:
                offered[part.typed] = nearest
            continue
        if part.prefix:
            beside.setdefault(nearest.term, Term(nearest.term, part.weight * BEGUN_WEIGHTS[nearest.edits]))
        else:
            instead[part.typed] = nearest
        for word in others:
            beside.setdefault(word.term, Term(word.term, part.weight * OTHER_WEIGHT))
    return Correction(instead, tuple(beside.values()), offered)


def with_others(query: LexicalQuery, others: Sequence[Term]) -> LexicalQuery:
    """The query with more terms, without those that it has."""
    known = {text for part in query.should if isinstance(part, Term) for text in part.texts}
    return replace(query, should=(*query.should, *(term for term in others if term.text not in known)))


def in_place(text: str, instead: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """A text with words put in the place of others (folded), and these as they stood there."""
    replaced: dict[str, None] = {}

    def other(word: re.Match[str]) -> str:
        """What stands in the place of a word."""
        found = next((instead[part] for part in analysis.words(word[0]) if part in instead), None)
        if found is None:
            return word[0]
        replaced[word[0]] = None
        return found

    return WORD.sub(other, text), tuple(replaced)


def meant_by(plan: QueryPlan, instead: Mapping[str, NearWord]) -> QueryPlan:
    """The plan of the query as it would have been typed without these mistakes."""
    forms = {typed: other.form for typed, other in instead.items()}
    text, replaced = in_place(plan.text, forms)
    words = tuple(in_place(word, forms)[0] for word in plan.words)
    if not replaced:  # what is searched as one word is none as it was written
        text, words = " ".join((text, *forms.values())), (*words, *forms.values())
    return replace(plan, text=text, words=words)


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
        if parts and (sure.isdisjoint(parts) or any(map(analysis.symbol_of, parts - sure))):  # C++ is not C
            absent.setdefault(fold(word), word)
    return list(absent.values())
