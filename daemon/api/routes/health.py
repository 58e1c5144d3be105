"""`/health`: the one route that is open to all who reach it. It says who answers and nothing of the user's."""

from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from daemon.api.schemas import Health
from daemon.api.services import InjectedServices
from daemon.clients.identity import is_challenge, proof
from daemon.errors import UsageError


@get("/health", sync_to_thread=False)
def health(
    services: InjectedServices, challenge: Annotated[str | None, QueryParameter(max_length=128)] = None
) -> Health:
    """Say that this is Scrubjay; with `challenge` (32 to 128 lower-case hex digits), prove which one."""
    if challenge is not None and not is_challenge(challenge):
        raise UsageError("A challenge has 32 to 128 lower-case hexadecimal digits.")
    identity = services.identity
    return Health(
        name="scrubjay",
        version=identity.version,
        instance=identity.instance,
        proof=None if challenge is None else proof(identity.secret, challenge),
    )


ROUTES = (health,)
