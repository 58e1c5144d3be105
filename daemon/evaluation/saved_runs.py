"""Runs of a golden file that are kept to compare with: measures alone, no question and no path."""

import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from scrubjay.daemon.errors import NotFound, UsageError
from scrubjay.daemon.search.evaluate.evaluation import Difference, Evaluation, GoldenQuery, Judged, paired_bootstrap
from scrubjay.profiles.private_files import write_private

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


class Compared(msgspec.Struct, frozen=True):
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

    kinds: tuple[Compared, ...]  # the last is of all questions
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


def _compared(kind: str, both: Sequence[tuple[Judged, Measures]]) -> Compared:
    now, before = [Measures.of(judged) for judged, _ in both], [known for _, known in both]
    found: Difference = paired_bootstrap([each.ndcg10 for each in before], [each.ndcg10 for each in now])
    p95 = (_percentile(before, 0.95), _percentile(now, 0.95))
    verdict: Verdict = "better" if found.low > 0 else "worse" if found.high < 0 else "can't tell"
    return Compared(kind, len(both), _mean(before), _mean(now), p95, found.mean, found.low, found.high, verdict)


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
