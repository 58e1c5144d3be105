"""What a lexical query is made of."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Term:
    """A word, analysed (`analysis.query_terms`). As a prefix it is the beginning of a word, folded and not stemmed; it
    stands for its own stem, for the terms that begin with it and for the stems of what it may become.

    typed: the word that it is the stem of, in which a typo was made if no note has it.
    """

    text: str
    weight: float = 1.0
    prefix: bool = False
    typed: str = field(default="", compare=False)

    @property
    def key(self) -> str:
        """Its name in `TermStats.frequencies`; no analysed term holds an asterisk."""
        return f"{self.text}*" if self.prefix else self.text


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in this order and next to each other, as typed (not analysed)."""

    text: str
    weight: float = 1.0

    @property
    def key(self) -> str:
        """Its name in `TermStats.frequencies`; no analysed term holds a quotation mark."""
        return f'"{self.text}"'


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """What to look for: `should` scores; a note must hold each of `must` and none of `must_not`.

    name: the query as a whole, which may be what a note is called; "" where it can't be.
    """

    should: tuple[Term | Phrase, ...]
    must: tuple[Phrase, ...] = ()
    must_not: tuple[Phrase, ...] = ()
    name: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys to ask `Store.term_stats` for."""
        return tuple(dict.fromkeys(part.key for part in self.should))


def part_of(key: str) -> Term | Phrase:
    """The inverse of `key`."""
    if key.startswith('"'):
        return Phrase(key[1:-1])
    return Term(key.removesuffix("*"), prefix=key.endswith("*"))
