"""`scrubjay search`: results in the terminal."""

import dataclasses
import webbrowser
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, get_args

import click
from msgspec.structs import replace
from rich.style import Style
from rich.text import Text

from scrubjay.daemon.cli.completions import profile_names, query_words
from scrubjay.daemon.cli.connect import reach
from scrubjay.daemon.cli.notes.formats import Format, chosen_fields, lines_of
from scrubjay.daemon.cli.notes.query_command import QueryCommand
from scrubjay.daemon.cli.notes.vaults import VaultFolders
from scrubjay.daemon.cli.output import as_typed_here, echo, plural, print_json, say, warn, warn_of_unanswered
from scrubjay.daemon.cli.terminal import console
from scrubjay.daemon.printable import one_line
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.search.results.places import path_with_place
from scrubjay.profiles.search.types import (
    Fusion,
    Group,
    Mode,
    ScorePart,
    SearchResponse,
    SearchResult,
    Sort,
    Surroundings,
)

_PAGE = 100
"""Results that one search gives at most."""


@click.command(cls=QueryCommand)
@click.argument("query", nargs=-1, required=True, shell_complete=query_words)
@click.option(
    "--profile", "profiles", shell_complete=profile_names, multiple=True, help="Search this profile only. Repeatable."
)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1))
@click.option("--all", "everything", is_flag=True, help="Show every note that is found, however many.")
@click.option("--sort", default="relevance", show_default=True, type=click.Choice(get_args(Sort)), metavar="ORDER")
@click.option("--facet", "facets", multiple=True, help="Count folder, tag, profile, month, property:NAME. Repeatable.")
@click.option("--as-typed", is_flag=True, help="Don't search words that no note has as those near them.")
@click.option("--mode", default="hybrid", show_default=True, type=click.Choice(get_args(Mode)))
@click.option(
    "--fusion", type=click.Choice(get_args(Fusion)), help="Fuse words and meaning by scores or ranks; else as set."
)
@click.option("--by-chunk", is_flag=True, help="Show every passage, not each note once.")
@click.option("--unfolded", is_flag=True, help="Show notes that say nearly the same each by itself.")
@click.option("--hidden", is_flag=True, help="Find notes that you hid, too; so does --all.")
@click.option("--explain", is_flag=True, help="Show what each signal gave a result.")
@click.option("--context", default=0, type=click.IntRange(0, 5), help="Show so many passages before and after, too.")
@click.option("--format", "form", default="text", type=click.Choice(get_args(Format)), help="For other programs.")
@click.option("--fields", help="Of jsonl and csv, separated by commas: path,line,title and others.")
@click.option("--json", "as_json", is_flag=True, help="As --format json.")
@click.option("--open", "number", type=click.IntRange(1), metavar="N", help="Open the N-th result in Obsidian, too.")
def search(
    query: tuple[str, ...],
    limit: int,
    everything: bool,
    form: Format,
    fields: str | None,
    as_json: bool,
    number: int | None,
    **options: Any,
) -> None:
    """Search your notes. Exit status 1 when nothing is found.

    ORDER is relevance, modified, created, title or path; all but the first with "-" before them for the other way.

    \b
    words            any of them, best matches first
    '"a phrase"'     these words in this order; the shell needs its own marks around them
    -word            notes without it
    a OR b           either
    path:Projects  tag:recipe  file:2026-03  'modified:>2026-01-01'  '[status:done]'
    """
    named = chosen_fields(fields)
    group: Group = "chunk" if options.pop("by_chunk") else "note"
    profiles, mend = options.pop("profiles") or None, not options.pop("as_typed")
    fold = not options.pop("unfolded") and form == "text" and not as_json  # programs get each note by itself
    request = SearchAsk(
        query=" ".join(query),
        profiles=profiles,
        group=group,
        mend=mend,
        fold=fold,
        hidden=options.pop("hidden") or everything,
        **options,
    )
    with reach() as client:
        response = _pages(lambda page: client.ask(SEARCH, page), request, None if everything else limit)
        # Where vaults lie is asked only where it is shown or needed.
        vaults = (
            VaultFolders.of(client)
            if number is not None or (form in ("text", "files") and not as_json)
            else VaultFolders({})
        )
    for line in lines_of(response.results, form, named, vaults) if form not in ("text", "json") else ():
        echo(line)
    if as_json or form == "json":
        print_json(response)
    elif form == "text":
        _print(response, vaults, explain=request.explain)
        if client.is_in_process:
            old = "Scrubjay is not running: this is as it was when notes were read last. `scrubjay start` starts it."
            warn(as_typed_here(old), style="yellow")
    if not response.results:
        raise click.exceptions.Exit(1)
    if number is not None:
        _open(response.results, number, vaults)


