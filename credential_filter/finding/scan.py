"""One pass over a text: every place that holds a secret, by every way of finding one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from scrubjay.credential_filter.deciding.hits import KNOWN, LOOSE, STRUCTURE, Hit
from scrubjay.credential_filter.finding.blocks import private_keys
from scrubjay.credential_filter.finding.encoded import decoded
from scrubjay.credential_filter.finding.links import passwords
from scrubjay.credential_filter.finding.loose import loose
from scrubjay.credential_filter.finding.manifests import values
from scrubjay.credential_filter.finding.named import named
from scrubjay.credential_filter.finding.seed_phrases import phrases, phrases_near
from scrubjay.credential_filter.reading.matcher import Found, Matcher
from scrubjay.credential_filter.reading.note import Note
from scrubjay.credential_filter.reading.views import views
from scrubjay.credential_filter.rules.known import known
from scrubjay.credential_filter.rules.ruleset import Rules

_SHORT_NOTE = 1000  # so short a note is searched for a seed phrase even when no word announces one

DETECTORS: Mapping[str, Callable[[Note, Sequence[int]], Iterator[tuple[int, int]]]] = {
    "private-key": lambda note, places: private_keys(note.text, places),
    "seed-phrase": lambda note, places: phrases_near(note.folded, places),
}


def scan(text: str, rules: Rules) -> list[Hit]:
    """The spans to hide, in no order, overlapping. Looks one layer deep into encodings and broken lines."""
    note, matcher = Note.of(text), _matcher(rules)
    found = matcher.find(note)
    hits = [*_plain(note, rules, found), *_encoded(note, rules, matcher)]
    starts = sorted({hit.start for hit in hits})
    for view in views(note, found.marks):
        reading = Note.of(view.text)
        for hit in _plain(reading, rules, matcher.find(reading)):
            span = view.original(hit.start, hit.stop)
            if span is None or (view.joins and not _counts(hit, text[span[0] : span[1]])):
                continue
            if view.joins and _are_two(starts, *span):
                continue
            hits.append(hit._replace(start=span[0], stop=span[1]))
    return hits


def _are_two(starts: Sequence[int], start: int, stop: int) -> bool:
    """Whether what was joined is two secrets, one below the other, that are found each by itself."""
    place = bisect_left(starts, start)
    return place + 1 < len(starts) and starts[place] == start and starts[place + 1] < stop


def _counts(hit: Hit, source: str) -> bool:
    """Whether a hit in text that was joined is one: two lines that happen to make a generated string are none."""
    return hit.rank == KNOWN or (hit.rank == LOOSE and "\n" not in source)


def _plain(note: Note, rules: Rules, found: Found) -> Iterator[Hit]:
    names = [name for name in found.names if not name.kind]
    active = rules.active
    for number, places in found.needles.items():
        rule = active[number]
        for start, stop in known(note, rule, places) if rule.regex else DETECTORS[rule.detector](note, places):
            yield Hit(start, stop, rule.id, KNOWN)
    if len(note.text) < _SHORT_NOTE:
        for start, stop in phrases(note.folded):
            yield Hit(start, stop, "seed-phrase", STRUCTURE)
    for start, stop in passwords(note):
        yield Hit(start, stop, "url-password", STRUCTURE)
    if names:
        for start, stop in values(note.text):
            yield Hit(start, stop, "kubernetes-secret", STRUCTURE)
    yield from named(note, found.names)
    for start, stop in loose(note, names):
        yield Hit(start, stop, "loose-secret", LOOSE)


def _encoded(note: Note, rules: Rules, matcher: Matcher) -> Iterator[Hit]:
    for start, stop in note.loose:
        for begin, end, text in decoded(note.text, start, stop):
            inner = Note.of(text)
            if next(_plain(inner, rules, matcher.find(inner)), None) is not None:
                yield Hit(begin, end, "encoded-secret", STRUCTURE)


@lru_cache(maxsize=16)
def _matcher(rules: Rules) -> Matcher:
    return Matcher(rules.active)
