"""`scrubjay eval`: a person's own questions, scored against their own notes."""

import json
from collections.abc import Callable, Generator
from pathlib import Path

import keyring
import keyring.backends.fail
import pytest
from click.testing import CliRunner, Result

from scrubjay.daemon.cli.app import scrubjay
from tests.helpers.installation import Installation

Eval = Callable[..., Result]

NOTES = {
    "Ferry.md": "# Ferry\n\nThe ferry to the island leaves at nine.\n",
    "Sub/Budget.md": "# Budget\n\nThe budget for the weir is nine thousand.\n",
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
def run(installation: Installation, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Generator[Eval]:
    before = keyring.get_keyring()
    keyring.set_keyring(keyring.backends.fail.Keyring())
    monkeypatch.setenv("SCRUBJAY_HOME", str(installation.root / "home"))
    golden = tmp_path / "golden.jsonl"

    def invoke(*lines: object, options: tuple[str, ...] = ()) -> Result:
        golden.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        return CliRunner().invoke(scrubjay, ["eval", str(golden), *options])

    yield invoke
    keyring.set_keyring(before)


def test_every_question_that_finds_its_note_first_scores_one(run: Eval) -> None:
    result = run(FERRY, BUDGET)
    assert result.exit_code == 0
    assert "nDCG@10 1.000, MRR@10 1.000, recall@10 1.000" in result.stdout
    assert "question" in result.stdout


def test_a_question_that_finds_none_of_its_notes_is_named(run: Eval) -> None:
    result = run(FERRY, NOT_THERE)
    assert result.exit_code == 1
    assert "nDCG@10 0.500" in result.stdout
    assert "ferry  →  Elsewhere.md" in result.stdout
    assert "The index does not have these notes" in result.stdout


def test_scripts_get_every_question_with_what_was_found(run: Eval) -> None:
    told = json.loads(run(BUDGET, options=("--json", "--mode", "lexical")).stdout)
    assert (told["ndcg"], told["mrr"], told["by_kind"], told["unknown"]) == (1.0, 1.0, {"": 1.0}, [])
    [judged] = told["queries"]
    assert (judged["ndcg"], judged["found"][0]) == (1.0, "Sub/Budget.md")


def test_a_line_that_is_no_question_is_named(run: Eval) -> None:
    result = run(FERRY, ["not", "a", "question"])
    assert result.exit_code == 1
    assert "Line 2 of the golden file" in result.output
