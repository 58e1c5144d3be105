"""Who a request comes from, once the door has let it in, and what it may see."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from scrubjay.daemon.clients.client_registry import Client, Scope
from scrubjay.daemon.clients.sessions import Session
from scrubjay.daemon.errors import ScrubjayError

Guard: TypeAlias = Callable[[ASGIConnection[Any, Any, Any, Any], BaseRouteHandler], None]

_KEY = "caller"


class Forbidden(ScrubjayError):
    """The client is known, but its token lacks the scope or it reaches for more than it has."""

    code = "forbidden"
    status = 403


@dataclass(frozen=True, slots=True)
class Caller:
    """A known client, over its token or over the session of the search page."""

    client: Client
    session: Session | None = None


def remember(scope: dict[str, Any], caller: Caller) -> None:
    """Put the caller where `caller_of` finds it."""
    scope.setdefault("state", {})[_KEY] = caller


def caller_of(scope: Any) -> Caller:
    """The authenticated sender. The gate has refused unknown ones of every route that calls this."""
    caller = scope["state"].get(_KEY)
    if not isinstance(caller, Caller):
        raise Forbidden("This needs a token.")
    return caller


def may_manage(scope: Any) -> bool:
    """Whether this request comes from a client that manages something; False where nobody is known."""
    caller = scope.get("state", {}).get(_KEY)
    return isinstance(caller, Caller) and caller.client.may("manage")


def not_from_the_page(caller: Caller) -> None:
    """Letting somebody in takes a word in the terminal or the tray: who steals a page's session must not outlast it.

    Raises Forbidden for a caller that is the search page.
    """
    if caller.session is not None:
        raise Forbidden("The search page can't let anybody in. Say so in a terminal (`scrubjay clients`) or the tray.")


def needs(wanted: Scope) -> Guard:
    """A route guard: only clients with this scope."""

    def guard(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        if not caller_of(connection.scope).client.may(wanted):
            raise Forbidden(f"This client lacks the scope `{wanted}`. `scrubjay clients` says how to give it.")

    return guard
