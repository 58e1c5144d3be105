"""Runs of `scrubjay eval` that are kept: compared by question and kind, and without a word of the questions."""

from pathlib import Path

import pytest

from scrubjay.daemon.cli.notes.evaluate import MOVED, RunNotFound, compare, load_run, save_run
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.search.evaluation import Evaluation, GoldenQuery, evaluate

KINDS = ("typo", "exact")


def run(right: float, count: int = 40) -> Evaluation:
    """Questions of two kinds, of which a share finds its note first, and the others none."""
    golden = [GoldenQuery(f"question {n}", (f"{n}.md",), KINDS[n % 2]) for n in range(count)]
    found = {f"question {n}": [f"{n}.md"] if n < right * count else ["other.md"] for n in range(count)}
    return evaluate(golden, found.__getitem__)


@pytest.mark.parametrize(
    ("before", "now", "verdict", "moved"),
    [(0.5, 1.0, "better", 20), (1.0, 0.5, "worse", 20), (0.5, 0.5, "can't tell", 0), (0.5, 0.525, "can't tell", 1)],
)
def test_a_run_is_better_or_worse_where_chance_hardly_explains_it(
    tmp_path: Path, before: float, now: float, verdict: str, moved: int
) -> None:
    save_run(tmp_path, "before", run(before))
    compared = compare(load_run(tmp_path, "before"), run(now))
    assert [(each.kind, each.questions) for each in compared.kinds] == [("exact", 20), ("typo", 20), ("all", 40)]
    everything = compared.kinds[-1]
    assert (everything.verdict, everything.gain) == (verdict, pytest.approx(now - before))
    assert (everything.before.hit1, everything.now.recall) == pytest.approx((before, now))
    assert len(compared.moved) == min(moved, MOVED)


def test_only_questions_of_both_runs_are_compared(tmp_path: Path) -> None:
    save_run(tmp_path, "small", run(1.0, 10))
    compared = compare(load_run(tmp_path, "small"), run(1.0, 30))
    assert (compared.kinds[-1].questions, compared.unknown) == (10, 20)
    with pytest.raises(UsageError, match="none of these questions"):
        compare(load_run(tmp_path, "small"), evaluate([GoldenQuery("other", ("0.md",))], lambda _: []))


def test_nothing_that_was_asked_or_found_is_kept(tmp_path: Path) -> None:
    save_run(tmp_path / "runs", "mine", run(1.0))
    (kept,) = (tmp_path / "runs").iterdir()
    assert kept.stat().st_mode & 0o077 == 0
    assert not any(word in kept.read_bytes() for word in (b"question", b".md", b"typo"))


@pytest.mark.parametrize("name", ["", "../mine", "a/b", ".hidden", "a" * 61])
def test_a_name_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="run's name"):
        save_run(tmp_path, name, run(1.0))
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_there_or_can_not_be_read_is_said(tmp_path: Path) -> None:
    save_run(tmp_path, "mine", run(1.0))
    with pytest.raises(RunNotFound, match="There are: mine"):
        load_run(tmp_path, "yours")
    (tmp_path / "mine.json").write_bytes(b"{")
    with pytest.raises(UsageError, match="can't be read"):
        load_run(tmp_path, "mine")
