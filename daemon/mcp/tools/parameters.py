"""Types of the arguments that several tools take, and bounds that are those of the endpoints behind them."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, cast

import msgspec
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from scrubjay.daemon.server.endpoint import Ask
from scrubjay.daemon.server.endpoints.links import RelatedAsk
from scrubjay.daemon.server.endpoints.notes import RecentAsk
from scrubjay.profiles.local_time import LOCAL, local_now
from scrubjay.profiles.search.query.dates import parse_span

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
EntryId = Annotated[str, Field(pattern=r"^#?[0-9A-Fa-f]{12}$")]
Limit = Annotated[int, like(RelatedAsk, "limit")]
Offset = Annotated[int, like(RecentAsk, "offset")]
Moment = Annotated[str, Field(description="2026-11-20, today, 7d or a time.")]
Until = str | None  # a moment as well: what may be written is said beside `since`


def moment(name: str, value: str | None, *, is_end: bool = False) -> datetime | None:
    """The time that an argument means: of a day its beginning, or with `is_end` its end. Raises ToolError."""
    if value is None:
        return None
    try:
        if "t" in value.lower() and value[:1].isdigit():
            exact = datetime.fromisoformat(value)
            return exact if exact.tzinfo else exact.replace(tzinfo=LOCAL)
        first, end = parse_span(value, local_now())
    except ValueError:
        first = end = None
    chosen = end if is_end and end is not None else first
    if chosen is None:
        raise ToolError(f"`{name}` has to be a day, such as 2026-11-20, today or 7d, or a time in RFC 3339.")
    return datetime.fromtimestamp(0, UTC) + timedelta(seconds=chosen // 1_000_000_000)


def last_of(name: str, value: str | None) -> datetime | None:
    """The last moment of a day that an argument means, or the time. Raises ToolError."""
    end = moment(name, value, is_end=True)
    return None if end is None else end - timedelta(microseconds=1)


def day(name: str, value: str | None) -> date | None:
    """The day that an argument means. Raises ToolError."""
    begins = moment(name, value)
    return None if begins is None else begins.astimezone(LOCAL).date()


def entry_id(value: str) -> str:
    """The id of an entry as the journal has it."""
    return value.removeprefix("#").lower()


def several(profiles: list[str] | None) -> tuple[str, ...] | None:
    """As requests name profiles; None for all that are visible."""
    return tuple(profiles) if profiles else None
