"""Notes that their owner hid: which of them a search leaves out, and how many of those it would have found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from scrubjay.profiles.journal.hidden_notes import NONE_HIDDEN, HiddenHere
from scrubjay.profiles.search.query.query_plan import QueryPlan
from scrubjay.profiles.search.rank.lexical_query import ScoredWords
from scrubjay.profiles.store.filters import AllOf, AmongNotes, FileHas, Not, NoteFilter, PathHas
from scrubjay.profiles.store.store import Store

Hidden: TypeAlias = Callable[[str, Store, str], HiddenHere]
"""Called with a profile's name, its open store and a query: which of its notes that query is not to find."""


def none_hidden(_profile: str, _store: Store, _query: str) -> HiddenHere:
    """No note is hidden."""
    return NONE_HIDDEN


def left_out(hidden: Hidden, plan: QueryPlan, query: str, stores: Mapping[str, Store]) -> Mapping[str, HiddenHere]:
    """By profile, the notes that a query leaves out; profiles with none are not named.

    A list of all that fulfils something has hidden notes, too; so has a search in a place that the query names, but for
    what is hidden from that very query.
    """
    if not plan.text:
        return {}
    names_place = any(isinstance(demand.condition, PathHas | FileHas) for demand in plan.demands)
    found = {name: hidden(name, store, query) for name, store in stores.items()}
    if names_place:
        found = {name: replace(each, always=frozenset()) for name, each in found.items()}
    return {name: each for name, each in found.items() if each.ids}


def but(where: NoteFilter | None, ids: Sequence[int]) -> NoteFilter | None:
    """The filter, and that a note is none of these."""
    if not ids:
        return where
    others = Not(AmongNotes(tuple(ids)))
    return others if where is None else AllOf((where, others))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many notes would be among the results: that are hidden from every search, and from this query alone."""

    always: int
    for_query: int


def how_many(
    hidden: Mapping[str, HiddenHere], plan: QueryPlan, words: ScoredWords, stores: Mapping[str, Store]
) -> LeftOut:
    """How many of the notes that were left out hold a word of the query and fulfil what it demands."""

    def matching(name: str, ids: frozenset[int]) -> int:
        among = AmongNotes(tuple(sorted(ids)))
        where = among if plan.where is None else AllOf((among, plan.where))
        return stores[name].lexical(words.query, where=where, limit=1, stats=words.stats).matches.total if ids else 0

    each = [(name, hidden[name]) for name in hidden.keys() & stores.keys()]
    return LeftOut(
        sum(matching(name, here.always) for name, here in each),
        sum(matching(name, here.for_query - here.always) for name, here in each),
    )
