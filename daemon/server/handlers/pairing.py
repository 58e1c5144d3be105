"""`/v1/pairing`: how a new client gets a token with the user's consent."""

from scrubjay.daemon.server.access.caller import Caller, grantable, granted, not_from_the_page
from scrubjay.daemon.server.access.own_vault import means_folder
from scrubjay.daemon.server.access.pairing import NO_SUCH_REQUEST, REQUEST_SECONDS, PairingNotFound, PairingRequest
from scrubjay.daemon.server.endpoint import Nothing
from scrubjay.daemon.server.endpoints.pairing import (
    ASK_PAIRING,
    COLLECT_PAIRING,
    DECIDE_PAIRING,
    LIST_PAIRINGS,
    PROVE_PAIRING,
    PairingAsk,
    PairingBegun,
    PairingDecision,
    PairingProof,
    PairingReply,
    PairingSecret,
    PairingsReply,
    PairingState,
)
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.daemon.server.services import Services
from scrubjay.profiles.registry.registry import Profile

HANDLERS = Handlers()


@HANDLERS.answers(ASK_PAIRING)
def ask(context: Context, request: PairingAsk) -> PairingBegun:
    begun = context.services.pairing.ask(request.client, request.vault, request.scopes)
    context.services.events.publish("pairing", scope="manage")
    return PairingBegun(id=begun.request.id, code=begun.request.code, secret=begun.secret, seconds=REQUEST_SECONDS)


@HANDLERS.answers(LIST_PAIRINGS)
def waiting(context: Context, _: Nothing) -> PairingsReply:
    seen = (each for each in context.services.pairing.waiting() if _concerns(each, context))
    return PairingsReply(pairings=tuple(_reply(each, context.services, context.caller) for each in seen))


@HANDLERS.answers(DECIDE_PAIRING)
def decide(context: Context, request: PairingDecision) -> PairingState:
    waits = context.services.pairing.find(request.id_or_code)
    if not _concerns(waits, context):
        raise PairingNotFound(NO_SUCH_REQUEST)
    if not request.approve:
        context.services.pairing.deny(waits.id)
        return PairingState(state="refused")
    not_from_the_page(context.caller)
    proposed = tuple(
        profile.name for profile in _profiles_of(waits.vault, context.services) if context.client.sees(profile.id)
    )
    profiles = granted(context.services, context.caller, proposed if request.profiles is None else request.profiles)
    scopes = grantable(context.caller, request.scopes or waits.scopes)
    context.services.pairing.approve(waits.id, scopes=scopes, profiles=profiles)
    context.services.events.publish("clients", scope="manage")
    return PairingState(state="approved")


@HANDLERS.answers(PROVE_PAIRING)
def prove(context: Context, request: PairingProof) -> PairingState:
    vault = context.services.pairing.vault_of(request.request_id)
    profiles = tuple(profile.id for profile in _profiles_of(vault, context.services))
    context.services.pairing.prove(request.request_id, request.proof, profiles)
    context.services.events.publish("clients", scope="manage")
    return PairingState(state="approved")


@HANDLERS.answers(COLLECT_PAIRING)
def collect(context: Context, request: PairingSecret) -> PairingState:
    collected = context.services.pairing.collect(request.request_id, request.secret)
    return PairingState(state=collected.state, token=collected.token.token if collected.token else None)


def _concerns(request: PairingRequest, context: Context) -> bool:
    """Whether the caller may know of a request: it sees all profiles, or one that holds the vault which is named."""
    client = context.client
    named = _profiles_of(request.vault, context.services)
    return client.profiles == "all" or any(client.sees(profile.id) for profile in named)


def _reply(request: PairingRequest, services: Services, caller: Caller) -> PairingReply:
    seen = (profile for profile in _profiles_of(request.vault, services) if caller.client.sees(profile.id))
    return PairingReply(
        id=request.id,
        client=request.name,
        code=request.code,
        vault=request.vault,
        scopes=request.scopes,
        profiles=tuple(profile.name for profile in seen),
    )


def _profiles_of(vault: str | None, services: Services) -> tuple[Profile, ...]:
    """The profiles that hold a vault, which is named by its folder or, if that is no absolute path, by its name."""
    if vault is None:
        return ()
    profiles = services.engine.open_profiles.all()
    return tuple(profile for profile in profiles if any(means_folder(vault, folder) for folder in profile.vaults))
