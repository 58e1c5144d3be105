"""Why a note is not among the results, and what would bring it there."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scrubjay.profiles.errors import NotFound
from scrubjay.profiles.journal.hidden_notes import NONE_HIDDEN, HiddenHere
from scrubjay.profiles.names import fold
from scrubjay.profiles.search.meaning.vectors import vectors_of
from scrubjay.profiles.search.query.query_plan import QueryPlan
from scrubjay.profiles.search.rank.ranking import place_by_date
from scrubjay.profiles.search.results.notices import enumerated
from scrubjay.profiles.search.types import (
    NoteExplanation,
    ScorePart,
    SearchRequest,
    SearchResponse,
    SearchResult,
    Unanswered,
)
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.filter_sql import matching_notes
from scrubjay.profiles.store.filters import NoteFilter, PathHas
from scrubjay.profiles.store.rows import NoteView
from scrubjay.profiles.store.store import Store

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Expected:
    """The note that a search was expected to find."""

    profile: str
    vault: str  # as results name it
    store: Store
    note: NoteView

    def is_at(self, profile: str, vault: str, path: str) -> bool:
        """Whether this is the note at a place, as results name it."""
        return (profile, vault, path) == (self.profile, self.vault, self.note.path)

    def meets(self, condition: NoteFilter) -> bool:
        """Whether the note meets a condition."""
        return bool(self.store.read(reads.notes, [self.note.note_id], condition))

    @property
    def is_embedded(self) -> bool:
        """Whether any of its passages can be found by meaning."""
        return bool(self.store.read(vectors_of, tuple(self.store.note_digests(self.note.note_id))))

    def with_title(self, query: str) -> str:
        """The query with those words of the note's title that it lacks."""
        known = {word.casefold() for word in _WORD.findall(query)}
        lacking = [word for word in _WORD.findall(self.note.title) if word.casefold() not in known]
        return f"{query} {' '.join(lacking)}".strip()


def find_note(stores: Mapping[str, Store], vaults: Mapping[str, str], path: str, vault: str | None) -> Expected | None:
    """The note at `path`, or else the only one whose path ends so, whatever the case; None where there is none.

    vaults: what the vaults of this computer are called, by id; notes of others are found in what a team shares. vault:
    a name or id, where several have such a path.
    """
    path = unicodedata.normalize("NFC", path.replace("\\", "/")).strip().removeprefix("./").strip("/")

    def meant(name: str, store: Store, notes: Iterable[NoteView]) -> Iterator[Expected]:
        for note in notes:
            called = store.vault_name(note.vault, vaults)
            if note.vault not in vaults and not store.is_shared:
                continue  # of a vault that was just taken out
            if vault is None or vault.casefold() in (note.vault, called.casefold()):
                yield Expected(name, called, store, note)

    for name, store in stores.items():
        at_path = list(meant(name, store, store.read(reads.notes_by_path, path)))
        if at_path:
            return min(at_path, key=lambda each: [*vaults, each.note.vault].index(each.note.vault))
    alike = [found for name, store in stores.items() for found in meant(name, store, _ending_so(store, path))]
    return alike[0] if len(alike) == 1 else None


def _ending_so(store: Store, path: str) -> Iterator[NoteView]:
    """Notes whose path is, or ends with, these folders and this file, whose ending may be left out."""
    key = fold(path)
    if not key:
        return
    with store.reading() as connection:
        ids = matching_notes(connection, PathHas(path))
    for note in store.read(reads.notes, ids).values():
        full = fold(note.path)
        if full.endswith((f"/{key}", f"/{key}.md")) or full in (key, f"{key}.md"):
            yield note


# Remedies for a missing note: other queries, each tried before it is named.


@dataclass(frozen=True, slots=True)
class ExplainContext:
    """A search that is to be explained.

    stores: the open ones that may be searched, by profile name; `queried`: those that the query's `profile:` leaves.
    closed: profiles that may be searched but are not open, and why. vaults: names by vault id. search: runs another
    one. hidden: the notes that this one leaves out because their owner hid them, by profile.
    """

    request: SearchRequest
    plan: QueryPlan
    stores: Mapping[str, Store]
    queried: frozenset[str]
    closed: tuple[Unanswered, ...]
    vaults: Mapping[str, str]
    search: Callable[[SearchRequest], SearchResponse]
    hidden: Mapping[str, HiddenHere]

    def part(self, span: tuple[int, int]) -> str:
        """A part of the query as it was typed."""
        return self.request.query[slice(*span)]


