"""Times in plain words: as values of `modified:`, and among a query's words, where they are offered as a filter.

Somebody who types `budget last week` may mean the time or the words; the words are searched, and a hint gives the query
that filters by it. `plain_dates.toml` has the words.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from importlib import resources
from typing import cast

from scrubjay.profiles.search.query.query_tree import QueryWarning, Word

_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff]+")
_DAY_BEFORE_YESTERDAY = "day before yesterday"


def _read() -> dict[str, str]:
    """By what people say: what it is called after `modified:`."""
    file = resources.files("scrubjay.profiles.search.query") / "plain_dates.toml"
    times = cast("Mapping[str, Mapping[str, list[str]]]", tomllib.loads(file.read_text(encoding="utf-8")))
    return {said: time for time, by_language in times.items() for many in by_language.values() for said in many}


_TIMES = _read()
_LONGEST = max(len(said.split()) for said in _TIMES)
_FIRST_WORDS = frozenset(said.split()[0] for said in _TIMES)
_WITHOUT_SPACES = "|".join(sorted(filter(_UNSPACED.fullmatch, _TIMES), key=len, reverse=True))
_IN_A_RUN = re.compile(f"^({_WITHOUT_SPACES})(?:[的の])?|({_WITHOUT_SPACES})$")
"""At the beginning of what is written without spaces, with what joins it to the rest, or at its end."""


def named_time(said: str, now: datetime) -> str:
    """What people call a time, as `dates.parse_span` reads it; "" for what is none."""
    time = _TIMES.get(_said(said), "")
    return (now - timedelta(days=2)).date().isoformat() if time == _DAY_BEFORE_YESTERDAY else time


def _said(text: str) -> str:
    """What was typed, as `plain_dates.toml` writes it."""
    return " ".join(text.casefold().replace("’", "'").split())


def date_hints(query: str, words: Sequence[Word], now: datetime) -> Iterator[QueryWarning]:
    """A hint for each time that stands in plain words. words: those of the query, in its order."""
    named = dict(_named_times([word.text for word in words]))
    for at, word in enumerate(words):
        start = word.span[0]
        if count := named.get(at):
            time = named_time(" ".join(each.text for each in words[at : at + count]), now)
            yield _hint(query, start, words[at + count - 1].span[1], time)
        elif not word.text.isascii() and (found := _IN_A_RUN.search(word.text)):
            yield _hint(query, start + found.start(), start + found.end(), named_time(found[1] or found[2], now))


def words_of_times(words: Sequence[str]) -> list[str]:
    """Those of a query's words that name a time together. words: in its order."""
    return [word for at, count in _named_times(words) for word in words[at : at + count]]


def _named_times(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where words name a time, and how many do: as many as can."""
    at = 0
    while at < len(words):
        may_begin = not _FIRST_WORDS.isdisjoint(_said(words[at]).split()[:1])
        counts = range(min(_LONGEST, len(words) - at) if may_begin else 0, 0, -1)
        count = next((count for count in counts if _said(" ".join(words[at : at + count])) in _TIMES), 0)
        if count:
            yield at, count
        at += count or 1


def _hint(query: str, start: int, end: int, time: str) -> QueryWarning:
    instead = f'modified:"{time}"' if " " in time else f"modified:{time}"
    rest = " ".join(f"{query[:start]} {instead} {query[end:]}".split())
    message = f"These words are searched. For the notes changed then, write {instead}."
    return QueryWarning("date-in-words", message, start, end, rest)
