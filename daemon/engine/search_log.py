"""Remembering searches: off the search's own way, through the credential filter, each profile in its own database."""

import contextlib
import logging
import queue
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from scrubjay.credential_filter import MARK, Rules, redact_text
from scrubjay.daemon.engine.missed_searches import JudgedSearch, judged
from scrubjay.profiles.errors import NotFound, ProfileError, ProfileNotFound
from scrubjay.profiles.journal.search_event import Asker, SearchEvent
from scrubjay.profiles.journal.searches import History
from scrubjay.profiles.local_time import local_now
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.query.operators import READ_AS_OPERATORS, is_own_value
from scrubjay.profiles.search.types import Mode, Relevance, SearchRequest, SearchResponse
from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.search.words.stop_words import STOP_WORDS
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.store import Store

_NAMES = "|".join(map(re.escape, sorted(READ_AS_OPERATORS)))
_OPERATORS = re.compile(rf"(?:[-(]*(?:{_NAMES}):)+", re.IGNORECASE)
_WORD = re.compile(rf'[-(]*(?:{_NAMES}):"[^"]*"\)*(?!\S)|\S+', re.IGNORECASE)
"""A word of a query, as white space divides it; what an operator has in quotation marks is with it."""
_WAITING = 256  # searches not yet written; more are not remembered, rather than making anybody wait
FLUSH_SECONDS = 20.0
"""How long searches wait to be written together: each transaction makes what is derived from the index look stale."""
_log = logging.getLogger(__name__)


class NotIndexed(NotFound):
    """A path that was told is none of an indexed note."""

    code = "note-not-found"


@dataclass(frozen=True, slots=True)
class _AnsweredSearch:
    """A search that was answered. query: as it was mended; it has not been through the filter."""

    at_ns: int
    query: str
    mode: Mode
    asker: Asker
    results: Mapping[str, int]  # by profile id
    relevance: Relevance
    took_ms: float


class SearchLog:
    """The histories of all open profiles. Thread-safe; nothing raises because a history could not be written.

    profiles: the open ones, by id. rules: what is redacted for one. slow_ms: from here on a search is slow, as-you-type
    ones included. waits: called when there is something for `flush` to write. A search is remembered in the profiles
    that its results came from; where it found nothing, only if it searched a single profile: a query for one profile is
    so never stored in another. Of a word with a mistake, what was searched in its place is remembered.
    """

    def __init__(
        self,
        profiles: Callable[[], Mapping[str, tuple[Profile, Store]]],
        rules: Callable[[Profile], Rules],
        slow_ms: Callable[[], float],
        waits: Callable[[], None] = lambda: None,
    ) -> None:
        self._profiles = profiles
        self._rules = rules
        self._slow_ms = slow_ms
        self._waiting: queue.Queue[_AnsweredSearch] = queue.Queue(_WAITING)
        self._flushing = threading.Lock()
        self._waits = waits

    def searched(self, request: SearchRequest, response: SearchResponse, asker: Asker | None) -> None:
        """A search was answered. As-you-type ones are remembered only if they were slow; of pages, the first.

        asker: who looks for something; None where a program looks it up for itself, which nothing remembers.
        """
        slow = response.took_ms >= self._slow_ms()
        if slow:
            _log.warning("a search was slow", extra={"took_ms": round(response.took_ms)})
        if asker is None or request.offset or not request.query.strip() or (request.typing and not slow):
            return
        ids = dict(zip(request.profiles or (), request.ids, strict=True))
        counts: dict[str, int] = {}
        for result in response.results:
            counts[ids[result.profile]] = counts.get(ids[result.profile], 0) + 1
        if not counts and len(ids) == 1:
            counts = {request.ids[0]: 0}
        query = next((notice.query for notice in response.notices if notice.code == "mended"), request.query)
        took = response.took_ms
        with contextlib.suppress(queue.Full):
            answered = _AnsweredSearch(time.time_ns(), query, request.mode, asker, counts, response.relevance, took)
            self._waiting.put_nowait(answered)
            self._waits()

    def opened(self, profile: Profile, query: str, path: str, asker: Asker) -> None:
        """A client opened a note of this profile. Raises ProfileNotFound, or NotIndexed for a path its index lacks."""
        self.flush()
        settings, store = self._open(profile)
        if not any(store.read(reads.note_by_path, vault.id, path) for vault in settings.vaults):
            raise NotIndexed("The index of this profile has no note at this path.")
        if not settings.history or store.read_only is not None:
            return
        rules, now = self._rules(settings), time.time_ns()
        kept, asker = rememberable(query, store, rules), _filtered(asker, rules)
        history = History(store)
        if not history.opened(kept, path, now, asker):
            history.record([SearchEvent(now, kept, "typing", 1, 0.0, (path,), asker)])

    def events(self, profiles: Iterable[Profile], *, slow: bool, missed: bool) -> list[JudgedSearch]:
        """The searches of the open ones of these profiles, newest first; only slow ones, or those that seem to miss."""
        self.flush()
        ids, opened = {profile.id for profile in profiles}, self._profiles()
        found = (
            (of.name, event) for key, (of, store) in opened.items() if key in ids for event in History(store).events()
        )
        least = self._slow_ms() if slow else 0.0
        return [each for each in judged(found) if each.event.took_ms >= least and (each.missed or not missed)]

    def clear(self, profile: Profile) -> int:
        """Forget the searches of a profile; how many there were. Raises ProfileNotFound."""
        self.flush()
        _, store = self._open(profile)
        return History(store).clear()

    def flush(self) -> None:
        """Write what waits."""
        with self._flushing:
            waiting = list(_drained(self._waiting))
            for profile, store in self._profiles().values():
                mine = [answered for answered in waiting if profile.id in answered.results]
                if mine and profile.history and store.read_only is None:
                    try:
                        events = (self._event(answered, profile, store) for answered in mine)
                        History(store).record([event for event in events if set(event.query) - set("… ")])
                    except ProfileError as error:
                        _log.warning("a search could not be remembered", extra={"code": error.code})

    def close(self) -> None:
        """Write what waits. The stores must still be open."""
        self.flush()

    def _open(self, profile: Profile) -> tuple[Profile, Store]:
        found = self._profiles().get(profile.id)
        if found is None:
            raise ProfileNotFound("There is no open profile of that name.")
        return found

    def _event(self, answered: _AnsweredSearch, profile: Profile, store: Store) -> SearchEvent:
        rules = self._rules(profile)
        return SearchEvent(
            answered.at_ns,
            rememberable(answered.query, store, rules),
            answered.mode,
            answered.results[profile.id],
            answered.took_ms,
            asker=_filtered(answered.asker, rules),
            relevance=answered.relevance,
        )


