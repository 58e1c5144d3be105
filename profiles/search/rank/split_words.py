"""Words that fall apart into several terms, such as *log4j*, *pg_dump* or a password, and what their parts tell. Pure.

A digit or a syllable is in nearly every note. Beside what tells in its word it counts; alone it is no sign of the word:
a password, which no note says since it was taken out, would seem to be found by the `2` in its middle.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from scrubjay.profiles.search.query.operators import READ_AS_OPERATORS
from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term, TypedPhrase

_RUN = re.compile(r"[^\W_]+")
_PIECE = re.compile(r"\d+|[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_ORDINARY_MARKS = frozenset("-_'’./,;:!?()[]#*~&¿¡…“”„«»‹›‘？！。，、；：؟،؛")
_SYLLABLE = 2  # letters
_SYLLABLE_OF_MANY = 3  # letters, in a run of more than four pieces, where chance makes such ones
_MANY_PIECES = 4
_SHORTEST_PASSWORD = 6


@dataclass(frozen=True, slots=True)
class SplitWord:
    """A typed word of several parts. Terms are the texts of a query's, as the index has them.

    core: the terms of which one must be in a note for the word to be known. phrases: its runs, piece by piece, which
    know the word where they stand side by side, as `RFC 2119` does `RFC2119`. splinters: terms that tell nothing alone.
    """

    core: tuple[str, ...]
    phrases: tuple[str, ...]
    splinters: frozenset[str]


def split_word(word: str) -> SplitWord | None:
    """How a word falls apart; None where no part of it is a splinter, or where it is made of nothing else."""
    if analysis.is_plain(word) or _DATE.match(word) or analysis.UNSPACED.search(word):
        return None
    parts = analysis.query_words(word)
    runs = {run: pieces for run in _RUN.findall(word) if len(pieces := _pieces(run)) > 1}
    of_many = {piece.lower() for pieces in runs.values() if len(pieces) > _MANY_PIECES for piece in pieces}
    whole = [next(iter(analysis.query_words(run)), "") for run in runs]
    splinters = {
        term for term, typed in parts.items() if term not in whole and _is_splinter(typed, of_many=typed in of_many)
    }
    core = [term for term in whole or parts if term in parts and term not in splinters]
    if not splinters or not core:
        return None
    return SplitWord(tuple(core), tuple(" ".join(pieces) for pieces in runs.values()), frozenset(splinters))


def without_splinters(
    query: LexicalQuery, words: Sequence[str], is_known: Callable[[Term | TypedPhrase], bool]
) -> LexicalQuery:
    """The query without splinters of words that no note has. words: as typed. is_known: whether any note has a part.

    Of a word that is being typed its whole form is the beginning of others.
    """
    asked = {part.text: part for part in query.should if isinstance(part, Term)}
    asked |= {part.typed: part for part in asked.values() if part.prefix}
    kept: list[str] = []
    dropped: set[str] = set()
    begun: set[str] = set()
    for word in words:
        split = split_word(word)
        if split is None or _is_known(split, asked, is_known):
            kept.append(word)
            continue
        dropped |= split.splinters
        if any(asked[text].prefix for text in split.splinters if text in asked):
            begun.add(split.core[0])
    if dropped:
        dropped.difference_update(*map(analysis.query_words, kept))
    if not dropped:
        return query
    should = [part for part in query.should if isinstance(part, TypedPhrase) or part.text not in dropped]
    return replace(query, should=tuple(_as_begun(part) if part.text in begun else part for part in should))


def may_be_password(word: str) -> bool:
    """Whether a word has what passwords have: letters beside digits or odd marks, or capitals inside.

    An operator whose value is none, `created:2026-13`, has not.
    """
    if len(word) < _SHORTEST_PASSWORD or not any(map(str.isalpha, word)):
        return False
    if word.partition(":")[0].lower() in READ_AS_OPERATORS:
        return False
    has_mark = any(not (char.isalnum() or char in _ORDINARY_MARKS) for char in word)
    return has_mark or any(map(str.isdigit, word)) or any(len(_pieces(run)) > 1 for run in _RUN.findall(word))


def _pieces(run: str) -> list[str]:
    return [piece for part in _PIECE.findall(run) for piece in _CAMEL.split(part)]


def _is_splinter(typed: str, *, of_many: bool) -> bool:
    return typed.isdecimal() or len(typed) <= (_SYLLABLE_OF_MANY if of_many else _SYLLABLE)


def _is_known(split: SplitWord, asked: dict[str, Term], is_known: Callable[[Term | TypedPhrase], bool]) -> bool:
    return any(is_known(asked[text]) for text in split.core if text in asked) or any(
        is_known(TypedPhrase(phrase)) for phrase in split.phrases
    )


def _as_begun(part: Term | TypedPhrase) -> Term | TypedPhrase:
    return replace(part, text=part.typed, prefix=True) if isinstance(part, Term) else part
