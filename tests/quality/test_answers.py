"""Questions with known answers: for how many the block for an agent's context has the answer, by its budget.

Those over the sample vault always; those over real vaults, one of them Chinese, where $SCRUBJAY_EVAL has them.
"""

import json
import re
from pathlib import Path

import pytest

from scrubjay.daemon.answers.citation import quotable
from scrubjay.daemon.answers.extracted_answer import Cited, extracted
from scrubjay.daemon.links.excerpt import word_weights
from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.server.handlers.search import context_reply
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store.store import Store

PAIRS = Path(__file__).with_name("answers.jsonl")
LATER = Path(__file__).with_name("answers_later.jsonl")
"""Written when the mechanisms stood, to see whether they do as well for what they were not made with."""
# Measured: sample vault .92, .98, .98, later pairs .81, .95, 1.0 (before: .81, .86, .92); English notes .81, .88, .96.
# Passages from their beginnings: .45, .75, .75; .62, .73, .81.
LEAST_OF_SAMPLE = {150: 0.80, 300: 0.90, 500: 0.95}
LEAST_OF_LATER = {150: 0.75, 300: 0.90, 500: 0.95}
LEAST_OF_REAL = {150: 0.77, 300: 0.84, 500: 0.92}
LEAST_ANSWERED = 0.8  # measured: .85


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


def share_answered(vault: str, store: Store, embedder: InProcessEmbedder) -> float:
    """The share of a vault's questions whose answer is in the sentences that answer without a language model."""
    pairs = [pair for line in PAIRS.read_text("utf-8").splitlines() if (pair := json.loads(line))["vault"] == vault]
    stores = {vault: store}
    searcher = Searcher(lambda: stores, embedder)
    held = 0
    for pair in pairs:
        found = searcher.search(SearchRequest(pair["query"], limit=40, group="chunk"))
        weights = word_weights([store], pair["query"])
        cited = [Cited(*each) for each in quotable(found, stores, weights)]
        held += plain(pair["answer"]) in plain(" ".join(each.text for each in extracted(cited, stores, weights)))
    searcher.close()
    return held / len(pairs)


def plain(text: str) -> str:
    return " ".join(re.sub(r"[*_`=]|^> ?", "", text, flags=re.MULTILINE).casefold().split())


def below(found: dict[int, float], least: dict[int, float]) -> dict[int, float]:
    return {budget: share for budget, share in found.items() if share < least[budget]}


def test_the_block_holds_the_answers_of_the_sample_vault(sample_store: Store, embedder: InProcessEmbedder) -> None:
    assert below(shares("sample", sample_store, embedder, tuple(LEAST_OF_SAMPLE)), LEAST_OF_SAMPLE) == {}


def test_the_block_holds_answers_that_it_was_not_made_with(sample_store: Store, embedder: InProcessEmbedder) -> None:
    found = shares("sample", sample_store, embedder, tuple(LEAST_OF_LATER), LATER)
    assert below(found, LEAST_OF_LATER) == {}


@pytest.mark.slow
def test_the_block_holds_the_answers_of_a_real_vault(knowledge_store: Store, embedder: InProcessEmbedder) -> None:
    assert below(shares("nikita-knowledge", knowledge_store, embedder, tuple(LEAST_OF_REAL)), LEAST_OF_REAL) == {}


def test_the_sentences_of_the_sample_vault_answer(sample_store: Store, embedder: InProcessEmbedder) -> None:
    assert share_answered("sample", sample_store, embedder) >= LEAST_ANSWERED
