"""Questions to the person at the terminal, and the answers that `--yes` gives in their place."""

from collections.abc import Sequence
from dataclasses import dataclass

import click


@dataclass(frozen=True, slots=True)
class Prompts:
    """Prompts on the terminal; with `nothing`, every answer is the default."""

    nothing: bool

    def line(self, question: str, default: str | None) -> str:
        """A line. Raises UsageError where it may not ask and there is no default."""
        if not self.nothing:
            return click.prompt(question, default=default, show_default=bool(default)).strip()
        if default is None:
            raise click.UsageError(f"With --yes this has to be said by an option: {question}")
        return default

    def confirm(self, question: str, default: bool) -> bool:
        """Yes or no."""
        return default if self.nothing else click.confirm(question, default=default)

    def choice(self, question: str, among: Sequence[str]) -> str:
        """One of several words, the first unless another is chosen."""
        return among[0] if self.nothing else click.prompt(question, type=click.Choice(among), default=among[0])
