"""The streams of three servers, in whatever pieces they come, and of none."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.answers.model_reply import CompletionReader
from scrubjay.daemon.answers.model_server import ModelTrouble
from tests.helpers.model_server import FAMILIES, frames

ANSWER = '{"sentences": [{"quotes": [], "text": "Über die Fähre, 渡し船: nine."}]}'


def cut(data: bytes, cuts: list[int]) -> list[bytes]:
    places = [0, *sorted(each % (len(data) + 1) for each in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(places)]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("family", FAMILIES)
@given(cuts=st.lists(st.integers(0, 10_000), max_size=40))
def test_a_stream_says_the_same_in_whatever_pieces_it_comes(family: str, ending: str, cuts: list[int]) -> None:
    stream = "".join(frames(family, ANSWER)).replace("\n", ending).encode()
    completion = CompletionReader()
    assert "".join(text for piece in cut(stream, cuts) for text in completion.feed(piece)) == ANSWER
    assert completion.done


@given(data=st.lists(st.binary(max_size=200) | st.sampled_from([b"data:", b"\n", b"{", b'"choices"', b"[null]"])))
def test_whatever_comes_is_text_or_a_sentence_for_a_person(data: list[bytes]) -> None:
    completion = CompletionReader()
    try:
        said = [text for piece in data for text in completion.feed(piece)]
    except ModelTrouble as trouble:
        assert str(trouble).endswith(".")
    else:
        assert all(isinstance(text, str) for text in said)


def test_what_a_line_says() -> None:
    said = {
        b": still here": "",
        b"event: message": "",
        b"data:": "",
        b'data: {"choices": null}': "",
        b'data: {"choices": [{"delta": null}]}': "",
        b'data:{"choices":[{"delta":{"content":"x"}}]}': "x",
        b'data: {"choices": [{"delta": {"content": "x", "tool_calls": []}}]}': "x",
        b'data: {"choices": [{"delta": {"reasoning_content": "x"}}]}': "",
    }
    assert {line: "".join(CompletionReader().feed(line + b"\n")) for line in said} == said


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        pytest.param(b'data: {"error": {"message": "it is\\nfull"}}', "error: it is full", id="object"),
        pytest.param(b'data: {"error": "it is full"}', "error: it is full", id="text"),
        pytest.param(b'error: {"code": 500, "message": "it is full"}', "error: it is full", id="line-of-its-own"),
        pytest.param(b"error: <html>", "reports an error.", id="no-reason"),
        pytest.param(b'data: {"choices": [{"delta": {"content": 5}}]}', "can't be understood", id="other-type"),
        pytest.param(b"data: " + b"[" * 60_000, "can't be understood", id="nested"),
    ],
)
def test_an_error_in_the_stream_is_told(line: bytes, reason: str) -> None:
    with pytest.raises(ModelTrouble, match=reason):
        list(CompletionReader().feed(line + b"\n"))
