"""What is said above the results: words that no note has, and what was searched in the place of others."""

import re
from collections.abc import Iterable, Mapping

from scrubjay.daemon.search.rank.words import QueryTerm, Words
from scrubjay.daemon.search.show.highlight import Highlighter
from scrubjay.daemon.search.types import Notice
from scrubjay.profiles.names import fold

_WORD = re.compile(r"\w+")


def notices(query: str, words: Words, passages: Iterable[str]) -> tuple[Notice, ...]:
    """The notices of a search for `query`. passages: among the best found, to spell a mended word as notes do."""
    said: list[Notice] = []
    if words.instead:
        texts = tuple(passages)
        spelt = {typed: _spelt(term, texts) for typed, term in words.instead.items()}
        mended = _with(query, spelt)
        said.append(Notice("mended", f"Showing results for {mended}.", tuple(spelt), mended))
    if words.absent:
        named = " or ".join(f'"{word}"' for word in words.absent)
        said.append(Notice("absent-words", f"No note says {named}.", tuple(words.absent)))
    return tuple(said)


def _spelt(term: str, passages: Iterable[str]) -> str:
    """A term as a passage spells it; the term itself where none of them has it."""
    highlighter = Highlighter((QueryTerm(term),))
    for text in passages:
        for match in sorted(highlighter.matches(text)):
            return text[match.start : match.end].lower()
    return term


def _with(query: str, instead: Mapping[str, str]) -> str:
    """The query with words put in the place of others."""
    return _WORD.sub(lambda word: instead.get(fold(word[0]), word[0]), query)
