"""The two sentences of a passage that answer a query best: by its words, by meaning where these say little.

By words: a sentence is worth the weights of the distinct terms in it, and the second one what it adds to the first.
By meaning: sentences are worth their likeness to the query, less what they repeat of each other (maximal marginal
relevance, Carbonell and Goldstein, SIGIR 1998).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon.links.answer_words import ExcerptWay
from scrubjay.profiles.errors import Unavailable
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.results.plain_text import Sentence, sentences
from scrubjay.profiles.search.words import analysis, bm25f
from scrubjay.profiles.store.rows import Vector, Vectors
from scrubjay.profiles.store.store import Store

SENTENCES = 2
ENOUGH = 0.5
"""Share of the query's weight that the sentences chosen by its words must have; with less, the model decides."""
_MOST_SENTENCES = 64  # that the model reads; a passage has fewer
_SHORTEST = 3  # terms; less is a heading or a label
_REPEATED = 0.3  # what a sentence loses by being like one that was chosen


@dataclass(frozen=True, slots=True)
class Excerpt:
    """At most two sentences, in the order of the text; none of an empty one."""

    sentences: tuple[Sentence, ...]
    way: ExcerptWay


def excerpt(store: Store, embedder: Embedder, text: str, query: str) -> Excerpt:
    """The best sentences of `text` for `query`. Where the model can't answer, the words decide.

    What a word weighs is its inverse document frequency in the store.
    """
    weights = word_weights((store,), query)
    by_words = best_by_terms(text, weights)
    if by_words and _share(by_words, weights) >= ENOUGH:
        return Excerpt(by_words, "words")
    found = sentences(text)[:_MOST_SENTENCES]
    if not found or not query.strip():
        return Excerpt(found[:2], "words")
    try:
        vectors = embedder.embed_passages([sentence.text for sentence in found])
        return Excerpt(best_by_meaning(found, vectors, embedder.embed_query(query)), "meaning")
    except Unavailable:
        return Excerpt(by_words or found[:2], "words")


def word_weights(stores: Iterable[Store], query: str) -> Mapping[str, float]:
    """The inverse document frequency, in these stores together, of each term of a query that is no stop word."""
    terms = analysis.query_terms(query)
    stats = [store.term_stats(terms) for store in stores]
    passages = sum(each.chunks for each in stats)
    return {term: bm25f.idf(passages, sum(each.frequencies.get(term, 0) for each in stats)) for term in terms}


def best_by_terms(text: str, weights: Mapping[str, float], count: int = SENTENCES) -> tuple[Sentence, ...]:
    """At most `count` sentences that hold the most weight of different terms, in the order of the text.

    weights: of analysed terms (`analysis.query_terms`), such as their IDF, > 0. Equal sentences: the earlier one.
    Sentences without any of the terms are not chosen; where there are none with, nothing is.
    """
    candidates = [(sentence, frozenset(analysis.terms(sentence.text))) for sentence in sentences(text)]
    chosen: list[Sentence] = []
    missing = dict(weights)
    while len(chosen) < count and candidates:
        worth = [_worth(terms, missing, weights) for _, terms in candidates]
        best = max(range(len(candidates)), key=lambda index: (worth[index], -index))
        if worth[best] <= 0:
            break
        sentence, terms = candidates.pop(best)
        chosen.append(sentence)
        missing = {term: weight for term, weight in missing.items() if term not in terms}
    return tuple(sorted(chosen, key=lambda sentence: sentence.start))


def best_by_meaning(
    found: Sequence[Sentence], vectors: Vectors, query: Vector, count: int = SENTENCES
) -> tuple[Sentence, ...]:
    """At most `count` of these sentences, the most like the query and the least like each other, in their order.

    vectors: shape (len(found), dim), rows L2-normalised, of `embed_passages`. Labels of a word or two come last.
    """
    likeness: NDArray[np.float64] = (vectors @ query).astype(np.float64)
    likeness -= [float(len(analysis.terms(sentence.text)) < _SHORTEST) for sentence in found]
    chosen: list[int] = []
    while len(chosen) < min(count, len(found)):
        repeated = (vectors @ vectors[chosen].T).max(axis=1) if chosen else np.zeros(len(found))
        worth = likeness - _REPEATED * repeated
        worth[chosen] = -np.inf
        chosen.append(int(np.argmax(worth)))
    return tuple(found[index] for index in sorted(chosen))


def _share(chosen: tuple[Sentence, ...], weights: Mapping[str, float]) -> float:
    """The share of the weight of all terms that is in these sentences."""
    found = frozenset(term for sentence in chosen for term in analysis.terms(sentence.text))
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in found) / total if total > 0 else 0.0


def _worth(terms: frozenset[str], missing: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """What a sentence adds; a little for terms said again, so that of equal ones the fuller sentence is taken."""
    if len(terms) < _SHORTEST:
        return 0.0
    new = sum(weight for term, weight in missing.items() if term in terms)
    return new + 0.1 * sum(weight for term, weight in weights.items() if term in terms) if new else 0.0
