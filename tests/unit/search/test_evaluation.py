import math

import pytest

from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.search.evaluation import evaluate, ndcg, paired_bootstrap, read_golden, recall, reciprocal_rank

GOLDEN = """
{"query": "gold", "notes": ["a.md"], "kind": "exact"}
{"query": "silver", "notes": ["b.md", "c.md"]}
"""


def test_a_golden_file_is_read_and_scored() -> None:
    answers = {"gold": ["x.md", "a.md"], "silver": ["b.md", "c.md"]}
    found = evaluate(read_golden(GOLDEN), answers.__getitem__)
    assert found.mrr == pytest.approx(0.75)
    assert found.recall == 1.0
    assert found.by_kind()[""] == 1.0
    assert found.ndcg == pytest.approx((0.6309 + 1) / 2, abs=1e-3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no queries"),
        ("{", "Line 1"),
        ('{"query": "a", "notes": []}', "Line 1"),
        ('\n{"query": " ", "notes": ["a.md"]}', "Line 2"),
        ('{"query": "a", "notes": [""]}', "Line 1"),
        ('{"query": "a", "note": ["a.md"], "notes": ["a.md"]}', "unknown field `note`"),
        ('{"query": "a", "notes": "a.md"}', 'A line is like {"query"'),
    ],
)
def test_what_cannot_be_read_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_golden(text)


def test_a_mark_of_the_encoding_and_odd_ends_of_lines_are_read_over() -> None:
    golden = read_golden('\ufeff{"query": "gold\u2028ore", "notes": ["a.md"]}\r\n\r\n')
    assert [query.query for query in golden] == ["gold\u2028ore"]


def test_the_note_that_a_question_was_taken_from_takes_no_place() -> None:
    golden = read_golden('{"query": "gold", "notes": ["a.md"], "within": "x.md"}')
    found = evaluate(golden, lambda _query: ["x.md", *(f"{n}.md" for n in range(9)), "a.md"])
    assert found.mrr == pytest.approx(1 / 10)
    assert "x.md" not in found.queries[0].found


def test_the_range_tells_how_little_a_few_questions_say() -> None:
    found = evaluate(read_golden(GOLDEN), lambda query: ["a.md"] if query == "gold" else [])
    assert (found.ndcg, found.ndcg_range) == (0.5, (0.0, 1.0))


@pytest.mark.parametrize(
    ("ranked", "gains", "expected"),
    [
        (["a", "b"], {"a": 1.0}, 1.0),
        (["b", "a"], {"a": 1.0}, 1 / math.log2(3)),
        ([], {"a": 1.0}, 0.0),
        (["a"], {}, 0.0),
        (["a", "b"], {"a": 1.0, "b": 3.0}, (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))),
        (["a"], {"a": 1.0, "b": 1.0}, 1 / (1 + 1 / math.log2(3))),
        (["a"], {"a": -1.0, "b": 1.0}, 0.0),
    ],
)
def test_ndcg_gives_what_the_formula_says(ranked: list[str], gains: dict[str, float], expected: float) -> None:
    assert ndcg(ranked, gains) == pytest.approx(expected)


def test_only_the_first_k_count() -> None:
    ranked = [f"x{n}" for n in range(10)] + ["a"]
    assert ndcg(ranked, {"a": 1.0}) == 0.0
    assert reciprocal_rank(ranked, {"a": 1.0}) == 0.0
    assert reciprocal_rank(["x", "a", "b"], {"a": 1.0, "b": 1.0}) == 0.5
    assert recall(ranked, {"a": 1.0, "x0": 1.0}, 10) == 0.5
    assert recall(ranked, {"a": 1.0, "x0": 1.0}, 11) == 1.0


def test_a_steady_gain_is_significant_and_noise_is_not() -> None:
    base = [0.1 * (n % 10) for n in range(100)]
    better = paired_bootstrap(base, [value + 0.05 for value in base])
    assert better.significant
    assert better == paired_bootstrap(base, [value + 0.05 for value in base])  # drawn alike each time
    assert better.mean == pytest.approx(0.05)
    noise = paired_bootstrap(base, [value + (0.1 if n % 2 else -0.1) for n, value in enumerate(base)])
    assert not noise.significant
    assert noise.p > 0.5


@pytest.mark.parametrize(("a", "b"), [([], []), ([1.0], [1.0, 0.5])])
def test_runs_over_other_queries_are_refused(a: list[float], b: list[float]) -> None:
    with pytest.raises(ValueError, match="same queries"):
        paired_bootstrap(a, b)
