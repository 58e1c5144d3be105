"""`scrubjay eval`: how well search finds what its owner expects, on the owner's own notes."""

from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.table import Table

from scrubjay.daemon.api.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.api.endpoints.upkeep import HISTORY, HistoryAsk
from scrubjay.daemon.cli.completing import profile_names
from scrubjay.daemon.cli.connect import reach
from scrubjay.daemon.cli.output import console, plural, print_json, say
from scrubjay.daemon.cli.profile.common import custody, registry
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.errors import UsageError
from scrubjay.daemon.evaluation.saved_runs import Comparison, Measures, compare, load_run, save_run
from scrubjay.daemon.home import Home
from scrubjay.daemon.search.evaluate.evaluation import CUT, Evaluation, GoldenQuery, Judged, evaluate, read_golden
from scrubjay.daemon.search.types import Mode, SearchResponse
from scrubjay.profiles.private_files import write_private
from scrubjay.profiles.registry.on_server import refuse_on_server
from scrubjay.profiles.registry.registry import Profile

_PASSAGES = 50  # a note may hold several; its copies count as found where they are named
_MOST_EVENTS = 1_000
_SHOWN = {"nDCG@5": "ndcg5", "nDCG@10": "ndcg10", "Hit@1": "hit1", "recall": "recall"}

Find = Callable[[str], list[str]]


class _Options(msgspec.Struct, frozen=True):
    """The options of `eval`."""

    profiles: tuple[str, ...]
    mode: Mode
    save: str | None
    against: str | None
    make: int | None
    from_history: bool
    as_json: bool


