"""The lexical leg's query: the words of a parsed query as terms with weights, their typos and compounds."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scrubjay.profiles.search.query.query_plan import QueryPlan
from scrubjay.profiles.search.rank.semantic_trust import language_of_query
from scrubjay.profiles.search.rank.typos import NearWord
from scrubjay.profiles.search.words import analysis, bm25f
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term, TypedPhrase
from scrubjay.profiles.store.rows import TermStats

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
class ScoredWords:
    """The lexical query with the statistics it is scored by, the same in every profile.

    instead: by mistyped word, what it was taken for. absent: words typed that no note has; offered: by such a word,
    one that notes have. languages: beside English, in which words are stemmed.
    """

    query: LexicalQuery
    stats: TermStats
    instead: Mapping[str, NearWord] = field(default_factory=dict[str, NearWord])
    absent: Sequence[str] = ()
    languages: tuple[str, ...] = ()
    offered: Mapping[str, NearWord] = field(default_factory=dict[str, NearWord])

    @property
    def ceiling(self) -> float:
        """The score of a passage that says the query's most telling words without end, in its text.

        Of a long question no passage says every word, so only the CEILING_WORDS that weigh most are asked for.
        """
        weights = sorted(part.weight * self._idf(part.key) for part in self.query.should if self._known(part.key))
        return sum(weights[-CEILING_WORDS:]) * (bm25f.K1 + 1)

    @property
    def asked_ceiling(self) -> float:
        """As `ceiling`, of all that was asked: a word that no note has counts as the rarest, a mended one as its other.

        Near words that are searched beside those are none that the user asked for.
        """
        weights = sorted([*self._known_weights(), *self._absent_weights()])
        return sum(weights[-CEILING_WORDS:]) * (bm25f.K1 + 1)

    @property
    def known_share(self) -> float:
        """How much of what was asked some note has, by weight, 0 to 1."""
        known, absent = sum(self._known_weights()), sum(self._absent_weights())
        return known / (known + absent) if known else 0.0

    @property
    def known_pairs(self) -> float:
        """As `known_share`, of the pairs of characters that words of unspaced scripts are looked for by; 1: of none.

        What is called otherwise shares some with it by chance.
        """
        terms = [part for part in self.query.should if isinstance(part, Term) and not part.prefix]
        pairs = [part for part in terms if analysis.is_unspaced(part.text)]
        known = sum(self._idf(part.key) for part in pairs if self._known(part.key))
        unknown = bm25f.idf(self.stats.chunks, 0) * sum(not self._known(part.key) for part in pairs)
        return known / (known + unknown) if pairs else 1.0

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
            if self._known(part.key) and (isinstance(part, TypedPhrase) or part.typed)
        ]

    def _absent_weights(self) -> list[float]:
        return [bm25f.idf(self.stats.chunks, 0)] * len(self.absent)

    def highlight_terms(self) -> tuple[QueryTerm, ...]:
        """The terms to highlight, with what each tells."""
        terms: dict[str, QueryTerm] = {}
        for part in self.query.should:
            weight = part.weight * self._idf(part.key)
            if isinstance(part, TypedPhrase):
                for text in analysis.phrase_terms(part.text):
                    terms.setdefault(text, QueryTerm(text, weight))
                continue
            terms.setdefault(part.text, QueryTerm(part.text, weight, part.prefix, (*part.others, *part.related)))
            for text in analysis.stems_ahead(part.text) if part.prefix else ():
                terms.setdefault(text, QueryTerm(text, weight))
        return tuple(terms.values())

    def _known(self, key: str) -> bool:
        return self.stats.frequencies.get(key, 0) > 0

    def _idf(self, key: str) -> float:
        return bm25f.idf(self.stats.chunks, self.stats.frequencies.get(key, 0))


def lexical_query(plan: QueryPlan, *, typing: bool, languages: Sequence[str] = ()) -> LexicalQuery:
    """The words and phrases that rank. Phrases that are demanded rank too.

    typing: the last word may be unfinished, so it also stands for what begins with it. languages: in which notes' words
    are stemmed beside English.
    """
    text = " ".join(plan.words)
    terms = analysis.query_words(text, tuple(languages))
    others = analysis.stems_of_words(text, languages) if languages else {}
    irregular = irregular_terms(text, languages)
    unfinished = _unfinished(plan, terms) if typing else None
    should: list[Term | TypedPhrase] = []
    for term, word in terms.items():
        is_begun = term == unfinished
        prefix = is_begun or (len(term) == 1 and analysis.is_unspaced(term))
        stems = others.get(word, ())
        related = tuple(other for other in irregular.get(word, ()) if other not in terms and other not in stems)
        should.append(Term(word if is_begun else term, 1.0, prefix, word, stems, related))
    expressions = [word for word in plan.words if " " in word]  # such as `O(n log n)`, whose parts alone say little
    should.extend(TypedPhrase(text) for text in (*plan.phrases, *expressions) if analysis.phrase_terms(text))
    return LexicalQuery(tuple(should), name=plan.text)


def irregular_terms(text: str, languages: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """By word of a query, folded: the terms of its irregular forms in these languages, and in English if it may be."""
    english = ("en",) if language_of_query(text) in ("", "en") else ()
    return analysis.irregular_terms(text, (*english, *languages))


MAX_COMPOUNDS = 16


def with_compounds(query: LexicalQuery, compounds: Callable[[str], Collection[str]]) -> LexicalQuery:
    """The same, each whole word standing for those that are put together of it and another, too.

    compounds: the words that notes have of this kind.
    """
    own = {text for part in query.should if isinstance(part, Term) for text in part.texts}
    should: list[Term | TypedPhrase] = []
    for part in query.should:
        if isinstance(part, TypedPhrase) or part.prefix:
            should.append(part)
            continue
        behind = (stem for text in (part.typed, *part.texts) for stem in analysis.stems_behind(text))
        sought = dict.fromkeys((*part.texts, part.typed, *behind, *part.related))
        found = {longer: None for text in sought for longer in compounds(text) if longer not in own}
        should.append(replace(part, related=(*part.related, *tuple(found)[:MAX_COMPOUNDS])))
    return replace(query, should=tuple(should))


def _unfinished(plan: QueryPlan, terms: Collection[str]) -> str | None:
    if not plan.words or not plan.text.endswith(plan.words[-1]):
        return None
    last = analysis.query_terms(plan.words[-1])
    return last[-1] if last and last[-1] in terms else None
