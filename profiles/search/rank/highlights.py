"""The words of a query in a passage, found by the same rules as in the index; and which of them a note says."""

import re
import string
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, cast

import msgspec

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.rank.graphemes import goes_on
from scrubjay.profiles.search.rank.lexical_query import QueryTerm, irregular_terms
from scrubjay.profiles.search.rank.tiers import as_written
from scrubjay.profiles.search.rank.typos import NearWord
from scrubjay.profiles.search.types import FormSaid, WordPlace, WordsSaid
from scrubjay.profiles.search.words import analysis


class Match(msgspec.Struct, frozen=True, order=True, gc=False):
    """A place in the passage that a query term matched. Offsets are code points, end exclusive."""

    start: int
    end: int
    term: int  # which term; several places of one term count once
    weight: float = 1.0  # how much the term tells, such as its IDF


_WORD = re.compile(f"(?:{analysis.IN_WORD.pattern})+")
_word = cast("Callable[[str, int], re.Match[str]]", re.compile(f"(?:{analysis.IN_WORD.pattern})*").match)
"""Which always matches."""
_ascii_word = cast("Callable[[str, int], re.Match[str]]", re.compile(r"[A-Za-z0-9_]*").match)
_ASCII_WORD = frozenset(string.ascii_letters + string.digits + "_")  # asked a quarter as long as the pattern takes
_BEYOND_ASCII = re.compile(f"(?![\\x00-\\x7f])(?:{analysis.IN_WORD.pattern})")
_COMPOSED = re.compile(r".[\u0300-\u036f\u1160-\u11ff\u3099\u309a\uff9e\uff9f]{0,30}", re.DOTALL)
"""A character with the marks, or the rest of the Hangul syllable, that its normal form takes in."""
_REPLACED = 3  # letters at the end of a stem that its words may not have
_KEPT = 2


