"""Types of the arguments that several tools take."""

from typing import Annotated

from pydantic import Field

Profiles = list[str] | None
Profile = str | None
Id = Annotated[str, Field(min_length=1, description="The #id of a result, or a note's path.")]
PassageId = Annotated[str, Field(pattern=r"^#?[0-9A-Fa-f]{6,12}$")]
Text = Annotated[str, Field(min_length=1, max_length=10_000)]
Limit = Annotated[int, Field(ge=1, le=100)]


def several(profiles: list[str] | None) -> tuple[str, ...] | None:
    """As requests name profiles; None for all that are visible."""
    return tuple(profiles) if profiles else None
