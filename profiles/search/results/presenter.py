"""From ranked notes to the reply: results with their snippets, reasons and copies."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import numpy as np

from scrubjay.profiles.kinds import shown_kind
from scrubjay.profiles.search.rank.highlights import AskedWords, Highlighter
from scrubjay.profiles.search.rank.legs import Key
from scrubjay.profiles.search.rank.lexical_query import CEILING_WORDS, Words
from scrubjay.profiles.search.rank.ranking import RankedEntry, RankedSequence
from scrubjay.profiles.search.rank.tiers import relevance
from scrubjay.profiles.search.results.places import display_name, open_url
from scrubjay.profiles.search.results.snippet import make_snippet
from scrubjay.profiles.search.types import MOST_PLACES, Place, Relevance, SearchResult, Surroundings, WordsSaid
from scrubjay.profiles.search.words.analysis import is_unspaced
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import ChunkView
from scrubjay.profiles.store.store import Store


@dataclass(frozen=True, slots=True)
class Asking:
    """What a passage that says all that was asked would score by words, and what counts as saying much of it.

    ceiling: BM25. known: the share of the query that any note has, by weight. conjoined: whether it is of a few whole
    words, so that one of them, however rare, is not what was asked. adds_up: see `Words.adds_up`.
    """

    ceiling: float
    known: float
    conjoined: bool
    adds_up: bool

    @classmethod
    def of(cls, words: Words, share: float) -> "Asking":
        """Of a query's words. share: of them, what a note has that says all it is asked for (see `QueryPlan.share`)."""
        parts = [part.text for part in words.query.should]
        is_short = 1 < len(parts) <= CEILING_WORDS  # of a long question no passage says most words
        conjoined = is_short and share == 1 and not words.instead and not any(map(is_unspaced, parts))
        return cls(words.asked_ceiling * share, words.known_share, conjoined, words.adds_up)


@dataclass(frozen=True, slots=True)
class Presenter:
    """Makes results of candidates.

    vault_name: what a vault id is called. trust: how much of the query its model can read, 0 to 1, and so how much of a
    similarity says that a passage is relevant. certain: the results are a list of all that passes, and so all of them
    meant. context: passages of the note to give with each result, before its own and after it. known: passages that
    have been read already. typing: the last word may be unfinished, so that what words found may be meant after all.
    words: those of the query, where each result is to tell which of them its note says. folds: notes that say nearly
    the same as a result are named in it, and are no results themselves.
    """

    stores: Mapping[str, Store]
    highlighter: Highlighter
    asking: Asking
    vault_name: Callable[[str], str]
    trust: float
    explain: bool
    certain: bool = False
    typing: bool = False
    context: int = 0
    folds: bool = False
    known: Mapping[Key, ChunkView] = field(default_factory=dict[Key, ChunkView])
    words: AskedWords | None = None
    places: int = MOST_PLACES

    def page(self, line: RankedSequence, start: int, limit: int) -> tuple[list[SearchResult], int | None]:
        """The results from place `start` on, and the place after them, None at the end.

        Copies of a text are folded into the first that holds it on this page (see `_Copies`), and where the page
        `folds`, near copies into the first of them: those with words of the query, or those without.
        """
        results: list[SearchResult] = []
        also_in, nearly_same = _Folded(self.places), _Folded(self.places)
        folded = _Copies()
        near = _NearCopies(self.stores if self.folds else {})
        for place, entry, view in self._views(line, start, limit + 1):
            profile = entry.key[0]
            original = folded.original(profile, view, self.stores[profile])
            if original is not None:
                also_in.add(original, Place(profile, self.vault_name(view.vault), view.path))
                continue
            alike = near.original(profile, view.note_id)
            if alike is not None and (results[alike].found_by == "words") == entry.holds:
                nearly_same.add(alike, Place(profile, self.vault_name(view.vault), view.path))
            elif len(results) < limit:
                folded.add(len(results), profile, view)
                near.add(len(results), profile, view.note_id)
                results.append(self._result(entry, view))
            else:
                next_place = place
                break
        else:
            next_place = None
        return [
            replace(
                result,
                also_in=also_in.named(at),
                also_in_count=also_in.count(at),
                nearly_same=nearly_same.named(at),
                nearly_same_count=nearly_same.count(at),
            )
            for at, result in enumerate(results)
        ], next_place

    def _views(self, line: RankedSequence, start: int, at_once: int) -> Iterator[tuple[int, RankedEntry, ChunkView]]:
        """The line from a place on, each with its place and text, some read at a time; without those that just went."""
        while part := line.entries(start, start + at_once):
            wanted: dict[str, list[int]] = {}
            for profile, chunk_id in (entry.key for entry in part if entry.key not in self.known):
                wanted.setdefault(profile, []).append(chunk_id)
            read = {profile: self.stores[profile].read(reads.chunks, ids) for profile, ids in wanted.items()}
            for place, entry in enumerate(part, start):
                profile, chunk_id = entry.key
                view = self.known.get(entry.key) or read[profile].get(chunk_id)
                if view is not None:
                    yield place, entry, view
            start += at_once

    def _result(self, entry: RankedEntry, view: ChunkView) -> SearchResult:
        snippet = make_snippet(view.text, self.highlighter.matches(view.text))
        return SearchResult(
            id=view.digest.hex()[:12],
            profile=entry.key[0],
            vault=self.vault_name(view.vault),
            path=view.path,
            title=view.title,
            headings=view.headings,
            line=view.line,
            snippet=snippet.text,
            highlights=snippet.highlights,
            score=entry.score,
            relevance=self._relevance(entry),
            tags=view.tags,
            modified=datetime.fromtimestamp(view.mtime_ns / 1e9, tz=UTC),
            redactions=view.redactions,
            explain=entry.parts if self.explain else None,
            words=self._said(entry.key[0], view, self.words) if self.words else None,
            context=self._surroundings(entry.key[0], view) if self.context else None,
            kind=shown_kind(view.kind),
            place=view.place,
            display=display_name(view.title, shown_kind(view.kind), view.place),
            open_url=open_url(self.vault_name(view.vault), view.path, shown_kind(view.kind), view.place, view.headings),
            found_by="words" if entry.holds else "meaning" if np.isnan(entry.bm25) else "links",
        )

    def _said(self, profile: str, view: ChunkView, words: AskedWords) -> WordsSaid:
        chunks = self.stores[profile].read(reads.note_chunks, view.note_id)
        texts = [view.title, view.path, *view.tags, *(heading for chunk in chunks for heading in chunk.headings)]
        return words.said([*texts, *(chunk.text for chunk in chunks)])

    def _relevance(self, entry: RankedEntry) -> Relevance:
        if self.certain:
            return "high"
        coverage = 0.0 if np.isnan(entry.bm25) or self.asking.ceiling <= 0 else entry.bm25 / self.asking.ceiling
        query_share = entry.query_share * self.asking.known if self.asking.conjoined else 1.0
        similarity = None if np.isnan(entry.similarity) else entry.similarity
        tier = relevance(similarity, coverage, query_share, trust=self.trust, adds_up=self.asking.adds_up)
        return "medium" if tier == "low" and self.typing and coverage > 0 else tier

    def _surroundings(self, profile: str, view: ChunkView) -> Surroundings:
        chunks = self.stores[profile].read(reads.note_chunks, view.note_id)
        before = [chunk.text for chunk in chunks if view.position - self.context <= chunk.position < view.position]
        after = [chunk.text for chunk in chunks if view.position < chunk.position <= view.position + self.context]
        return Surroundings(tuple(before), tuple(after))


