"""What a lexical query is made of, and which documents hold each part, by field."""

import dataclasses
import sys
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.search.words import postings as posting
from scrubjay.profiles.search.words.analysis import stems_ahead
from scrubjay.profiles.search.words.postings import Field, Postings
from scrubjay.profiles.store.columns import Columns
from scrubjay.profiles.store.statements import Connection


@dataclass(frozen=True, slots=True)
class Term:
    """A word, analysed (`analysis.query_terms`). As a prefix it is the beginning of a word, folded and not stemmed; it
    stands for its own stem, for the terms that begin with it and for the stems of what it may become.

    typed: the word that it is the stem of, in which a typo was made if no note has it. others: terms that say the same
    word: its stems in other languages than English. related: its irregular forms, and words that it is a part of.
    """

    text: str
    weight: float = 1.0
    prefix: bool = False
    typed: str = dataclasses.field(default="", compare=False)
    others: tuple[str, ...] = ()
    related: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """All terms that say it."""
        return (self.text, *self.others)

    @property
    def key(self) -> str:
        """Its name in `TermStats.frequencies`; no analysed term holds an asterisk, a bar or a plus."""
        others = self.others or self.related  # which words of most languages have none of
        name = "+".join(("|".join(self.texts), *self.related)) if others else self.text
        return f"{name}*" if self.prefix else name


@dataclass(frozen=True, slots=True)
class TypedPhrase:
    """Words in this order and next to each other, as typed (not analysed)."""

    text: str
    weight: float = 1.0

    @property
    def key(self) -> str:
        """Its name in `TermStats.frequencies`; no analysed term holds a quotation mark."""
        return f'"{self.text}"'


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """What to look for: `should` scores; a note must hold each of `must` and none of `must_not`.

    name: the query as a whole, which may be what a note is called; "" where it can't be.
    """

    should: tuple[Term | TypedPhrase, ...]
    must: tuple[TypedPhrase, ...] = ()
    must_not: tuple[TypedPhrase, ...] = ()
    name: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys to ask `Store.term_stats` for."""
        return tuple(dict.fromkeys(part.key for part in self.should))


def part_of(key: str) -> Term | TypedPhrase:
    """The inverse of `key`."""
    if key.startswith('"'):
        return TypedPhrase(key[1:-1])
    said, *related = key.removesuffix("*").split("+")
    text, *others = said.split("|")
    return Term(text, prefix=key.endswith("*"), others=tuple(others), related=tuple(related))


EXPANSION_WEIGHT = 0.6
"""Of a word that only begins like the one typed, or that it may become, against the word itself."""
STEM_WEIGHT = 0.8
"""Of a word's stem in its own language, against the word as it was typed."""
RELATED_WEIGHT = 0.7
"""Of an irregular form of a word, and of a longer word that it is a part of."""
MAX_EXPANSIONS = 16
SAMPLED_SHARDS = 4
"""Of 4,096 documents each: they tell how a beginning of very many words goes on; for a rarer one, all are looked at."""
MIN_PREFIX = 2
"""Letters; one alone expands to too much to mean anything (a character of an unspaced script does)."""
REMEMBERED_POSTINGS = 400_000
"""Of 12 bytes each: those of the last few queries. One query's own may be more, and stay until the next."""

Evidence: TypeAlias = dict[Field, list[Postings]]


