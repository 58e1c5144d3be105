"""Questions, answered by the notes and by a model server that the user named: what is sent, and what is shown of it."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from scrubjay.daemon.api.endpoints.ask import ASK, AnswerReply, AnswerSentence, QuestionAsk
from scrubjay.daemon.client import ApiError, ScrubjayClient
from scrubjay.daemon.settings import Llm
from tests.helpers.model_server import FAMILIES, ModelServer, answer_in_json, model_server
from tests.integration.api.conftest import PERSONAL_TEXT, WORK_TEXT, Residents, furnished_house

QUESTION = "When does the jackdaw project ship?"
TRUE_WORDS = "The jackdaw project ships in spring"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelServer]:
    with model_server(tmp_path_factory.mktemp("models")) as server:
        yield server


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Residents]:
    with furnished_house(tmp_path_factory.mktemp("house")) as residents:
        yield residents


def name(residents: Residents, url: str, model: str = "ollama", seconds: int = 20, **more: Any) -> None:
    """Have the settings in force name a model server."""
    llm = Llm(url=url, model=model, seconds=seconds, **more)
    engine = residents.house.engine
    engine.settings = msgspec.structs.replace(engine.settings, llm=llm)


def ask(residents: Residents, token: str, path: str = "/v1/ask", question: str = QUESTION, **more: Any) -> AnswerReply:
    with residents.http(token) as http:
        reply = http.post(path, json={"question": question, **more})
    assert reply.status_code == 200, reply.text
    return msgspec.json.decode(reply.content, type=AnswerReply)


def is_verbatim(sentence: AnswerSentence) -> bool:
    """Whether each of its quotations is in one of the house's notes."""
    texts = (WORK_TEXT, "The ledger of the jackdaw budget.", PERSONAL_TEXT)
    return all(any(quote.text in text for text in texts) for quote in sentence.quotes)


@pytest.mark.parametrize("path", ["/v1/answer", "/v1/ask"])
def test_without_a_model_the_notes_answer_in_their_own_words(asked: Residents, path: str) -> None:
    name(asked, "")
    reply = ask(asked, asked.reader, path)
    assert (reply.status, reply.way, reply.model, reply.sent_to, reply.notice) == ("answered", "extract", "", "", "")
    first = reply.sentences[0]
    assert first.verified
    assert first.text == first.quotes[0].text
    assert first.text in WORK_TEXT
    assert (first.quotes[0].profile, first.quotes[0].path, first.quotes[0].line) == ("work", "Jackdaw.md", 3)
