"""`/v1/pairing`: how a new client gets a token with the user's consent."""

from pathlib import PurePath

from litestar import get, post
from litestar.params import FromPath, JSONBody

from daemon.api.caller import Caller, InjectedCaller, needs, not_from_the_page
from daemon.api.schemas_manage import (
    PairingAsk,
    PairingBegun,
    PairingDecision,
    PairingProof,
    PairingReply,
    PairingSecret,
    PairingsReply,
    PairingState,
)
from daemon.api.scoping import grantable, granted
from daemon.api.services import InjectedServices, Services
from daemon.clients.pairing import REQUEST_SECONDS, PairingRequest
from profiles.registry import Profile


@post("/v1/pairing", sync_to_thread=True, status_code=201)
def ask(data: JSONBody[PairingAsk], services: InjectedServices) -> PairingBegun:
    """Ask to be let in. Show the code to the user, who compares it with the one that Scrubjay shows."""
    asked = services.pairing.ask(data.client, data.vault, data.scopes)
    services.events.publish("pairing", scope="manage")
    request = asked.request
    return PairingBegun(id=request.id, code=request.code, secret=asked.secret, seconds=REQUEST_SECONDS)


@get("/v1/pairing", guards=[needs("manage")], sync_to_thread=True)
def waiting(services: InjectedServices, caller: InjectedCaller) -> PairingsReply:
    """Requests that wait for the user."""
    found = (_reply(request, services, caller) for request in services.pairing.waiting())
    return PairingsReply(pairings=tuple(found))


@post("/v1/pairing/{id_or_code:str}", guards=[needs("manage")], sync_to_thread=True, status_code=200)
def decide(
    id_or_code: FromPath[str],
    data: JSONBody[PairingDecision],
    services: InjectedServices,
    caller: InjectedCaller,
) -> PairingState:
    """The user's word on a request, named by its id or its code."""
    request = services.pairing.find(id_or_code)
    if not data.approve:
        services.pairing.deny(request.id)
        return PairingState(state="refused")
    not_from_the_page(caller)
    proposed = tuple(
        profile.name for profile in _profiles_of(request.vault, services) if caller.client.sees(profile.id)
    )
    profiles = granted(services, caller, proposed if data.profiles is None else data.profiles)
    scopes = grantable(caller, data.scopes or request.scopes)
    services.pairing.approve(request.id, scopes=scopes, profiles=profiles)
    services.events.publish("clients", scope="manage")
    return PairingState(state="approved")


@post("/v1/pairing/{request_id:str}/proof", sync_to_thread=True, status_code=200)
def prove(request_id: FromPath[str], data: JSONBody[PairingProof], services: InjectedServices) -> PairingState:
    """Approve one's own request by proof of being the same user; the client sees the profiles that hold its vault."""
    vault = services.pairing.vault_of(request_id)
    profiles = tuple(profile.id for profile in _profiles_of(vault, services))
    services.pairing.prove(request_id, data.proof, profiles)
    services.events.publish("clients", scope="manage")
    return PairingState(state="approved")


@post("/v1/pairing/{request_id:str}/collect", sync_to_thread=True, status_code=200)
def collect(request_id: FromPath[str], data: JSONBody[PairingSecret], services: InjectedServices) -> PairingState:
    """How one's own request stands. Once approved, this gives the token, exactly once."""
    collected = services.pairing.collect(request_id, data.secret)
    return PairingState(state=collected.state, token=collected.token.token if collected.token else None)


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
    wanted = PurePath(vault)

    def holds(profile: Profile) -> bool:
        if wanted.is_absolute():
            return any(PurePath(folder.root) == wanted for folder in profile.vaults)
        return any(folder.name == vault for folder in profile.vaults)

    return tuple(profile for profile in services.profiles.list() if holds(profile))


ROUTES = (ask, waiting, decide, prove, collect)
