"""`/v1/search`, `/v1/explain`, `/v1/context`."""

from collections.abc import Mapping

import msgspec

from scrubjay.daemon.answers.citation import MOST_SOURCES, quotable
from scrubjay.daemon.answers.context_block import render_context
from scrubjay.daemon.answers.question import Question
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
from scrubjay.profiles.search.types import Fold, NoteExplanation, SearchRequest, SearchResponse
from scrubjay.profiles.store.store import Store

HANDLERS = Handlers()


@HANDLERS.answers(SEARCH, lane="search")
def search(context: Context, request: SearchAsk) -> SearchResponse:
    asker = context.caller.asker if request.remember else None
    return context.services.search(_search_request(request, context.services, context.caller), asker)


@HANDLERS.answers(EXPLAIN, lane="search")
def explain(context: Context, request: ExplainAsk) -> NoteExplanation:
    ask = SearchAsk(
        query=request.query,
        profiles=request.profiles,
        limit=request.limit,
        mode=request.mode,
        fusion=request.fusion,
    )
    wanted = _search_request(ask, context.services, context.caller)
    stores = context.services.granted(wanted)
    found = context.engine.searcher.explain(wanted, request.path, vault=request.vault, stores=stores)
    if found.stage != "not-indexed" or not context.client.may("manage"):
        return found
    profiles = in_scope(context.services, context.caller, request.profiles)
    return with_reason_unread(found, profiles, request.path, request.vault)


@HANDLERS.answers(CONTEXT, lane="search")
def context(given: Context, request: ContextAsk) -> ContextReply:
    profiles = in_scope(given.services, given.caller, request.profiles)
    names, ids = named_for_search(profiles)
    limit = min(MOST_SOURCES, given.services.limits.results)
    prompt = request.prompt[: given.services.limits.query_characters]
    found = given.services.search(SearchRequest(query=prompt, profiles=names, ids=ids, limit=limit, group="chunk"))
    return context_reply(found, given.stores(profiles), prompt, request.max_tokens)


def context_reply(found: SearchResponse, stores: Mapping[str, Store], prompt: str, max_tokens: int) -> ContextReply:
    """The block for a prompt, from the passages that a search for it found. stores: of their profiles, by name."""
    question = Question.of(prompt)
    asked = AskedTerms.of(stores.values(), question.subject)
    sources = (each.source for each in quotable(found, stores, asked, question))
    return render_context(sources, asked, question, max_tokens)


def _search_request(ask: SearchAsk, services: Services, caller: Caller) -> SearchRequest:
    """The searcher's request: within the limits and the settings, and with its profiles named."""
    limits = services.limits
    if len(ask.query) > limits.query_characters:
        raise UsageError(
            f"A query has at most {limits.query_characters:,} characters; this one has {len(ask.query):,}. Shorten it."
        )
    names, ids = named_for_search(in_scope(services, caller, ask.profiles))
    asked = msgspec.structs.asdict(ask)
    del asked["remember"]
    asked |= {
        "profiles": names,
        "ids": ids,
        "limit": min(ask.limit, limits.results),
        "fold": _fold(ask, services),
        "habits": ask.habits and caller.asker.source != "agent",
    }
    return SearchRequest(**asked)


def _fold(ask: SearchAsk, services: Services) -> Fold:
    if not ask.fold:
        return "none"
    return "near copies" if services.engine.settings.fold_near_copies else "copies"