def working_remedy(context: ExplainContext, expected: Expected, queries: Iterable[str]) -> str:
    """The first of `queries` that shows the note within the limit, in a sentence; "" where none does.

    Of words alone or meaning alone, both together are tried first.
    """
    request = replace(context.request, group="note", explain=False, context=0, places=_EVERY_PLACE)
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
        if any(
            expected.is_at(place.profile, place.vault, place.path)
            for place in (result, *result.also_in, *result.nearly_same)
        ):
            return rank
    return None


DEPTH = 1_000
"""Notes looked at to say at which place one stands."""
_EVERY_PLACE = 1_000_000
"""More than notes that hold one text: the one that is asked for may be any of them."""


def explain_note(context: ExplainContext, path: str, vault: str | None) -> NoteExplanation:
    """Say what became of the note at `path`. vault: its name or id, where several have the path.

    A path that differs in case, or leaves out folders or the ending, is understood where one note alone fits.
    Raises NotFound where there is no such vault, or no profile that could hold the note.
    """
    if not context.stores and not context.closed:
        raise NotFound("No profile that can be searched could hold this note.")
    expected = find_note(context.stores, context.vaults, path, vault)
    if expected is None:
        if vault is not None and not context.closed and vault not in (*context.vaults, *context.vaults.values()):
            raise NotFound(f"No vault that can be searched is called {vault}. `scrubjay profile list` names them.")
        return _unknown(context, path)
    found = _explained(context, expected)
    return found if expected.note.path == path else replace(found, message=f"{expected.note.path}: {found.message}")


def _explained(context: ExplainContext, expected: Expected) -> NoteExplanation:
    if expected.profile not in context.queried:
        return _in_other_profile(context, expected)
    if expected.note.note_id in context.hidden.get(expected.profile, NONE_HIDDEN).ids:
        path = expected.note.path
        return NoteExplanation(
            "hidden", "You hid it.", f"Run `scrubjay hide --list`, then `scrubjay hide --undo {path}`."
        )
    response = context.search(replace(context.request, limit=DEPTH, group="note", explain=True, places=_EVERY_PLACE))
    return _placed(context, expected, response) or _dropped(context, expected, response)


def _placed(context: ExplainContext, expected: Expected, response: SearchResponse) -> NoteExplanation | None:
    """Of a note that is among the results, itself or named by a copy of it."""
    for rank, result in enumerate(response.results, start=1):
        if expected.is_at(result.profile, result.vault, result.path):
            return _ranked(context, expected, rank, response.results)
        if any(expected.is_at(place.profile, place.vault, place.path) for place in result.also_in):
            message = f"It holds the same text as result {rank}, {result.path}, and counts there under `also in`."
            return NoteExplanation("folded", message, _remedy(context, expected), rank)
        if any(expected.is_at(place.profile, place.vault, place.path) for place in result.nearly_same):
            message = f"It says nearly the same as result {rank}, {result.path}, and counts there."
            return NoteExplanation("folded", message, _remedy(context, expected), rank)
    return None


def _dropped(context: ExplainContext, expected: Expected, response: SearchResponse) -> NoteExplanation:
    if failed := _failed_demands(context.plan, expected):
        return _filtered(context, expected, failed)
    if any(each.profile == expected.profile for each in response.unanswered):
        return NoteExplanation("not-found", f"Profile {expected.profile} did not answer in time.", "Search again.")
    if not context.plan.text:
        return _unlisted(context, expected)
    return _cut(context, expected, response)


def _unknown(context: ExplainContext, path: str) -> NoteExplanation:
    for store in context.stores.values():
        for failure in store.read(reads.failures):
            if failure.path == path:
                message = f"It could not be indexed: {failure.reason}"
                is_opted_out = failure.code == "opted-out"
                remedy = "Take that out of it." if is_opted_out else "Mend it, then run `scrubjay index --retry`."
                return NoteExplanation("unreadable", message, remedy)
    if context.closed:
        names = ", ".join(each.profile for each in context.closed)
        message = f"The open profiles do not have it. Not open, and so not searched: {names}."
        return NoteExplanation("locked", message, " ".join(f"{each.profile}: {each.reason}" for each in context.closed))
    message = "The index does not have it: it is not in an allowed folder, is excluded, or has not been read yet."
    return NoteExplanation("not-indexed", message, "Allow its folder, or run `scrubjay index`.")


def _in_other_profile(context: ExplainContext, expected: Expected) -> NoteExplanation:
    named = (*context.plan.profiles, *context.plan.excluded_profiles)
    parts = [context.part(part.span) for part in named]
    message = f"It is in profile {expected.profile}, which {_in_words(parts)} in the query leaves out."
    query = without_parts(context.request.query, [part.span for part in named])
    everywhere = replace(context, queried=frozenset(context.stores))
    remedy = working_remedy(everywhere, expected, [query]) or f"Leave {_in_words(parts)} out of the query."
    return NoteExplanation("filtered", message, remedy)


