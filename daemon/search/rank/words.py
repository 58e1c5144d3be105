"""The query of the lexical leg, and the highest score that it can give."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from scrubjay.daemon.search.query.query_plan import QueryPlan
from scrubjay.profiles.database.rows import TermStats
from scrubjay.profiles.lexical import bm25
from scrubjay.profiles.lexical.query_parts import LexicalQuery, Phrase, Term
from scrubjay.profiles.text import analysis

CEILING_WORDS = 6


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """An analysed term of the query and how much it tells."""

    text: str
    weight: float = 1.0
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """The lexical query with the statistics it is scored by, the same in every profile.

    instead: by mistyped word, the term that it was taken for. absent: words typed that no note has.
    """

    query: LexicalQuery
    stats: TermStats
    instead: Mapping[str, str] = field(default_factory=dict[str, str])
    absent: Sequence[str] = ()

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
                texts = analysis.phrase_terms(part.text)
            elif part.prefix:
                terms.setdefault(part.text, QueryTerm(part.text, weight, prefix=True))
                texts = analysis.stems_ahead(part.text)
            else:
                texts = (part.text,)
            for text in texts:
                terms.setdefault(text, QueryTerm(text, weight))
        return tuple(terms.values())

    def _known(self, key: str) -> bool:
        return self.stats.frequencies.get(key, 0) > 0

    def _idf(self, key: str) -> float:
        return bm25.idf(self.stats.chunks, self.stats.frequencies.get(key, 0))


def lexical_query(plan: QueryPlan, *, typing: bool) -> LexicalQuery:
    """The words and phrases that rank. Phrases that are demanded rank too.

    typing: the last word may be unfinished, so it also stands for what begins with it.
    """
    terms = analysis.query_words(" ".join(plan.words))
    unfinished = _unfinished(plan, terms) if typing else None
    should: list[Term | Phrase] = [
        Term(word, prefix=True, typed=word)
        if term == unfinished
        else Term(term, prefix=len(term) == 1 and analysis.is_unspaced(term), typed=word)
        for term, word in terms.items()
    ]
    should.extend(Phrase(text) for text in plan.phrases if analysis.phrase_terms(text))
    return LexicalQuery(tuple(should), name=plan.text)


def _unfinished(plan: QueryPlan, terms: Collection[str]) -> str | None:
    if not plan.words or not plan.text.endswith(plan.words[-1]):
        return None
    last = analysis.query_terms(plan.words[-1])
    return last[-1] if last and last[-1] in terms else None
