"""Who a request comes from, and which profiles the caller may know of."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from scrubjay.daemon.server.access.client_registry import Client, Scope, VisibleProfiles
from scrubjay.daemon.server.access.sessions import Session
from scrubjay.daemon.server.services import Services
from scrubjay.profiles.errors import ProfileNotFound, ScrubjayError, UsageError
from scrubjay.profiles.journal.search_event import Asker
from scrubjay.profiles.registry.registry import Profile

Guard: TypeAlias = Callable[[ASGIConnection[Any, Any, Any, Any], BaseRouteHandler], Awaitable[None]]

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

    @property
    def asker(self) -> Asker:
        """How histories name this caller: by its registration alone, never by anything that its requests say."""
        if self.session is not None:
            return Asker("page", self.client.name)
        if self.client.own:
            return Asker("terminal", self.client.name)
        return Asker("agent" if self.client.vault is None else "panel", self.client.name)


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

    # Litestar takes any other function to a thread and waits for it.
    async def guard(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        if not caller_of(connection.scope).client.may(wanted):
            raise Forbidden(f"This client lacks the scope `{wanted}`. `scrubjay clients scope` gives it.")

    return guard


# Which profiles a caller may know of. An unknown profile and a forbidden one give the same answer.


class NoProfiles(ScrubjayError):
    """There is nothing that this client could search."""

    code = "no-profiles"
    status = 409


def visible(
    services: Services, client: Client, wanted: Callable[[Profile], bool] = lambda _: True
) -> tuple[Profile, ...]:
    """The wanted profiles that this client may see, by the settings as they are on disk now."""
    services.engine.profile_sync.sync_if_changed(lambda profile: client.sees(profile.id) and wanted(profile))
    return tuple(profile for profile in _known(services, client) if wanted(profile))


def _known(services: Services, client: Client) -> tuple[Profile, ...]:
    return tuple(profile for profile in services.engine.open_profiles.all() if client.sees(profile.id))


def named(services: Services, client: Client, name: str) -> Profile:
    """The visible profile of this name. Raises ProfileNotFound."""
    wanted = name.casefold()
    return _one(visible(services, client, lambda profile: profile.name.casefold() == wanted))


def chosen(services: Services, client: Client, name: str | None) -> tuple[Profile, ...]:
    """The visible profile of this name; without one, all that this client may see. Raises ProfileNotFound."""
    return visible(services, client) if name is None else (named(services, client, name),)


def chosen_of(services: Services, client: Client, names: Sequence[str] | None) -> tuple[Profile, ...]:
    """The visible profiles of these names, each once; without any, all that this client may see.

    Raises ProfileNotFound.
    """
    if names is None:
        return visible(services, client)
    return tuple(dict.fromkeys(named(services, client, name) for name in names))


def by_id(services: Services, client: Client, profile_id: str) -> Profile:
    """The visible profile with this id, by the settings as they were last taken over. Raises ProfileNotFound."""
    return _one(profile for profile in _known(services, client) if profile.id == profile_id)


def only(services: Services, client: Client, name: str | None) -> Profile:
    """The visible profile of this name; without one, the only profile that there is for this client.

    Raises ProfileNotFound, or UsageError where a name is needed because there are several.
    """
    if name is not None:
        return named(services, client, name)
    seen = visible(services, client)
    if len(seen) > 1:
        raise UsageError("Name the profile: this client sees several.")
    return _one(seen)


def in_scope(services: Services, caller: Caller, names: Sequence[str] | None) -> tuple[Profile, ...]:
    """What a search goes over: the profiles named, or all that take part in searches over all.

    A client that may see one profile alone searches it, whatever its owner says of searches over all.
    Raises ProfileNotFound for a name that this client may not see, NoProfiles where nothing is left.
    """
    if names is not None:
        return chosen_of(services, caller.client, names)
    seen = visible(services, caller.client)
    chosen = seen if len(seen) == 1 else tuple(profile for profile in seen if profile.federate)
    if not chosen:
        raise NoProfiles(
            "There is nothing to search yet. Begin with `scrubjay setup`, or let the client see a profile."
        )
    return chosen


def named_for_search(profiles: Sequence[Profile]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names and the ids of a search's profiles, as `SearchRequest` takes them."""
    return tuple(profile.name for profile in profiles), tuple(profile.id for profile in profiles)


def granted(services: Services, caller: Caller, wanted: Sequence[str] | str) -> VisibleProfiles:
    """Profile ids for the names that a caller wants to give another client. A caller grants only what it has itself.

    Raises ProfileNotFound, or Forbidden for "all" by one who does not see all.
    """
    if isinstance(wanted, str):
        if caller.client.profiles != "all":
            raise Forbidden("This client does not see all profiles, so it can't give them all.")
        return "all"
    return tuple(named(services, caller.client, name).id for name in wanted)


def grantable(caller: Caller, wanted: tuple[Scope, ...]) -> tuple[Scope, ...]:
    """The scopes that a caller wants to give another client. Raises Forbidden for one that it lacks itself."""
    if not all(caller.client.may(scope) for scope in wanted):
        raise Forbidden("A client can't give a scope that it lacks itself.")
    return wanted


def governs(caller: Caller, other: Client) -> bool:
    """Whether a manager may know of and change another client: it must see and may do all that the other does."""
    own = caller.client.profiles
    sees_all = own == "all" or (other.profiles != "all" and set(other.profiles) <= set(own))
    return sees_all and all(caller.client.may(scope) for scope in other.scopes)


def _one(found: Iterable[Profile]) -> Profile:
    profile = next(iter(found), None)
    if profile is None:
        raise ProfileNotFound("There is no such profile that this client may see.")
    return profile


# Where files of this installation lie is for those who manage it; a client that only searches is not told.

_SHOWN_AS = "(a file of Scrubjay's)"
