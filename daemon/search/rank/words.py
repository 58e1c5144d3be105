"""What the words of a query say: their weight, their typos, their place in code, the tier of a passage."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scrubjay.daemon.search.query.query_plan import QueryPlan
from scrubjay.daemon.search.types import Relevance
from scrubjay.profiles.database.rows import TermStats
from scrubjay.profiles.lexical import bm25
from scrubjay.profiles.lexical.evidence import LexicalQuery, Phrase, Term
from scrubjay.profiles.names import fold
from scrubjay.profiles.text import analysis

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


# Whether a result is likely what was meant: tiers from how near and how complete it is.


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
    """The tier of one passage. similarity: cosine, None where the passage has no vector. coverage: in [0, ...).

    query_share: share of the query's words that it holds, each counted once; 1 where the query is of one word.
    trust: how much of the query its model can read, 0 to 1; what it can't read is alike to anything that it can't read.
    adds_up: whether some nearness and some words together make a high tier, see `Words.adds_up`.
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
    should: list[Term | Phrase] = []
    known = {part.text for part in query.should}
    instead: dict[str, str] = {}
    for part in query.should:
        frequency = stats.frequencies.get(part.key, 0)
        if isinstance(part, Phrase) or (frequency > 0 and not is_doubtful(part, frequency)):
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
    absent: dict[str, str] = {}
    for word in words:
        parts = [asked[text] for text in analysis.query_words(word) if text in asked]  # none of a small word
        is_sure = any(part.prefix or part.typed in instead or stats.frequencies.get(part.key, 0) for part in parts)
        if parts and not is_sure:
            absent.setdefault(fold(word), word)
    return list(absent.values())


CEILING_WORDS = 6
LEAST_KNOWN = 0.7


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """An analysed term of the query and how much it tells."""

    text: str
    weight: float = 1.0
    prefix: bool = False
    others: tuple[str, ...] = ()  # terms that say the same word: its stems in other languages

    @property
    def texts(self) -> tuple[str, ...]:
        """All terms that say it."""
        return (self.text, *self.others)


@dataclass(frozen=True, slots=True)
class Words:
    """The lexical query with the statistics it is scored by, the same in every profile.

    instead: by mistyped word, the term that it was taken for. absent: words typed that no note has.
    languages: beside English, in which words are stemmed.
    """

    query: LexicalQuery
    stats: TermStats
    instead: Mapping[str, str] = field(default_factory=dict[str, str])
    absent: Sequence[str] = ()
    languages: tuple[str, ...] = ()

    @property
    def ceiling(self) -> float:
        """The score of a passage that says the query's most telling words without end, in its text.

        Of a long question no passage says every word, so only the CEILING_WORDS that weigh most are asked for.
        """
        weights = sorted(part.weight * self._idf(part.key) for part in self.query.should if self._known(part.key))
        return sum(weights[-CEILING_WORDS:]) * (bm25.K1 + 1)

    @property
    def asked_ceiling(self) -> float:
        """As `ceiling`, of all that was asked: a word that no note has counts as the rarest, a mended one as its other.

        Words that are searched in the place of others are none that the user asked for.
        """
        weights = sorted([*self._known_weights(), *map(self._idf, self.instead.values()), *self._absent_weights()])
        return sum(weights[-CEILING_WORDS:]) * (bm25.K1 + 1)

    @property
    def known_share(self) -> float:
        """How much of what was asked some note has, by weight, 0 to 1."""
        known, absent = sum(self._known_weights()), sum(self._absent_weights())
        return known / (known + absent) if known else 0.0

    @property
    def adds_up(self) -> bool:
        """Whether a passage may be what was asked because it is somewhat near and says some of the words.

        That holds for a question whose words notes have. Of two words, a passage that says one is always somewhat near;
        so it is to a question that turns on a word no note has, or on a guess what was meant.
        """
        return len(self.query.should) > 2 and not self.instead and self.known_share >= LEAST_KNOWN

    def _known_weights(self) -> list[float]:
        return [
            part.weight * self._idf(part.key)
            for part in self.query.should
            if self._known(part.key) and (isinstance(part, Phrase) or (part.typed and part.typed not in self.instead))
        ]

    def _absent_weights(self) -> list[float]:
        return [bm25.idf(self.stats.chunks, 0)] * len(self.absent)

    def highlight_terms(self) -> tuple[QueryTerm, ...]:
        """The terms to highlight, with what each tells."""
        terms: dict[str, QueryTerm] = {}
        for part in self.query.should:
            weight = part.weight * self._idf(part.key)
            if isinstance(part, Phrase):
                for text in analysis.phrase_terms(part.text):
                    terms.setdefault(text, QueryTerm(text, weight))
                continue
            terms.setdefault(part.text, QueryTerm(part.text, weight, part.prefix, (*part.others, *part.compounds)))
            for text in analysis.stems_ahead(part.text) if part.prefix else ():
                terms.setdefault(text, QueryTerm(text, weight))
        return tuple(terms.values())

    def _known(self, key: str) -> bool:
        return self.stats.frequencies.get(key, 0) > 0

    def _idf(self, key: str) -> float:
        return bm25.idf(self.stats.chunks, self.stats.frequencies.get(key, 0))


def lexical_query(plan: QueryPlan, *, typing: bool, languages: Sequence[str] = ()) -> LexicalQuery:
    """The words and phrases that rank. Phrases that are demanded rank too.

    typing: the last word may be unfinished, so it also stands for what begins with it. languages: in which notes' words
    are stemmed beside English.
    """
    text = " ".join(plan.words)
    terms = analysis.query_words(text, tuple(languages))
    others = analysis.stems_of_words(text, languages) if languages else {}
    unfinished = _unfinished(plan, terms) if typing else None
    should: list[Term | Phrase] = []
    for term, word in terms.items():
        is_begun = term == unfinished
        prefix = is_begun or (len(term) == 1 and analysis.is_unspaced(term))
        should.append(Term(word if is_begun else term, prefix=prefix, typed=word, others=others.get(word, ())))
    should.extend(Phrase(text) for text in plan.phrases if analysis.phrase_terms(text))
    return LexicalQuery(tuple(should), name=plan.text)


MAX_COMPOUNDS = 16


def with_compounds(query: LexicalQuery, compounds: Callable[[str], Collection[str]]) -> LexicalQuery:
    """The same, each whole word standing for those that are put together of it and another, too.

    compounds: the words that notes have of this kind.
    """
    own = {text for part in query.should if isinstance(part, Term) for text in part.texts}
    should: list[Term | Phrase] = []
    for part in query.should:
        if isinstance(part, Phrase) or part.prefix:
            should.append(part)
            continue
        found = {longer: None for text in part.texts for longer in compounds(text) if longer not in own}
        should.append(replace(part, compounds=tuple(found)[:MAX_COMPOUNDS]))
    return replace(query, should=tuple(should))


def _unfinished(plan: QueryPlan, terms: Collection[str]) -> str | None:
    if not plan.words or not plan.text.endswith(plan.words[-1]):
        return None
    last = analysis.query_terms(plan.words[-1])
    return last[-1] if last and last[-1] in terms else None
