"""From ranked notes to the reply: results with their snippets, reasons and copies."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scrubjay.profiles.kinds import shown_kind
from scrubjay.profiles.search.query.query_plan import QueryPlan
from scrubjay.profiles.search.rank.highlights import AskedWords
from scrubjay.profiles.search.rank.lexical_query import CEILING_WORDS, ScoredWords
from scrubjay.profiles.search.rank.ranking import CompleteRanking, RankedEntry, RankedSequence
from scrubjay.profiles.search.rank.retrieval import Retrieved
from scrubjay.profiles.search.rank.tiers import as_written, relevance, stands_out
from scrubjay.profiles.search.results.copies import Copies, Folded, NearCopies
from scrubjay.profiles.search.results.places import display_name, open_url
from scrubjay.profiles.search.results.snippet import make_snippet
from scrubjay.profiles.search.types import (
    FoundBy,
    Place,
    Relevance,
    SearchRequest,
    SearchResult,
    Surroundings,
    WordPlace,
    WordsSaid,
)
from scrubjay.profiles.search.words.analysis import is_unspaced, phrase_terms, symbol_of, terms
from scrubjay.profiles.search.words.analysis import words as words_of
from scrubjay.profiles.search.words.evidence import Term
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import ChunkView
from scrubjay.profiles.store.store import Store

_ALL = 0.999  # of the words' weight, since shares are sums of fractions
_ALPHABETS_WITHOUT_SPACES = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{2,}")


@dataclass(frozen=True, slots=True)
class Asking:
    """What a passage that says all that was asked would score by words, and what counts as saying much of it.

    ceiling: BM25. known: the share of the query that any note has, by weight. conjoined: whether it is of a few whole
    words, so that one of them, however rare, is not what was asked. known_pairs, adds_up: see `ScoredWords`.
    is_unheard: whether no note has any of its words. is_single: whether it is one word or phrase. typed: its finished
    words, of scripts with spaces, without symbols. runs: the terms of what it has in alphabets without spaces, such as
    Thai.
    """

    ceiling: float
    known: float
    conjoined: bool
    known_pairs: float
    adds_up: bool
    is_unheard: bool
    is_single: bool
    typed: tuple[Term, ...]
    runs: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, words: ScoredWords, share: float) -> "Asking":
        """Of a query's words. share: of them, what a note has that says all it is asked for (see `QueryPlan.share`)."""
        parts = [part.text for part in words.query.should]
        is_short = 1 < len(parts) <= CEILING_WORDS  # of a long question no passage says most words
        conjoined = is_short and share == 1 and not words.instead and not any(map(is_unspaced, parts))
        known = words.known_share
        is_unheard = bool(words.absent) and known == 0
        typed = tuple(
            part
            for part in words.query.should
            if isinstance(part, Term)
            and part.typed
            and not part.prefix
            and not is_unspaced(part.text)
            and not symbol_of(part.text)
        )
        runs = tuple(map(phrase_terms, _ALPHABETS_WITHOUT_SPACES.findall(words.query.name)))
        return cls(
            ceiling=words.asked_ceiling * share,
            known=known,
            conjoined=conjoined,
            known_pairs=words.known_pairs,
            adds_up=words.adds_up,
            is_unheard=is_unheard,
            is_single=len(parts) == 1 and not is_unspaced(parts[0]),
            typed=typed,
            runs=runs,
        )

    def is_all_said(self, entry: RankedEntry) -> bool:
        """Whether a passage, or what its note is called, says every word, in whatever form and however long it is."""
        return not np.isnan(entry.bm25) and (self.is_single or entry.query_share * self.known >= _ALL)

    def is_said(self, view: ChunkView) -> bool:
        """Whether a passage, or what its note is called, says most words that it is found by as they were typed.

        Two letters of an alphabet mean nothing by themselves: of such runs one must stand there whole.
        """
        text = "\n".join((view.text, view.title, view.path, *view.headings, *view.tags))
        in_order = terms(text, view.stemmed)
        if self.runs and not any(f" {' '.join(run)} " in f" {' '.join(in_order)} " for run in self.runs):
            return False
        found = frozenset(in_order)
        said = frozenset(words_of(text))
        held = [part for part in self.typed if not found.isdisjoint(part.texts)]
        return 2 * sum(as_written(part.typed, said) for part in held) >= len(held)


