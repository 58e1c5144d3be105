"""Which of the passages that answer a question say the same thing with another number or date, and which is the newest.

Two passages disagree where the sentences that answer best hold the question's words alike, name nothing that sets them
apart, and give different values of one kind: dates, times, percentages, amounts of money, or numbers that stand beside
the same word. A passage is older than another if the day that its note gives itself is, else the day on which the note
was changed; where these two contradict each other neither is called older. A file's day alone makes nothing newer than
a day that a note gives itself: a vault that was copied has all its files of one day. Pure.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias

from scrubjay.daemon.answers.passage_parts import parts_of, with_heads, worth_quoting
from scrubjay.daemon.answers.question import Question
from scrubjay.daemon.answers.quotable_passages import QuotablePassage
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.profiles.local_time import LOCAL
from scrubjay.profiles.search.words import analysis

LOOKED_AT = 20
"""Passages, the best ones, among which a newer one is looked for."""
_ALIKE = 0.6
"""Share of the question's weight that both must hold."""
_SENTENCES = 2
_Day: TypeAlias = tuple[int, int, int]
"""Year, month and day; 0 for what is not said."""

_MONTHS: Mapping[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero gennaio janeiro januari",
            "february feb februar février febrero febbraio fevereiro februari",
            "march mar märz mars marzo março maart",
            "april apr avril abril aprile",
            "may mai mayo maggio maio mei",
            "june jun juni juin junio giugno junho",
            "july jul juli juillet julio luglio julho",
            "august aug août agosto augustus",
            "september sep sept septembre septiembre settembre setembro",
            "october oct oktober okt octobre octubre ottobre outubro",
            "november nov novembre noviembre novembro",
            "december dec dezember dez décembre diciembre dicembre dezembro",
        ),
        1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    r"(?<![\d.])(?P<y1>\d{4})-(?P<m1>\d{2})(?:-(?P<d1>\d{2}))?(?![\d-])"
    r"|(?<![\d.])(?P<d2>\d{1,2})\.(?P<m2>\d{1,2})\.(?P<y2>\d{4})(?!\d)"
    rf"|\b(?:(?P<d3>\d{{1,2}})(?:st|nd|rd|th|\.|º)?(?: of| de)? )?(?P<m3>{_MONTH})\b\.?"
    r"(?:(?: (?P<d4>\d{1,2})(?:st|nd|rd|th)?,?(?!\d))?(?: (?:de )?(?P<y3>\d{4}))?)"
    r"|(?:(?P<y4>\d{4})年)?(?P<m4>\d{1,2})月(?:(?P<d5>\d{1,2})日)?",
    re.IGNORECASE,
)
_TIME = re.compile(r"\b\d{1,2}:\d{2}(?:\s?[ap]m)?\b|\b\d{1,2}\s?[ap]m\b", re.IGNORECASE)
_MONEY = re.compile(
    r"[€$£¥]\s?\d[\d.,]*(?:\s?[km]\b)?|\b\d[\d.,]*\s?(?:€|(?:EUR|USD|GBP|CHF|euros?|dollars?|pounds?|kr)\b)",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"\b\d[\d.,]*\s?(?:%|percent|per cent|Prozent)")
