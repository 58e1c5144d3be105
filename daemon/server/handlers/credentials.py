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
from scrubjay.profiles.search.named_notes import NO_NOTE_HERE, NoteNotFound
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
        unanswered=tuple(
            context.engine.open_profiles.unanswered(each.name) for each in seen if each.name not in stores
        ),
    )


@HANDLERS.answers(DECIDE)
def decide(context: Context, request: DecideAsk) -> DecidedReply:
    services = context.services
    profile, vault = _note(context, request)
    place = CredentialPlace(vault.id, request.path, request.line, request.column)
    rows = decide_at(services.engine, profile, place, request.standing, in_background=services.hurry is not None)
    return DecidedReply(credentials=tuple(credential_reply(profile, vault.name, request.path, row) for row in rows))


def _note(context: Context, request: DecideAsk) -> tuple[Profile, VaultFolder]:
    """Where the note is. Raises NoteNotFound, or UsageError for a path that several vaults have."""
    profiles = chosen(context.services, context.client, request.profile)
    stores = context.stores(profiles)
    found = [
        (profile, vault)
        for profile in profiles
        if profile.name in stores
        for vault in profile.vaults
        if request.vault in (None, vault.name) and stores[profile.name].read(reads.note_by_path, vault.id, request.path)
    ]
    if not found:
        raise NoteNotFound(NO_NOTE_HERE)
    if len(found) > 1:
        raise UsageError("Several vaults have a note at this path: name the profile, or the vault.")
    return found[0]
