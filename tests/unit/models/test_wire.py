"""What the daemon and its embedding worker say to each other."""

import pytest

from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.model_messages import EmbedQuery, ModelStart, Passages, encode, request_of, start_of


@pytest.mark.parametrize("request_", [EmbedQuery("heron"), EmbedQuery(""), Passages([]), Passages(["heron", "🐦"])])
def test_a_request_arrives_as_it_was_sent(request_: EmbedQuery | Passages) -> None:
    assert request_of(encode(request_)) == request_


def test_the_model_arrives_as_it_was_sent() -> None:
    assert start_of(encode(ModelStart(BUNDLED, threads=3))) == ModelStart(BUNDLED, threads=3)
