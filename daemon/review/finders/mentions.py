"""Where names of notes stand as plain words in other notes: all names at once, by Aho and Corasick's automaton."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import msgspec
from ahocorasick_rs import AhoCorasick

from scrubjay.daemon.review.review_notes import NoteBody
from scrubjay.daemon.vault.markdown.payloads import NOT_PROSE, only_prose
from scrubjay.profiles.names import link_key
from scrubjay.profiles.search.words.analysis import UNSPACED
from scrubjay.profiles.store.note_texts import StoredNote

_SHORTEST = 3  # letters; shorter words are often said without meaning the note
_SHORTEST_UNSPACED = 2  # of scripts without spaces, where a letter says more
_PARTING = re.compile(r"[-_]+")
_BESIDE = 24  # code points
_SENTENCE_START = re.compile(r"(?:^|[.!?:;|…。！？]|(?:^|\s)[-*+>–—]|\d[.)]|\])[\s*_\"'“‘(\[]*$")
_CAPITALISED_BEFORE = re.compile(r"\b[A-Z][\w'’-]*[ ]$")
_CAPITALISED_AFTER = re.compile(r"[ ][A-Z][\w'’-]*")
_INNER = frozenset("/\\@#-_~=+&'’")
"""Beside a name, and with a letter behind them, these make it part of something longer: a path, a compound."""


Setting: TypeAlias = Literal["", "opening", "part"]
"""Of a single capitalised word: where any word has a capital, or beside another, perhaps as a part of a longer name."""


@dataclass(frozen=True, slots=True)
class OwnName:
    """What one note alone is called in its vault."""

    key: str  # folded
    note_id: int
    written: str


class Mention(msgspec.Struct, frozen=True, array_like=True):
    """A name as it stands in a text."""

    number: int  # of the name
    line: int  # 1-based
    column: int  # 1-based, code points of the line as it is in the body
    text: str  # as written
    setting: Setting


def names_of_vault(notes: Sequence[StoredNote]) -> dict[str, OwnName | None]:
    """One vault's names by key; None where one is too short, or several notes have it.

    Names are aliases, and file names as they are written and as they are said: "to-do" also as "to do".
    """
    found: dict[str, OwnName | None] = {}

    def add(key: str, note_id: int, written: str) -> None:
        if key not in found:
            found[key] = OwnName(key, note_id, written.strip()) if can_be_looked_for(key) else None
        elif (known := found[key]) is not None and known.note_id != note_id:
            found[key] = None

    for note in notes:
        for written in (file_name(note.path), *note.aliases):
            add(name_key(written), note.note_id, written)
    written_so = frozenset(found)
    for note in notes:
        spoken = _PARTING.sub(" ", file_name(note.path))
        if (key := name_key(spoken)) not in written_so:
            add(key, note.note_id, spoken)
    return found


def file_name(path: str) -> str:
    """A note's file name as links name it: without folders and ".md"."""
    return path.rpartition("/")[2].removesuffix(".md")


def name_key(name: str) -> str:
    """Under which names are equal that Obsidian takes for one; of the length of the name."""
    return _lower(link_key(name.strip()))


class Mentions:
    """Looks for names in texts. Linear in a text's length, however many names there are."""

    def __init__(self, names: Iterable[OwnName]) -> None:
        self._names = list(names)
        self._automaton = AhoCorasick([name.key for name in self._names]) if self._names else None

    def within(self, body: NoteBody, own_id: int) -> Iterator[Mention]:
        """The mentions of other notes than `own_id` in running text, in its order, the longest where they overlap.

        They depend on the body, `own_id`, and the names' keys and notes.
        """
        if self._automaton is None:
            return
        prose = _lower(only_prose(body.text))
        lines: Sequence[str] = body.lines
        line, line_start, taken = 1, 0, 0
        found = self._automaton.find_matches_as_indexes(prose, overlapping=True)
        for number, start, end in sorted(found, key=lambda match: (match[1], -match[2])):
            if start < taken or not _stands_alone(prose, start, end):
                continue
            taken = end
            name = self._names[number]
            if name.note_id == own_id:
                continue
            line += prose.count("\n", line_start, start)
            line_start = prose.rfind("\n", 0, start) + 1
            at = start - line_start
            row, stop = lines[line - 1], at + end - start
            yield Mention(number, line, at + 1, row[at:stop], _setting(row, at, stop))


def _setting(row: str, at: int, stop: int) -> Setting:
    if not (row[at].isupper() and row[at + 1 : stop].isalpha() and row[at + 1 : stop].islower()):
        return ""
    before = row[max(at - _BESIDE, 0) : at]
    if _CAPITALISED_AFTER.match(row[stop : stop + _BESIDE]) or _CAPITALISED_BEFORE.search(before):
        return "part"
    return "opening" if _SENTENCE_START.search(before) else ""


def _lower(text: str) -> str:
    """Lower case, of the same length."""
    return text.replace("İ", "i").lower()


def can_be_looked_for(key: str) -> bool:
    """Whether a folded name is long enough to be found in text, and can stand there."""
    letters = sum(map(str.isalpha, key))
    least = _SHORTEST_UNSPACED if UNSPACED.search(key) else _SHORTEST
    return letters >= least and not any(mark in key for mark in "[]|#^\n" + NOT_PROSE)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a stretch is words of its own."""
    before, after = text[max(start - 2, 0) : start], text[end : end + 2]
    if _goes_on(text[start], before[-1:]) or _goes_on(text[end - 1], after[:1]):
        return False
    if before[-1:] in _INNER and before[-1:] and before[:1].isalnum() and len(before) == 2:
        return False
    if before[-1:] and before[-1:] in "/\\@#~$":
        return False
    if after[:1] in ("'", "’"):
        return True
    return not (after[:1] and after[:1] in "/\\@_-=+&.:" and after[1:2].isalnum())


def _goes_on(inner: str, outer: str) -> bool:
    """Whether two neighbouring characters belong to one word."""
    if not outer or not (outer.isalnum() or outer == "_") or not (inner.isalnum() or inner == "_"):
        return False
    return not (UNSPACED.match(inner) or UNSPACED.match(outer))
