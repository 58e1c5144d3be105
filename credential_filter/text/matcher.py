"""Finds the plain words worth a closer look: names that announce a secret, and needles of rules."""

from __future__ import annotations

import string
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ahocorasick_rs import BytesAhoCorasick, Implementation

from scrubjay.credential_filter.rules.rule import Rule
from scrubjay.credential_filter.text.announcers import Announcer, announcers
from scrubjay.credential_filter.text.scanned_note import Note
from scrubjay.credential_filter.text.secret_names import Name, name_at
from scrubjay.credential_filter.text.unicode import is_latin, lowered
from scrubjay.credential_filter.text.views import MARKS

# Finds the plain words that decide what is worth a closer look: announcers in the whole note, needles near them.
#
# Words of other scripts were found when the note was made ready (`unicode.unusual_text`). Needles are looked for
# around names and generated strings, except those of rules that say `everywhere`.

_ALNUM, _LETTER = b"a0", ord("a")  # in `Note.flat`
_SMALL = frozenset(string.ascii_lowercase)
_SMALL_BEHIND = _SMALL - {"s"}
_BEFORE_RUN, _OF_RUN = 80, 192  # how far around a generated string needles are looked for
_CLOSE = 2
_TELLING_SIZE = 4
_BEFORE_NAME, _AFTER_NAME = 48, 96


class _Entry(NamedTuple):
    """A word, what it announces, and the numbers of the rules that it is a needle of."""

    word: str
    announcer: Announcer | None
    rules: tuple[int, ...]
    mark: bool = False


def _stands_apart(entry: _Entry) -> bool:
    """Whether a letter or digit before the word makes it a part of another (`_is_apart`)."""
    return entry.announcer is not None and bool(entry.announcer.kind) and not entry.announcer.joined


def _begins_itself(entry: _Entry) -> bool:
    """Whether a letter before the word makes it a part of another where it begins with a small one (`name_at`)."""
    return entry.announcer is not None and not entry.announcer.joined


def _ends_itself(entry: _Entry) -> bool:
    """Whether a small letter behind the word, but an s, makes it a part of another (`name_at`)."""
    return entry.announcer is not None and not entry.announcer.inflected


class _Group(NamedTuple):
    """Entries whose words read the same, and what holds of all of them.

    mark: the mark that they are; "" for other words
    """

    entries: list[_Entry]
    mark: str
    apart: bool
    begun: bool
    closed: bool


def _group(entries: list[_Entry]) -> _Group:
    first = entries[0]
    return _Group(
        entries,
        first.word if first.mark else "",
        all(map(_stands_apart, entries)),
        all(map(_begins_itself, entries)),
        all(map(_ends_itself, entries)) and first.word[-1].isascii(),
    )


class Found(NamedTuple):
    """What there is in a note, each in order.

    names:   the names that announce something
    needles: where its needles stand, for each rule worth trying
    marks:   where the marks stand that views look for
    """

    names: list[Name]
    needles: Mapping[int, list[int]]
    marks: Mapping[str, list[int]]


class _Words:
    """Words to be found in one pass, compared after `fold`. Does not change."""

    def __init__(self, entries: Iterable[_Entry], fold: Callable[[str], bytes]) -> None:
        grouped: defaultdict[bytes, list[_Entry]] = defaultdict(list)
        for entry in entries:
            grouped[fold(entry.word)].append(entry)
        self.groups = list(map(_group, grouped.values()))
        self._automaton = BytesAhoCorasick(list(grouped), implementation=Implementation.DFA)

    def find(self, text: bytes) -> list[tuple[int, int, int]]:
        """Number of the group, start and stop of every hit, overlapping ones too, in the order of where they stop."""
        return self._automaton.find_matches_as_indexes(text, overlapping=True)


