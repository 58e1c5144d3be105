"""`/v1/credentials`: the report within what a client sees; decisions for managers."""

from scrubjay.daemon.engine.credential_decisions import CredentialPlace
from scrubjay.daemon.engine.credential_decisions import decide as decide_at
from scrubjay.daemon.server.access.caller import chosen, visible
from scrubjay.daemon.server.endpoint import Nothing
from scrubjay.daemon.server.endpoints.credentials import CREDENTIALS, DECIDE, CredentialsReply, DecideAsk, DecidedReply
from scrubjay.daemon.server.replies.credential_replies import credential_reply, credentials_of
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.registry.registry import Profile, VaultFolder
from scrubjay.profiles.search.named_notes import NO_NOTE_HERE, SEVERAL_HERE, NoteNotFound
from scrubjay.profiles.store import reads

HANDLERS = Handlers()


@HANDLERS.answers(CREDENTIALS)
def credentials(context: Context, _: Nothing) -> CredentialsReply:
    client = context.client
    seen = visible(context.services, client)
    stores = context.stores(seen)
    found = tuple(credentials_of(stores, seen))
    return CredentialsReply(
        credentials=tuple(each for each in found if each.standing == "open"),
        decided=tuple(each for each in found if each.standing != "open"),
        may_decide=client.may("manage"),
        unanswered=context.unanswered(seen, stores),
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
