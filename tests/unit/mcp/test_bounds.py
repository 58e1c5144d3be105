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


@pytest.mark.parametrize(
    ("argument", "fits"),
    [
        ('{"number": 2}', True),
        ('{"number": 4}', True),
        ('{"number": 1}', False),
        ('{"number": 5}', False),
        ('{"text": "abc"}', True),
        ('{"text": null}', True),
        ('{"text": ""}', False),
        ('{"text": "abcd"}', False),
        ('{"names": ["a", "b"]}', True),
        ('{"names": ["a", "b", "c"]}', False),
    ],
)
def test_an_argument_is_bounded_as_the_field_of_the_endpoint(argument: str, fits: bool) -> None:
    if fits:
        Arguments.model_validate_json(argument)
    else:
        with pytest.raises(ValidationError):
            Arguments.model_validate_json(argument)


def test_an_argument_is_described_in_its_own_words() -> None:
    assert Arguments.model_json_schema()["properties"]["number"]["description"] == "said"


def test_a_field_without_bounds_gives_none() -> None:
    with pytest.raises(ValueError, match="anything of Wanted has no bounds"):
        like(Wanted, "anything")
