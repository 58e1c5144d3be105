"""Which words of a query a note says, for somebody who wonders why it was found."""

from collections.abc import Iterable, Mapping, Sequence

from scrubjay.daemon.search.rank.matches import Highlighter
from scrubjay.daemon.search.rank.words import QueryTerm
from scrubjay.daemon.search.types import WordsSaid
from scrubjay.profiles.names import fold
from scrubjay.profiles.text import analysis


class AskedWords:
    """The words of one query, as typed. Small words, which no note is found by, are left out. Not thread-safe.

    instead: by mistyped word (folded), the term that it was taken for. absent: words that no note has, which are told
    above the results and of no result: one may be a password that somebody typed. languages: beside English, in which
    words are stemmed.
    """

    def __init__(
        self, words: Iterable[str], instead: Mapping[str, str], absent: Iterable[str], languages: Sequence[str] = ()
    ) -> None:
        nowhere = set(map(fold, absent))
        asked = tuple(word for word in dict.fromkeys(words) if fold(word) not in nowhere)
        telling = set(analysis.query_terms(" ".join(asked)))
        self._words: list[tuple[str, Highlighter, int]] = []
        for word in asked:
            mended = instead.get(fold(word))
            terms = telling.intersection(analysis.query_terms(word)) if mended is None else {mended}
            if terms:
                others = analysis.stems_of_words(word, languages)
                typed = analysis.query_words(word)
                sought = [QueryTerm(term, others=others.get(typed.get(term, ""), ())) for term in sorted(terms)]
                self._words.append((word, Highlighter(sought, languages), len(terms)))

    def said(self, texts: Sequence[str]) -> WordsSaid:
        """Which of them stand in a note. texts: its passages, its title, its path, its tags."""
        text = "\n".join(texts)
        has = [
            word for word, found, parts in self._words if len({match.term for match in found.matches(text)}) == parts
        ]
        return WordsSaid(tuple(has), tuple(word for word, _, _ in self._words if word not in has))
