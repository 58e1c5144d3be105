"""`scrubjay eval`: how well search finds what its owner expects, on the owner's own notes."""

import re
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

import click
import msgspec
from msgspec.structs import asdict
from rich.table import Table

from scrubjay.credential_filter import MARK
from scrubjay.daemon.cli.completions import profile_names
from scrubjay.daemon.cli.connect import reach
from scrubjay.daemon.cli.output import plural, print_json, say
from scrubjay.daemon.cli.profile.common import custody, registry
from scrubjay.daemon.cli.terminal import console
from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.home import Home
from scrubjay.daemon.indexing.model_input import embedding_input
from scrubjay.daemon.links.linked_paragraphs import linked_paragraphs
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.upkeep import HISTORY, HistoryAsk
from scrubjay.profiles.errors import NotFound, UsageError
from scrubjay.profiles.names import fold
from scrubjay.profiles.private_files import write_private
from scrubjay.profiles.registry.on_server import refuse_on_server
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.evaluation import (
    CUT,
    Difference,
    Evaluation,
    GoldenQuery,
    Judged,
    evaluate,
    paired_bootstrap,
    read_golden,
)
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import Mode, SearchRequest, SearchResponse
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.backup import backup
from scrubjay.profiles.store.encryption import destroy
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.hidden_names import hide_names
from scrubjay.profiles.store.store import Store

Kind: TypeAlias = Literal["alias", "link", "heading", "paragraph"]
KINDS: tuple[Kind, ...] = ("alias", "link", "heading", "paragraph")
_NameKind: TypeAlias = Literal["alias", "link", "heading"]
_SHORTEST = 4  # characters
_LEAST_WORDS = 2  # of a heading; one alone is seldom a question
_SQL: dict[_NameKind, str] = {
    "alias": "SELECT id, title, path, aliases FROM note WHERE aliases <> '[]'",
    "link": "SELECT id, title, path, anchors FROM note WHERE anchors <> ''",
    "heading": "SELECT note.id, title, path, headings FROM chunk JOIN note ON note.id = note_id WHERE headings <> '[]'",
}
_texts = msgspec.json.Decoder(tuple[str, ...]).decode


def draft(store: Store, count: int) -> tuple[GoldenQuery, ...]:
    """At most `count` questions, of each kind as many as of the others where there are so many; the same each time.

    Each is what one note alone is called, says more than its title, and is marked to be hidden while it is asked; or a
    paragraph around a link, the link itself taken out, which is to find the linked note.
    """
    by_kind: dict[Kind, Iterable[GoldenQuery]] = {kind: _names_of_kind(store, kind) for kind in _SQL}
    by_kind["paragraph"] = (
        GoldenQuery(each.text, (each.linked,), "paragraph", within=each.within) for each in linked_paragraphs(store)
    )
    found = {kind: sorted(by_kind[kind], key=_chance) for kind in KINDS}
    chosen: list[GoldenQuery] = []
    notes: set[str] = set()
    while len(chosen) < count and any(found.values()):
        for kind in KINDS:
            while found[kind]:
                question = found[kind].pop()
                if question.notes[0] not in notes:
                    notes.add(question.notes[0])
                    chosen.append(question)
                    break
    return tuple(
        sorted(chosen[:count], key=lambda question: (KINDS.index(cast("Kind", question.kind)), question.query))
    )


def _names_of_kind(store: Store, kind: _NameKind) -> Iterator[GoldenQuery]:
    """The names of a kind that one note alone has."""
    with store.reading() as connection:
        rows = cast("list[tuple[int, str, str, str]]", connection.execute(_SQL[kind]).fetchall())
    notes: dict[str, set[int]] = {}
    first: dict[str, tuple[str, str]] = {}
    for note_id, title, path, listed in rows:
        for name in listed.split("\n") if kind == "link" else _texts(listed):
            if _is_question(name, title, path, kind):
                notes.setdefault(fold(name), set()).add(note_id)
                first.setdefault(fold(name), (name.strip(), path))
    for key, (name, path) in first.items():
        if len(notes[key]) == 1:
            yield GoldenQuery(name, (path,), kind, hidden=True)