@click.command("eval")
@click.argument("golden", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--profile", "profiles", shell_complete=profile_names, multiple=True, help="Search this profile only. Repeatable."
)
@click.option("--mode", default="hybrid", show_default=True, type=click.Choice(["hybrid", "lexical", "semantic"]))
@click.option("--save", metavar="NAME", help="Keep the measures under NAME, to compare with later.")
@click.option("--against", metavar="NAME", help="Compare with the measures kept under NAME, by kind.")
@click.option(
    "--make", type=click.IntRange(1, 1_000), metavar="N", help="Write a GOLDEN of N drafted questions instead."
)
@click.option(
    "--from-history", is_flag=True, help="Write a GOLDEN of results that you opened, each confirmed, instead."
)
@click.option("--json", "as_json", is_flag=True, help="For scripts: every query with what was found.")
def eval_(golden: Path, **given: Any) -> None:
    """Score searches against notes that you expect to find. Exit status 1 when a query finds none of its notes.

    GOLDEN has one JSON object a line: {"query": "…", "notes": ["Folder/Note.md"], "kind": "typo"}. `kind` is for you:
    scores are given for each. Questions drafted by --make have "hidden": true, the names that they ask for are taken
    from a copy of the index while they are asked. Nothing of this enters the history.
    """
    options = _Options(**given)
    if options.make is not None or options.from_history:
        _write(golden, options)
        return
    try:
        queries = read_golden(golden.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise click.ClickException(f"{golden} is not a text in UTF-8.") from None
    except FileNotFoundError:
        raise click.ClickException(f"There is no file {golden}. --make 50 drafts one from your own notes.") from None
    folder = Home.find().evaluations
    before = None if options.against is None else load_run(folder, options.against)
    scored, unknown = _scored(queries, options)
    compared = None if before is None else compare(before, scored)
    if options.save is not None:
        save_run(folder, options.save, scored)
    if options.as_json:
        print_json(_Report.of(scored, unknown, compared))
    else:
        _print(scored, unknown)
        if compared is not None:
            _print_comparison(compared, options.against or "")
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
    comparison: Comparison | None  # with the run that was named

    @classmethod
    def of(cls, scored: Evaluation, unknown: Collection[str], compared: Comparison | None) -> "_Report":
        return cls(
            scored.ndcg,
            scored.ndcg_range,
            scored.mrr,
            scored.recall,
            scored.by_kind(),
            tuple(unknown),
            scored.queries,
            compared,
        )


def _scored(queries: Sequence[GoldenQuery], options: _Options) -> tuple[Evaluation, Collection[str]]:
    """How the questions did, in their order, and the notes expected that the index does not have."""
    with ExitStack() as stack:
        client = stack.enter_context(reach())

        def found(query: str) -> list[str]:
            request = SearchAsk(
                query=query,
                profiles=options.profiles or None,
                limit=_PASSAGES,
                mode=options.mode,
                fold=False,
                habits=False,
                remember=False,
            )
            return _found(client.ask(SEARCH, request))

        hidden = [query for query in queries if query.hidden]
        search_hidden = stack.enter_context(_hiding(hidden, options)) if hidden else found
        asked = {True: evaluate(hidden, search_hidden).queries, False: evaluate(_plain(queries), found).queries}
        of_kind = {is_hidden: iter(judged) for is_hidden, judged in asked.items()}
        scored = Evaluation(tuple(next(of_kind[query.hidden]) for query in queries))
        return scored, _unknown(scored, found)


def _plain(queries: Sequence[GoldenQuery]) -> list[GoldenQuery]:
    return [query for query in queries if not query.hidden]


@contextmanager
def _hiding(questions: Sequence[GoldenQuery], options: _Options) -> Generator[Find]:
    """What searches a copy of the one profile's index from which the questions' names are taken."""
    from scrubjay.daemon.embedding.in_process_embedder import InProcessEmbedder
    from scrubjay.daemon.embedding.model import resolve
    from scrubjay.daemon.evaluation.scratch import copy_of, searching_hidden

    profile, profiles = _one_profile(options), registry()
    with (
        closing(InProcessEmbedder(resolve(profile.model, Home.find().models))) as embedder,
        copy_of(profiles.store_path(profile), custody(profiles).key(profile)) as copy,
        searching_hidden(copy, questions, embedder, options.mode, _PASSAGES) as search,
    ):
        yield search


def _one_profile(options: _Options) -> Profile:
    """The profile that questions are drafted from. Raises UsageError where several could be meant."""
    profiles = registry()
    known = [profiles.get(name) for name in options.profiles] or list(profiles.list())
    if len(known) != 1:
        raise UsageError("Names are hidden in a copy of one profile's index: say which with --profile.")
    refuse_on_server(known[0], "Make a profile of the same notes that is a file, and measure that")
    return known[0]


def _write(golden: Path, options: _Options) -> None:
    """Write a golden file that is drafted from the notes, or of results that were opened."""
    if golden.exists():
        raise UsageError(f"{golden} is there already. Choose another name, so that no question of yours is lost.")
    from scrubjay.daemon.evaluation.drafting import as_lines

    questions = _confirmed(options) if options.from_history else _drafted(options)
    if not questions:
        raise click.ClickException("There is nothing to ask: no such names, or no results that you opened.")
    write_private(golden, as_lines(questions))
    say(f"{plural(len(questions), 'question')} in {golden}. Look through them, then: scrubjay eval {golden}")


def _drafted(options: _Options) -> Sequence[GoldenQuery]:
    from scrubjay.daemon.evaluation.drafting import draft
    from scrubjay.daemon.evaluation.scratch import copy_of

    profile, profiles = _one_profile(options), registry()
    with copy_of(profiles.store_path(profile), custody(profiles).key(profile)) as copy:
        return draft(copy, options.make or 0)


def _confirmed(options: _Options) -> Sequence[GoldenQuery]:
    """What was opened after each query, the newest first, as far as the person says that it was meant."""
    with reach() as client:
        opened = _opened(client, options.profiles)
    said = [
        GoldenQuery(query, tuple(paths), "opened")
        for query, paths in opened.items()
        if click.confirm(f"{query}  →  {', '.join(paths)}?", default=True, err=True)
    ]
    return said if options.make is None else said[: options.make]


def _opened(client: ScrubjayClient, profiles: Collection[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for event in client.ask(HISTORY, HistoryAsk(limit=_MOST_EVENTS)).events:
        if "…" not in event.query and event.source != "agent" and (not profiles or event.profile in profiles):
            for path in event.opened:
                known = found.setdefault(event.query, [])
                known += [path] if path not in known else []
    return found


def _found(response: SearchResponse) -> list[str]:
    return [place for result in response.results for place in (result.path, *(copy.path for copy in result.also_in))]


def _unknown(scored: Evaluation, paths: Find) -> list[str]:
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


def _print_comparison(compared: Comparison, name: str) -> None:
    say(f"\nAgainst {name}, before → now:")
    for each in compared.kinds:
        gain = f"nDCG@10 {each.gain:+.3f}, 95 times in 100 between {each.low:+.3f} and {each.high:+.3f}"
        say(f"{each.kind or '—'}, {plural(each.questions, 'query', 'queries')}: {each.verdict}, {gain}")
        said = [f"{title} {_change(each.before, each.now, measure)}" for title, measure in _SHOWN.items()]
        times = ((each.before.took_ms, each.now.took_ms), each.p95_ms)
        said += [f"{title} {then:.0f} → {now:.0f} ms" for title, (then, now) in zip(("p50", "p95"), times, strict=True)]
        say(f"  {', '.join(said)}", style="dim")
    if compared.moved:
        say("\nQuestions that moved, nDCG@10:")
    for query, before, now in compared.moved:
        say(f"  {before:.3f} → {now:.3f}  {query}")
    if compared.unknown:
        say(f"\n{plural(compared.unknown, 'query', 'queries')} not in {name}: left out of the comparison.")


def _change(before: Measures, now: Measures, measure: str) -> str:
    return f"{getattr(before, measure):.3f} → {getattr(now, measure):.3f}"
