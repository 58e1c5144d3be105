"""What somebody types to a program that writes code: for how much of it the notes speak up, unasked.

`prompts.jsonl` has 40 prompts of every day and 40 that the sample vault answers.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.server.handlers.search import unasked_reply
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store.store import Store

pytestmark = pytest.mark.slow
PROMPTS = [json.loads(line) for line in Path(__file__).with_name("prompts.jsonl").read_text("utf-8").splitlines()]
MOST_SPOKEN_TO = 2
LEAST_ANSWERED = 34


@pytest.fixture(scope="module")
def searcher(sample_store: Store, embedder: InProcessEmbedder) -> Iterator[Searcher]:
    made = Searcher(lambda: {"sample": sample_store}, embedder)
    yield made
    made.close()


@pytest.mark.parametrize("mode", ["hybrid", "lexical"])
def test_notes_are_silent_where_nothing_is_asked_and_speak_where_they_answer_also_by_words_alone(
    searcher: Searcher, sample_store: Store, mode: str
) -> None:
    spoken, answered = list[str](), 0
    for each in PROMPTS:
        found = searcher.search(SearchRequest(each["prompt"], limit=40, group="chunk", mode=mode))  # type: ignore[arg-type] - a parameter
        reply = unasked_reply(found, {"sample": sample_store}, each["prompt"], 500)
        assert bool(reply.sources) != bool(reply.silent)
        if each["answer"]:
            answered += bool(reply.sources)
        elif reply.sources:
            spoken.append(each["prompt"])
    assert len(spoken) <= MOST_SPOKEN_TO, spoken
    assert answered >= LEAST_ANSWERED
