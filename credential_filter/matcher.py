"""Finds the plain words that decide what is worth a closer look: announcers in the whole note, needles near them.

An Aho-Corasick automaton slows down with the number of letters that its words start with. So words of other scripts
are looked for only where one of their first letters occurs, and needles only around names and generated strings,
except those of rules that say `everywhere`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import ahocorasick

from credential_filter.announcers import Announcer, Name, announcers, name_at
from credential_filter.note import Note
from credential_filter.rule import Rule

_BEFORE_RUN, _OF_RUN = 80, 192  # how far around a generated string needles are looked for
_BEFORE_NAME, _AFTER_NAME = 48, 96

_Entry = tuple[str, Announcer | None, tuple[int, ...]]  # a word, what it announces, the rules it is a needle of


class Matcher:
    """The words of a set of rules, ready to be looked for. Does not change."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        words = announcers()
        latin = {word: announcer for word, announcer in words.items() if _is_latin(word)}
        others = {word: announcer for word, announcer in words.items() if word not in latin}
        self._latin = _automaton(_entries(latin, rules, everywhere=True), _fold)
        self._others = _automaton(_entries(others, (), everywhere=True), str.lower)
        self._starts = sorted({start for word in others for start in (word[0], word[0].upper())})
        self._near = _automaton(_entries({}, rules, everywhere=False), str)
        self._needless = [number for number, rule in enumerate(rules) if rule.regex and not rule.needles]

    def find(self, note: Note) -> tuple[list[Name], Mapping[int, list[int]]]:
        """The names in the note, in order, and for each rule worth trying where its needles stand, in order."""
        places: defaultdict[int, list[int]] = defaultdict(list)
        names = sorted(self._names(note, places), key=lambda name: name.start)
        text, offsets = _surroundings(note, names)
        for last, entries in self._near.iter(text):
            for word, _, numbers in entries:
                shifted, begin = offsets[bisect_right(offsets, (last, len(note.text))) - 1]
                for number in numbers:
                    places[number].append(begin + last + 1 - len(word) - shifted)
        for number in self._needless:
            places[number] = []
        for found in places.values():
            found.sort()
        return names, places

    def _names(self, note: Note, places: defaultdict[int, list[int]]) -> Iterator[Name]:
        text, done = note.text, 0
        for last, entries in self._hits(note):
            for word, announcer, numbers in entries:
                start = last + 1 - len(word)
                if announcer is None:
                    if text.startswith(word, start):
                        for number in numbers:
                            places[number].append(start)
                elif start >= done and (word.isascii() or text[start : last + 1].lower() == word):
                    name = name_at(text, start, last + 1, announcer)
                    if name is not None:
                        done = last + 1
                        yield name

    def _hits(self, note: Note) -> Iterator[tuple[int, tuple[_Entry, ...]]]:
        yield from self._latin.iter(note.folded)
        if not note.text.isascii() and any(start in note.text for start in self._starts):
            lowered = note.text.lower()
            if len(lowered) == len(note.text):
                yield from self._others.iter(lowered)


def _surroundings(note: Note, names: Iterable[Name]) -> tuple[str, list[tuple[int, int]]]:
    """The text around names and generated strings in one piece, and where each part starts, there and in the note."""
    spans = [(start - _BEFORE_RUN, min(stop, start + _OF_RUN)) for start, stop in note.runs]
    spans += [(name.start - _BEFORE_NAME, name.stop + _AFTER_NAME) for name in names]
    parts: list[str] = []
    offsets: list[tuple[int, int]] = []
    size = 0
    for start, stop in _disjoint(sorted(spans)):
        offsets.append((size, start))
        parts.append(note.text[start:stop])
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


def _fold(word: str) -> str:
    return word.encode("ascii", "replace").decode("ascii").lower()


def _entries(words: Mapping[str, Announcer], rules: Sequence[Rule], *, everywhere: bool) -> list[_Entry]:
    needles: defaultdict[str, list[int]] = defaultdict(list)
    for number, rule in enumerate(rules):
        if rule.everywhere == everywhere:
            for needle in rule.needles:
                needles[needle].append(number)
    entries: list[_Entry] = [(word, announcer, ()) for word, announcer in words.items()]
    return entries + [(needle, None, tuple(numbers)) for needle, numbers in needles.items()]


def _automaton(entries: list[_Entry], fold: Callable[[str], str]) -> ahocorasick.Automaton:
    grouped: defaultdict[str, list[_Entry]] = defaultdict(list)
    for entry in entries:
        grouped[fold(entry[0])].append(entry)
    automaton = ahocorasick.Automaton()
    for word, group in grouped.items():
        automaton.add_word(word, tuple(group))
    automaton.make_automaton()
    return automaton
