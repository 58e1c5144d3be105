"""`scrubjay clients`: who may ask the daemon, and what each may see."""

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import connect
from scrubjay.daemon.cli.output import print_json, print_table, say
from scrubjay.daemon.cli.programs import rights
from scrubjay.daemon.server.access.client_registry import Scope
from scrubjay.daemon.server.endpoints.clients import (
    CHANGE_CLIENT,
    CREATE_CLIENT,
    LIST_CLIENTS,
    REVOKE_CLIENT,
    ROTATE_TOKEN,
    ClientAsk,
    ClientChange,
    ClientId,
)
from scrubjay.daemon.server.endpoints.pairing import DECIDE_PAIRING, LIST_PAIRINGS, PairingDecision
from scrubjay.daemon.server.endpoints.sessions import END_SESSION, LIST_SESSIONS, SessionId

_scopes = click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(["search", "journal", "manage"]),
    help="What it may do: read, write to the journal, or everything. Repeatable.",
)
_profiles = click.option(
    "--profile", "profiles", shell_complete=profile_names, multiple=True, help="What it may see. Repeatable."
)


@click.group()
def clients() -> None:
    """List, approve, create and revoke the programs that may ask."""


@clients.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def list_(as_json: bool) -> None:
    """List the clients, the browsers on the search page, and the requests that wait for you."""
    with connect() as client:
        known, waiting = client.ask(LIST_CLIENTS).clients, client.ask(LIST_PAIRINGS).pairings
        pages = client.ask(LIST_SESSIONS).sessions
    if as_json:
        print_json({"clients": known, "pages": pages, "waiting": waiting})
        return
    print_table(
        ("id", "name", "may", "sees", "last used"),
        (
            (
                one.id,
                one.name,
                ", ".join(one.scopes),
                "every profile" if one.all_profiles else ", ".join(one.profiles) or "nothing",
                f"{one.last_used:%Y-%m-%d %H:%M}" if one.last_used else "never",
            )
            for one in known
        ),
    )
    if pages:
        say("\nBrowsers that are let in to the search page; `scrubjay clients close ID` shuts one out:")
        rows = ((one.id, f"{one.opened:%Y-%m-%d %H:%M}", f"{one.last_used:%Y-%m-%d %H:%M}") for one in pages)
        print_table(("id", "let in", "last used"), rows)
    for request in waiting:
        say(f"Waiting: {request.client}, code {request.code}: scrubjay clients approve {request.code}")


@clients.command()
@click.argument("code")
@_profiles
@_scopes
def approve(code: str, profiles: tuple[str, ...], scopes: tuple[Scope, ...]) -> None:
    """Let in the program that shows CODE. Without --profile it sees the profile of its own vault."""
    decision = PairingDecision(id_or_code=code, approve=True, profiles=profiles or None, scopes=scopes or None)
    with connect() as client:
        client.ask(DECIDE_PAIRING, decision)
    say("Approved.")


@clients.command()
@click.argument("code")
def deny(code: str) -> None:
    """Refuse the program that shows CODE."""
    with connect() as client:
        client.ask(DECIDE_PAIRING, PairingDecision(id_or_code=code, approve=False))
    say("Refused.")


@clients.command()
@click.argument("name")
@_profiles
@_scopes
def create(name: str, profiles: tuple[str, ...], scopes: tuple[Scope, ...]) -> None:
    """Create a client and print its token, this once."""
    if not profiles:
        raise click.UsageError("Say what it may see: --profile NAME, or --profile all.")
    with connect() as client:
        made = client.ask(
            CREATE_CLIENT,
            ClientAsk(name=name, scopes=scopes or ("search",), profiles="all" if "all" in profiles else profiles),
        )
    click.echo(made.token)


@clients.command()
@click.argument("name_or_id")
@_profiles
@_scopes
def scope(name_or_id: str, profiles: tuple[str, ...], scopes: tuple[Scope, ...]) -> None:
    """Change what a client may see (--profile NAME, or all) and do (--scope); what is left out stays. At once."""
    with connect() as client:
        known = client.ask(LIST_CLIENTS).clients
        found = [one for one in known if name_or_id in (one.id, one.name)]
        if len(found) != 1:
            raise click.UsageError(
                f"{'Several clients are' if found else 'No client is'} called {name_or_id!r}."
                " Name one by its id: `scrubjay clients list` shows them all."
            )
        one = found[0]
        if profiles or scopes:
            seen = None if not profiles else "all" if "all" in profiles else profiles
            one = client.ask(CHANGE_CLIENT, ClientChange(client_id=one.id, scopes=scopes or None, profiles=seen))
    say(f"{one.name} may {rights.sentence(one.scopes, None if one.all_profiles else one.profiles)}")


@clients.command()
@click.argument("client_id")
@click.argument("name")
def rename(client_id: str, name: str) -> None:
    """Give a client another name."""
    with connect() as client:
        client.ask(CHANGE_CLIENT, ClientChange(client_id=client_id, name=name))


@clients.command()
@click.argument("client_id")
def rotate(client_id: str) -> None:
    """Print a new token for a client; the old one is dead at once."""
    with connect() as client:
        click.echo(client.ask(ROTATE_TOKEN, ClientId(client_id=client_id)).token)


@clients.command()
@click.argument("page_id")
def close(page_id: str) -> None:
    """Shut out a browser that was let in to the search page, at once."""
    with connect() as client:
        client.ask(END_SESSION, SessionId(session_id=page_id))
    say("Closed.")


@clients.command()
@click.argument("client_id")
def revoke(client_id: str) -> None:
    """Shut a client out; its token is dead at once."""
    with connect() as client:
        client.ask(REVOKE_CLIENT, ClientId(client_id=client_id))
    say("Revoked.")
