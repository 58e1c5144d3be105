"""Saving to the journals of profiles and recalling from them."""

import contextlib
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scrubjay.credential_filter import Rules, redact, redact_many, redact_text
from scrubjay.daemon.engine.journal_limits import LONGEST_TEXT
from scrubjay.profiles.errors import NotFound, Unavailable, UsageError
from scrubjay.profiles.journal.entries import ALL, EntryFilter, Journal, JournalEntry
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.rank.fusion import convex_combination, semantic_weight
from scrubjay.profiles.search.rank.tiers import relevance
from scrubjay.profiles.search.types import Relevance
from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.store.rows import Vector, Vectors
from scrubjay.profiles.store.store import Store

_HARDLY_BETTER = 0.25  # of a score in [0, 1]
_SHARED = 0.4
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class RecallCandidate:
    """An entry that some leg found, and where. similarity: cosine to the query, None where meaning was not compared."""

    profile: str
    entry: JournalEntry
    similarity: float | None


@dataclass(frozen=True, slots=True)
class Recalled:
    """An entry in answer to a query. `score` in [0, 1] compares inside one answer."""

    profile: str
    entry: JournalEntry
    score: float
    relevance: Relevance


def ranked(candidates: Sequence[RecallCandidate], query: str, now_ns: int) -> tuple[Recalled, ...]:
    """Best first, of nearly equal ones the newer; of equal texts in one profile the newest alone.

    The newer is what holds from a later time on; what does not hold yet at `now_ns` is before nothing else.

    The score is a convex combination of the similarity and of the share of the query's words that the entry holds; how
    much meaning weighs follows from the lead of the best similarity, as it does for notes.
    """
    newest = sorted(candidates, key=lambda candidate: (-candidate.entry.at_ns, candidate.profile, candidate.entry.key))
    distinct = list({(each.profile, each.entry.text): each for each in reversed(newest)}.values())[::-1]
    words = frozenset(analysis.query_terms(query))
    coverage = np.array([_coverage(words, each.entry) for each in distinct])
    similarity = np.array([np.nan if each.similarity is None else each.similarity for each in distinct])
    meaning = semantic_weight(similarity) if words else 1.0
    table = np.array([coverage, similarity]).reshape(2, len(distinct))
    scores = convex_combination(table, (1 - meaning, meaning), (0.0, 0.0), (1.0, 1.0)).sum(axis=0)
    answers = [
        Recalled(each.profile, each.entry, float(score), relevance(each.similarity, float(share)))
        for each, score, share in zip(distinct, scores, coverage, strict=True)
    ]
    return tuple(_newer_first(sorted(answers, key=lambda answer: -answer.score), now_ns))


def _newer_first(answers: list[Recalled], now_ns: int) -> list[Recalled]:
    """Best first, but that an entry is put before older ones that are about the same and hardly better.

    A fact that has changed is said again in nearly the same words, and of both the later one holds.
    """
    words = [frozenset(analysis.query_terms(answer.entry.text)) for answer in answers]
    order: list[int] = []
    for place, answer in enumerate(answers):
        before = next(
            (
                at
                for at, other in enumerate(order)
                if _holds_from(answers[other].entry, now_ns) < _holds_from(answer.entry, now_ns)
                and answers[other].score - answer.score <= _HARDLY_BETTER
                and _alike(words[other], words[place])
            ),
            len(order),
        )
        order.insert(before, place)
    return [answers[place] for place in order]


