"""`/v1/status`, `/v1/index`, `/v1/credentials`: what the daemon does and has found."""

from litestar import get, post
from litestar.params import JSONBody

from daemon.api.caller import InjectedCaller, needs
from daemon.api.reading import credentials_of
from daemon.api.schemas import CredentialsReply, Status
from daemon.api.schemas_manage import Accepted, IndexAsk
from daemon.api.scoping import named, visible
from daemon.api.services import InjectedServices


@get("/v1/status", guards=[needs("search")], sync_to_thread=True)
def status(services: InjectedServices, caller: InjectedCaller) -> Status:
    """How the daemon does, and how much each visible profile holds."""
    return services.status.status(visible(services, caller.client))


@post("/v1/index", guards=[needs("manage")], sync_to_thread=True, status_code=202)
def index(data: JSONBody[IndexAsk], services: InjectedServices, caller: InjectedCaller) -> Accepted:
    """Look at the vaults again, of one profile or of all visible ones. The work goes on in the background."""
    client = caller.client
    chosen = visible(services, client) if data.profile is None else (named(services, client, data.profile),)
    for profile in chosen:
        services.indexing.request_index(profile, full=data.full)
    return Accepted(profiles=tuple(profile.name for profile in chosen))


@get("/v1/credentials", guards=[needs("search")], sync_to_thread=True)
def credentials(services: InjectedServices, caller: InjectedCaller) -> CredentialsReply:
    """Where credentials sit in the notes: path, line and rule, never the credential."""
    seen = visible(services, caller.client)
    return CredentialsReply(credentials=tuple(credentials_of(services.stores(seen), seen)))


ROUTES = (status, index, credentials)
