"""Which searches of the history seem not to have found what was wanted. Pure.

What is typed on is one search: in the panel and on the page a query counts once nobody goes on with it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scrubjay.profiles.journal.search_event import Asker, Missed, SearchEvent, SearchSource, as_compared
from scrubjay.profiles.search.words import analysis

_SOON_NS = 60 * 10**9
_AS_YOU_TYPE: frozenset[SearchSource] = frozenset({"panel", "page"})
"""They search while somebody types, and tell what is opened. Nobody sees what is read in a terminal or by an agent."""


@dataclass(frozen=True, slots=True)
class JudgedSearch:
    """A search as a profile remembers it, and why it seems to have missed; empty where it does not."""

    profile: str
    event: SearchEvent
    missed: tuple[Missed, ...]


def judged(found: Iterable[tuple[str, SearchEvent]]) -> list[JudgedSearch]:
    """The finished searches of profiles by name, newest first, judged together.

    What somebody typed on from, and opened nothing of, is the beginning of the search that followed.

    A search over several profiles is an event in each, all of one moment: what was opened in one of them was found.
    """
    newest_first = sorted(found, key=lambda each: (-each[1].at_ns, each[0]))
    moments: defaultdict[Asker, dict[int, SearchEvent]] = defaultdict(dict)
    opened: set[tuple[Asker, int]] = set()
    for _, event in newest_first:
        moments[event.asker][event.at_ns] = event
        if event.opened:
            opened.add((event.asker, event.at_ns))
    after = {asker: _followers(list(events.values())) for asker, events in moments.items()}
    return [
        JudgedSearch(
            profile,
            event,
            _missed(event, after[event.asker], has_opened=(event.asker, event.at_ns) in opened),
        )
        for profile, event in newest_first
        if not _is_typed_on(event, after[event.asker], has_opened=(event.asker, event.at_ns) in opened)
    ]


def _followers(newest_first: Sequence[SearchEvent]) -> Mapping[int, SearchEvent]:
    """By its moment: what the same client searched for next, if it was something else and within a minute."""
    found: dict[int, SearchEvent] = {}
    later: list[SearchEvent] = []
    for event in newest_first:
        while later and as_compared(later[-1].query) == as_compared(event.query):
            later.pop()
        if later and later[-1].at_ns - event.at_ns <= _SOON_NS:
            found[event.at_ns] = later[-1]
        later.append(event)
    return found


def _missed(event: SearchEvent, after: Mapping[int, SearchEvent], *, has_opened: bool) -> tuple[Missed, ...]:
    following = after.get(event.at_ns)
    types_on = event.asker.source in _AS_YOU_TYPE
    reasons: dict[Missed, bool] = {
        "low": event.relevance == "low",
        "unopened": types_on and event.results > 0 and not has_opened,
        "reworded": following is not None and _is_same_question(event, following, has_opened=has_opened),
    }
    return tuple(reason for reason, holds in reasons.items() if holds)


def _is_typed_on(event: SearchEvent, after: Mapping[int, SearchEvent], *, has_opened: bool) -> bool:
    """Whether the same client went on with this very query."""
    following = after.get(event.at_ns)
    if event.asker.source not in _AS_YOU_TYPE or has_opened or following is None:
        return False
    return as_compared(following.query).startswith(as_compared(event.query))


def _is_same_question(event: SearchEvent, following: SearchEvent, *, has_opened: bool) -> bool:
    """Whether the search that follows asks the same once more.

    An agent asks many things in a minute, and who has opened a note may go on to another subject: there the two must
    have a word in common.
    """
    if event.asker.source != "agent" and not has_opened:
        return True
    return not set(analysis.query_terms(event.query)).isdisjoint(analysis.query_terms(following.query))
