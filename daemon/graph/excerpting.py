"""The two sentences of a passage that answer a query best: by its words, by meaning where these say little."""

from collections.abc import Mapping
from dataclasses import dataclass

from daemon.embedding.protocol import Embedder
from daemon.errors import Unavailable
from daemon.graph.excerpt import Sentence, best_by_meaning, best_by_terms, sentences
from daemon.graph.types import ExcerptWay
from profiles import analysis, bm25
from profiles.store import Store

ENOUGH = 0.5
"""Share of the query's weight that the sentences chosen by its words must hold; with less, the model is asked."""
_MOST_SENTENCES = 64  # that the model reads; a passage has fewer


@dataclass(frozen=True, slots=True)
class Excerpt:
    """At most two sentences, in the order of the text; none of an empty one."""

    sentences: tuple[Sentence, ...]
    way: ExcerptWay


def excerpt(store: Store, embedder: Embedder, text: str, query: str) -> Excerpt:
    """The best sentences of `text` for `query`. Where the model can't be asked, the words decide.

    What a word weighs is its inverse document frequency in the store.
    """
    weights = _weights(store, query)
    by_words = best_by_terms(text, weights)
    if by_words and _held(by_words, weights) >= ENOUGH:
        return Excerpt(by_words, "words")
    found = sentences(text)[:_MOST_SENTENCES]
    if not found or not query.strip():
        return Excerpt(found[:2], "words")
    try:
        vectors = embedder.embed_passages([sentence.text for sentence in found])
        return Excerpt(best_by_meaning(found, vectors, embedder.embed_query(query)), "meaning")
    except Unavailable:
        return Excerpt(by_words or found[:2], "words")


def _weights(store: Store, query: str) -> Mapping[str, float]:
    terms = analysis.query_terms(query)
    stats = store.term_stats(terms)
    return {term: bm25.idf(stats.chunks, stats.frequencies.get(term, 0)) for term in terms}


def _held(chosen: tuple[Sentence, ...], weights: Mapping[str, float]) -> float:
    """The share of the weight of all terms that these sentences hold."""
    held = frozenset(term for sentence in chosen for term in analysis.terms(sentence.text))
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in held) / total if total > 0 else 0.0