def rememberable(query: str, store: Store, rules: Rules) -> str:
    """What may be kept of a query: filtered, and of that the words that stand in the profile's notes.

    A password is often only known as one by what stands beside it in its note, which a query lacks. The index holds no
    credential, so a word that it does not know, perhaps one, becomes "…". What only looks like a mark of the filter's
    is a word as any other. Operators are kept, and of their values those that the query language has itself.
    """
    now = local_now()
    words = _words(redact_text(query, rules), now)
    unsure = (word for word in words if not (_is_mark(word, rules) or _is_own(word, now)))
    needed = {word: analysis.terms(_OPERATORS.sub("", word)) for word in unsure}
    wanted = sorted({term for terms in needed.values() for term in terms})
    known = {term for term, notes in store.term_stats(wanted).frequencies.items() if notes} | STOP_WORDS
    return " ".join(word if word not in needed or known.issuperset(needed[word]) else "…" for word in words)


def _filtered(asker: Asker, rules: Rules) -> Asker:
    return Asker(asker.source, redact_text(asker.client, rules))


def _is_mark(word: str, rules: Rules) -> bool:
    mark = MARK.fullmatch(word)
    return mark is not None and mark[1] in rules.ids


def _drained(waiting: "queue.Queue[_AnsweredSearch]") -> Sequence[_AnsweredSearch]:
    found: list[_AnsweredSearch] = []
    with contextlib.suppress(queue.Empty):
        while True:
            found.append(waiting.get_nowait())
    return found


def _words(query: str, now: datetime) -> Sequence[str]:
    """The words of a query; `modified:"last week"` is one where the language itself has such a value."""
    return [word for run in _WORD.findall(query) for word in ([run] if _is_own(run, now) else run.split())]


def _is_own(word: str, now: datetime) -> bool:
    """Whether the word is an operator with one of the values that the query language has."""
    name, colon, value = word.lstrip("-(").partition(":")
    return bool(colon) and is_own_value(name.lower(), value.rstrip(")").strip('"'), now)