def _is_question(name: str, title: str, path: str, kind: _NameKind) -> bool:
    if len(name.strip()) < _SHORTEST or MARK.search(name) or (kind == "heading" and len(name.split()) < _LEAST_WORDS):
        return False
    return not _words(name) <= (_words(title) | _words(path.removesuffix(".md").replace("/", " ")))


def _words(text: str) -> set[str]:
    return set(fold(text).split())


def _chance(question: GoldenQuery) -> bytes:
    return blake2b(question.query.encode("utf-8", "replace"), digest_size=8).digest()


def as_lines(questions: Iterable[GoldenQuery]) -> bytes:
    """As a golden file has them."""
    lines = ({name: value for name, value in asdict(one).items() if value} for one in questions)
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


Verdict: TypeAlias = Literal["better", "worse", "can't tell"]
_NAME = re.compile(r"[\w][\w .-]{0,59}")
MOVED = 20
"""Questions that are named of those that moved, those that moved most first."""


class RunNotFound(NotFound):
    """No run of that name was saved."""

    code = "run-not-found"


class Measures(msgspec.Struct, frozen=True):
    """How one question did."""

    ndcg5: float
    ndcg10: float
    hit1: float
    recall: float
    took_ms: float

    @classmethod
    def of(cls, judged: Judged) -> "Measures":
        """Of a question that was asked."""
        return cls(judged.ndcg5, judged.ndcg, judged.hit1, judged.recall, judged.took_ms)


class SavedRun(msgspec.Struct, frozen=True):
    """What is kept: by the digest of each question with its notes."""

    asked: dict[str, Measures]


class KindComparison(msgspec.Struct, frozen=True):
    """The questions of one kind ("" for those without), before and now; means, and percentiles of the time."""

    kind: str
    questions: int
    before: Measures
    now: Measures
    p95_ms: tuple[float, float]
    gain: float  # in nDCG@10
    low: float  # 95 % interval of the gain
    high: float
    verdict: Verdict  # whether chance hardly explains the gain


class Comparison(msgspec.Struct, frozen=True):
    """A run against a saved one. moved: questions whose nDCG@10 changed, with it before and now."""

    kinds: tuple[KindComparison, ...]  # the last is of all questions
    moved: tuple[tuple[str, float, float], ...]
    unknown: int  # questions that the saved run does not have


def save_run(folder: Path, name: str, run: Evaluation) -> None:
    """Keep a run under a name, in place of one of that name. Raises UsageError for what can be no name."""
    kept = SavedRun({_key(judged.golden): Measures.of(judged) for judged in run.queries})
    path = _path(folder, name)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_private(path, msgspec.json.encode(kept))


def load_run(folder: Path, name: str) -> SavedRun:
    """A run that was saved. Raises RunNotFound, and UsageError for a file that can't be read."""
    path = _path(folder, name)
    try:
        return msgspec.json.decode(path.read_bytes(), type=SavedRun)
    except FileNotFoundError:
        there = ", ".join(sorted(found.stem for found in folder.glob("*.json"))) or "none"
        raise RunNotFound(f"There is no saved run {name}. There are: {there}.") from None
    except (OSError, msgspec.MsgspecError):
        raise UsageError(f"{path} can't be read. Save the run anew with --save {name}.") from None


def compare(before: SavedRun, run: Evaluation) -> Comparison:
    """A run against a saved one, over the questions of both."""
    both = [(j, known) for j in run.queries if (known := before.asked.get(_key(j.golden))) is not None]
    if not both:
        raise UsageError("The saved run has none of these questions. Compare runs of the same golden file.")
    kinds = sorted({judged.golden.kind for judged, _ in both})
    by_kind = {kind: [(j, known) for j, known in both if j.golden.kind == kind] for kind in kinds}
    compared = [_compared(kind, of_kind) for kind, of_kind in by_kind.items()] if len(kinds) > 1 else []
    moved = [(j.golden.query, known.ndcg10, j.ndcg) for j, known in both if abs(j.ndcg - known.ndcg10) > 1e-9]
    moved.sort(key=lambda each: -abs(each[2] - each[1]))
    return Comparison((*compared, _compared("all", both)), tuple(moved[:MOVED]), len(run.queries) - len(both))