_NUMBER = re.compile(r"(?:(?P<before>[^\W\d_]+)[\s:#=]+)?(?P<number>[^\W\d_]?\d[\w.,:-]*)(?:\s+(?P<after>[^\W\d_]+))?")
_NAME = re.compile(r"\b[A-ZÀ-ÞА-Я][^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class _Statement:
    """What a passage says in answer."""

    day: date  # that counts
    is_dated: bool  # by its note
    changed: date
    held: frozenset[str]  # terms of the question, also in its title and headings
    is_answer: bool
    subjects: frozenset[str]  # names in its title and headings
    names: frozenset[str]  # those and the names in its sentences, but for the question's words
    dates: frozenset[_Day]
    values: Mapping[str, frozenset[str]]  # by kind


def newest_first(sources: Sequence[QuotablePassage], asked: AskedTerms) -> list[tuple[int, QuotablePassage]]:
    """The passages with their numbers, of those that disagree the newest before the others, which name it.

    asked: of the question; without any term, nothing is compared. Passages after `LOOKED_AT` keep their place.
    """
    said = [_statement(source, asked) for source in sources[:LOOKED_AT]] if asked.weights else []
    newest: dict[int, int] = {}
    for number, one in enumerate(said):
        newer = [at for at, other in enumerate(said) if _is_newer(other, one)]
        if newer:
            newest[number] = max(newer, key=lambda at: (said[at].day, said[at].changed, -at))
    order: dict[int, None] = {}
    for number in range(len(sources)):
        last = number
        while last in newest:  # it ends, since each is later than the one before
            last = newest[last]
        order |= {last: None, number: None}
    return [
        (number, replace(sources[number], newer=sources[newest[number]].id) if number in newest else sources[number])
        for number in order
    ]


def _statement(source: QuotablePassage, asked: AskedTerms) -> _Statement:
    text = source.text
    parts = parts_of(text)
    named = source.named(asked)
    best = sorted(worth_quoting(text, parts, asked, Question("", "none"), named)[:_SENTENCES])
    sentences = [text[parts[number].start : parts[number].end] for number in best]
    held = [asked.said(with_heads(text, parts[number])) for number in best]
    terms = frozenset[str]().union(*held)
    answering = [each for each, said in zip(sentences, held, strict=True) if said] or sentences[:1]
    said = "\n".join(answering)
    changed = source.modified.astimezone(LOCAL).date() if source.modified else date.min
    subjects = _names(" ".join((source.title, *source.headings)))
    dates, values = _values(said)
    return _Statement(
        day=source.dated or changed,
        is_dated=source.dated is not None,
        changed=changed,
        held=terms | named,
        is_answer=asked.worth(terms | named) >= _ALIKE and bool(terms),
        subjects=subjects,
        names=frozenset(name for name in subjects | _names(said) if not asked.said(name)),
        dates=dates,
        values=values,
    )


def _is_newer(other: _Statement, one: _Statement) -> bool:
    """Whether `other` says what `one` says, otherwise, and later."""
    if not (one.is_answer and other.is_answer and one.held <= other.held):
        return False
    if not (one.day < other.day and one.changed <= other.changed):
        return False
    if not other.is_dated and one.changed == other.changed:
        return False
    if any(a and b and not a & b for a, b in ((one.subjects, other.subjects), (one.names, other.names))):
        return False
    return _differ(one, other)


def _differ(one: _Statement, other: _Statement) -> bool:
    if one.dates and any(not any(_agree(day, known) for known in one.dates) for day in other.dates):
        return True
    return any(other.values[kind] - said for kind, said in one.values.items() if kind in other.values)


def _agree(one: _Day, other: _Day) -> bool:
    return all(not first or not second or first == second for first, second in zip(one, other, strict=True))


def _names(text: str) -> frozenset[str]:
    """Words that begin with a capital letter, but for months."""
    return frozenset(match[0].lower() for match in _NAME.finditer(text)) - _MONTHS.keys()


def _values(text: str) -> tuple[frozenset[_Day], Mapping[str, frozenset[str]]]:
    """The dates in a text, and its other values by kind."""
    dates: set[_Day] = set()

    def take_date(match: re.Match[str]) -> str:
        read = match.groupdict()
        day = next((int(read[key]) for key in ("d1", "d2", "d3", "d4", "d5") if read[key]), 0)
        month = _MONTHS.get((read["m3"] or "").lower(), 0)
        month = month or next((int(read[key]) for key in ("m1", "m2", "m4") if read[key]), 0)
        year = next((int(read[key]) for key in ("y1", "y2", "y3", "y4") if read[key]), 0)
        if not day and not year:
            return match[0]
        dates.add((year, month, day))
        return " | "

    rest = _DATE.sub(take_date, text)
    values: dict[str, set[str]] = {}
    for kind, pattern in (("time", _TIME), ("money", _MONEY), ("percent", _PERCENT)):
        found = {re.sub(r"\s", "", match[0]).lower() for match in pattern.finditer(rest)}
        if found:
            values[kind] = found
        rest = pattern.sub(" | ", rest)
    for match in _NUMBER.finditer(rest):
        number = match["number"].rstrip(".,:-").lower()
        for side in ("before", "after"):
            if match[side]:
                values.setdefault(f"{side} {' '.join(analysis.terms(match[side]))}", set()).add(number)
    return frozenset(dates), {kind: frozenset(found) for kind, found in values.items()}
