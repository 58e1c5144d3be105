"""`scrubjay eval`: a person's own questions, scored against their own notes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.upkeep import HISTORY, OPENED, HistoryAsk, OpenedAsk
from tests.helpers.installation import Installation

Eval = Callable[..., Result]

NOTES = {
    "Ferry.md": "---\naliases: [island boat]\n---\n# Ferry\n\nThe ferry to the island leaves at nine.\n",
    "Sub/Budget.md": "# Budget\n\n## Who pays it\n\nThe budget for the weir is nine thousand.\n",
}
FERRY = {"query": "when does the ferry leave", "notes": ["Ferry.md"], "kind": "question"}
BUDGET = {"query": "weir budget", "notes": ["Sub/Budget.md"]}
NOT_THERE = {"query": "ferry", "notes": ["Elsewhere.md"]}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("eval"))
    made.write(NOTES)
    made.create_profile("notes")
    made.run("index")
    return made


@pytest.fixture
def run(installation: Installation, tmp_path: Path) -> Eval:
    golden = tmp_path / "golden.jsonl"

    def invoke(*lines: object, options: tuple[str, ...] = ()) -> Result:
        golden.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        return installation.invoke("eval", str(golden), *options)

    return invoke


def test_questions_are_scored_by_the_notes_that_they_find(run: Eval) -> None:
    right = run(FERRY, BUDGET)
    assert (right.exit_code, "question" in right.stdout) == (0, True)
    assert "nDCG@10 1.000, MRR@10 1.000, recall@10 1.000" in right.stdout
    half = run(FERRY, NOT_THERE)
    assert half.exit_code == 1
    for said in ("nDCG@10 0.500", "ferry  →  Elsewhere.md", "The index does not have these notes"):
        assert said in half.stdout
    told = json.loads(run(BUDGET, options=("--json", "--mode", "lexical")).stdout)
    assert (told["ndcg"], told["mrr"], told["by_kind"], told["unknown"]) == (1.0, 1.0, {"": 1.0}, [])
    [judged] = told["queries"]
    assert (judged["ndcg"], judged["found"][0]) == (1.0, "Sub/Budget.md")
    refused = run(FERRY, ["not", "a", "question"])
    assert (refused.exit_code, "Line 2 of the golden file" in refused.output) == (1, True)


def test_a_run_is_kept_and_compared_with(run: Eval) -> None:
    assert run(FERRY, BUDGET, options=("--save", "before")).exit_code == 0
    compared = run(FERRY, BUDGET, options=("--against", "before"))
    assert "can't tell" in compared.stdout
    assert "Questions that moved" not in compared.stdout
    changed = run(FERRY, BUDGET | {"query": "weir budget ferry"}, options=("--against", "before", "--json"))
    told = json.loads(changed.stdout)["comparison"]
    assert (told["kinds"][-1]["questions"], told["unknown"]) == (1, 1)
    missing = run(FERRY, options=("--against", "never"))
    assert (missing.exit_code, "no saved run never" in missing.stderr) == (1, True)


def test_drafted_questions_are_asked_without_the_names_that_they_ask_for(
    installation: Installation, tmp_path: Path
) -> None:
    drafted = tmp_path / "drafted.jsonl"
    made = installation.invoke("eval", str(drafted), "--make", "5")
    assert (made.exit_code, "2 questions" in made.stdout) == (0, True)
    lines = [json.loads(line) for line in drafted.read_text("utf-8").splitlines()]
    assert [(line["query"], line["kind"], line["hidden"]) for line in lines] == [
        ("island boat", "alias", True),
        ("Who pays it", "heading", True),
    ]
    told = json.loads(installation.run("eval", str(drafted), "--json", "--mode", "lexical", check=False).stdout)
    assert [judged["found"] for judged in told["queries"]] != [["Ferry.md"], ["Sub/Budget.md"]]
    again = installation.invoke("eval", str(drafted), "--make", "5")
    assert (again.exit_code, "is there already" in again.stderr) == (1, True)


def test_what_stands_around_a_link_is_asked_and_the_note_that_says_it_is_no_answer(tmp_path: Path) -> None:
    made = Installation(tmp_path / "linked")
    made.write(
        {
            "Ferry.md": "# Ferry\n\nA boat takes people and bicycles across the sound every hour.\n",
            "Trip.md": "# Trip\n\nWe took our bicycles across the sound with the [[Ferry]] and had cake.\n",
        }
    )
    made.create_profile("notes")
    made.run("index")
    drafted = tmp_path / "drafted.jsonl"
    made.run("eval", str(drafted), "--make", "5")
    [line] = map(json.loads, drafted.read_text("utf-8").splitlines())
    assert line == {
        "query": "We took our bicycles across the sound with the and had cake",
        "notes": ["Ferry.md"],
        "kind": "paragraph",
        "within": "Trip.md",
    }
    told = json.loads(made.run("eval", str(drafted), "--json", "--mode", "lexical").stdout)
    assert (told["by_kind"], told["queries"][0]["found"]) == ({"paragraph": 1.0}, ["Ferry.md"])


def test_opened_results_become_questions_one_by_one_and_nothing_of_it_enters_the_history(
    installation: Installation, tmp_path: Path
) -> None:
    golden = tmp_path / "opened.jsonl"
    with installation.daemon() as client:
        for query, path in (("ferry", "Ferry.md"), ("budget", "Sub/Budget.md")):
            client.ask(SEARCH, SearchAsk(query=query))
            client.ask(OPENED, OpenedAsk(profile="notes", query=query, path=path))
        before = client.ask(HISTORY, HistoryAsk()).events
        made = installation.invoke("eval", str(golden), "--from-history", types="n\ny\n")
        assert (made.exit_code, "ferry  →  Ferry.md" in made.stderr) == (0, True)
        assert json.loads(golden.read_text("utf-8")) == {"query": "ferry", "notes": ["Ferry.md"], "kind": "opened"}
        installation.run("eval", str(golden))
        assert client.ask(HISTORY, HistoryAsk()).events == before
