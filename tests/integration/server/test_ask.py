"""Questions, answered by the notes and by a model server that the user named: what is sent, and what is shown of it."""

import json
import socket
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.ask import ASK, AnswerReply, AnswerSentence, QuestionAsk
from scrubjay.daemon.settings import Llm
from scrubjay.daemon.transport import ApiError
from tests.helpers.model_server import FAMILIES, ModelServer, answer_in_json, model_server
from tests.integration.server.conftest import PERSONAL_TEXT, WORK_TEXT, Residents, furnished_house

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


def test_what_nothing_answers_is_not_answered_and_nothing_is_sent(asked: Residents, models: ModelServer) -> None:
    name(asked, models.url)
    before = len(models.requests)
    reply = ask(asked, asked.reader, question="how are quarks confined in hadrons")
    assert (reply.status, reply.sentences, reply.sent_to) == ("nothing", (), "")
    assert len(models.requests) == before


class Watch:
    """Names what this process connects to or looks up, while `on`."""

    def __init__(self) -> None:
        self.on = False
        self.seen: list[str] = []
        sys.addaudithook(self._note)  # for the rest of the process: hooks can't be taken back

    def _note(self, event: str, values: tuple[object, ...]) -> None:
        if self.on and event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.gethostbyname"):
            self.seen.append(f"{event} {values[1:]}")


def test_nothing_is_sent_to_anything_before_a_server_is_named(asked: Residents, models: ModelServer) -> None:
    watch = Watch()
    with asked.http(asked.reader) as http:
        http.get("/health")  # the test's own connection, which is kept
        for url, is_seen in (("", False), (models.url, True)):  # the second shows that the watch sees a connection
            name(asked, url)
            watch.on = True
            assert http.post("/v1/ask", json={"question": QUESTION}).status_code == 200
            watch.on = False
            assert bool(watch.seen) is is_seen


def test_a_model_s_sentences_are_told_from_what_the_notes_say(asked: Residents, models: ModelServer) -> None:
    said = answer_in_json(
        ("It ships in spring.", [("1", TRUE_WORDS)]),
        ("It ships in autumn.", [("1", "The jackdaw project ships in autumn")]),
        ("Everybody looks forward to it.", []),
    )
    name(asked, models.url, f"says:{said}")
    reply = ask(asked, asked.reader)
    assert (reply.way, reply.sent_to, reply.notice) == ("model", models.url[7:-3], "")
    assert [(each.text, each.verified) for each in reply.sentences] == [
        ("It ships in spring.", True),
        ("It ships in autumn.", False),
        ("Everybody looks forward to it.", False),
    ]
    assert [quote.text for each in reply.sentences for quote in each.quotes] == [TRUE_WORDS]


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        pytest.param("So.", [("7", TRUE_WORDS)], id="a-passage-that-was-not-sent"),
        pytest.param("So.", [("1", TRUE_WORDS), ("1", "and was cancelled in March")], id="one-of-two-invented"),
        pytest.param(f"It says “the project was cancelled”. {TRUE_WORDS}", [("1", TRUE_WORDS)], id="another-in-marks"),
        pytest.param("So.", [("1", WORK_TEXT + " It was cancelled.")], id="more-than-the-note-says"),
    ],
)
def test_what_is_not_in_the_passage_is_never_shown_as_verified(
    asked: Residents, models: ModelServer, text: str, quotes: list[tuple[str, str]]
) -> None:
    name(asked, models.url, "says:" + answer_in_json((text, quotes)))
    (sentence,) = ask(asked, asked.reader).sentences
    assert not sentence.verified
    assert is_verbatim(sentence)


@pytest.mark.parametrize("family", FAMILIES)
def test_each_server_writes_an_answer_that_is_checked(asked: Residents, models: ModelServer, family: str) -> None:
    name(asked, models.url, family)
    reply = ask(asked, asked.reader)
    assert (reply.status, reply.way, reply.model) == ("answered", "model", family)
    assert [each.verified for each in reply.sentences] == [True, False]
    assert is_verbatim(reply.sentences[0])


def test_a_model_may_say_that_the_notes_don_t(asked: Residents, models: ModelServer) -> None:
    name(asked, models.url, 'says:{"sentences": []}')
    reply = ask(asked, asked.reader)
    assert (reply.status, reply.way, reply.sentences, reply.notice) == ("nothing", "model", (), "")


