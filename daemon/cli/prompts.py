"""Questions to the person at the terminal, and the answers that `--yes` gives in their place."""

from collections.abc import Sequence
from dataclasses import dataclass

import click

from scrubjay.daemon.sentences.system import system_words


@dataclass(frozen=True, slots=True)
class Prompts:
    """Prompts on the terminal; with `nothing`, every answer is the default."""

    nothing: bool

    def line(self, question: str, default: str | None) -> str:
        """A line. Raises UsageError where it may not ask and there is no default."""
        if not self.nothing:
            return click.prompt(question, default=default, show_default=bool(default)).strip()
        if default is None:
            raise click.UsageError(system_words().option_needed.format(question=question))
        return default

    def confirm(self, question: str, default: bool) -> bool:
        """Yes or no, by their first letters in the user's language or in English."""
        if self.nothing:
            return default
        words = system_words()
        yes, no = (words.yes.upper(), words.no) if default else (words.yes, words.no.upper())
        return click.prompt(
            f"{question} [{yes}/{no}]", default=default, show_default=False, value_proc=_yes_or_no, prompt_suffix=": "
        )

    def choice(self, question: str, among: Sequence[str]) -> str:
        """One of several words, the first unless another is chosen."""
        return among[0] if self.nothing else click.prompt(question, type=click.Choice(among), default=among[0])


def _yes_or_no(answer: str | bool) -> bool:
    """What was typed; click hands the default over as it is. Raises UsageError, after which it asks again."""
    if isinstance(answer, bool):
        return answer
    words, letter = system_words(), answer.strip().lower()[:1]
    if letter in (words.yes, "y"):
        return True
    if letter not in (words.no, "n"):
        raise click.UsageError(words.answer_yes_or_no.format(yes=words.yes, no=words.no))
    return False