class Presenter:
    """Makes the results of a request of what was retrieved for it from these stores.

    vaults: what the vaults of this computer are called, by id. about: what the user says of the folder of a note
    (profile, name of its vault, path).
    """

    def __init__(
        self,
        request: SearchRequest,
        plan: QueryPlan,
        retrieved: Retrieved,
        stores: Mapping[str, Store],
        vaults: Mapping[str, str],
        about: Callable[[str, str, str], str],
    ) -> None:
        self._request = request
        self._stores = stores
        self._vaults = vaults
        self._about = about
        self._highlighter = retrieved.highlighter
        self._known = retrieved.best  # passages that have been read already
        words = retrieved.words
        self._asking = Asking.of(words, plan.share)
        # How much of a similarity says that a passage is relevant.
        self._trust = max((meaning.trust for meaning in retrieved.meanings), default=1.0)
        self._is_list = plan.is_list
        # Of all that passes all are meant, but where nothing is asked for, and some notes at most are left out.
        self._of_list: Relevance = "high" if plan.demands and not plan.only_excludes else "medium"
        self._asked = AskedWords(plan.words, words.instead, words.absent, words.languages) if request.explain else None

    def page(self, line: RankedSequence) -> tuple[list[SearchResult], int | None]:
        """The results from the request's `offset` on, and the place after them, None at the end.

        As far as the request folds, copies of a text are folded into the first that holds it on this page (see
        `Copies`), and near copies into the first of them: those with words of the query, or those without. Of lists,
        and of passages, near copies stay.
        """
        start, limit = self._request.offset, self._request.limit
        folds = self._request.fold
        folds_near = folds == "near copies" and self._request.group == "note" and isinstance(line, CompleteRanking)
        results: list[SearchResult] = []
        shown: list[tuple[RankedEntry, ChunkView]] = []  # what the results are made of, and the one after them would be
        also_in, nearly_same = Folded(self._request.places), Folded(self._request.places)
        folded = Copies()
        near = NearCopies(self._stores if folds_near else {})
        for place, entry, view in self._views(line, start, limit + 1):
            profile = entry.key[0]
            original = folded.original(profile, view, self._stores[profile])
            if original is not None and folds != "none":
                also_in.add(original, Place(profile, self._vault_name(profile, view.vault), view.path))
                continue
            alike = near.original(profile, view.note_id)
            if alike is not None and (results[alike].found_by == "words") == entry.holds:
                nearly_same.add(alike, Place(profile, self._vault_name(profile, view.vault), view.path))
            elif len(results) < limit:
                folded.add(len(results), profile, view)
                near.add(len(results), profile, view.note_id)
                results.append(self._result(entry, view))
                shown.append((entry, view))
            else:
                shown.append((entry, view))
                next_place = place
                break
        else:
            next_place = None
        high = len(results) if self._is_list else int(start == 0 and self._leads(shown))  # at most so many are
        return [
            replace(
                result,
                relevance="medium" if at >= high and result.relevance == "high" else result.relevance,
                also_in=also_in.named(at),
                also_in_count=also_in.count(at),
                nearly_same=nearly_same.named(at),
                nearly_same_count=nearly_same.count(at),
            )
            if also_in.count(at) or nearly_same.count(at) or (at >= high and result.relevance == "high")
            else result
            for at, result in enumerate(results)
        ], next_place

    def _views(self, line: RankedSequence, start: int, at_once: int) -> Iterator[tuple[int, RankedEntry, ChunkView]]:
        """The line from a place on, each with its place and text, some read at a time; without those that just went."""
        while part := line.entries(start, start + at_once):
            wanted: dict[str, list[int]] = {}
            for profile, chunk_id in (entry.key for entry in part if entry.key not in self._known):
                wanted.setdefault(profile, []).append(chunk_id)
            read = {profile: self._stores[profile].read(reads.chunks, ids) for profile, ids in wanted.items()}
            for place, entry in enumerate(part, start):
                profile, chunk_id = entry.key
                view = self._known.get(entry.key) or read[profile].get(chunk_id)
                if view is not None:
                    yield place, entry, view
            start += at_once
            at_once *= 2  # of many copies of few texts not each few are asked for by themselves

    def _result(self, entry: RankedEntry, view: ChunkView) -> SearchResult:
        profile = entry.key[0]
        vault, opens = self._vault_name(profile, view.vault), view.vault in self._vaults
        snippet = make_snippet(view.text, self._highlighter.matches(view.text))
        return SearchResult(
            id=view.digest.hex()[:12],
            profile=profile,
            vault=vault,
            path=view.path,
            title=view.title,
            headings=view.headings,
            line=view.line,
            snippet=snippet.text,
            highlights=snippet.highlights,
            score=entry.score,
            relevance=self._relevance(entry),
            tags=view.tags,
            modified=view.modified,
            dated=view.dated,
            redactions=view.redactions,
            explain=entry.parts if self._request.explain else None,
            words=self._said(profile, view, self._asked) if self._asked else None,
            context=self._surroundings(profile, view) if self._request.context else None,
            about=self._about(profile, vault, view.path),
            kind=shown_kind(view.kind),
            place=view.place,
            display=display_name(view.title, shown_kind(view.kind), view.place),
            open_url=open_url(vault, view.path, shown_kind(view.kind), view.place, view.headings) if opens else "",
            found_by=self._found_by(entry),
        )

    def _vault_name(self, profile: str, vault: str) -> str:
        return self._stores[profile].vault_name(vault, self._vaults)

    def _found_by(self, entry: RankedEntry) -> FoundBy:
        if self._is_list:
            return "filters"
        if entry.holds:
            return "words"
        return "meaning" if np.isnan(entry.bm25) else "links"

    def _said(self, profile: str, view: ChunkView, words: AskedWords) -> WordsSaid:
        chunks = self._stores[profile].read(reads.note_chunks, view.note_id)
        texts: dict[WordPlace, Sequence[str]] = {
            "title": [view.title],
            "heading": [heading for chunk in chunks for heading in chunk.headings],
            "tag": view.tags,
            "path": [view.path],
            "text": [chunk.text for chunk in chunks],
        }
        return words.said(texts)

    def _relevance(self, entry: RankedEntry) -> Relevance:
        """How relevant a passage is by itself."""
        if self._is_list:
            return self._of_list
        coverage = 0.0 if np.isnan(entry.bm25) or self._asking.ceiling <= 0 else entry.bm25 / self._asking.ceiling
        query_share = entry.query_share * self._asking.known if self._asking.conjoined else self._asking.known_pairs
        similarity = None if np.isnan(entry.similarity) else entry.similarity
        tier = relevance(similarity, coverage, query_share, trust=self._trust, adds_up=self._asking.adds_up)
        is_possible = self._asking.is_all_said(entry) or (self._request.typing and coverage > 0)
        return "medium" if tier == "low" and is_possible else tier

    def _leads(self, shown: Sequence[tuple[RankedEntry, ChunkView]]) -> bool:
        """Whether the first result of all is likely the one that was meant, if it is relevant by itself."""
        if not shown or self._asking.is_unheard:
            return False
        (first, view), following = shown[0], shown[1][0].score if len(shown) > 1 else 0.0
        if not stands_out(first.score, following):
            return False
        by_meaning = relevance(None if np.isnan(first.similarity) else first.similarity, 0.0, trust=self._trust)
        return by_meaning == "high" or self._asking.is_said(view)

    def _surroundings(self, profile: str, view: ChunkView) -> Surroundings:
        chunks = self._stores[profile].read(reads.note_chunks, view.note_id)
        most = self._request.context
        before = [chunk.text for chunk in chunks if view.position - most <= chunk.position < view.position]
        after = [chunk.text for chunk in chunks if view.position < chunk.position <= view.position + most]
        return Surroundings(tuple(before), tuple(after))
