"""A conversation with a model server of a process of its own: what it says, and every way in which it goes wrong."""

import socket
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from scrubjay.daemon.answers.model_connection import GivenUp, have_written, models_at
from scrubjay.daemon.answers.model_reply import SentenceReader, said_by_server
from scrubjay.daemon.answers.model_server import ModelTrouble, Server, server_of
from scrubjay.daemon.answers.prompt import PromptPassage, request_body
from scrubjay.daemon.settings import Llm
from tests.helpers.model_server import FAMILIES, ModelServer, answer_in_json, model_server

TODAY = date(2026, 10, 7)
PASSAGES = [PromptPassage("Ferry", "The ferry to the island leaves at nine each morning.")]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelServer]:
    with model_server(tmp_path_factory.mktemp("models")) as server:
        yield server


def named(running: ModelServer, model: str, seconds: float = 20, key: str = "") -> Server:
    made = server_of(Llm(url=running.url, model=model), key)
    return Server(made.url, made.address, made.port, made.is_here, model, seconds, key)


def written(server: Server) -> list[str]:
    """The sentences that a server writes about the ferry."""
    reader = SentenceReader()
    said: list[str] = []

    def take(piece: str) -> bool:
        said.extend(each.text for each in reader.feed(piece))
        return reader.complete

    have_written(server, request_body(server.model, "When does the ferry leave?", PASSAGES, TODAY), take)
    return said


@pytest.mark.parametrize("family", FAMILIES)
def test_each_server_is_understood(running: ModelServer, family: str) -> None:
    assert written(named(running, family)) == ["The notes say so.", "And this is made up."]


def test_what_is_sent_is_one_request_with_a_schema_and_no_surprise(running: ModelServer) -> None:
    written(named(running, "ollama", key="k-123"))
    sent = running.requests[-1]
    assert sent["path"] == "/v1/chat/completions"
    assert sent["headers"]["Authorization"] == "Bearer k-123"
    assert sent["body"]["stream"] is True
    assert sent["body"]["response_format"]["type"] == "json_schema"
    assert "> The ferry to the island" in sent["body"]["messages"][1]["content"]


def test_reading_ends_with_the_list_whatever_follows(running: ModelServer) -> None:
    answer = answer_in_json(("One.", []), ("Two.", []))
    assert written(named(running, f"says:{answer} and much more")) == ["One.", "Two."]


@pytest.mark.parametrize(
    ("model", "seconds", "reason"),
    [
        ("hangs", 0.3, "did not finish within 0.3 seconds"),
        ("hangs-in-the-middle", 0.3, "did not finish within"),
        ("drips", 0.3, "did not finish within"),
        ("has-no-line", 20, "has no end"),
        ("hangs-up", 20, "broke off"),
        ("sends-broken-events", 20, "can't be understood"),
        ("fails", 20, r"error \(500\): model runner has stopped"),
        ("fails-in-the-middle", 20, "out of memory"),
        ("fails-in-the-old-way", 20, "out of memory"),
        ("is-not-loaded", 20, "No models loaded"),
        ("knows-no-schema", 20, "response_format"),
        ("wants-a-key", 20, "wants another API key"),
        ("points-elsewhere", 20, "points to another address, which is not followed"),
    ],
)
def test_what_goes_wrong_ends_in_a_sentence(running: ModelServer, model: str, seconds: float, reason: str) -> None:
    with pytest.raises(ModelTrouble, match=reason) as found:
        written(named(running, model, seconds))
    assert str(found.value).endswith((".", "stopped", "memory", '"json_object"'))
    assert "\n" not in str(found.value)


def test_a_flood_of_text_is_left_by_who_reads_it(running: ModelServer) -> None:
    assert written(named(running, "has-no-end")) == []


def test_where_nobody_listens_the_sentence_says_so() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(ModelTrouble, match=f"Nothing answers at 127.0.0.1:{port}"):
        written(server_of(Llm(url=f"http://127.0.0.1:{port}/v1", model="tiny")))


def test_proxies_and_passwords_of_the_environment_are_not_used(
    running: ModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login someone password something\n")
    monkeypatch.setenv("NETRC", str(netrc))
    assert written(named(running, "ollama"))
    assert "Authorization" not in running.requests[-1]["headers"]


def test_the_models_of_a_server_are_named(running: ModelServer) -> None:
    assert models_at(named(running, "")) == ("ollama",)


def test_a_server_that_repeats_the_key_does_not_have_it_shown() -> None:
    body = b'{"error": {"message": "Incorrect API key provided: k-123"}}'
    assert "k-123" not in said_by_server(body, 400, "k-123")


def test_a_model_that_nobody_waits_for_is_let_go_of(running: ModelServer) -> None:
    server = named(running, "hangs-in-the-middle", 600)
    with pytest.raises(GivenUp):
        have_written(server, request_body(server.model, "When?", PASSAGES, TODAY), lambda _: False, lambda: True)
