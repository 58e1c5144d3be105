"""`/v1/hidden`, and forgetting what was opened."""

import time
from datetime import UTC, datetime

from scrubjay.daemon.engine.search_log import rememberable
from scrubjay.daemon.server.access.caller import chosen, named
from scrubjay.daemon.server.endpoint import Done
from scrubjay.daemon.server.endpoints.hidden import (
    FORGET_OPENED,
    HIDDEN,
    HIDE,
    UNHIDE,
    ForgetOpenedAsk,
    HiddenNoteReply,
    HiddenReply,
    HideAsk,
    UnhideAsk,
)
from scrubjay.daemon.server.endpoints.upkeep import Cleared, ProfileChoice
from scrubjay.daemon.server.replies.note_replies import time_of
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.profiles.digests import text_digest
from scrubjay.profiles.errors import NotFound, UsageError
from scrubjay.profiles.journal.hidden_notes import EVERY_SEARCH, HiddenNote, hidden_notes
from scrubjay.profiles.journal.hidden_notes import hide as hide_in
from scrubjay.profiles.journal.hidden_notes import unhide as unhide_in
from scrubjay.profiles.journal.search_event import as_compared
from scrubjay.profiles.journal.searches import History
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.named_notes import SEVERAL_HERE, notes_at, vault_name
from scrubjay.profiles.search.query.parser import parse_query
from scrubjay.profiles.search.query.query_plan import plan_query
from scrubjay.profiles.store.store import Store

HANDLERS = Handlers()


class NotHidden(NotFound):
    """A note that is to be found again is not hidden so."""

    code = "not-hidden"


@HANDLERS.answers(HIDDEN)
def hidden(context: Context, request: ProfileChoice) -> HiddenReply:
    profiles = chosen(context.services, context.client, request.profile)
    stores = context.stores(profiles)
    return HiddenReply(
        notes=tuple(
            _reply(stores[profile.name], profile, note)
            for profile in profiles
            if profile.name in stores
            for note in stores[profile.name].read(hidden_notes)
        )
    )


@HANDLERS.answers(HIDE)
def hide(context: Context, request: HideAsk) -> HiddenNoteReply:
    seen = chosen(context.services, context.client, request.profile)
    stores, preparation = context.stores(seen), context.engine.preparation
    (profile, meant), *others = notes_at(stores, seen, request.path, request.vault)
    if others:
        raise UsageError(SEVERAL_HERE)
    query, asked = "", EVERY_SEARCH
    if request.query.strip() and not plan_query(parse_query(request.query, datetime.now(UTC)), lambda _: ()).text:
        raise UsageError(
            "Filters alone list every note that passes them, hidden ones too. Name words to be searched, or no query."
        )
    if compared := as_compared(request.query):
        query = rememberable(request.query, stores[profile.name], preparation.rules_of(profile))
        asked = text_digest(compared, preparation.digest_key(profile))
    note = HiddenNote(meant.vault, request.path, asked, query, time.time_ns())
    hide_in(stores[profile.name], note)
    return _reply(stores[profile.name], profile, note)


@HANDLERS.answers(UNHIDE)
def unhide(context: Context, request: UnhideAsk) -> Done:
    profile = named(context.services, context.client, request.profile)
    store = context.engine.open_profiles.same(profile).store
    names = {**store.vault_names, **{each.id: each.name for each in profile.vaults}}
    vault = next((each for each, name in names.items() if name == request.vault), request.vault)
    if not unhide_in(store, vault, request.path, bytes.fromhex(request.asked)):
        raise NotHidden("This note is not hidden.")
    return Done()


@HANDLERS.answers(FORGET_OPENED)
def forget_opened(context: Context, request: ForgetOpenedAsk) -> Cleared:
    profiles = chosen(context.services, context.client, request.profile)
    context.services.searches.flush()
    stores = context.stores(profiles).values()
    return Cleared(forgotten=sum(History(store).forget_opened(request.path) for store in stores))


def _reply(store: Store, profile: Profile, note: HiddenNote) -> HiddenNoteReply:
    return HiddenNoteReply(
        profile=profile.name,
        vault=vault_name(store, profile, note.vault),
        path=note.path,
        query=note.query,
        asked=note.asked.hex(),
        at=time_of(note.at_ns),
    )
