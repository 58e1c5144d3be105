"""Why a note is not where somebody expects it: which stage dropped it, and what would bring it back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from daemon.search.types import NoteExplanation, SearchRequest, SearchResponse, SearchResult
from profiles.filters import AllOf, InVault, NoteFilter
from profiles.rows import NoteView
from profiles.store import Store
from profiles.where import matching_notes

DEPTH = 300
"""Notes looked at to say at which place one stands: more than the legs return."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The note that somebody expects. note: None where the store does not have it."""

    profile: str
    path: str
    vault: str  # as results name it
    store: Store
    note: NoteView | None


def deep(request: SearchRequest) -> SearchRequest:
    """The same search, looking at all that the legs return."""
    return replace(request, limit=DEPTH, group="note", explain=True)


def explain_note(
    expected: Expected, where: NoteFilter | None, request: SearchRequest, response: SearchResponse
) -> NoteExplanation:
    """Say what became of the note. where: the query's conditions. response: the answer to `deep(request)`."""
    if expected.note is None:
        return _unknown(expected)
    for rank, result in enumerate(response.results, start=1):
        if _is(expected, result.profile, result.vault, result.path):
            return _ranked(rank, result, response.results, request.limit)
        if any(_is(expected, place.profile, place.vault, place.path) for place in result.also_in):
            message = f"It holds the same text as result {rank}, {result.path}, and is named there under `also in`."
            return NoteExplanation("folded", message, "", rank)
    if where is not None:
        failed = _failed_conditions(expected.store, expected.note, where)
        if failed:
            message = f"It does not pass {len(failed)} of the query's conditions: {', '.join(failed)}."
            return NoteExplanation("filtered", message, "Leave these conditions out of the query.")
    message = "None of its passages is among the best by words or by meaning."
    if response.semantic != "used":
        message += " Meaning was not asked, or could not be."
    elif response.pending_embeddings:
        message += f" {response.pending_embeddings} passages still wait to be found by meaning."
    return NoteExplanation("not-found", message, "Use words that stand in the note, its title or its tags.")


def _unknown(expected: Expected) -> NoteExplanation:
    for failure in expected.store.failures():
        if failure.path == expected.path:
            return NoteExplanation("unreadable", f"It could not be indexed: {failure.reason}", "See `scrubjay status`.")
    message = "The index does not have it: it is not in an allowed folder, is excluded, or has not been read yet."
    return NoteExplanation("not-indexed", message, "Allow its folder, or run `scrubjay index`.")


def _ranked(rank: int, result: SearchResult, results: Sequence[SearchResult], limit: int) -> NoteExplanation:
    parts = result.explain or ()
    if rank <= limit:
        return NoteExplanation("shown", f"It is result {rank}.", "", rank, parts)
    missing = results[limit - 1].score - result.score
    message = f"It is at place {rank}; {limit} results were asked for, and it lacks {missing:.3f} points for the last."
    return NoteExplanation("outranked", message, f"Ask for {rank} results, or add words that stand in it.", rank, parts)


def _is(expected: Expected, profile: str, vault: str, path: str) -> bool:
    return (profile, vault, path) == (expected.profile, expected.vault, expected.path)


def _failed_conditions(store: Store, note: NoteView, where: NoteFilter) -> list[str]:
    """Those conditions of the query that the note does not meet, in words."""
    parts = where.parts if isinstance(where, AllOf) else (where,)
    with store.reading() as connection:
        return [
            _in_words(part)
            for part in parts
            if note.note_id not in matching_notes(connection, AllOf((InVault(note.vault), part)))
        ]


def _in_words(part: NoteFilter) -> str:
    """A condition as a reader can recognise it: its kind and its values."""
    values = [str(getattr(part, name)) for name in part.__dataclass_fields__ if isinstance(getattr(part, name), str)]
    kind = type(part).__name__
    return f"{kind}({', '.join(values)})" if values else kind
