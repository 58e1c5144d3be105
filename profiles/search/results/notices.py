"""What is said above results: words that no note has, what was searched in the place of others, what is unread."""

import re
from collections.abc import Iterable, Mapping, Sequence

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.rank.highlights import Highlighter
from scrubjay.profiles.search.rank.lexical_query import QueryTerm, ScoredWords
from scrubjay.profiles.search.rank.split_words import may_be_password
from scrubjay.profiles.search.types import Notice, UnreadNotes

# What is said above the results: words that no note has, and what was searched in the place of others.

_WORD = re.compile(r"\w+")


def notices(query: str, words: ScoredWords, passages: Iterable[str]) -> tuple[Notice, ...]:
    """The notices of a search for `query`. passages: among the best found, to spell a mended word as notes do."""
    said: list[Notice] = []
    if words.instead:
        texts = tuple(passages)
        spelt = {typed: _spelt(term, texts, words.languages) for typed, term in words.instead.items()}
        mended = _with(query, spelt)
        said.append(Notice("mended", f"Showing results for {mended}.", tuple(spelt), mended))
    secrets = tuple(word for word in words.absent if may_be_password(word))
    if others := tuple(word for word in words.absent if word not in secrets):
        said.append(Notice("absent-words", f"No note says {_either(others)}.", others))
    if secrets:
        text = f"No note says {_either(secrets)}; if it was a password, it was taken out before indexing."
        said.append(Notice("absent-password", text, secrets))
    return tuple(said)


def _either(words: Sequence[str]) -> str:
    return " or ".join(f'"{word}"' for word in words)


def unfinished_notice(looked: tuple[int, int] | None, seconds: float) -> tuple[Notice, ...]:
    """That an operator which reads the texts of notes had no time for all. looked: at how many, of how many."""
    if looked is None:
        return ()
    done, total = looked
    said = f"Stopped after {seconds:g} seconds; {done:,} of {total:,} notes were looked at, the newest first."
    return (Notice("unfinished", f"{said} Another word or filter in the query leaves fewer.", ()),)


def unread_notice(unread: UnreadNotes) -> tuple[Notice, ...]:
    """That there may be more, where some notes have not been read yet."""
    waiting = [f"Profile {name} has not been read yet" for name in unread.profiles]
    if unread.notes:
        waiting.append(f"{unread.notes:,} of your notes have not been read yet")
    if not waiting:
        return ()
    return (Notice("unread", f"{'. '.join(waiting)}, so there may be more.", ()),)


def _spelt(term: str, passages: Iterable[str], languages: Sequence[str]) -> str:
    """A term as a passage spells it; the term itself where none of them has it."""
    highlighter = Highlighter((QueryTerm(term, others=(term,)),), languages)
    for text in passages:
        for match in sorted(highlighter.matches(text)):
            return text[match.start : match.end].lower()
    return term


def _with(query: str, instead: Mapping[str, str]) -> str:
    """The query with words put in the place of others."""
    return _WORD.sub(lambda word: instead.get(fold(word[0]), word[0]), query)