class EvidenceReader:
    """Reads evidence, and remembers what it read last of one generation of the file. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._generation = -1
        self._remembered: OrderedDict[str, Evidence] = OrderedDict()
        self._postings = 0
        self._note_tokens: tuple[int, NDArray[np.float64]] | None = None  # the columns' generation, and what it gave

    def read(self, connection: Connection, generation: int, parts: Sequence[Term | TypedPhrase]) -> list[Evidence]:
        """The evidence of each part. generation: that of the connection's snapshot."""
        known = self._known(generation, [part.key for part in parts])
        postings = posting.read(connection, _terms(part for part in parts if part.key not in known))
        for part in parts:
            if part.key not in known:
                found = known[part.key] = _evidence(connection, part, postings)
                self._remember(generation, part.key, found, known.keys())
        return [known[part.key] for part in parts]

    def unread(self, parts: Sequence[Term | TypedPhrase]) -> list[str]:
        """The terms whose postings `read` would read of these parts, if nothing has been written since it last did."""
        known = self._known(self._generation, [part.key for part in parts])
        return _terms(part for part in parts if part.key not in known)

    def note_tokens(self, columns: Columns) -> NDArray[np.float64]:
        """Tokens in all chunks of each note, by note id; added up once for each state of the columns."""
        with self._lock:
            known = self._note_tokens
            if known is None or known[0] != columns.generation:
                sums = np.bincount(columns.note_of, columns.tokens, len(columns.first_chunk)).astype(np.float64)
                known = self._note_tokens = (columns.generation, sums)
            return known[1]

    def forget(self) -> None:
        """Drop everything."""
        with self._lock:
            self._note_tokens = None
            self._remembered.clear()
            self._postings = 0

    def _known(self, generation: int, keys: Sequence[str]) -> dict[str, Evidence]:
        with self._lock:
            if generation > self._generation:
                self._generation = generation
                self._remembered.clear()
                self._postings = 0
            if generation != self._generation:
                return {}
            found = {key: self._remembered[key] for key in keys if key in self._remembered}
            for key in found:
                self._remembered.move_to_end(key)
            return found

    def _remember(self, generation: int, key: str, evidence: Evidence, needed: Collection[str]) -> None:
        """Cache it, and evict the oldest; never what is `needed` at this moment, which is read again at once."""
        with self._lock:
            if generation != self._generation or key in self._remembered:
                return
            self._remembered[key] = evidence
            self._postings += _size(evidence)
            while self._postings > REMEMBERED_POSTINGS and next(iter(self._remembered)) not in needed:
                self._postings -= _size(self._remembered.popitem(last=False)[1])


def _terms(parts: Iterable[Term | TypedPhrase]) -> list[str]:
    words = (part for part in parts if isinstance(part, Term) and not part.prefix)
    return list(dict.fromkeys(text for word in words for text in (*word.texts, *word.related)))


def _expand(connection: Connection, prefix: str) -> list[str]:
    """The most frequent terms that begin with `prefix` (itself left out)."""
    if len(prefix) < MIN_PREFIX and prefix.isascii():
        return []
    most_frequent = connection.dialect.most_frequent
    found = most_frequent(connection, prefix, SAMPLED_SHARDS, MAX_EXPANSIONS)
    return found if len(found) == MAX_EXPANSIONS else most_frequent(connection, prefix, sys.maxsize, MAX_EXPANSIONS)


def _evidence(connection: Connection, part: Term | TypedPhrase, postings: dict[str, dict[Field, Postings]]) -> Evidence:
    if isinstance(part, TypedPhrase):
        return _phrase_evidence(connection, part.text)
    if not part.prefix:
        return _said(part, postings)
    own, *others = stems_ahead(part.text) or (part.text,)
    weights = {
        term: 1.0 if term in (own, *part.texts) else EXPANSION_WEIGHT
        for term in (own, *part.others, *part.related, *others, *_expand(connection, part.text))
    }
    return {field: [found] for field, found in posting.read_together(connection, weights).items()}


def _said(word: Term, postings: dict[str, dict[Field, Postings]]) -> Evidence:
    """Where any of a word's terms stands: as often as it does as typed, or as its stem does, if that counts more."""
    said = postings.get(word.text, {})
    if not word.others and not word.related:
        return {field: [found] for field, found in said.items()}
    evidence: Evidence = {}
    weighted = [(postings.get(text, {}), STEM_WEIGHT) for text in word.others]
    weighted += [(postings.get(text, {}), RELATED_WEIGHT) for text in word.related]
    for field in Field:
        found = [each[field].times(weight) for each, weight in weighted if field in each]
        found += [said[field]] if field in said else []
        if found:
            evidence[field] = [posting.highest(found)]
    return evidence


def _phrase_evidence(connection: Connection, text: str) -> Evidence:
    """Documents with the phrase anywhere, counted once, as if in the text or in the title; of links, as theirs."""
    found = connection.dialect.phrase_places(connection, text)
    if found is None:
        return {}
    places = ((Field.BODY, found.chunks), (Field.TITLE, found.notes), (Field.ANCHORS, found.anchors))
    return {field: [Postings(ids, np.ones(len(ids), np.float32))] for field, ids in places}


def _size(evidence: Evidence) -> int:
    return 1 + sum(len(found.ids) for lists in evidence.values() for found in lists)
