"""The bounds of tools' arguments: those of the endpoints behind them."""

from typing import Annotated

import pytest
from msgspec import Meta
from pydantic import BaseModel, ValidationError

from scrubjay.daemon.mcp.tools.parameters import like
from scrubjay.daemon.server.endpoint import Ask


class Wanted(Ask, frozen=True):
    """What an endpoint takes."""

    number: Annotated[int, Meta(ge=2, le=4, description="a number")] = 2
    text: Annotated[str, Meta(min_length=1, max_length=3)] | None = None
    names: Annotated[tuple[str, ...], Meta(max_length=2)] = ()
    anything: str = ""


class Arguments(BaseModel):
    """What a tool takes."""

    number: Annotated[int, like(Wanted, "number", "said")] = 2
    text: Annotated[str | None, like(Wanted, "text")] = None
    names: Annotated[list[str] | None, like(Wanted, "names")] = None


def test_an_argument_is_bounded_as_the_field_of_the_endpoint_and_described_in_its_own_words() -> None:
    for fits in ({"number": 2}, {"number": 4}, {"text": "abc"}, {"text": None}, {"names": ["a", "b"]}):
        Arguments.model_validate(fits)
    for misfit in ({"number": 1}, {"number": 5}, {"text": ""}, {"text": "abcd"}, {"names": ["a", "b", "c"]}):
        with pytest.raises(ValidationError):
            Arguments.model_validate(misfit)
    assert Arguments.model_json_schema()["properties"]["number"]["description"] == "said"
    with pytest.raises(ValueError, match="anything of Wanted has no bounds"):
        like(Wanted, "anything")
