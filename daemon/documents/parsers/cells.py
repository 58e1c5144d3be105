"""What a cell of a spreadsheet shows: strings, numbers, and the dates that are kept as numbers."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from scrubjay.daemon.documents.parsers.xml import ElementStart, End, events

_BUILT_IN_DATES = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})  # ECMA-376, 18.8.30
_NOT_SHOWN = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')  # of a format: literals, colours, spaces
_DATE_LETTERS = re.compile(r"[dmyhs]", re.IGNORECASE)
_REFERENCE = re.compile(r"([A-Z]{1,3})\d+")
_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001  (a spreadsheet's dates have no zone)
_LAST_DAY = 2_958_465  # 31 December 9999


@dataclass(frozen=True, slots=True)
class Styles:
    """Which of the cells' styles show dates, and how many days later than 1900 the workbook's begin."""

    dates: frozenset[str]
    days_later: int


def read_styles(blocks: Iterable[bytes]) -> Styles:
    """The styles of a workbook by the formats of their numbers."""
    own: set[str] = set()
    dates: set[str] = set()
    in_cells, index = False, 0
    for event in events(blocks):
        if isinstance(event, End) and event.name == "cellXfs":
            in_cells = False
        if not isinstance(event, ElementStart):
            continue
        number = event.attributes.get("numFmtId", "")
        if event.name == "numFmt" and _DATE_LETTERS.search(_NOT_SHOWN.sub("", event.attributes.get("formatCode", ""))):
            own.add(number)
        elif event.name == "cellXfs":
            in_cells = True
        elif event.name == "xf" and in_cells:
            if number in own or (number.isdigit() and int(number) in _BUILT_IN_DATES):
                dates.add(str(index))
            index += 1
    return Styles(frozenset(dates), 0)


def cell_text(value: str, kind: str, style: str, strings: list[str], styles: Styles) -> str:
    """A cell as it reads, from its value, its type (ECMA-376, ST_CellType) and the index of its style."""
    if kind == "s":
        index = int(value) if value.strip().isdigit() else -1
        return strings[index] if 0 <= index < len(strings) else ""
    if kind == "b":
        return {"1": "TRUE", "0": "FALSE"}.get(value, value)
    if kind == "n" and value and style in styles.dates:
        return _date(value, styles.days_later)
    return _number(value) if kind == "n" else value


def column_of(reference: str, otherwise: int) -> int:
    """The column of "AB12", from 0."""
    match = _REFERENCE.fullmatch(reference)
    if not match:
        return otherwise
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return column - 1


def _number(value: str) -> str:
    """A number without the digits that binary fractions add: 0.1 is kept as 0.10000000000000001."""
    try:
        number = float(value)
    except ValueError:
        return value
    return value if "." not in value and "E" not in value.upper() else f"{number:.15g}"


def _date(value: str, days_later: int) -> str:
    try:
        days = float(value) + days_later
    except ValueError:
        return value
    if not 0 <= days <= _LAST_DAY:
        return value
    moment = _EPOCH + timedelta(seconds=round(days * 86_400))
    if days < 1:
        return f"{moment:%H:%M:%S}"
    return f"{moment:%Y-%m-%d}" if days == int(days) else f"{moment:%Y-%m-%d %H:%M}"