class _Folded:
    """The notes that results stand for beside their own, by the number of the result; `most` of each are named."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._named: dict[int, list[Place]] = {}
        self._counts: Counter[int] = Counter()

    def add(self, result: int, place: Place) -> None:
        """A result stands for one more."""
        self._counts[result] += 1
        if self._counts[result] <= self._most:
            self._named.setdefault(result, []).append(place)

    def named(self, result: int) -> tuple[Place, ...]:
        """The first of them."""
        return tuple(self._named.get(result, ()))

    def count(self, result: int) -> int:
        """How many there are."""
        return self._counts[result]


class _Copies:
    """Which results stand for copies.

    The same passage in another profile, or in a note of the same title, is a copy. Inside one profile two notes of
    different titles that share a passage (a template, say) are copies only if nearly all their passages are shared.
    """

    def __init__(self) -> None:
        self._first: dict[str, list[tuple[int, str, ChunkView]]] = {}  # by text: digests of profiles may differ by key
        self._digests: dict[tuple[str, int], frozenset[bytes]] = {}

    def add(self, place: int, profile: str, view: ChunkView) -> None:
        """Result number `place` shows this passage."""
        self._first.setdefault(view.text, []).append((place, profile, view))

    def original(self, profile: str, view: ChunkView, store: Store) -> int | None:
        """Which result this passage is a copy of, if of any. store: that of the profile."""
        for place, other_profile, other in self._first.get(view.text, ()):
            if other_profile == profile and other.note_id == view.note_id:
                return None
            if other_profile != profile or other.title == view.title or self._alike(profile, store, view, other):
                return place
        return None

    def _alike(self, profile: str, store: Store, one: ChunkView, other: ChunkView) -> bool:
        left, right = (self._all_digests(profile, store, view.note_id) for view in (one, other))
        return len(left & right) >= _SHARED * len(left | right)

    def _all_digests(self, profile: str, store: Store, note_id: int) -> frozenset[bytes]:
        known = self._digests.get((profile, note_id))
        if known is None:
            known = self._digests[profile, note_id] = store.note_digests(note_id)
        return known


_SHARED = 0.8


class _NearCopies:
    """Which results notes say nearly the same as. stores: those whose near copies count."""

    def __init__(self, stores: Mapping[str, Store]) -> None:
        self._stores = stores
        self._near: dict[str, Mapping[int, tuple[int, ...]]] = {}
        self._first: dict[tuple[str, int], int] = {}

    def add(self, place: int, profile: str, note_id: int) -> None:
        """Result number `place` shows this note."""
        if profile not in self._near:
            self._near[profile] = self._stores[profile].near_copies() if profile in self._stores else {}
        for other in self._near[profile].get(note_id, ()):
            self._first.setdefault((profile, other), place)

    def original(self, profile: str, note_id: int) -> int | None:
        """Which result this note says nearly the same as, if any."""
        return self._first.get((profile, note_id))
