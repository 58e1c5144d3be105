"""`scrubjay hide`: notes that searches are not to find."""

import click

from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import reach
from scrubjay.daemon.cli.output import print_json, print_table, say
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.hidden import (
    HIDDEN,
    HIDE,
    UNHIDE,
    HiddenNoteReply,
    HideAsk,
    UnhideAsk,
)
from scrubjay.daemon.server.endpoints.upkeep import ProfileChoice
from scrubjay.profiles.errors import NotFound, UsageError


@click.command()
@click.argument("path", required=False)
@click.option("--query", help="From this query alone.")
@click.option("--undo", is_flag=True, help="Have PATH found again; with --query, for that query.")
@click.option("--list", "listed", is_flag=True, help="Show what is hidden, as without PATH.")
@click.option("--profile", shell_complete=profile_names, help="This profile only.")
@click.option("--vault", help="Where several vaults have such a path.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def hide(
    path: str | None, query: str | None, undo: bool, listed: bool, profile: str | None, vault: str | None, as_json: bool
) -> None:
    """Hide the note at PATH from searches; without PATH, show what is hidden.

    A search with `path:` or `file:`, a list of filters alone, and `scrubjay search --all` still find it.
    """
    if path is None and undo:
        raise UsageError("Say which note: `scrubjay hide --list` shows what is hidden.")
    if query is not None and not query.strip():
        raise UsageError("The query is empty. Without --query the note is hidden from every search.")
    with reach() as client:
        if path is None or listed:
            _show(client.ask(HIDDEN, ProfileChoice(profile=profile)).notes, as_json=as_json)
        elif undo:
            _undo(client, path, query or "", profile, vault)
        else:
            note = client.ask(HIDE, HideAsk(path=path, profile=profile, vault=vault, query=query or ""))
            if as_json:
                print_json(note)
            else:
                said = f"from the query `{note.query}`" if note.asked else "from searches"
                say(f"{note.path} is hidden {said}. `scrubjay hide --undo` takes that back.")


def _show(notes: tuple[HiddenNoteReply, ...], *, as_json: bool) -> None:
    if as_json:
        print_json(notes)
    elif notes:
        print_table(
            ("note", "vault", "profile", "hidden from"),
            ((note.path, note.vault, note.profile, note.query if note.asked else "every search") for note in notes),
        )
    else:
        say("No note is hidden.")


def _undo(client: ScrubjayClient, path: str, query: str, profile: str | None, vault: str | None) -> None:
    hidden = client.ask(HIDDEN, ProfileChoice(profile=profile)).notes
    found = [note for note in hidden if note.path == path and vault in (None, note.vault) and query in ("", note.query)]
    if not found:
        raise NotFound("This note is not hidden. `scrubjay hide --list` shows what is.")
    for note in found:
        client.ask(UNHIDE, UnhideAsk(profile=note.profile, vault=note.vault, path=note.path, asked=note.asked))
    say(f"{path} is found again.")
