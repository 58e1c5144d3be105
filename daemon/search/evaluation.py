"""Scoring searches against what people expect to find: `scrubjay eval golden.jsonl` and the project's own golden file.

A golden file has one JSON object a line: {"query": "...", "notes": ["path.md", ...], "kind": "typo"}; `kind` may be
left out. The notes are vault-relative paths, all equally expected.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

import msgspec

from daemon.errors import UsageError
from daemon.search.metrics import ndcg, paired_bootstrap, recall, reciprocal_rank

CUT = 10


class GoldenQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A query and the notes that its answer should begin with."""

    query: str
    notes: tuple[str, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """How one query did."""

    golden: GoldenQuery
    ndcg: float
    reciprocal_rank: float
    recall: float
    found: tuple[str, ...]  # the first notes of the answer, best first


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How all of them did. Means are over queries, at the first CUT notes."""

    queries: tuple[Judged, ...]

    @property
    def ndcg(self) -> float:
        """Mean nDCG."""
        return fmean(judged.ndcg for judged in self.queries)

    @property
    def ndcg_range(self) -> tuple[float, float]:
        """Between what the mean nDCG of other questions of the same sort would be, 95 times in 100."""
        spread = paired_bootstrap([0.0] * len(self.queries), [judged.ndcg for judged in self.queries])
        return spread.low, spread.high

    @property
    def mrr(self) -> float:
        """Mean reciprocal rank of the first expected note."""
        return fmean(judged.reciprocal_rank for judged in self.queries)

    @property
    def recall(self) -> float:
        """Mean share of the expected notes that were found."""
        return fmean(judged.recall for judged in self.queries)

    def by_kind(self) -> dict[str, float]:
        """Mean nDCG of each kind of query, by name."""
        kinds = sorted({judged.golden.kind for judged in self.queries})
        return {kind: fmean(j.ndcg for j in self.queries if j.golden.kind == kind) for kind in kinds}


def read_golden(text: str) -> tuple[GoldenQuery, ...]:
    """Read a golden file. Raises UsageError, naming the line, where one can't be read or expects nothing."""
    # JSON may hold the other ends of lines that splitlines() knows.
    lines = enumerate(text.removeprefix("\ufeff").split("\n"), start=1)
    golden = tuple(_golden_query(number, line) for number, line in lines if line.strip())
    if not golden:
        raise UsageError(f"The golden file has no queries. {_A_LINE}")
    return golden


_A_LINE = 'A line is like {"query": "weir budget", "notes": ["Projects/Budget.md"], "kind": "exact"}.'


def _golden_query(number: int, line: str) -> GoldenQuery:
    try:
        query = msgspec.json.decode(line, type=GoldenQuery)
    except msgspec.MsgspecError as error:
        raise UsageError(f"Line {number} of the golden file can't be read: {error}. {_A_LINE}") from error
    if not query.query.strip() or not any(query.notes) or not all(note.strip() for note in query.notes):
        raise UsageError(f"Line {number} of the golden file needs a query and the path of at least one note. {_A_LINE}")
    return query


def evaluate(golden: Sequence[GoldenQuery], search: Callable[[str], Sequence[str]]) -> Evaluation:
    """Ask every query; `search` gives the paths of the notes found, best first."""
    return Evaluation(tuple(_judged(query, tuple(search(query.query))[:CUT]) for query in golden))


def _judged(golden: GoldenQuery, found: tuple[str, ...]) -> Judged:
    gains = dict.fromkeys(golden.notes, 1.0)
    return Judged(golden, ndcg(found, gains, CUT), reciprocal_rank(found, gains, CUT), recall(found, gains, CUT), found)
