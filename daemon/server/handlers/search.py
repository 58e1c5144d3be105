"""`/v1/search`, `/v1/explain`, `/v1/context`."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

import msgspec

from scrubjay.daemon.answers.citation import MOST_SOURCES, quotable
from scrubjay.daemon.answers.context_block import render_context
from scrubjay.daemon.answers.newest import LOOKED_AT, newest_first
from scrubjay.daemon.answers.question import Question
from scrubjay.daemon.answers.quotable_passages import Cited
from scrubjay.daemon.answers.unasked import why_silent
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.daemon.server.access.caller import Caller, in_scope, named_for_search
from scrubjay.daemon.server.endpoints.search import (
    CONTEXT,
    EXPLAIN,
    SEARCH,
    ContextAsk,
    ContextReply,
    ExplainAsk,
    SearchAsk,
)
from scrubjay.daemon.server.replies.unread_notes import with_reason_unread
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.daemon.server.services import Services
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.results.notices import password_notice
from scrubjay.profiles.search.types import Fold, NoteExplanation, SearchRequest, SearchResponse
from scrubjay.profiles.store.store import Store

HANDLERS = Handlers()

_FEW = 5  # passages, one of which has to answer a prompt that nobody put to the notes
_MEANING_SECONDS = 0.25
"""What a hook waits for the model; one that is not loaded is by then on its way, and the words answer."""


@HANDLERS.answers(SEARCH, lane="search")
def search(context: Context, request: SearchAsk) -> SearchResponse:
    asker = context.caller.asker if request.remember else None
    wanted, profiles, taken = search_request(request, context.services, context.caller)
    if not request.newest or request.offset or request.sort != "relevance":
        found = context.services.search(wanted, asker)
    else:
        more = replace(wanted, limit=min(max(wanted.limit, LOOKED_AT), context.services.limits.results))
        found, stores = context.services.search(more, asker), context.stores(profiles)
        found = newest_results(found, stores, AskedTerms.of(stores.values(), wanted.query), wanted.limit)
    return replace(found, notices=(*found.notices, password_notice(taken))) if taken else found


def newest_results(found: SearchResponse, stores: Mapping[str, Store], asked: AskedTerms, limit: int) -> SearchResponse:
    """The first results, of those that disagree the newest before the others, which name it. stores: by profile."""
    sources = [Cited.of(result, stores.get(result.profile)).source for result in found.results[:LOOKED_AT]]
    first = [replace(found.results[number], newer=source.newer) for number, source in newest_first(sources, asked)]
    results = (*first, *found.results[LOOKED_AT:])
    is_cut = len(results) > limit
    return replace(found, results=results[:limit], next_offset=limit if is_cut else found.next_offset)


@HANDLERS.answers(EXPLAIN, lane="search")
def explain(context: Context, request: ExplainAsk) -> NoteExplanation:
    ask = SearchAsk(
        query=request.query,
        profiles=request.profiles,
        limit=request.limit,
        mode=request.mode,
        fusion=request.fusion,
    )
    wanted, profiles, _ = search_request(ask, context.services, context.caller)
    stores = context.services.granted(wanted)
    found = context.engine.searcher.explain(wanted, request.path, vault=request.vault, stores=stores)
    if found.stage != "not-indexed" or not context.client.may("manage"):
        return found
    return with_reason_unread(found, profiles, request.path, request.vault)


@HANDLERS.answers(CONTEXT, lane="search")
def context(given: Context, request: ContextAsk) -> ContextReply:
    profiles = in_scope(given.services, given.caller, request.profiles)
    names, ids = named_for_search(profiles)
    limit = min(MOST_SOURCES, given.services.limits.results)
    prompt, _ = given.services.sendable(request.prompt[: given.services.limits.query_characters], profiles)
    wanted = SearchRequest(query=prompt, profiles=names, ids=ids, limit=limit, group="chunk")
    if not request.unasked:
        return context_reply(given.services.search(wanted), given.stores(profiles), prompt, request.max_tokens)
    found = given.services.search(replace(wanted, meaning_seconds=_MEANING_SECONDS))
    return unasked_reply(found, given.stores(profiles), prompt, request.max_tokens)


def unasked_reply(found: SearchResponse, stores: Mapping[str, Store], prompt: str, max_tokens: int) -> ContextReply:
    """The same for a prompt that nobody put to the notes: nothing but where one clearly answers."""
    question = Question.of(prompt)
    asked = AskedTerms.of(stores.values(), question.subject)
    sources = [each.source for each in islice(quotable(found, stores, asked, question), _FEW)]
    is_likely = found.relevance != "low" or found.semantic != "used"  # words alone can't make a tier of much
    silent = why_silent(prompt, is_likely=is_likely, sources=sources, asked=asked)
    if silent:
        return ContextReply(markdown="", tokens=0, sources=(), silent=silent)
    return _block(found, stores, asked, question, max_tokens)


def context_reply(found: SearchResponse, stores: Mapping[str, Store], prompt: str, max_tokens: int) -> ContextReply:
    """The block for a prompt, from the passages that a search for it found. stores: of their profiles, by name."""
    question = Question.of(prompt)
    return _block(found, stores, AskedTerms.of(stores.values(), question.subject), question, max_tokens)


def _block(
    found: SearchResponse, stores: Mapping[str, Store], asked: AskedTerms, question: Question, max_tokens: int
) -> ContextReply:
    sources = [each.source for each in islice(quotable(found, stores, asked, question), LOOKED_AT)]
    return render_context([source for _, source in newest_first(sources, asked)], asked, question, max_tokens)


def search_request(
    ask: SearchAsk, services: Services, caller: Caller
) -> tuple[SearchRequest, tuple[Profile, ...], tuple[str, ...]]:
    """The searcher's request, within the limits and the settings; its profiles; what was taken out of its query."""
    limits = services.limits
    if len(ask.query) > limits.query_characters:
        raise UsageError(
            f"A query has at most {limits.query_characters:,} characters; this one has {len(ask.query):,}. Shorten it."
        )
    profiles = in_scope(services, caller, ask.profiles)
    names, ids = named_for_search(profiles)
    query, taken = services.sendable(ask.query, profiles)
    asked = msgspec.structs.asdict(ask)
    del asked["remember"], asked["newest"]
    asked |= {
        "query": query,
        "profiles": names,
        "ids": ids,
        "limit": min(ask.limit, limits.results),
        "fold": _fold(ask, services),
        "habits": ask.habits and caller.asker.source != "agent",
    }
    return SearchRequest(**asked), profiles, taken


def _fold(ask: SearchAsk, services: Services) -> Fold:
    if not ask.fold:
        return "none"
    return "near copies" if services.engine.settings.fold_near_copies else "copies"
