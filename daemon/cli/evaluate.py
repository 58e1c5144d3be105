"""`scrubjay eval`: how well search finds what its owner expects, on the owner's own notes."""

from pathlib import Path

import click
from rich.table import Table

from daemon.cli.connect import searching
from daemon.cli.output import console, plural, print_json, say
from daemon.search.evaluation import CUT, Evaluation, evaluate, read_golden
from daemon.search.types import Mode, SearchRequest

_PASSAGES = 50  # a note may hold several; its copies count as found where they are named


@click.command("eval")
@click.argument("golden", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--profile", "profiles", multiple=True, help="Search this profile only. Repeatable.")
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
    with searching() as ask:

        def found(query: str) -> list[str]:
            response = ask(SearchRequest(query=query, profiles=profiles or None, limit=_PASSAGES, mode=mode))
            return [place for result in response.results for place in (result.path, *(c.path for c in result.also_in))]

        scored = evaluate(queries, found)
    if as_json:
        print_json(scored)
    else:
        _print(scored)
    if any(not judged.recall for judged in scored.queries):
        raise click.exceptions.Exit(1)


def _print(scored: Evaluation) -> None:
    table = Table("kind of query", "queries", f"nDCG@{CUT}", box=None)
    for kind, ndcg in scored.by_kind().items():
        count = sum(judged.golden.kind == kind for judged in scored.queries)
        table.add_row(kind or "—", str(count), f"{ndcg:.3f}")
    console.print(table)
    say(f"nDCG@{CUT} {scored.ndcg:.3f}, MRR@{CUT} {scored.mrr:.3f}, recall@{CUT} {scored.recall:.3f}")
    missed = [judged.golden for judged in scored.queries if not judged.recall]
    if missed:
        say(f"\n{plural(len(missed), 'query', 'queries')} found none of the notes expected:")
    for golden in missed:
        say(f"  {golden.query}  →  {golden.notes[0]}")
