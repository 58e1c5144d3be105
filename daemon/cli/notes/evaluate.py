"""`scrubjay eval`: how well search finds what its owner expects, on the owner's own notes."""

from collections.abc import Callable, Collection
from pathlib import Path

import click
import msgspec
from rich.table import Table

from scrubjay.daemon.api.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.cli.completing import profile_names
from scrubjay.daemon.cli.connect import reach
from scrubjay.daemon.cli.output import console, plural, print_json, say
from scrubjay.daemon.search.evaluate.evaluation import CUT, Evaluation, Judged, evaluate, read_golden
from scrubjay.daemon.search.types import Mode, SearchResponse

_PASSAGES = 50  # a note may hold several; its copies count as found where they are named


@click.command("eval")
@click.argument("golden", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--profile", "profiles", shell_complete=profile_names, multiple=True, help="Search this profile only. Repeatable."
)
@click.option("--mode", default="hybrid", show_default=True, type=click.Choice(["hybrid", "lexical", "semantic"]))
@click.option("--json", "as_json", is_flag=True, help="For scripts: every query with what was found.")
def eval_(golden: Path, profiles: tuple[str, ...], mode: Mode, as_json: bool) -> None:
    """Score searches against notes that you expect to find. Exit status 1 when a query finds none of its notes.

    GOLDEN has one JSON object a line: {"query": "…", "notes": ["Folder/Note.md"], "kind": "typo"}. `kind` is for you:
    scores are given for each.
    """
    try:
        queries = read_golden(golden.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise click.ClickException(f"{golden} is not a text in UTF-8.") from None
    with reach() as client:

        def found(query: str) -> list[str]:
            request = SearchAsk(query=query, profiles=profiles or None, limit=_PASSAGES, mode=mode, remember=False)
            return _found(client.ask(SEARCH, request))

        scored = evaluate(queries, found)
        unknown = _unknown(scored, found)
    if as_json:
        print_json(_Report.of(scored, unknown))
    else:
        _print(scored, unknown)
    if any(not judged.recall for judged in scored.queries):
        raise click.exceptions.Exit(1)


class _Report(msgspec.Struct, frozen=True):
    """What scripts get: means over all queries, and how each did."""

    ndcg: float
    ndcg_range: tuple[float, float]
    mrr: float
    recall: float
    by_kind: dict[str, float]  # nDCG
    unknown: tuple[str, ...]  # notes expected that the index does not have
    queries: tuple[Judged, ...]

    @classmethod
    def of(cls, scored: Evaluation, unknown: Collection[str]) -> "_Report":
        return cls(
            scored.ndcg,
            scored.ndcg_range,
            scored.mrr,
            scored.recall,
            scored.by_kind(),
            tuple(unknown),
            scored.queries,
        )


def _found(response: SearchResponse) -> list[str]:
    return [place for result in response.results for place in (result.path, *(copy.path for copy in result.also_in))]


def _unknown(scored: Evaluation, paths: Callable[[str], list[str]]) -> list[str]:
    """Notes that no query found because there are none: their paths are misspelt, or nothing reads them."""
    missed = {note: None for judged in scored.queries for note in judged.golden.notes if note not in judged.found}
    return [note for note in missed if note not in paths('path:"' + note.replace('"', '\\"') + '"')]


def _print(scored: Evaluation, unknown: Collection[str]) -> None:
    table = Table("kind of query", "queries", f"nDCG@{CUT}", box=None)
    for kind, ndcg in scored.by_kind().items():
        count = sum(judged.golden.kind == kind for judged in scored.queries)
        table.add_row(kind or "—", str(count), f"{ndcg:.3f}")
    console.print(table)
    low, high = scored.ndcg_range
    say(f"nDCG@{CUT} {scored.ndcg:.3f}, MRR@{CUT} {scored.mrr:.3f}, recall@{CUT} {scored.recall:.3f}")
    say(f"Other questions like these: nDCG@{CUT} between {low:.3f} and {high:.3f}, 95 times in 100.", style="dim")
    missed = [judged.golden for judged in scored.queries if not judged.recall]
    if missed:
        say(f"\n{plural(len(missed), 'query', 'queries')} found none of the notes expected:")
    for golden in missed:
        say(f"  {golden.query}  →  {golden.notes[0]}")
    if unknown:
        say("\nThe index does not have these notes; check their paths, from the vault's folder on:")
    for note in unknown:
        say(f"  {note}")
