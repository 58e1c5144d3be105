"""Questions with known answers: for how many the block for an agent's context has the answer, by its budget.

Those over the sample vault always; those over real vaults, one of them Chinese, where $SCRUBJAY_EVAL has them.
"""

import json
import re
from pathlib import Path

import pytest

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.server.handlers.search import context_reply
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store.store import Store
from tests.quality.card import (
    DEVELOPMENT,
    HELD_BACK,
    HOUSEHOLD,
    UNSEEN,
    Figures,
    by_weights,
    figures,
    judged,
    questions,
    store_of,
)

PAIRS = Path(__file__).with_name("answers.jsonl")
LATER = Path(__file__).with_name("answers_later.jsonl")
"""Written when the mechanisms stood, to see whether they do as well for what they were not made with."""
# Measured: sample vault .90, .98, .98, later pairs .86, .95, 1.0; English notes .77, .81, .92.
# Passages from their beginnings: .45, .75, .75; .62, .73, .81.
LEAST_OF_SAMPLE = {150: 0.80, 300: 0.90, 500: 0.95}
LEAST_OF_LATER = {150: 0.75, 300: 0.90, 500: 0.95}
LEAST_OF_REAL = {150: 0.73, 300: 0.77, 500: 0.88}
# Measured, both halves: right of what is shown .86, shown of the answerable .56, of the others .06; .88, .64, .06.
LEAST_RIGHT, LEAST_SHOWN, MOST_IDLE = 0.8, 0.5, 0.1


def shares(
    vault: str, store: Store, embedder: InProcessEmbedder, budgets: tuple[int, ...], file: Path = PAIRS
) -> dict[int, float]:
    """By budget in tokens, the share of a vault's questions whose answer the block holds."""
    pairs = [pair for line in file.read_text("utf-8").splitlines() if (pair := json.loads(line))["vault"] == vault]
    searcher = Searcher(lambda: {vault: store}, embedder)
    held = dict.fromkeys(budgets, 0)
    for pair in pairs:
        found = searcher.search(SearchRequest(pair["query"], limit=40, group="chunk"))
        for budget in budgets:
            reply = context_reply(found, {vault: store}, pair["query"], budget)
            assert reply.tokens <= budget
            held[budget] += plain(pair["answer"]) in plain(reply.markdown)
    searcher.close()
    return {budget: count / len(pairs) for budget, count in held.items()}


def plain(text: str) -> str:
    return " ".join(re.sub(r"[*_`=]|^> ?", "", text, flags=re.MULTILINE).casefold().split())


def below(found: dict[int, float], least: dict[int, float]) -> dict[int, float]:
    return {budget: share for budget, share in found.items() if share < least[budget]}


@pytest.mark.slow
def test_the_block_holds_the_answers_of_the_sample_vault(sample_store: Store, embedder: InProcessEmbedder) -> None:
    assert below(shares("sample", sample_store, embedder, tuple(LEAST_OF_SAMPLE)), LEAST_OF_SAMPLE) == {}


@pytest.mark.slow
def test_the_block_holds_answers_that_it_was_not_made_with(sample_store: Store, embedder: InProcessEmbedder) -> None:
    found = shares("sample", sample_store, embedder, tuple(LEAST_OF_LATER), LATER)
    assert below(found, LEAST_OF_LATER) == {}


@pytest.mark.slow
def test_the_block_holds_the_answers_of_a_real_vault(knowledge_store: Store, embedder: InProcessEmbedder) -> None:
    assert below(shares("nikita-knowledge", knowledge_store, embedder, tuple(LEAST_OF_REAL)), LEAST_OF_REAL) == {}


def of_card(vault: str, store: Store, embedder: InProcessEmbedder) -> Figures:
    """What the answer card shows for a vault's questions of both halves."""
    halves = (DEVELOPMENT, HELD_BACK, HOUSEHOLD, UNSEEN)
    asked = [each for each in questions() if each.vault == vault and each.half in halves]
    found = judged(asked, store, embedder)
    return figures(found, by_weights(found))


@pytest.mark.parametrize("vault", ["sample", pytest.param("household", marks=pytest.mark.slow)])
def test_what_is_shown_as_the_answer_is_right_or_it_is_silent(
    vault: str, tmp_path: Path, request: pytest.FixtureRequest, embedder: InProcessEmbedder
) -> None:
    store = request.getfixturevalue("sample_store") if vault == "sample" else store_of(vault, tmp_path, embedder)
    found = of_card(vault, store, embedder)
    assert (found.precision >= LEAST_RIGHT, found.answered >= LEAST_SHOWN, found.answered_idly <= MOST_IDLE) == (
        True,
    ) * 3, found


@pytest.mark.slow
def test_what_is_shown_as_the_answer_of_a_real_vault_is_right_or_it_is_silent(
    knowledge_store: Store, embedder: InProcessEmbedder
) -> None:
    found = of_card("nikita-knowledge", knowledge_store, embedder)
    assert (found.precision >= LEAST_RIGHT, found.answered >= LEAST_SHOWN, found.answered_idly <= MOST_IDLE) == (
        True,
    ) * 3, found