class Matcher:
    """The words of a set of rules, ready to be looked for. Does not change."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        latin = {word: announcer for word, announcer in announcers().items() if is_latin(word)}
        marks = (_Entry(mark, None, (), mark=True) for mark in MARKS)
        everywhere = _entries(latin, rules, everywhere=True)
        self._latin = _Words([*(entry for entry in everywhere if is_latin(entry.word)), *marks], _fold)
        # blotted out, these would stand everywhere in a text of their script
        self._foreign = [
            (next(char for char in entry.word if not char.isascii()), entry)
            for entry in everywhere
            if not is_latin(entry.word)
        ]
        self._near = _Words(_entries({}, rules, everywhere=False), _plain)
        self._needless = [number for number, rule in enumerate(rules) if rule.regex and not rule.needles]

    def find(self, note: Note) -> Found:
        """What is in the note."""
        places: defaultdict[int, list[int]] = defaultdict(list)
        marks: defaultdict[str, list[int]] = defaultdict(list)
        announced = self._announcers(note, places, marks)
        names = _merged(note.text, sorted(_distinct(note, announced), key=lambda name: name.start))
        text, offsets = _surroundings(note, names) if names or note.runs else (b"", [])
        for number, start, _ in self._near.find(text) if text else ():
            shifted, begin = offsets[bisect_right(offsets, (start, len(note.text))) - 1]
            place = begin + start - shifted
            for entry in self._near.groups[number].entries:
                if entry.word.isascii() or note.text.startswith(entry.word, place):
                    for rule in entry.rules:
                        places[rule].append(place)
        for telling, entry in self._foreign if note.unusual_text.others else ():
            for place in _places(note.text, entry.word) if telling in note.unusual_text.others else ():
                for rule in entry.rules:
                    places[rule].append(place)
        for number in self._needless:
            places[number] = []
        for found in places.values():
            found.sort()
        return Found(names, places, marks)

    def _announcers(
        self, note: Note, places: defaultdict[int, list[int]], marks: defaultdict[str, list[int]]
    ) -> list[tuple[int, int, Announcer]]:
        """Start, stop and meaning of the words that may announce a secret, in the order of where they stop.

        Adds where needles and marks stand to `places` and `marks`.
        """
        groups, text, flat, size = self._latin.groups, note.text, note.flat, len(note.text)
        found: list[tuple[int, int, Announcer]] = []
        for number, start, stop in self._latin.find(note.folded):
            entries, mark, apart, begun, closed = groups[number]
            if mark:
                marks[mark].append(start)
                continue
            if (
                (apart and start and flat[start - 1] in _ALNUM)
                or (closed and stop < size and text[stop] in _SMALL_BEHIND and flat[stop - 1] == _LETTER)
                or (begun and start and flat[start - 1] == _LETTER and text[start] in _SMALL)
            ):
                continue
            for word, announcer, rules, _ in entries:
                if announcer is None:
                    if text.startswith(word, start):
                        for rule in rules:
                            places[rule].append(start)
                elif word.isascii() or lowered(text[start:stop]) == word:
                    found.append((start, stop, announcer))
        if note.unusual_text.words:
            found += [(start, stop, announcers()[word]) for word, start, stop in note.unusual_text.words]
            found.sort(key=_by_stop)
        return found


def _places(text: str, word: str) -> Iterator[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


def _by_stop(found: tuple[int, int, Announcer]) -> int:
    return found[1]


def _distinct(note: Note, found: Iterable[tuple[int, int, Announcer]]) -> list[Name]:
    """The names of what was found, in the order of where it stops; of words that begin alike the longest, and of others the first."""
    names: list[Name] = []
    done = begun = 0  # where the last name's word ends, and begins
    for start, stop, announcer in found:
        if start < done and start > begun:
            continue
        name = name_at(note, start, stop, announcer)
        if name is not None:
            if start < done:  # a longer word for the same
                names.pop()
            done, begun = stop, start
            names.append(name)
    return names


def _merged(text: str, names: Sequence[Name]) -> list[Name]:
    """The names, those as one between which there is nothing but white space: neither is the value of the other."""
    merged: list[Name] = []
    for name in names:
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.kind == name.kind
            and name.start - last.stop <= _CLOSE
            and not text[last.stop : name.start].strip()
        ):
            bits = max(last.bits, name.bits)
            noted, logins = last.noted or name.noted, max(last.logins, name.logins)
            merged[-1] = Name(last.start, max(last.stop, name.stop), bits, noted, name.kind, logins)
        else:
            merged.append(name)
    return merged


def _surroundings(note: Note, names: Iterable[Name]) -> tuple[bytes, list[tuple[int, int]]]:
    """The text around names and generated strings in one piece, and where each part starts, there and in the note."""
    spans = [(start - _BEFORE_RUN, min(stop, start + _OF_RUN)) for start, stop in note.runs]
    spans += [(name.start - _BEFORE_NAME, name.stop + _AFTER_NAME) for name in names if not name.kind]
    parts: list[bytes] = []
    offsets: list[tuple[int, int]] = []
    size = 0
    for start, stop in _disjoint(sorted(spans)):
        offsets.append((size, start))
        parts.append(note.plain[start:stop])
        size += len(parts[-1]) + 1
    return b"\n".join(parts), offsets


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


def _plain(word: str) -> bytes:
    return word.encode("ascii", "replace")


def _fold(word: str) -> bytes:
    return _plain(word).lower()


def _is_telling(needle: str) -> bool:
    """Whether text hardly ever holds it: so it need not stand near a generated string to be worth a look."""
    word = needle.isalpha() and (needle.islower() or needle.istitle())
    return len(needle) >= _TELLING_SIZE and not word and needle.isascii()


def _entries(words: Mapping[str, Announcer], rules: Sequence[Rule], *, everywhere: bool) -> list[_Entry]:
    needles: defaultdict[str, list[int]] = defaultdict(list)
    for number, rule in enumerate(rules):
        for needle in rule.needles:
            if (rule.everywhere or _is_telling(needle)) == everywhere:
                needles[needle].append(number)
    entries = [_Entry(word, announcer, ()) for word, announcer in words.items()]
    return entries + [_Entry(needle, None, tuple(numbers)) for needle, numbers in needles.items()]
