"""The two sentences of a passage that answer a query best: by its words, by meaning where these say little.

By words: a sentence is worth the weights of the distinct terms in it, and the second one what it adds to the first.
By meaning: sentences are worth their likeness to the query, less what they repeat of each other (maximal marginal
relevance, Carbonell and Goldstein, SIGIR 1998).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon.links.answer_words import ExcerptWay
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.profiles.errors import Unavailable
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.results.plain_text import Sentence, sentences
from scrubjay.profiles.search.words import analysis
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
    asked = AskedTerms.of((store,), query)
    by_words = best_by_terms(text, asked)
    said = frozenset[str]().union(*(asked.said(sentence.text) for sentence in by_words))
    if by_words and asked.worth(said) >= ENOUGH:
        return Excerpt(by_words, "words")
    found = sentences(text)[:_MOST_SENTENCES]
    if not found or not query.strip():
        return Excerpt(found[:2], "words")
    try:
        vectors = embedder.embed_passages([sentence.text for sentence in found])
        return Excerpt(best_by_meaning(found, vectors, embedder.embed_query(query)), "meaning")
    except Unavailable:
        return Excerpt(by_words or found[:2], "words")


def best_by_terms(text: str, asked: AskedTerms, count: int = SENTENCES) -> tuple[Sentence, ...]:
    """At most `count` sentences that hold the most weight of different terms, in the order of the text.

    Equal sentences: the earlier one. Sentences without any of the terms are not chosen, nor labels of a word or two;
    where there are none with, nothing is.
    """
    candidates = [
        (sentence, asked.said(sentence.text))
        for sentence in sentences(text)
        if len(set(analysis.terms(sentence.text))) >= _SHORTEST
    ]
    chosen: list[Sentence] = []
    known: frozenset[str] = frozenset()
    while len(chosen) < count and candidates:
        worth = [_worth(asked, said, known) for _, said in candidates]
        best = max(range(len(candidates)), key=lambda index: (worth[index], -index))
        if worth[best] <= 0:
            break
        sentence, said = candidates.pop(best)
        chosen.append(sentence)
        known |= said
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


def _worth(asked: AskedTerms, said: frozenset[str], known: frozenset[str]) -> float:
    """What a sentence adds; a little for terms said again, so that of equal ones the fuller sentence is taken."""
    new = asked.worth(said - known)
    return new + 0.1 * asked.worth(said) if new else 0.0
