"""Facts that changed, among the notes of the sample vault: what holds now comes first, and what held before is marked.

Each note of `changed_facts.jsonl` was last changed on its date, which some give in their properties or names, too.
"""

import json
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.server.handlers.search import context_reply, newest_results
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest, SearchResponse
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from tests.helpers.indexed_vault import index_vault
from tests.quality.conftest import sample_vault

pytestmark = pytest.mark.slow
FACTS = [json.loads(line) for line in Path(__file__).with_name("changed_facts.jsonl").read_text("utf-8").splitlines()]
LEAST_FIRST = 0.9
LEAST_IN_CONTEXT = 0.97


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, embedder: InProcessEmbedder) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("facts")
    vault = sample_vault(folder / "vault")
    for path, day, text in (note for fact in FACTS for note in fact["notes"]):
        file = vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        changed = datetime.fromisoformat(f"{day}T12:00").timestamp()
        os.utime(file, (changed, changed))
    made = FileStore.open(folder / "index.sqlite3")
    index_vault(made, vault, embedder)
    yield made
    made.close()


@pytest.fixture(scope="module")
def searcher(store: Store, embedder: InProcessEmbedder) -> Iterator[Searcher]:
    made = Searcher(lambda: {"facts": store}, embedder)
    yield made
    made.close()


def found_first(searcher: Searcher, store: Store, question: str) -> SearchResponse:
    stores = {"facts": store}
    found = searcher.search(SearchRequest(question, limit=20))
    return newest_results(found, stores, AskedTerms.of([store], question), 5)


def test_the_value_that_holds_is_in_the_first_result(searcher: Searcher, store: Store) -> None:
    missed = [
        fact["question"]
        for fact in FACTS
        if fact["value"] not in found_first(searcher, store, fact["question"]).results[0].snippet
    ]
    assert len(missed) <= (1 - LEAST_FIRST) * len(FACTS), missed


def test_the_value_that_holds_is_in_the_context_of_500_tokens(searcher: Searcher, store: Store) -> None:
    missed: list[str] = []
    for fact in FACTS:
        found = searcher.search(SearchRequest(fact["question"], limit=40, group="chunk"))
        reply = context_reply(found, {"facts": store}, fact["question"], 500)
        assert reply.tokens <= 500
        if fact["value"] not in reply.markdown:
            missed.append(fact["question"])
    assert len(missed) <= (1 - LEAST_IN_CONTEXT) * len(FACTS), missed


def test_what_held_before_is_marked_and_what_holds_is_not(searcher: Searcher, store: Store) -> None:
    marked, wrongly = 0, list[str]()
    for fact in FACTS:
        paths = [path for path, _, _ in fact["notes"]]
        results = {each.path: each for each in found_first(searcher, store, fact["question"]).results}
        marked += sum(bool(results[path].newer) for path in paths[:-1] if path in results)
        wrongly += [path for path, each in results.items() if each.newer and path not in paths[:-1]]
    assert wrongly == []
    assert marked >= 30
