"""Finds the plain words that decide what is worth a closer look: announcers in the whole note, needles near them.

Words of other scripts are looked for only where one of their first letters occurs, and needles only around names and
generated strings, except those of rules that say `everywhere`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ahocorasick_rs import AhoCorasick, Implementation

from scrubjay.credential_filter.announcers import Announcer, Name, announcers, name_at
from scrubjay.credential_filter.note import Note, encodable
from scrubjay.credential_filter.rule import Rule

_BEFORE_RUN, _OF_RUN = 80, 192  # how far around a generated string needles are looked for
_BEFORE_NAME, _AFTER_NAME = 48, 96


@dataclass(frozen=True, slots=True)
class _Entry:
    """A word, what it announces, and the numbers of the rules that it is a needle of."""

    word: str
    announcer: Announcer | None
    rules: tuple[int, ...]


class _Words:
    """Words to be found in one pass, compared after `fold`. Does not change."""

    def __init__(self, entries: Iterable[_Entry], fold: Callable[[str], str]) -> None:
        grouped: defaultdict[str, list[_Entry]] = defaultdict(list)
        for entry in entries:
            grouped[fold(entry.word)].append(entry)
        self._groups = list(grouped.values())
        self._automaton = AhoCorasick(grouped, implementation=Implementation.DFA, store_patterns=False)

    def find(self, text: str) -> list[tuple[list[_Entry], int, int]]:
        """The words, start and stop of every hit, overlapping ones too, in the order of where they stop."""
        groups = self._groups
        hits = self._automaton.find_matches_as_indexes(text, overlapping=True)
        return [(groups[group], start, stop) for group, start, stop in hits]


class Matcher:
    """The words of a set of rules, ready to be looked for. Does not change."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        words = announcers()
        latin = {word: announcer for word, announcer in words.items() if _is_latin(word)}
        others = {word: announcer for word, announcer in words.items() if word not in latin}
        self._latin = _Words(_entries(latin, rules, everywhere=True), _fold)
        self._others = _Words(_entries(others, (), everywhere=True), str.lower)
        self._starts = sorted({start for word in others for start in (word[0], word[0].upper())})
        self._near = _Words(_entries({}, rules, everywhere=False), _plain)
        self._needless = [number for number, rule in enumerate(rules) if rule.regex and not rule.needles]

    def find(self, note: Note) -> tuple[list[Name], Mapping[int, list[int]]]:
        """The names in the note, in order, and for each rule worth trying where its needles stand, in order."""
        places: defaultdict[int, list[int]] = defaultdict(list)
        names = sorted(self._names(note, places), key=lambda name: name.start)
        text, offsets = _surroundings(note, names)
        for entries, start, _ in self._near.find(text):
            shifted, begin = offsets[bisect_right(offsets, (start, len(note.text))) - 1]
            place = begin + start - shifted
            for entry in entries:
                if entry.word.isascii() or note.text.startswith(entry.word, place):
                    for number in entry.rules:
                        places[number].append(place)
        for number in self._needless:
            places[number] = []
        for found in places.values():
            found.sort()
        return names, places

    def _names(self, note: Note, places: defaultdict[int, list[int]]) -> Iterator[Name]:
        text, done = note.text, 0
        for entries, start, stop in self._hits(note):
            for entry in entries:
                word = entry.word
                if entry.announcer is None:
                    if text.startswith(word, start):
                        for number in entry.rules:
                            places[number].append(start)
                elif start >= done and (word.isascii() or text[start:stop].lower() == word):
                    name = name_at(note, start, stop, entry.announcer)
                    if name is not None:
                        done = stop
                        yield name

    def _hits(self, note: Note) -> list[tuple[list[_Entry], int, int]]:
        hits = self._latin.find(note.folded)
        if not note.text.isascii() and any(map(note.text.__contains__, self._starts)):
            lowered = note.text.lower()
            if len(lowered) == len(note.text):
                hits += self._others.find(encodable(lowered))
        return hits


def _surroundings(note: Note, names: Iterable[Name]) -> tuple[str, list[tuple[int, int]]]:
    """The text around names and generated strings in one piece, and where each part starts, there and in the note."""
    spans = [(start - _BEFORE_RUN, min(stop, start + _OF_RUN)) for start, stop in note.runs]
    spans += [(name.start - _BEFORE_NAME, name.stop + _AFTER_NAME) for name in names]
    parts: list[str] = []
    offsets: list[tuple[int, int]] = []
    size = 0
    for start, stop in _disjoint(sorted(spans)):
        offsets.append((size, start))
        parts.append(note.plain[start:stop])
        size += len(parts[-1]) + 1
    return "\n".join(parts), offsets


def _disjoint(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    if not spans:
        return
    start, stop = max(0, spans[0][0]), spans[0][1]
    for next_start, next_stop in spans:
        if next_start > stop:
            yield start, stop
            start = next_start
        stop = max(stop, next_stop)
    yield start, stop


def _is_latin(word: str) -> bool:
    return word[0].isascii() and sum(char.isascii() for char in word) >= len(word) / 2


def _plain(word: str) -> str:
    return word.encode("ascii", "replace").decode("ascii")


def _fold(word: str) -> str:
    return _plain(word).lower()


def _entries(words: Mapping[str, Announcer], rules: Sequence[Rule], *, everywhere: bool) -> list[_Entry]:
    needles: defaultdict[str, list[int]] = defaultdict(list)
    for number, rule in enumerate(rules):
        if rule.everywhere == everywhere:
            for needle in rule.needles:
                needles[needle].append(number)
    entries = [_Entry(word, announcer, ()) for word, announcer in words.items()]
    return entries + [_Entry(needle, None, tuple(numbers)) for needle, numbers in needles.items()]