def _compared(kind: str, both: Sequence[tuple[Judged, Measures]]) -> KindComparison:
    now, before = [Measures.of(judged) for judged, _ in both], [known for _, known in both]
    found: Difference = paired_bootstrap([each.ndcg10 for each in before], [each.ndcg10 for each in now])
    p95 = (_percentile(before, 0.95), _percentile(now, 0.95))
    verdict: Verdict = "better" if found.low > 0 else "worse" if found.high < 0 else "can't tell"
    return KindComparison(kind, len(both), _mean(before), _mean(now), p95, found.mean, found.low, found.high, verdict)


def _mean(measures: Sequence[Measures]) -> Measures:
    """The mean of each measure, and the median of the times."""
    sums: Mapping[str, float] = {
        name: sum(getattr(each, name) for each in measures) / len(measures) for name in Measures.__struct_fields__
    }
    return Measures(**{**sums, "took_ms": _percentile(measures, 0.5)})


def _percentile(measures: Sequence[Measures], share: float) -> float:
    times = sorted(each.took_ms for each in measures)
    return times[min(len(times) - 1, int(share * len(times)))]


def _key(golden: GoldenQuery) -> str:
    told = msgspec.json.encode((golden.query, sorted(golden.notes), golden.hidden))
    return blake2b(told, digest_size=16).hexdigest()


def _path(folder: Path, name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise UsageError("A run's name has letters, digits, spaces, dots, - and _, 60 at most.")
    return folder / f"{name}.json"


_BATCH = 64
_SUFFIX = ".evaluation"
"""After the database's name, so that what a crash has left goes with the profile."""


@contextmanager
def copy_of(path: Path, key: bytes | None) -> Generator[Store]:
    """A copy of a database, which may be in use, under the same key. Raises StoreError."""
    target = path.with_name(path.name + _SUFFIX)
    destroy(target)
    try:
        backup(path, key, target)
        store = FileStore.open(target, key=key)
        try:
            yield store
        finally:
            store.close()
    finally:
        destroy(target)


@contextmanager
def searching_hidden(
    copy: Store, questions: Sequence[GoldenQuery], embedder: Embedder, mode: Mode, limit: int
) -> Generator[Callable[[str], list[str]]]:
    """Hide what the questions ask from the notes that they expect; the function given searches that copy.

    Nothing learned from names, or opened before, has a part in it.
    """
    hidden: dict[int, list[str]] = {}
    paths = {note.path: note.note_id for note in copy.read(reads.recent)}
    for question in questions:
        for note in (paths[path] for path in question.notes if path in paths):
            hidden.setdefault(note, []).append(question.query)
    hide_names(copy, hidden)
    model = embedder.spec.fingerprint
    while pending := copy.pending_embeddings(model, _BATCH):
        texts = [embedding_input(chunk.title, chunk.headings, chunk.text) for chunk in pending]
        with copy.writing() as writer:
            writer.put_embeddings(model, [chunk.digest for chunk in pending], embedder.embed_passages(texts))
    searcher = Searcher(lambda: {"copy": copy}, embedder)

    def search(query: str) -> list[str]:
        found = searcher.search(SearchRequest(query, limit=limit, mode=mode, places=limit)).results
        return [path for result in found for path in (result.path, *(copied.path for copied in result.also_in))]

    try:
        yield search
    finally:
        searcher.close()


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
    scores are given for each. Questions drafted by --make are names of notes, with "hidden": true: they are taken from
    a copy of the index while they are asked; and what stands around a link, which is to find the linked note, and not
    the one that it stands in ("within"). Nothing of this enters the history.
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
    from scrubjay.daemon.models.in_process import InProcessEmbedder
    from scrubjay.daemon.models.installed import resolve

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
    questions = _confirmed(options) if options.from_history else _drafted(options)
    if not questions:
        raise click.ClickException("There is nothing to ask: no such names, or no results that you opened.")
    write_private(golden, as_lines(questions))
    say(f"{plural(len(questions), 'question')} in {golden}. Look through them, then: scrubjay eval {golden}")


def _drafted(options: _Options) -> Sequence[GoldenQuery]:
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