class Highlighter:
    """Finds the terms of one query in any number of passages; remembers what each word and passage came to.

    Whole words, stems and prefixes match as the index knows them; words of scripts without spaces are found wherever
    their pairs of characters stand. languages: in which words are stemmed beside English. Not thread-safe.
    """

    def __init__(self, terms: Sequence[QueryTerm], languages: Sequence[str] = ()) -> None:
        self._languages = tuple(languages)
        self.word_weights = [0.0 if analysis.is_unspaced(term.text) else term.weight for term in terms]
        """What each term tells, by its number; pairs of characters are no words."""
        self._exact = {text: (number, term.weight) for number, term in enumerate(terms) for text in term.others}
        self._exact |= {term.text: (number, term.weight) for number, term in enumerate(terms)}
        self._prefixes = [(number, term) for number, term in enumerate(terms) if term.prefix]
        self._unspaced = [(number, term) for number, term in enumerate(terms) if analysis.is_unspaced(term.text)]
        stems = {_stem_in_words(term.text) for term in terms if term.text.isascii()}
        stems |= {_own_stem_in_words(text) for term in terms for text in term.others if text.isascii()}
        self._stems = stems - {""}
        symbols = ((analysis.symbol_of(term.text), (number, term.weight)) for number, term in enumerate(terms))
        self._symbols = {symbol: told for symbol, told in symbols if symbol}
        self._has_numbers = any(term.text.isdecimal() for term in terms)
        self._known: dict[str, tuple[int, float] | None] = {}
        self._found: dict[str, list[Match]] = {}

    def matches(self, text: str) -> list[Match]:
        """All places in `text` that hold a term, in no order."""
        found = self._found.get(text)
        if found is None:
            found = self._found[text] = self._matches(text)
        return found

    def _matches(self, text: str) -> list[Match]:
        if self._has_numbers and not text.isascii():
            text = text.translate(analysis.DIGITS)
        words = self._candidates(text)
        hits = self._hits([text[start:end] for start, end in words])
        found = [Match(start, end, *hits[word]) for start, end in words if (word := text[start:end]) in hits]
        found += self._matches_unspaced(text) if self._unspaced else ()
        return found + self._matches_of_symbols(text) if self._symbols else found

    def _matches_of_symbols(self, text: str) -> list[Match]:
        """Where symbols stand, each with all that a reader takes for one character with it."""
        found: set[Match] = set()
        for at, stop, symbol in analysis.symbols_in(text):
            if symbol not in self._symbols:
                continue
            start, end = at, stop
            while start and goes_on(text, start):
                start -= 1
            while goes_on(text, end):
                end += 1
            found.add(Match(start, end, *self._symbols[symbol]))
        return list(found)

    def _matches_unspaced(self, text: str) -> list[Match]:
        """Where the pairs of characters stand, in whatever form the note has them: the index has the compatible one.

        A pair that begins or ends within what a reader takes for one character is another word's, unless the pairs
        beside it stand there too; a single one is marked with all that belongs to it.
        """
        found: list[Match] = []
        compatible, places = _compatible(text)
        written = analysis.one_character(compatible)
        for number, term in self._unspaced:
            at = written.find(term.text)
            while at >= 0:
                start, end = places[at][0], places[at + len(term.text) - 1][1]
                while len(term.text) == 1 and goes_on(text, end):
                    end += 1
                found.append(Match(start, end, number, term.weight))
                at = written.find(term.text, at + 1)
        covered = {at for match in found for at in range(match.start, match.end)}
        return [match for match in found if all(_is_whole(text, at, covered) for at in (match.start, match.end))]

    def _candidates(self, text: str) -> set[tuple[int, int]]:
        """Where the words are that could match, a tenth of all: analysing every word would take ten times as long.

        They hold the beginning of a term anywhere (their parts are terms too), or what analysis folds or joins.
        """
        lowered = text.lower()
        if len(lowered) != len(text):
            return {run.span() for run in _WORD.finditer(text)}
        is_ascii = text.isascii()
        rest_of_word = _ascii_word if is_ascii else _word
        found: set[tuple[int, int]] = set()
        for stem in self._stems:  # one by one: a pattern for all of them takes longer to be made than to be used
            at = lowered.find(stem)
            while at >= 0:
                before = text[at - 1] if at else " "
                if before.isalpha() and before.isascii() and text[at].islower():
                    at = lowered.find(stem, at + 1)  # no term begins at a small letter after another ASCII letter
                    continue
                end = rest_of_word(text, at).end()
                found.add((at if before == " " else _start_of_word(text, at), end))
                at = lowered.find(stem, max(end, at + 1))
        if self._has_numbers:
            found.update(number.span() for number in analysis.GROUPED.finditer(text))
        at = text.find("_")
        while at >= 0:
            end = rest_of_word(text, at).end()
            found.add((_start_of_word(text, at), end))
            at = text.find("_", end)
        if not is_ascii:
            for unusual in _BEYOND_ASCII.finditer(text):
                at = _start_of_word(text, unusual.start())
                found.add((at, rest_of_word(text, at).end()))
        return found

    def _hits(self, words: Sequence[str]) -> dict[str, tuple[int, float]]:
        """Those words that match a term, each with (term number, weight)."""
        known, distinct = self._known, set(words)
        if new := distinct.difference(known):
            single = {} if self._languages else analysis.single_terms(new)
            for word in new:
                term = single.get(word)
                tokens = _tokens(word, self._languages) if term is None else {term, word.lower()}
                known[word] = self._matched(tokens)
        return {word: hit for word in distinct if (hit := known[word]) is not None}

    def _matched(self, tokens: Collection[str]) -> tuple[int, float] | None:
        """(term number, weight) of the heaviest term that a word matches, given its tokens: see `_tokens`."""
        if not self._prefixes and self._exact.keys().isdisjoint(tokens):
            return None
        hits = [self._exact[token] for token in tokens if token in self._exact]
        for number, term in self._prefixes:
            if any(token.startswith(term.text) for token in tokens):
                hits.append((number, term.weight))
        return max(hits, key=lambda hit: (hit[1], -hit[0]), default=None)


def _is_whole(text: str, at: int, covered: Collection[int]) -> bool:
    """Whether a place is between two characters, or matches go on across it."""
    return not goes_on(text, at) or (at - 1 in covered and at in covered)


def _compatible(text: str) -> tuple[str, Sequence[tuple[int, int]]]:
    """The text in normal form NFKC, and for each of its characters where it stands in the one given."""
    if unicodedata.is_normalized("NFKC", text):
        return text, [(at, at + 1) for at in range(len(text))]
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    for group in _COMPOSED.finditer(text):
        parts.append(unicodedata.normalize("NFKC", group[0]))
        places.extend([group.span()] * len(parts[-1]))
    return "".join(parts), places


def _stem_in_words(term: str) -> str:
    """What every word that is stemmed to `term` begins with: Porter's steps replace one letter of a stem at most."""
    return term[:-1] or term