def _pages(ask: Callable[[SearchAsk], SearchResponse], request: SearchAsk, limit: int | None) -> SearchResponse:
    """One answer of as many pages as `limit` results take; None: of all there are."""
    first = answer = ask(replace(request, limit=_PAGE if limit is None else min(limit, _PAGE)))
    found = list(answer.results)
    while answer.next_offset is not None and (limit is None or len(found) < limit):
        left = _PAGE if limit is None else min(limit - len(found), _PAGE)
        answer = ask(replace(request, limit=left, offset=answer.next_offset, facets=()))
        found += answer.results
    return dataclasses.replace(first, results=tuple(found), next_offset=answer.next_offset)


def _print(response: SearchResponse, vaults: VaultFolders, *, explain: bool) -> None:
    for warning in response.warnings:
        warn(f"At character {warning.start + 1}: {warning.message}", style="yellow")
    for notice in response.notices:
        warn(
            f"{notice.text} `--as-typed` searches what you typed." if notice.code == "mended" else notice.text,
            style="yellow",
        )
    if response.results and response.relevance == "low":
        warn("None of these is likely what you meant.", style="yellow")
    for facet in response.facets:
        counts = ", ".join(f"{value.value} {value.count}" for value in facet.values)
        say(f"{facet.name}: {counts or 'none'}", style="dim")
    for result in response.results:
        _print_result(result, vaults, explain=explain)
    if not response.results:
        if all(notice.code != "nothing-asked" for notice in response.notices):
            warn("Nothing found.")
    elif response.total_notes is not None:
        _print_counts(response)
    if response.pending_embeddings:
        warn(f"{plural(response.pending_embeddings, 'passage')} found by words only for now.", style="dim")
    warn_of_unanswered(response.unanswered)


def _print_counts(response: SearchResponse) -> None:
    """How many of the notes that hold the words, or pass the filters, are shown, and how many others."""
    meant = [result for result in response.results if result.found_by in ("words", "filters")]
    shown = sum(1 + result.also_in_count + result.nearly_same_count for result in meant)
    others = len(response.results) - len(meant)
    beside = f", and {others} by meaning or links alone" if others else ""
    said = "" if any(result.found_by == "filters" for result in meant) else " with these words"
    warn(f"{shown} of {plural(response.total_notes or 0, 'note')}{said}{beside}.", style="dim")


def _open(results: Sequence[SearchResult], number: int, vaults: VaultFolders) -> None:
    if number > len(results):
        raise UsageError(f"There are {plural(len(results), 'result')}; --limit shows more.")
    address = vaults.address(results[number - 1])
    if address is None:
        raise UsageError("Where this note lies is told to clients that manage.")
    if not webbrowser.open(address):
        raise UsageError(f"Nothing here opens this address: {address}")


def _print_result(result: SearchResult, vaults: VaultFolders, *, explain: bool) -> None:
    where = Text(one_line(path_with_place(result.path, result.kind, result.place, result.line)), style="bold")
    if address := vaults.address(result):
        where.stylize(Style(link=address))
    where.append(f"  {one_line(vaults.name(result))}", style="cyan")
    where.append(f"  {_day(result.modified)}", style="dim")
    if result.found_by != "filters":
        where.append(f"  {result.relevance}", style="dim")
    console.print(where, soft_wrap=True)
    for place in result.also_in:
        say(f"also {one_line(place.path)}  {place.profile}", style="dim")
    _print_others(result.also_in_count - len(result.also_in))
    for place in result.nearly_same:
        say(f"nearly the same: {one_line(place.path)}  {place.profile}", style="dim")
    _print_others(result.nearly_same_count - len(result.nearly_same))
    snippet = Text(result.snippet)
    for start, end in result.highlights:
        snippet.stylize("bold yellow", start, end)
    around = result.context or Surroundings((), ())
    _print_passages(around.before)
    console.print(snippet)
    _print_passages(around.after)
    for part in (result.explain or ()) if explain else ():
        score_part_line(part)
    say("")


def _print_others(count: int) -> None:
    if count:
        say(f"and {count:,} more", style="dim")


def score_part_line(part: ScorePart) -> None:
    """What one signal gave a note, in a line."""
    rank = "" if part.rank is None else f" rank {part.rank}"
    raw = "" if part.raw is None else f" ({part.raw:.3f})"
    say(f"    {part.signal}{rank}{raw}: {part.points:.4f}", style="dim")


def _print_passages(texts: Sequence[str]) -> None:
    for text in texts:
        console.print(Text(text, style="dim"))


def _day(when: datetime) -> str:
    return when.astimezone().strftime("%Y-%m-%d")
