"""`scrubjay search`: results in the terminal."""

from collections.abc import Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Any

import click
from rich.text import Text

from scrubjay.daemon.api.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.cli.connect import reach
from scrubjay.daemon.cli.notes.query_command import QueryCommand
from scrubjay.daemon.cli.output import console, plural, print_json, say, warn
from scrubjay.daemon.search.types import Group, ScorePart, SearchResponse, SearchResult, Surroundings


@click.command(cls=QueryCommand)
@click.argument("query", nargs=-1, required=True)
@click.option("--profile", "profiles", multiple=True, help="Search this profile only. Repeatable.")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 1000))
@click.option("--mode", default="hybrid", show_default=True, type=click.Choice(["hybrid", "lexical", "semantic"]))
@click.option("--by-chunk", is_flag=True, help="Show every passage, not each note once.")
@click.option("--explain", is_flag=True, help="Show what each signal gave a result.")
@click.option("--context", default=0, type=click.IntRange(0, 5), help="Show so many passages before and after, too.")
@click.option("--json", "as_json", is_flag=True, help="For scripts.")
def search(query: tuple[str, ...], profiles: tuple[str, ...], by_chunk: bool, as_json: bool, **options: Any) -> None:
    """Search your notes. Exit status 1 when nothing is found.

    \b
    words            any of them, best matches first
    '"a phrase"'     these words in this order; the shell needs its own marks around them
    -word            notes without it
    a OR b           either
    path:Projects  tag:recipe  file:2026-03  'modified:>2026-01-01'  '[status:done]'
    """
    group: Group = "chunk" if by_chunk else "note"
    request = SearchAsk(query=" ".join(query), profiles=profiles or None, group=group, **options)
    with reach() as client:
        response = client.ask(SEARCH, request)
    if as_json:
        print_json(response)
    else:
        _print(response, explain=request.explain)
    if not response.results:
        raise click.exceptions.Exit(1)


def _print(response: SearchResponse, *, explain: bool) -> None:
    for warning in response.warnings:
        warn(f"At character {warning.start + 1}: {warning.message}", style="yellow")
    for result in response.results:
        _print_result(result, explain=explain)
    if not response.results:
        warn("Nothing found.")
    elif response.relevance == "low":
        warn("None of these is likely what you meant.", style="dim")
    if response.pending_embeddings:
        warn(f"{plural(response.pending_embeddings, 'passage')} can't be found by meaning yet.", style="dim")
    for profile, reason in zip_longest(response.unanswered, response.reasons, fillvalue=""):
        warn(f"Profile {profile} did not answer. {reason}".rstrip(), style="yellow")


def _print_result(result: SearchResult, *, explain: bool) -> None:
    where = Text(f"{result.path}:{result.line}", style="bold")
    where.append(f"  {result.profile}", style="cyan")
    where.append(f"  {_day(result.modified)}  {result.relevance}", style="dim")
    console.print(where, soft_wrap=True)
    for place in result.also_in:
        say(f"also {place.path}  {place.profile}", style="dim")
    snippet = Text(result.snippet)
    for start, end in result.highlights:
        snippet.stylize("bold yellow", start, end)
    around = result.context or Surroundings((), ())
    _print_passages(around.before)
    console.print(snippet)
    _print_passages(around.after)
    for part in (result.explain or ()) if explain else ():
        say_part(part)
    say("")


def say_part(part: ScorePart) -> None:
    """What one signal gave a note, in a line."""
    rank = "" if part.rank is None else f" rank {part.rank}"
    raw = "" if part.raw is None else f" ({part.raw:.3f})"
    say(f"    {part.signal}{rank}{raw}: {part.points:.4f}", style="dim")


def _print_passages(texts: Sequence[str]) -> None:
    for text in texts:
        console.print(Text(text, style="dim"))


def _day(when: datetime) -> str:
    return when.astimezone().strftime("%Y-%m-%d")
