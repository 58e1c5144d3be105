"""Types of the arguments that several tools take, and bounds that are those of the endpoints behind them."""

from collections.abc import Iterator
from typing import Annotated, Any, cast

import msgspec
from pydantic import Field

from scrubjay.daemon.server.endpoint import Ask
from scrubjay.daemon.server.endpoints.links import RelatedAsk

_BOUNDS = ("ge", "le", "min_length", "max_length")


def like(ask: type[Ask], name: str, description: str | None = None) -> Any:
    """What an argument has to be: within the bounds of a field of what an endpoint takes. It must have some."""
    of_ask = cast("msgspec.inspect.StructType", msgspec.inspect.type_info(ask))
    field = next(field for field in of_ask.fields if field.name == name)
    for kind in _kinds(field.type):
        if bounds := {bound: most for bound in _BOUNDS if (most := getattr(kind, bound, None)) is not None}:
            return Field(description=description, **bounds)
    raise ValueError(f"{name} of {ask.__name__} has no bounds")


def _kinds(kind: msgspec.inspect.Type) -> Iterator[msgspec.inspect.Type]:
    """A type without what is said about it; of a union, each."""
    match kind:
        case msgspec.inspect.Metadata():
            yield from _kinds(kind.type)
        case msgspec.inspect.UnionType():
            for each in kind.types:
                yield from _kinds(each)
        case _:
            yield kind


Profiles = list[str] | None
Profile = str | None
Id = Annotated[str, Field(min_length=1, description="The #id of a result, or a note's path.")]
PassageId = Annotated[str, Field(pattern=r"^#?[0-9A-Fa-f]{6,12}$")]
Limit = Annotated[int, like(RelatedAsk, "limit")]


def several(profiles: list[str] | None) -> tuple[str, ...] | None:
    """As requests name profiles; None for all that are visible."""
    return tuple(profiles) if profiles else None
