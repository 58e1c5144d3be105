"""`/v1/credentials`: the report within what a client sees; decisions for managers."""

from scrubjay.daemon.engine.credential_decisions import CredentialPlace
from scrubjay.daemon.engine.credential_decisions import decide as decide_at
from scrubjay.daemon.server.access.caller import chosen
from scrubjay.daemon.server.endpoints.credentials import (
    CREDENTIALS,
    DECIDE,
    CredentialsAsk,
    CredentialsReply,
    DecideAsk,
    DecidedReply,
)
from scrubjay.daemon.server.replies.credential_replies import credential_reply
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.registry.registry import Profile, VaultFolder
from scrubjay.profiles.search.named_notes import NO_NOTE_HERE, SEVERAL_HERE, NoteNotFound, vault_name
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import RedactionPlace

HANDLERS = Handlers()


@HANDLERS.answers(CREDENTIALS)
def credentials(context: Context, request: CredentialsAsk) -> CredentialsReply:
    client = context.client
    seen = chosen(context.services, client, request.profile)
    stores = context.stores(seen)
    waiting: list[tuple[Profile, RedactionPlace]] = []
    decided: list[tuple[Profile, RedactionPlace]] = []
    for profile in seen:
        if profile.name in stores:
            for place in stores[profile.name].derived(reads.redactions):
                (waiting if place.standing == "open" else decided).append((profile, place))
    end = request.offset + request.limit
    page = [
        credential_reply(profile, vault_name(stores[profile.name], profile, place.vault), place.path, place)
        for profile, place in (*waiting, *decided)[request.offset : end]
    ]
    return CredentialsReply(
        credentials=tuple(each for each in page if each.standing == "open"),
        decided=tuple(each for each in page if each.standing != "open"),
        may_decide=client.may("manage"),
        unanswered=context.unanswered(seen, stores),
        waiting=len(waiting),
        next_offset=end if end < len(waiting) + len(decided) else None,
    )


@HANDLERS.answers(DECIDE)
def decide(context: Context, request: DecideAsk) -> DecidedReply:
    services = context.services
    profile, vault = _note_at(context, request.path, profile=request.profile, vault=request.vault)
    place = CredentialPlace(vault.id, request.path, request.line, request.column)
    rows = decide_at(services.engine, profile, place, request.standing, in_background=services.hurry is not None)
    return DecidedReply(credentials=tuple(credential_reply(profile, vault.name, request.path, row) for row in rows))


def _note_at(context: Context, path: str, *, profile: str | None, vault: str | None) -> tuple[Profile, VaultFolder]:
    """Where the note at a path is on this computer. Raises NoteNotFound, or UsageError where several vaults have it.

    profile, vault: their names, where these are told.
    """
    profiles = chosen(context.services, context.client, profile)
    stores = context.stores(profiles)
    found = [
        (each, folder)
        for each in profiles
        if each.name in stores
        for folder in each.vaults
        if vault in (None, folder.name) and stores[each.name].read(reads.note_by_path, folder.id, path)
    ]
    if not found:
        raise NoteNotFound(NO_NOTE_HERE)
    if len(found) > 1:
        raise UsageError(SEVERAL_HERE)
    return found[0]
