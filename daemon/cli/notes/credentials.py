"""`scrubjay credentials`: where secrets sit, and what was decided about them."""

import re
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TypeAlias

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import reach, warn_of_unread
from scrubjay.daemon.cli.output import echo, plural, print_json, warn, warn_of_unanswered
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.home import Home
from scrubjay.daemon.printable import one_line
from scrubjay.daemon.server.endpoints.credentials import (
    CREDENTIALS,
    DECIDE,
    Credential,
    CredentialsAsk,
    CredentialsReply,
    DecideAsk,
)
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.store.rows import Standing

_At: TypeAlias = tuple[str, int, int | None]  # path, line, column

_PLACE = re.compile(r"(?P<path>.+?):(?P<line>[1-9]\d{0,7})(?::(?P<column>[1-9]\d{0,7}))?")
_STANDING: dict[Standing, str] = {
    "open": "",
    "done": "done",
    "allowed": "allowed in this note",
    "everywhere": "allowed in all notes",
}


class _Place(click.ParamType[_At]):
    """NOTE:LINE, or NOTE:LINE:COLUMN for one of several on a line."""

    name = "note:line"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> _At:
        found = _PLACE.fullmatch(str(value))
        if found is None:
            self.fail("A place is a note's path in its vault and a line, such as Keys.md:7.", param, ctx)
        return found["path"], int(found["line"]), int(found["column"]) if found["column"] else None


def _decision(option: str, standing: Standing, about: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        option, standing, multiple=True, type=_Place(), metavar="NOTE:LINE", help=f"{about} Repeatable."
    )


@click.command()
@click.option(
    "--profile", "profiles", shell_complete=profile_names, multiple=True, help="This profile only. Repeatable."
)
@click.option("--vault", help="With a NOTE:LINE: which vault, where several have such a note.")
@_decision("--allow", "allowed", "What stands there is no secret: let it stand in that note.")
@_decision("--allow-everywhere", "everywhere", "Let it stand in all notes of the profile.")
@_decision("--done", "done", "You have seen to it: it stays hidden, and is listed no more.")
@_decision("--undo", "open", "Take back what was decided.")
@click.option("--decided", "shows_decided", is_flag=True, help="List what was allowed or done, not what is open.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
@click.option("--markdown", is_flag=True, help="A report with links that Obsidian opens.")
def credentials(
    profiles: tuple[str, ...],
    vault: str | None,
    shows_decided: bool,
    as_json: bool,
    markdown: bool,
    **places: tuple[_At, ...],
) -> None:
    """List path, line and rule of every credential in your notes; never the credential. Exit status 1 if any is
    open, or may be, since a profile did not answer or was not read yet.

    A decision is about the value: another one that comes to the same line is hidden and listed.
    """
    registry = Registry(Home.find().profiles)
    wanted = {registry.get(name).name for name in profiles}
    decisions: list[tuple[Standing, _At]] = [(standing, at) for standing in _STANDING for at in places[standing]]
    if decisions:
        _decide(decisions, wanted, vault, as_json=as_json)
        return
    with reach() as client:
        pages = list(_pages(client))
        is_unread = warn_of_unread(client, wanted)
    closed = [each for each in pages[0].unanswered if not wanted or each.profile in wanted]
    warn_of_unanswered(closed)
    decided = [each for page in pages for each in page.decided]
    waiting = [each for page in pages for each in page.credentials]
    everywhere, others = (decided, ()) if shows_decided else (waiting, decided)
    found = [one for one in everywhere if not wanted or one.profile in wanted]
    if as_json:
        print_json(found)
    elif markdown:
        echo(_report(found))
    else:
        _list(
            found,
            [one for one in others if not wanted or one.profile in wanted],
            shows_decided=shows_decided,
            is_partial=bool(closed) or is_unread,
        )
    if (found or closed or is_unread) and not shows_decided:
        raise click.exceptions.Exit(1)


def _pages(client: ScrubjayClient) -> Iterator[CredentialsReply]:
    """One page at least."""
    offset: int | None = 0
    while offset is not None:
        page = client.ask(CREDENTIALS, CredentialsAsk(offset=offset))
        yield page
        offset = page.next_offset


def _list(found: list[Credential], others: list[Credential], *, shows_decided: bool, is_partial: bool) -> None:
    for one in found:
        echo(_line(one))
    if found and not shows_decided:
        warn(f"{plural(len(found), 'credential')}. Change them, and move them to a password manager.")
    elif not found and not is_partial:
        warn("Nothing was decided." if shows_decided else "No credentials found.")
    if others:
        warn(f"{len(others):,} more that you allowed or are done with: --decided lists them.")


def _decide(decisions: list[tuple[Standing, _At]], profiles: set[str], vault: str | None, *, as_json: bool) -> None:
    if len(profiles) > 1:
        raise click.UsageError("A decision is about a note of one profile.")
    profile = next(iter(profiles), None)
    with reach() as client:
        told = [
            each
            for standing, (path, line, column) in decisions
            for each in client.ask(
                DECIDE,
                DecideAsk(path=path, line=line, column=column, standing=standing, profile=profile, vault=vault),
            ).credentials
        ]
    if as_json:
        print_json(told)
        return
    for each in told:
        echo(_line(each))


def _line(one: Credential) -> str:
    standing = _STANDING[one.standing]
    return one_line(f"{one.profile}: {one.path}:{one.line}: {one.rule}{standing and f', {standing}'}")


def _report(found: list[Credential]) -> str:
    lines = ["# Credentials in your notes", "", "Change each one, then move it to a password manager."]
    for profile, of_profile in groupby(found, key=lambda one: one.profile):
        lines += ["", f"## {one_line(profile)}", ""]
        lines += [f"- [ ] {_link(one.path)} line {one.line}: {one.about} (`{one.rule}`)" for one in of_profile]
    return "\n".join(lines)


def _link(path: str) -> str:
    """A link that Obsidian opens, or the path as code where no link can hold it."""
    path = one_line(path)
    return f"`{path}`" if set(path) & set("[]#^|") else f"[[{path.removesuffix('.md')}]]"