def _holds_from(entry: JournalEntry, now_ns: int) -> int:
    """From when on an entry holds; 0 for one that does not hold yet."""
    from_ns = entry.at_ns if entry.valid_from_ns is None else entry.valid_from_ns
    return from_ns if from_ns <= now_ns else 0


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two texts have two words in common, and these are two fifths of all they have (Jaccard's index)."""
    common = len(one & other)
    return common >= _FEWEST and common >= _SHARED * len(one | other)


def _coverage(words: frozenset[str], entry: JournalEntry) -> float:
    if not words:
        return 0.0
    text_words = frozenset(analysis.terms("\n".join((entry.text, *entry.tags))))
    return len(words & text_words) / len(words)


_DEPTH = 100  # most entries of each profile from each leg
_EMBEDDED_AT_ONCE = 64
_FEW = 4
_MOST_ALIKE = 3
_COMPARED = 2_000  # characters of an entry by which older ones are compared with it
_MOMENT = 0.25
"""Seconds that saving waits for the model, which may have to be loaded first."""


class EntryNotFound(NotFound):
    """None of the searched journals has this entry, or the caller may not delete it."""

    code = "entry-not-found"


@dataclass(frozen=True, slots=True)
class Author:
    """Who saves: a client's name and id."""

    name: str
    client: str


@dataclass(frozen=True, slots=True)
class Replaces:
    """The entry that another takes the place of. only_of: the id of the client whose it must be, if it matters."""

    key: str
    only_of: str | None


@dataclass(frozen=True, slots=True)
class Validity:
    """From when on and until when something holds, in Unix nanoseconds; the end is not included. None: nobody said."""

    from_ns: int | None = None
    to_ns: int | None = None


ALWAYS = Validity()


@dataclass(frozen=True, slots=True)
class Saved:
    """An entry as it was saved, credentials taken out. alike: older ones that it perhaps should replace."""

    entry: JournalEntry
    refreshed: bool = False  # the same was there already, and counts as saved now
    replaced: str = ""  # key of the entry in whose place it is; "" for none
    alike: tuple[JournalEntry, ...] = ()


class Journals:
    """The journals of all open profiles. Thread-safe.

    store_of: the open store of a profile; raises what says why there is none. rules_of: what to redact for a profile.
    clock: Unix nanoseconds now. Methods raise what these raise.
    """

    def __init__(
        self,
        embedder: Embedder,
        store_of: Callable[[Profile], Store],
        rules_of: Callable[[Profile], Rules],
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self._embedder = embedder
        self._store_of = store_of
        self._rules_of = rules_of
        self._clock = clock

    def save(
        self,
        profile: Profile,
        author: Author,
        text: str,
        tags: Sequence[str] = (),
        replaces: Replaces | None = None,
        validity: Validity = ALWAYS,
    ) -> Saved:
        """Append an entry, perhaps in the place of another; what is said again in the same words gets a newer time.

        What is replaced holds until the new entry does. Nothing here waits for passages of notes that are embedded, nor
        long for the model: where an entry's vector would, it is made when the journal is next asked. Raises UsageError
        for a text that is empty or longer than LONGEST_TEXT and for an end that is not after the beginning,
        JournalFull, EntryNotFound for an entry to be replaced that is not in this journal or not the author's to
        change.
        """
        if None not in (validity.from_ns, validity.to_ns) and (validity.to_ns or 0) <= (validity.from_ns or 0):
            raise UsageError("`valid_to` has to be after `valid_from`.")
        stripped = text.strip()
        if not stripped or len(stripped) > LONGEST_TEXT:
            raise UsageError(f"An entry has 1 to {LONGEST_TEXT:,} characters.")
        rules = self._rules_of(profile)
        # Together: a password that the text names may stand in a tag, where nothing else tells what it is.
        kept, *kept_tags = redact_many((stripped, *(tag.lstrip("#") for tag in tags)), rules)
        tidy = dict.fromkeys(" ".join(tag.split()) for tag in kept_tags)
        entry = JournalEntry(
            key=secrets.token_hex(6),
            at_ns=self._clock(),
            author=redact_text(author.name, rules),
            client=author.client,
            tags=tuple(tag for tag in tidy if tag),
            text=kept,
            redactions=len(redact(stripped, rules).findings) or int(kept != stripped),
            valid_from_ns=validity.from_ns,
            valid_to_ns=validity.to_ns,
        )
        journal = Journal(self._store_of(profile))
        before = None if replaces is None else self._to_replace(journal, replaces)
        old = "" if before is None else before.key
        again = journal.said_before(entry)
        if again is not None and again != before:
            journal.refresh(again.key, entry.at_ns, old)
            said = replace(again, at_ns=entry.at_ns, first_ns=again.first_ns or again.at_ns)
            return Saved(said, refreshed=True, replaced=old)
        journal.append(entry, old)
        wanted = replace(ALL, at_ns=entry.at_ns)
        alike = self._found((profile,), entry.text[:_COMPARED], wanted, may_wait=False)[: _MOST_ALIKE + 1]
        return Saved(
            entry,
            replaced=old,
            alike=tuple(each.entry for each in alike if each.entry.key != entry.key and each.relevance == "high")[
                :_MOST_ALIKE
            ],
        )

    def get(self, profiles: Sequence[Profile], key: str) -> tuple[str, JournalEntry]:
        """An entry with its profile's name. Raises EntryNotFound."""
        for profile in profiles:
            entry = Journal(self._store_of(profile)).get(key)
            if entry is not None:
                return profile.name, entry
        raise EntryNotFound("No journal that this client may see has an entry with this id.")

    def _to_replace(self, journal: Journal, wanted: "Replaces") -> JournalEntry:
        entry = journal.get(wanted.key)
        if entry is None or wanted.only_of not in (None, entry.client):
            raise EntryNotFound("This journal has no entry with this id that this client may replace.")
        return entry

    def recall(
        self,
        profiles: Sequence[Profile],
        query: str,
        limit: int,
        wanted: EntryFilter = ALL,
        as_of_ns: int | None = None,
    ) -> tuple[Recalled, ...]:
        """The entries that fit a query best, by words and by meaning, best first, equal ones newest first.

        as_of_ns: of what held at that time; None: of what has not ended or been replaced by now. A text that was saved
        more than once is recalled once, as it was saved last. Where the model does not answer, words alone decide.
        """
        now_ns = self._clock() if as_of_ns is None else as_of_ns
        wanted = replace(wanted, at_ns=now_ns, begun=as_of_ns is not None)
        return self._found(profiles, query, wanted, may_wait=True)[:limit]

    def _found(
        self, profiles: Sequence[Profile], query: str, wanted: EntryFilter, *, may_wait: bool
    ) -> tuple[Recalled, ...]:
        """may_wait: for the model, and behind passages of notes, for vectors that entries do not have yet."""
        vector = self._query_vector(query, may_wait=may_wait)
        found: list[RecallCandidate] = []
        for profile in profiles:
            journal = Journal(self._store_of(profile))
            by_words = {hit.entry.key: hit.entry for hit in journal.by_words(query, _DEPTH, wanted)}
            similarities = self._similarities(journal, vector, wanted, may_wait=may_wait)
            entries = by_words | {key: entry for key, (entry, _) in similarities.items()}
            found += [
                RecallCandidate(profile.name, entry, similarities[key][1] if key in similarities else None)
                for key, entry in entries.items()
            ]
        return ranked(found, query, wanted.at_ns)

    def count(self, profiles: Sequence[Profile], since_ns: int | None = None, until_ns: int | None = None) -> int:
        """How many entries `log` would give without a limit."""
        return sum(Journal(self._store_of(profile)).count(since_ns, until_ns) for profile in profiles)

    def log(
        self,
        profiles: Sequence[Profile],
        limit: int,
        since_ns: int | None = None,
        until_ns: int | None = None,
        offset: int = 0,
    ) -> tuple[tuple[str, JournalEntry], ...]:
        """Entries with their profile's name, newest first, saved from `since_ns` on and before `until_ns`.

        offset: so many of the newest are passed over.
        """
        found = [
            (profile.name, entry)
            for profile in profiles
            for entry in Journal(self._store_of(profile)).log(offset + limit, since_ns, until_ns)
        ]
        found.sort(key=lambda pair: (-pair[1].at_ns, pair[0], pair[1].key))
        return tuple(found[offset : offset + limit])

    def forget(self, profiles: Sequence[Profile], key: str, only_of: str | None) -> None:
        """Delete one entry; its bytes are overwritten. `only_of`: the id of the client whose it must be, if it matters.

        Raises EntryNotFound.
        """
        for profile in profiles:
            journal = Journal(self._store_of(profile))
            entry = journal.get(key)
            if entry is not None and only_of in (None, entry.client):
                journal.forget((key,))
                return
        raise EntryNotFound("No journal that this client may change has an entry with this id.")

    def prune(self, profile: Profile, before_ns: int) -> int:
        """Delete all that was saved before a time; how many entries that were."""
        return Journal(self._store_of(profile)).prune(before_ns)

    def _query_vector(self, query: str, *, may_wait: bool) -> Vector | None:
        if not query.strip():
            return None
        try:
            return self._vector(query, may_wait=may_wait)
        except (Unavailable, TimeoutError):
            return None

    def _vector(self, text: str, *, may_wait: bool) -> Vector:
        return self._embedder.embed_query(text) if may_wait else self._embedder.send_query(text)(_MOMENT)

    def _similarities(
        self, journal: Journal, vector: Vector | None, wanted: EntryFilter, *, may_wait: bool
    ) -> Mapping[str, tuple[JournalEntry, float]]:
        if vector is None:
            return {}
        with contextlib.suppress(Unavailable, TimeoutError):
            self._embed(journal, may_wait=may_wait)
        hits = journal.by_meaning(self._embedder.spec.fingerprint, vector, _DEPTH, wanted)
        return {hit.entry.key: (hit.entry, hit.score) for hit in hits}

    def _embed(self, journal: Journal, *, may_wait: bool) -> None:
        """A few entries are embedded as queries are, which passages of notes do not hold up; others may wait."""
        spec = self._embedder.spec
        waiting = journal.without_vector(spec.fingerprint, _EMBEDDED_AT_ONCE)
        texts = [entry.text for entry in waiting]
        if not texts:
            return
        if len(texts) <= _FEW and spec.query_prefix == spec.passage_prefix:
            vectors: Vectors | Sequence[Vector] = [self._vector(text, may_wait=may_wait) for text in texts]
        elif may_wait:
            vectors = self._embedder.embed_passages(texts)
        else:
            return
        rows = {entry.key: np.asarray(vector) for entry, vector in zip(waiting, vectors, strict=True)}
        journal.put_vectors(spec.fingerprint, rows)
