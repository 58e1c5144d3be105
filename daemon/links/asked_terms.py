"""The words of a question by which texts are told that say it, and what each weighs."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from scrubjay.profiles.search.rank.semantic_trust import is_english, language_of_query, small_words
from scrubjay.profiles.search.words import analysis, bm25f
from scrubjay.profiles.store.store import Store


@dataclass(frozen=True, slots=True)
class AskedTerms:
    """Distinct terms of a question without small words. Pure but for `of`.

    weights: by term, > 0. same: by another term, the one that it says as well, such as the stem of its word in another
    language. languages: in which words of texts are stemmed beside English.
    """

    weights: Mapping[str, float]
    same: Mapping[str, str] = field(default_factory=dict[str, str])
    languages: tuple[str, ...] = ()

    @classmethod
    def of(cls, stores: Iterable[Store], question: str) -> "AskedTerms":
        """Of a question to these stores; a term weighs its inverse document frequency in them together."""
        stores = tuple(stores)
        languages = tuple(sorted({language for store in stores for language in store.languages()}))
        if is_english(question, languages):
            languages = ()
        words = _without_small(analysis.query_words(question, languages), language_of_query(question))
        stems = analysis.stems_of_words(question, languages) if languages else {}
        same = {other: term for term, word in words.items() for other in stems.get(word, ()) if other not in words}
        stats = [store.term_stats((*words, *same)) for store in stores]
        passages = sum(each.chunks for each in stats)

        def frequency(term: str) -> int:
            spelt = (term, *(other for other, meant in same.items() if meant == term))
            return max(sum(each.frequencies.get(each_term, 0) for each in stats) for each_term in spelt)

        return cls({term: bm25f.idf(passages, frequency(term)) for term in words}, same, languages)

    @property
    def total(self) -> float:
        """What all of them weigh."""
        return sum(self.weights.values())

    def said(self, text: str) -> frozenset[str]:
        """Those that a text says."""
        found = analysis.terms(text)
        for language in self.languages:
            found += analysis.tokenize(analysis.stems_text(text, language))
        return frozenset(self.same.get(term, term) for term in found) & self.weights.keys()

    def worth(self, terms: Collection[str]) -> float:
        """The share of the whole weight that these have; 0 of a question without words."""
        return sum(self.weights[term] for term in terms) / self.total if self.weights else 0.0


def _without_small(words: dict[str, str], language: str) -> dict[str, str]:
    """Terms and their words without the small ones of this language, unless it has no others.

    German *die* is a word in English notes, and an article where a question is German.
    """
    small = small_words(language)
    return {term: word for term, word in words.items() if word not in small} or words
