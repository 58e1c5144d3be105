"""Why a note is not where somebody expects it: which stage dropped it, and what would bring it back."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scrubjay.daemon.errors import NotFound
from scrubjay.daemon.search.query.query_plan import Plan
from scrubjay.daemon.search.rank.listing import place_by_date
from scrubjay.daemon.search.show.expected import Expected, find_note
from scrubjay.daemon.search.show.remedies import Inquiry, narrowed, without_parts, working_remedy
from scrubjay.daemon.search.types import NoteExplanation, ScorePart, SearchResponse, SearchResult

DEPTH = 1_000
"""Notes looked at to say at which place one stands."""


def explain_note(inquiry: Inquiry, path: str, vault: str | None) -> NoteExplanation:
    """Say what became of the note at `path`. vault: its name or id, where several have the path.

    A path that differs in case, or leaves out folders or the ending, is understood where one note alone fits.
    Raises NotFound where there is no such vault, or no profile that could hold the note.
    """
    if not inquiry.stores and not inquiry.closed:
        raise NotFound("No profile that can be searched could hold this note.")
    if vault is not None and not inquiry.closed and vault not in (*inquiry.vaults, *inquiry.vaults.values()):
        raise NotFound(f"No vault that can be searched is called {vault}. `scrubjay profile list` names them.")
    expected = find_note(inquiry.stores, inquiry.vaults, path, vault)
    if expected is None:
        return _unknown(inquiry, path)
    found = _explained(inquiry, expected)
    return found if expected.note.path == path else replace(found, message=f"{expected.note.path}: {found.message}")


def _explained(inquiry: Inquiry, expected: Expected) -> NoteExplanation:
    if expected.profile not in inquiry.asked:
        return _in_other_profile(inquiry, expected)
    response = inquiry.search(replace(inquiry.request, limit=DEPTH, group="note", explain=True))
    return _placed(inquiry, expected, response) or _dropped(inquiry, expected, response)


def _placed(inquiry: Inquiry, expected: Expected, response: SearchResponse) -> NoteExplanation | None:
    """Of a note that is among the results, itself or named by a copy of it."""
    for rank, result in enumerate(response.results, start=1):
        if expected.is_at(result.profile, result.vault, result.path):
            return _ranked(inquiry, expected, rank, response.results)
        if any(expected.is_at(place.profile, place.vault, place.path) for place in result.also_in):
            message = f"It holds the same text as result {rank}, {result.path}, and is named there under `also in`."
            return NoteExplanation("folded", message, _remedy(inquiry, expected), rank)
    return None


def _dropped(inquiry: Inquiry, expected: Expected, response: SearchResponse) -> NoteExplanation:
    if failed := _failed_demands(inquiry.plan, expected):
        return _filtered(inquiry, expected, failed)
    if expected.profile in response.unanswered:
        return NoteExplanation("not-found", f"Profile {expected.profile} did not answer in time.", "Search again.")
    if not inquiry.plan.text:
        return _unlisted(inquiry, expected)
    return _cut(inquiry, expected, response)


def _unknown(inquiry: Inquiry, path: str) -> NoteExplanation:
    for store in inquiry.stores.values():
        for failure in store.failures():
            if failure.path == path:
                message = f"It could not be indexed: {failure.reason}"
                is_its_wish = failure.code == "opted-out"
                remedy = "Take that out of it." if is_its_wish else "Mend it, then run `scrubjay index --retry`."
                return NoteExplanation("unreadable", message, remedy)
    if inquiry.closed:
        names = ", ".join(inquiry.closed)
        message = f"The open profiles do not have it. Not open, and so not searched: {names}."
        return NoteExplanation("locked", message, f"Run `scrubjay unlock {inquiry.closed[0]}`, then search again.")
    message = "The index does not have it: it is not in an allowed folder, is excluded, or has not been read yet."
    return NoteExplanation("not-indexed", message, "Allow its folder, or run `scrubjay index`.")


def _in_other_profile(inquiry: Inquiry, expected: Expected) -> NoteExplanation:
    named = (*inquiry.plan.profiles, *inquiry.plan.excluded_profiles)
    parts = [inquiry.part(part.span) for part in named]
    message = f"It is in profile {expected.profile}, which {_in_words(parts)} in the query leaves out."
    query = without_parts(inquiry.request.query, [part.span for part in named])
    everywhere = replace(inquiry, asked=frozenset(inquiry.stores))
    remedy = working_remedy(everywhere, expected, [query]) or f"Leave {_in_words(parts)} out of the query."
    return NoteExplanation("filtered", message, remedy)


def _ranked(inquiry: Inquiry, expected: Expected, rank: int, results: Sequence[SearchResult]) -> NoteExplanation:
    limit, parts = inquiry.request.limit, results[rank - 1].explain or ()
    if rank <= limit:
        return NoteExplanation("shown", f"It is result {rank}.", "", rank, parts)
    remedy = f"Ask for {rank} results."
    if not inquiry.plan.text:
        return NoteExplanation("outranked", _by_date(rank, limit), remedy, rank, parts)
    missing = results[limit - 1].score - results[rank - 1].score
    message = f"It is at place {rank}; {_asked_for(limit)}, and it lacks {missing:.3f} points for the last place."
    return NoteExplanation("outranked", message, f"{remedy} {_remedy(inquiry, expected)}".strip(), rank, parts)


def _filtered(inquiry: Inquiry, expected: Expected, failed: Sequence[tuple[int, int]]) -> NoteExplanation:
    parts = _in_words([inquiry.part(span) for span in failed])
    query = without_parts(inquiry.request.query, failed)
    remedy = working_remedy(inquiry, expected, [query, *narrowed(query, expected)])
    message = f"It does not meet what {parts} in the query asks for."
    return NoteExplanation("filtered", message, remedy or f"Leave {parts} out of the query.")


def _unlisted(inquiry: Inquiry, expected: Expected) -> NoteExplanation:
    """Of a query without words, which lists notes by date or, without conditions, none."""
    if inquiry.plan.where is None:
        message = "The query has neither words nor conditions, so that nothing is searched."
        return NoteExplanation("not-found", message, "Type words that stand in the note, its title or its tags.")
    stores = {name: inquiry.stores[name] for name in inquiry.asked}
    rank = place_by_date(stores, inquiry.plan.where, expected.profile, expected.note)
    return NoteExplanation("outranked", _by_date(rank, inquiry.request.limit), f"Ask for {rank} results.", rank)


def _cut(inquiry: Inquiry, expected: Expected, response: SearchResponse) -> NoteExplanation:
    """Of a note that passes, but of which neither leg returned a passage, or for lack of anything in common."""
    parts = _alone(inquiry, expected)
    words, meaning = parts.get("lexical"), parts.get("semantic")
    reasons: list[str] = []
    if inquiry.request.mode != "semantic":
        found = words is not None and words.raw is not None
        reasons.append(
            "By words, too many other passages fit better." if found else "It holds none of the query's words."
        )
    if response.semantic != "used":
        reasons.append("Meaning was not asked, or could not be.")
    elif meaning is not None and meaning.raw is not None:
        reasons.append(f"By meaning, too many others are nearer than its distance of {meaning.raw:.2f}.")
    elif not expected.is_embedded:
        reasons.append("It can't be found by meaning yet: none of its passages has been read for it.")
    is_cut = any(part.raw is not None for part in parts.values())
    remedy = _remedy(inquiry, expected) or "Use words that stand in the note, its title or its tags."
    return NoteExplanation("cut" if is_cut else "not-found", " ".join(reasons), remedy, None, tuple(parts.values()))


def _alone(inquiry: Inquiry, expected: Expected) -> Mapping[str, ScorePart]:
    """What each signal gives the note where it has no rivals; nothing where none finds it."""
    [query] = narrowed(inquiry.request.query, expected, to=expected.note.path)
    response = inquiry.search(replace(inquiry.request, query=query, limit=DEPTH, group="note", explain=True))
    for result in response.results:
        if expected.is_at(result.profile, result.vault, result.path):
            # Ranks and points are those of this other search; what each leg measured is the same.
            return {part.signal: ScorePart(part.signal, 0.0, None, part.raw) for part in result.explain or ()}
    return {}


def _remedy(inquiry: Inquiry, expected: Expected) -> str:
    """Another query that shows the note, tried; "" where none was found."""
    query = inquiry.request.query
    return working_remedy(inquiry, expected, [expected.with_title(query), *narrowed(query, expected)])


def _failed_demands(plan: Plan, expected: Expected) -> list[tuple[int, int]]:
    """Where those conditions of the query stand that the note does not meet."""
    return [(demand.start, demand.end) for demand in plan.demands if not expected.meets(demand.condition)]


def _by_date(rank: int, limit: int) -> str:
    return f"It is at place {rank} of the notes that pass, the newest first; {_asked_for(limit)}."


def _asked_for(limit: int) -> str:
    return "1 result was asked for" if limit == 1 else f"{limit} results were asked for"


def _in_words(parts: Sequence[str]) -> str:
    """Parts of the query as a reader can recognise them."""
    quoted = [f"`{part}`" for part in parts]
    return " and ".join((", ".join(quoted[:-1]), quoted[-1])) if len(quoted) > 1 else "".join(quoted)
