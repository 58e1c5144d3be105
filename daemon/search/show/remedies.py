"""Remedies for a missing note: other queries, each tried before it is named."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scrubjay.daemon.search.query.query_plan import QueryPlan
from scrubjay.daemon.search.show.expected import Expected
from scrubjay.daemon.search.types import SearchRequest, SearchResponse
from scrubjay.profiles.store.store import Store


@dataclass(frozen=True, slots=True)
class ExplainContext:
    """A search that is to be explained.

    stores: the open ones that may be searched, by profile name; `queried`: those that the query's `profile:` leaves.
    closed: profiles that may be searched but are not open. vaults: names by vault id. search: runs another search.
    """

    request: SearchRequest
    plan: QueryPlan
    stores: Mapping[str, Store]
    queried: frozenset[str]
    closed: tuple[str, ...]
    vaults: Mapping[str, str]
    search: Callable[[SearchRequest], SearchResponse]

    def part(self, span: tuple[int, int]) -> str:
        """A part of the query as it was typed."""
        return self.request.query[slice(*span)]


def working_remedy(context: ExplainContext, expected: Expected, queries: Iterable[str]) -> str:
    """The first of `queries` that shows the note within the limit, in a sentence; "" where none does.

    Of words alone or meaning alone, both together are tried first.
    """
    request = replace(context.request, group="note", explain=False, context=0)
    if request.mode != "hybrid" and (rank := _rank(context, expected, replace(request, mode="hybrid"))):
        return f"Search by words and meaning together: it is then result {rank}."
    for query in queries:
        if query not in ("", request.query) and (rank := _rank(context, expected, replace(request, query=query))):
            return f"Search for `{query}`: it is then result {rank}."
    return ""


def without_parts(query: str, spans: Sequence[tuple[int, int]]) -> str:
    """The query without what stands at these places."""
    for start, end in sorted(spans, reverse=True):
        query = f"{query[:start]} {query[end:]}"
    return " ".join(query.split())


def narrowed(query: str, expected: Expected, *, to: str | None = None) -> list[str]:
    """The query among the notes of the note's folder, then among those of its name; or, given `to`, of that path."""
    if to is not None:
        return [_with_filter("path", to, query)]
    folder, _, name = expected.note.path.rpartition("/")
    by_name = _with_filter("file", name, query)
    return [_with_filter("path", f"{folder}/", query), by_name] if folder else [by_name]


def _with_filter(operator: str, value: str, query: str) -> str:
    """The filter stands first, where nothing that is left open in the query can take it in."""
    value = value.replace('"', '\\"')
    value = f'"{value}"' if any(not (character.isalnum() or character in "/._-") for character in value) else value
    return f"{operator}:{value} ({query})" if " OR " in query else f"{operator}:{value} {query}".strip()


def _rank(context: ExplainContext, expected: Expected, request: SearchRequest) -> int | None:
    """At which place the note is among the results, itself or named by a copy."""
    for rank, result in enumerate(context.search(request).results, start=1):
        if any(expected.is_at(place.profile, place.vault, place.path) for place in (result, *result.also_in)):
            return rank
    return None