def _ranked(context: ExplainContext, expected: Expected, rank: int, results: Sequence[SearchResult]) -> NoteExplanation:
    limit, parts = context.request.limit, results[rank - 1].explain or ()
    if rank <= limit:
        return NoteExplanation("shown", f"It is result {rank}.", "", rank, parts)
    remedy = f"Ask for {rank} results."
    if not context.plan.text:
        return NoteExplanation("outranked", _by_date(rank, limit), remedy, rank, parts)
    missing = results[limit - 1].score - results[rank - 1].score
    message = f"It is at place {rank}; {_limit_sentence(limit)}, and it lacks {missing:.3f} points for the last place."
    return NoteExplanation("outranked", message, f"{remedy} {_remedy(context, expected)}".strip(), rank, parts)


def _filtered(context: ExplainContext, expected: Expected, failed: Sequence[tuple[int, int]]) -> NoteExplanation:
    parts = _in_words([context.part(span) for span in failed])
    query = without_parts(context.request.query, failed)
    remedy = working_remedy(context, expected, [query, *narrowed(query, expected)])
    message = f"It does not meet what {parts} in the query asks for."
    return NoteExplanation("filtered", message, remedy or f"Leave {parts} out of the query.")


def _unlisted(context: ExplainContext, expected: Expected) -> NoteExplanation:
    """Of a query without words, which lists notes by date or, without conditions, none."""
    if context.plan.where is None:
        message = "The query has neither words nor conditions, so that nothing is searched."
        return NoteExplanation("not-found", message, "Type words that stand in the note, its title or its tags.")
    stores = {name: context.stores[name] for name in context.queried}
    rank = place_by_date(stores, context.plan.where, expected.profile, expected.note)
    return NoteExplanation("outranked", _by_date(rank, context.request.limit), f"Ask for {rank} results.", rank)


def _cut(context: ExplainContext, expected: Expected, response: SearchResponse) -> NoteExplanation:
    """Of a note that passes, but of which neither leg returned a passage, or for lack of anything in common."""
    parts = _alone(context, expected)
    words, meaning = parts.get("lexical"), parts.get("semantic")
    reasons: list[str] = []
    if context.request.mode != "semantic":
        found = words is not None and words.raw is not None
        reasons.append(
            "By words, too many other passages fit better." if found else "It holds none of the query's words."
        )
    if response.semantic != "used":
        reasons.append("Meaning was not asked, or could not be.")
    elif meaning is not None and meaning.raw is not None:
        reasons.append(f"By meaning, too many others are nearer than its distance of {meaning.raw:.2f}.")
    elif not expected.is_embedded:
        reasons.append("It is found by words only for now: none of its passages has been read for meaning.")
    is_cut = any(part.raw is not None for part in parts.values())
    remedy = _remedy(context, expected) or "Use words that stand in the note, its title or its tags."
    return NoteExplanation("cut" if is_cut else "not-found", " ".join(reasons), remedy, None, tuple(parts.values()))


def _alone(context: ExplainContext, expected: Expected) -> Mapping[str, ScorePart]:
    """What each signal gives the note where it has no rivals; nothing where none finds it."""
    [query] = narrowed(context.request.query, expected, to=expected.note.path)
    response = context.search(
        replace(context.request, query=query, limit=DEPTH, group="note", explain=True, places=_EVERY_PLACE)
    )
    for result in response.results:
        if expected.is_at(result.profile, result.vault, result.path):
            # Ranks and points are those of this other search; what each leg measured is the same.
            return {part.signal: ScorePart(part.signal, 0.0, None, part.raw) for part in result.explain or ()}
    return {}


def _remedy(context: ExplainContext, expected: Expected) -> str:
    """Another query that shows the note, tried; "" where none was found."""
    query = context.request.query
    return working_remedy(context, expected, [expected.with_title(query), *narrowed(query, expected)])


def _failed_demands(plan: QueryPlan, expected: Expected) -> list[tuple[int, int]]:
    """Where those conditions of the query stand that the note does not meet."""
    return [(demand.start, demand.end) for demand in plan.demands if not expected.meets(demand.condition)]


def _by_date(rank: int, limit: int) -> str:
    return f"It is at place {rank} of the notes that pass, the newest first; {_limit_sentence(limit)}."


def _limit_sentence(limit: int) -> str:
    return "1 result was asked for" if limit == 1 else f"{limit} results were asked for"


def _in_words(parts: Sequence[str]) -> str:
    """Parts of the query as a reader can recognise them."""
    return enumerated([f"`{part}`" for part in parts])