def _own_stem_in_words(stem: str) -> str:
    """What words that Snowball stems to this one begin with: its algorithms may replace the last few letters."""
    return stem[: max(_KEPT, len(stem) - _REPLACED)]


def _start_of_word(text: str, at: int) -> int:
    while at and (text[at - 1] in _ASCII_WORD or analysis.IN_WORD.match(text, at - 1)):
        at -= 1
    return at


@lru_cache(maxsize=4_096)
def _tokens(word: str, languages: tuple[str, ...]) -> frozenset[str]:
    """The index terms of one word, and its folded form so that an unfinished word matches before its stem does."""
    stems = (analysis.tokenize(analysis.stems_text(word, language)) for language in languages)
    return frozenset((*analysis.terms(word), *chain.from_iterable(stems), fold(word)))


class _Said(NamedTuple):
    """A text, and its words."""

    text: str
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> "_Said":
        return cls(text, frozenset(analysis.words(text)))

    def of_all(self, found: Highlighter, count: int) -> list[Match]:
        """The places of a word's terms in order, where the text has all of them; else none."""
        matches = sorted(found.matches(self.text))
        return matches if len({match.term for match in matches}) >= count else []

    def has(self, word: str, found: Highlighter, count: int) -> bool:
        """Whether the text says the word as typed. found: what finds its terms, of which there are so many."""
        if not self.of_all(found, count):
            return False
        plain = "".join(analysis.words(word))
        return count > 1 or not plain or bool(analysis.UNSPACED.search(word)) or as_written(plain, self.words)


class AskedWords:
    """The words of one query, as typed. Small words, which no note is found by, are left out. Not thread-safe.

    instead: by mistyped word (folded), what it was taken for. absent: words that no note has, which are told
    above the results and of no result: one may be a password that somebody typed. languages: beside English, in which
    words are stemmed.
    """

    def __init__(
        self,
        words: Iterable[str],
        instead: Mapping[str, NearWord],
        absent: Iterable[str],
        languages: Sequence[str] = (),
    ) -> None:
        nowhere = set(map(fold, absent))
        asked = tuple(word for word in dict.fromkeys(words) if fold(word) not in nowhere)
        telling = set(analysis.query_terms(" ".join(asked)))
        irregular = irregular_terms(" ".join(asked), languages)
        self._words: list[tuple[str, Highlighter, int]] = []
        for word in asked:
            mended = {instead[part].term for part in analysis.words(word) if part in instead}
            terms = mended or telling.intersection(analysis.query_terms(word))
            if analysis.GROUPED.fullmatch(word):
                terms = {max(terms, key=len)}  # without the groups
            elif not mended:  # without the parts of an identifier, which are searched for beside it
                own = analysis.phrase_terms(word)
                terms = {term for term in terms if term in own or analysis.symbol_of(term)}
            if terms:
                others = analysis.stems_of_words(word, languages)
                typed = analysis.query_words(word)
                sought = [
                    QueryTerm(term, others=(*others.get(folded, ()), *irregular.get(folded, ())))
                    for term, folded in ((term, typed.get(term, "")) for term in sorted(terms))
                ]
                self._words.append((word, Highlighter(sought, languages), len(terms)))

    def said(self, texts: Mapping[WordPlace, Sequence[str]]) -> WordsSaid:
        """Which of them stand in a note, and where. texts: all that it says, by where, in the order of `WordPlace`."""
        parts: list[tuple[WordPlace, _Said]] = [(place, _Said.of("\n".join(each))) for place, each in texts.items()]
        whole = _Said(
            "\n".join(said.text for _, said in parts), frozenset[str]().union(*(said.words for _, said in parts))
        )
        has: list[tuple[str, WordPlace]] = []
        forms: list[FormSaid] = []
        for word, found, count in self._words:
            if whole.has(word, found, count):
                places: list[WordPlace] = [place for place, said in parts if said.has(word, found, count)]
                has.append((word, places[0] if places else "text"))  # of several terms, each in another place
            elif matches := whole.of_all(found, count):
                forms.append(FormSaid(word, whole.text[matches[0].start : matches[0].end]))
        there = {*(word for word, _ in has), *(form.typed for form in forms)}
        return WordsSaid(
            has=tuple(word for word, _ in has),
            lacks=tuple(word for word, _, _ in self._words if word not in there),
            forms=tuple(forms),
            places=tuple(place for _, place in has),
        )
