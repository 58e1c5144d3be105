"""What the lexical leg is asked, and how much it could answer at most."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from daemon.search.highlight import SoughtTerm
from daemon.search.plan import Plan
from profiles import analysis, bm25
from profiles.query_parts import LexicalQuery, Phrase, Term
from profiles.rows import TermStats

TYPO_WEIGHTS = {1: 0.7, 2: 0.4}
"""Of a near word in the place of one that no note holds, by edits."""
MAX_NEAR_TERMS = 3
CEILING_WORDS = 6


@dataclass(frozen=True, slots=True)
class Words:
    """The lexical query with the statistics it is scored by, the same in every profile."""

    query: LexicalQuery
    stats: TermStats

    @property
    def ceiling(self) -> float:
        """The score of a passage that says the query's most telling words without end, in its text.

        Of a long question no passage says every word, so only the CEILING_WORDS that weigh most are asked for.
        """
        weights = sorted(part.weight * self._idf(part.key) for part in self.query.should if self._known(part.key))
        return sum(weights[-CEILING_WORDS:]) * (bm25.K1 + 1)

    def sought(self) -> tuple[SoughtTerm, ...]:
        """The terms to highlight, with what each tells."""
        terms: dict[str, SoughtTerm] = {}
        for part in self.query.should:
            weight = part.weight * self._idf(part.key)
            if isinstance(part, Phrase):
                texts = analysis.phrase_terms(part.text)
            elif part.prefix:
                terms.setdefault(part.text, SoughtTerm(part.text, weight, prefix=True))
                texts = analysis.stems_ahead(part.text)
            else:
                texts = (part.text,)
            for text in texts:
                terms.setdefault(text, SoughtTerm(text, weight))
        return tuple(terms.values())

    def _known(self, key: str) -> bool:
        return self.stats.frequencies.get(key, 0) > 0

    def _idf(self, key: str) -> float:
        return bm25.idf(self.stats.chunks, self.stats.frequencies.get(key, 0))


def lexical_query(plan: Plan, *, typing: bool) -> LexicalQuery:
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


def with_near_terms(
    query: LexicalQuery, stats: TermStats, near: Callable[[Term], Sequence[tuple[str, int]]]
) -> LexicalQuery:
    """Put, beside every word that no note holds, the nearest words that some note holds.

    near: (term, edits) of a word's neighbours in the vocabulary, nearest first.
    """
    should: list[Term | Phrase] = []
    known = {part.text for part in query.should}
    for part in query.should:
        should.append(part)
        if isinstance(part, Phrase) or stats.frequencies.get(part.key, 0) > 0:
            continue
        for term, edits in near(part)[:MAX_NEAR_TERMS]:
            if term not in known and edits in TYPO_WEIGHTS:
                known.add(term)
                should.append(Term(term, part.weight * TYPO_WEIGHTS[edits]))
    return replace(query, should=tuple(should))


def _unfinished(plan: Plan, terms: Collection[str]) -> str | None:
    if not plan.words or not plan.text.endswith(plan.words[-1]):
        return None
    last = analysis.query_terms(plan.words[-1])
    return last[-1] if last and last[-1] in terms else None
