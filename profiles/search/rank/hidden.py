"""Notes that their owner hid: which of them a search leaves out, and how many of those it would have found."""

from collections.abc import Callable, Mapping, Sequence
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


def left_out(hidden: Hidden, plan: QueryPlan, query: str, stores: Mapping[str, Store]) -> Mapping[str, tuple[int, ...]]:
    """By profile, the ids of the notes that a query leaves out; profiles with none are not named.

    A list of all that fulfils something has hidden notes, too; so has a search in a place that the query names, but for
    what is hidden from that very query.
    """
    if not plan.text:
        return {}
    names_place = any(isinstance(demand.condition, PathHas | FileHas) for demand in plan.demands)
    found = {name: hidden(name, store, query) for name, store in stores.items()}
    ids = {name: each.for_query if names_place else each.always | each.for_query for name, each in found.items()}
    return {name: tuple(sorted(each)) for name, each in ids.items() if each}


def but(where: NoteFilter | None, ids: Sequence[int]) -> NoteFilter | None:
    """The filter, and that a note is none of these."""
    if not ids:
        return where
    others = Not(AmongNotes(tuple(ids)))
    return others if where is None else AllOf((where, others))


def how_many(ids: Mapping[str, Sequence[int]], plan: QueryPlan, words: ScoredWords, stores: Mapping[str, Store]) -> int:
    """How many of the notes that were left out hold a word of the query and fulfil what it demands."""
    count = 0
    for name in ids.keys() & stores.keys():
        among = AmongNotes(tuple(ids[name]))
        where = among if plan.where is None else AllOf((among, plan.where))
        found = stores[name].lexical(words.query, where=where, limit=1, stats=words.stats)
        count += found.matches.total
    return count
