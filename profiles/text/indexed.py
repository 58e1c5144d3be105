"""A text as the word indexes take it in."""

from dataclasses import dataclass
from functools import cached_property

from scrubjay.profiles.text import analysis


@dataclass(frozen=True)
class Indexed:
    """A text as it goes into the indexes, and apart from it the stems in its own language."""

    text: str
    added: str

    @classmethod
    def of(cls, text: str, stemmed: str) -> "Indexed":
        """The text of a note in this language (see `analysis.stemmed_language`)."""
        return cls(analysis.index_text(text), analysis.stems_text(text, stemmed))

    @property
    def whole(self) -> str:
        """What positions are counted in: the stems at the end, where they can't stand between the words of a phrase."""
        return f"{self.text}\n{self.added}" if self.added else self.text

    @cached_property
    def terms(self) -> list[str]:
        """The terms of the text."""
        return analysis.tokenize(self.text)

    @cached_property
    def stems(self) -> list[str]:
        """Those that are only stems."""
        return analysis.tokenize(self.added) if self.added else []

    @property
    def places(self) -> list[str]:
        """The term at each position of `whole`; "" where nothing is left of a word."""
        return [*self.terms, *self.stems]
