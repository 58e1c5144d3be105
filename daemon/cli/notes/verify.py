"""`scrubjay verify`, `explain`, `related`: what really stands in a note, why it was not found, what belongs to it."""

from typing import Any, TextIO, get_args

import click

from scrubjay.daemon.cli.completions import profile_names, query_words
from scrubjay.daemon.cli.connect import reach, reach_note
from scrubjay.daemon.cli.notes.query_command import QueryCommand
from scrubjay.daemon.cli.notes.search import score_part_line
from scrubjay.daemon.cli.output import print_json, print_table, say, warn
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.printable import one_line
from scrubjay.daemon.server.endpoints.common import NoteRef
from scrubjay.daemon.server.endpoints.links import (
    RELATED,
    VERIFY,
    VERIFY_ANSWER,
    RelatedAsk,
    VerifyAnswerAsk,
    VerifyAsk,
)
from scrubjay.daemon.server.endpoints.notes import NOTES, NotesAsk
from scrubjay.daemon.server.endpoints.profiles import LIST_PROFILES
from scrubjay.daemon.server.endpoints.search import EXPLAIN, ExplainAsk
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.search.types import Fusion, Mode

_LONGEST_ANSWER = 200_000
_SHOWN = 60  # code points of a quotation
_as_json = click.option("--json", "as_json", is_flag=True, help="For scripts.")
_vault = click.option("--vault", help="Which vault, where several have such a note.")


@click.command()
@click.argument("quote", required=False)
@click.option(
    "--answer",
    type=click.File(encoding="utf-8"),
    help="A whole answer in Markdown instead; - reads it from standard input.",
)
@click.option("--note", "path", help="The note that it is said to be from: its path in the vault.")
@click.option("--id", "chunk_id", help="Or the id of a passage of it.")
@_vault
@click.option("--profile", shell_complete=profile_names, help="Look in this profile only.")
@_as_json
def verify(
    quote: str | None,
    answer: TextIO | None,
    path: str | None,
    chunk_id: str | None,
    vault: str | None,
    profile: str | None,
    as_json: bool,
) -> None:
    """Check whether QUOTE really stands in a note. Exit status 1 when it does not, or when that can't be told.

    Case, white space, kinds of quotation marks and dashes and Markdown's emphasis don't matter; "…" stands for words
    left out. With --answer every quotation in the file is looked for in the notes that are cited beside it as [#id].
    """
    if answer is not None:
        if quote is not None or path is not None or chunk_id is not None or vault is not None:
            raise click.UsageError("--answer names its sources itself: leave QUOTE, --note, --id and --vault out.")
        _verify_answer(answer.read(), profile, as_json=as_json)
        return
    if quote is None:
        raise click.UsageError("Give a QUOTE, or a whole answer with --answer FILE.")
    if (path is None) == (chunk_id is None):
        raise click.UsageError("Say what is quoted: --note PATH or --id ID.")
    ask = VerifyAsk(quote=quote, id=chunk_id, path=path, vault=vault, profile=profile)
    with reach_note([profile] if profile else ()) as client:
        reply = client.ask(VERIFY, ask)
    if as_json:
        print_json(reply)
    else:
        say(f"{reply.verdict}: {reply.reason}")
        for place in reply.places:
            say(f"{one_line(reply.path)}:{place.line}  {reply.profile}  #{place.id}")
    if reply.verdict != "verified":
        raise click.exceptions.Exit(1)


def _verify_answer(text: str, profile: str | None, *, as_json: bool) -> None:
    text = text.replace("\0", " ")
    if not text.strip() or len(text) > _LONGEST_ANSWER:
        raise UsageError(f"An answer has 1 to {_LONGEST_ANSWER:,} characters.")
    ask = VerifyAnswerAsk(text=text, profiles=None if profile is None else (profile,))
    with reach() as client:
        reply = client.ask(VERIFY_ANSWER, ask)
    if as_json:
        print_json(reply)
    else:
        for quote in reply.quotes:
            where = f"  {one_line(quote.path)}:{quote.line}" if quote.path else ""
            say(f"line {quote.answer_line}: {quote.verdict}: {_beginning(quote.quote)}{where}")
            if quote.verdict != "verified":
                say(f"    {one_line(quote.reason)}" + (f" It says: {one_line(quote.says)}" if quote.says else ""))
        for unknown in reply.unknown:
            say(f"not found: no passage has the id #{unknown}")
        for cited in reply.unquoted:
            say(f"line {cited.answer_line}: #{cited.id} is cited, and nothing of it is quoted")
        say(f"{reply.status}: {reply.reason}")
    if reply.status != "verified":
        raise click.exceptions.Exit(1)


def _beginning(quote: str) -> str:
    line = one_line(quote)
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN].rstrip()} …"


@click.command(cls=QueryCommand)
@click.argument("query", nargs=-1, required=True, shell_complete=query_words)
@click.option("--note", "path", required=True, help="The note that you expected: its path in the vault.")
@_vault
@click.option(
    "--profile", "profiles", shell_complete=profile_names, multiple=True, help="As in the search. Repeatable."
)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 100))
@click.option("--mode", default="hybrid", show_default=True, type=click.Choice(get_args(Mode)))
@click.option("--fusion", type=click.Choice(get_args(Fusion)), help="As in the search.")
@_as_json
def explain(
    query: tuple[str, ...],
    profiles: tuple[str, ...],
    as_json: bool,
    **wanted: Any,
) -> None:
    """Say why a search for QUERY finds the note, or why not, and what would bring it back. Exit status 1: not shown."""
    ask = ExplainAsk(query=" ".join(query), profiles=profiles or None, **wanted)
    with reach() as client:
        found = client.ask(EXPLAIN, ask)
    if as_json:
        print_json(found)
    else:
        say(f"{found.stage}: {found.message}")
        for part in found.parts:
            score_part_line(part)
        if found.remedy:
            say(found.remedy)
    if found.stage != "shown":
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("path")
@_vault
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 100))
@_as_json
def related(path: str, vault: str | None, limit: int, as_json: bool) -> None:
    """List the notes that belong to the note at PATH, by meaning, links and tags, and say why."""
    with reach_note() as client:
        found = client.ask(RELATED, RelatedAsk(vault=vault or _vault_of(client, path), path=path, limit=limit)).notes
    if as_json:
        print_json(found)
        return
    if not found:
        warn("Nothing is related to it.")
    print_table(
        ("score", "note", "why", "profile"),
        ((f"{each.score:.2f}", one_line(each.path), _why(each.reasons, each.unlinked), each.profile) for each in found),
    )


def _why(reasons: tuple[str, ...], unlinked: bool) -> str:
    return ", ".join(reasons) + ("; not linked yet" if unlinked else "")


def _vault_of(client: ScrubjayClient, path: str) -> str:
    """The name of the one vault that has a note at this path."""
    folders = [(profile, vault) for profile in client.ask(LIST_PROFILES).profiles for vault in profile.vaults]
    names = {vault.name for _, vault in folders}
    if len(names) == 1:
        return names.pop()
    holding = {note.vault for note in _named(client, path) if note.path == path}
    if len(holding) != 1:
        raise UsageError(
            "Say which vault it is in, with --vault NAME." if holding else f"No vault has a note at {path}."
        )
    return holding.pop()


def _named(client: ScrubjayClient, path: str) -> tuple[NoteRef, ...]:
    return client.ask(NOTES, NotesAsk(filter=f'path:"{path.replace(chr(34), "")}"', limit=100)).notes