@pytest.mark.parametrize(
    ("model", "seconds", "reason"),
    [
        pytest.param("hangs", 1, "did not finish within 1 seconds", id="hangs"),
        pytest.param("has-no-end", 20, "can't be understood", id="endless"),
        pytest.param("has-no-line", 20, "has no end", id="huge"),
        pytest.param("speaks-no-json", 20, "can't be understood", id="no-json"),
        pytest.param("hangs-up", 20, "broke off", id="hangs-up"),
        pytest.param("fails", 20, "model runner has stopped", id="fails"),
        pytest.param("points-elsewhere", 20, "not followed", id="redirects"),
        pytest.param('says:{"sentences": [7, {"text": 5}, [[]]]}', 20, "can't be understood", id="other-values"),
        pytest.param('says:{"sentences": ' + "[" * 20_000, 20, "can't be understood", id="nested-without-end"),
    ],
)
def test_where_the_model_fails_the_notes_answer_and_a_sentence_says_why(
    asked: Residents, models: ModelServer, model: str, seconds: int, reason: str
) -> None:
    name(asked, models.url, model, seconds)
    reply = ask(asked, asked.reader)
    assert (reply.status, reply.way) == ("answered", "extract")
    assert reason in reply.notice
    assert all(sentence.verified and is_verbatim(sentence) for sentence in reply.sentences)


def test_what_was_whole_before_the_model_broke_off_stays(asked: Residents, models: ModelServer) -> None:
    name(asked, models.url, "hangs-in-the-middle", 1)
    reply = ask(asked, asked.reader)
    assert [each.text for each in reply.sentences] == ["Half of it."]
    assert "did not finish" in reply.notice


@pytest.mark.parametrize(
    "url",
    ["http://notes.example/v1", "http://127.0.0.1@notes.example/v1", "http://127.0.0.1.notes.example/v1", "notes"],
)
def test_another_computer_is_sent_nothing_unless_it_is_named_twice(asked: Residents, url: str) -> None:
    name(asked, url)
    reply = ask(asked, asked.reader)
    assert (reply.way, reply.sent_to) == ("extract", "")
    assert reply.notice


def test_a_model_is_sent_what_the_client_may_see_and_nothing_else(asked: Residents, models: ModelServer) -> None:
    name(asked, models.url)
    ask(asked, asked.reader, question="What is there about the jackdaw?")
    sent = json.dumps(models.requests[-1], ensure_ascii=False)
    assert WORK_TEXT in sent
    assert PERSONAL_TEXT not in sent
    with asked.http(asked.reader) as http:
        assert http.post("/v1/ask", json={"question": QUESTION, "profiles": ["personal"]}).status_code == 404


def test_sentences_are_streamed_before_the_reply(asked: Residents, models: ModelServer) -> None:
    name(asked, models.url, "ollama")
    with ScrubjayClient(asked.house.url, asked.reader) as client:
        *sentences, reply = client.parts(ASK, QuestionAsk(question=QUESTION))
    assert isinstance(reply, AnswerReply)
    assert tuple(sentences) == reply.sentences
    assert len(sentences) == 2


def test_a_sentence_comes_while_the_model_still_writes(asked: Residents, models: ModelServer) -> None:
    name(asked, models.url, "hangs-in-the-middle", 60)
    with ScrubjayClient(asked.house.url, asked.reader) as client:
        parts = client.parts(ASK, QuestionAsk(question=QUESTION))
        first = next(parts)
        parts.close()
    assert isinstance(first, AnswerSentence)
    assert first.text == "Half of it."


def test_an_error_of_a_streamed_question_has_its_status(asked: Residents) -> None:
    with ScrubjayClient(asked.house.url, asked.reader) as client, pytest.raises(ApiError) as found:
        list(client.parts(ASK, QuestionAsk(question=QUESTION, profiles=("nowhere",))))
    assert (found.value.code, found.value.status) == ("profile-not-found", 404)


def test_who_hangs_up_ends_the_model_s_work(asked: Residents, models: ModelServer) -> None:
    name(asked, models.url, "hangs-in-the-middle", 600)
    with ScrubjayClient(asked.house.url, asked.reader) as client:
        for _ in range(5):  # more than may be under way at once
            parts = client.parts(ASK, QuestionAsk(question=QUESTION))
            next(parts)
            parts.close()
    name(asked, models.url)
    assert ask(asked, asked.reader).way == "model"


def test_a_server_that_does_not_run_was_sent_nothing(asked: Residents) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        name(asked, f"http://127.0.0.1:{unused.getsockname()[1]}/v1")
        reply = ask(asked, asked.reader)
    assert (reply.way, reply.sent_to) == ("extract", "")
    assert "Nothing answers at" in reply.notice


def test_a_locked_profile_is_not_read_and_is_named(asked: Residents, models: ModelServer) -> None:
    name(asked, models.url)
    with asked.http(asked.owner) as http:
        assert http.post(f"/v1/profiles/{asked.personal.id}/lock", json={}).is_success
        try:
            reply = ask(asked, asked.owner, question="What is there about the jackdaw in the garden diary?")
        finally:
            http.post(f"/v1/profiles/{asked.personal.id}/unlock", json={})
    assert [each.profile for each in reply.unanswered] == ["personal"]
    assert all(quote.profile == "work" for each in reply.sentences for quote in each.quotes)
    assert PERSONAL_TEXT not in json.dumps(models.requests[-1])
