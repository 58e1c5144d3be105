"""What differs between two texts, in a few words; and whether they tell other versions or days. Pure."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

_WORD = re.compile(r"\S+")
_MOST_WORDS = 400  # of each text from where they differ on: at worst, the time grows with their product
_MOST_PLACES = 3
_LONGEST = 60  # code points of one side of a place


def difference(text: str, other: str) -> str:
    """The first places where `text` differs from `other`, as "this → that", one a line; "" where no word does.

    Words that only one has stand alone, with "+" for those of `text` and "-" for those of `other` before them.
    """
    mine, theirs = (_WORD.findall(each) for each in (text, other))
    same = next(
        (at for at, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), min(len(mine), len(theirs))
    )
    mine, theirs = mine[same : same + _MOST_WORDS], theirs[same : same + _MOST_WORDS]
    changes = (op for op in SequenceMatcher(None, theirs, mine, autojunk=False).get_opcodes() if op[0] != "equal")
    lines: list[str] = []
    for tag, start, end, my_start, my_end in islice(changes, _MOST_PLACES):
        before, after = _shortened(theirs[start:end]), _shortened(mine[my_start:my_end])
        lines.append(f"{before} → {after}" if tag == "replace" else f"+ {after}" if tag == "insert" else f"- {before}")
    return "\n".join(lines)


def _shortened(words: list[str]) -> str:
    joined = " ".join(words)
    return joined if len(joined) <= _LONGEST else f"{joined[:_LONGEST]}…"


_DAY = re.compile(r"\b((?:19|20)\d{2})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?\b")
_VERSION = re.compile(r"(?:\bv|\bversion |\brelease )(\d+(?:\.\d+)*)\b|\b(\d+\.\d+\.\d+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Told:
    """A day or a version that two texts of one subject tell otherwise, as it is written."""

    older: str
    newer: str
    is_first_older: bool


def told_otherwise(text: str, other: str) -> Told | None:
    """The newest version, or else day, that each of two texts tells and the other does not; None unless both do."""
    for pattern in (_VERSION, _DAY):
        one, two = (_told(pattern, each) for each in (text, other))
        mine, theirs = one.keys() - two.keys(), two.keys() - one.keys()
        if mine and theirs and (mine_last := max(mine)) != (their_last := max(theirs)):
            older, newer = sorted((mine_last, their_last))
            return Told((one | two)[older], (one | two)[newer], mine_last == older)
    return None


def _told(pattern: re.Pattern[str], text: str) -> dict[tuple[int, ...], str]:
    numbers = ((match[0], [part for part in match.groups() if part]) for match in pattern.finditer(text))
    return {tuple(int(each) for part in parts for each in part.split(".")): whole for whole, parts in numbers}
