"""Groups of commands that also answer to names that people try."""

from collections.abc import Mapping
from typing import Any

import click


class GroupWithOtherNames(click.Group):
    """A group that takes each of `other_names` for the command that it stands for; the help names commands once."""

    def __init__(self, *args: Any, other_names: Mapping[str, str], **options: Any) -> None:
        super().__init__(*args, **options)
        self._other_names = other_names

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names, as click looks for it."""
        return super().resolve_command(ctx, [self._other_names.get(args[0], args[0]), *args[1:]])
