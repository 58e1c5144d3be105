"""One pass over a text: every place that holds a secret, by every way of finding one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from scrubjay.credential_filter.announcers import PASSWORD_BITS, Name
from scrubjay.credential_filter.assignments import announced
from scrubjay.credential_filter.blocks import private_keys
from scrubjay.credential_filter.encoded import decoded
from scrubjay.credential_filter.hits import KNOWN, LOOSE, NAMED, STRUCTURE, Hit
from scrubjay.credential_filter.known import known
from scrubjay.credential_filter.links import passwords
from scrubjay.credential_filter.loose import loose
from scrubjay.credential_filter.manifests import values
from scrubjay.credential_filter.matcher import Matcher
from scrubjay.credential_filter.note import Note, token_stop
from scrubjay.credential_filter.rules import Rules
from scrubjay.credential_filter.seed_phrases import phrases, phrases_near
from scrubjay.credential_filter.tables import cells_under
from scrubjay.credential_filter.verdict import Tie, is_secret
from scrubjay.credential_filter.views import views

_SHORT_NOTE = 1000  # so short a note is searched for a seed phrase even when no word announces one

DETECTORS: Mapping[str, Callable[[Note, Sequence[int]], Iterator[tuple[int, int]]]] = {
    "private-key": lambda note, places: private_keys(note.text, places),
    "seed-phrase": lambda note, places: phrases_near(note.folded, places),
}


def scan(text: str, rules: Rules) -> list[Hit]:
    """The spans to hide, in no order, overlapping. Looks one layer deep into encodings and broken lines."""
    note, matcher = Note.of(text), _matcher(rules)
    hits = [*_plain(note, rules, matcher), *_encoded(note, rules, matcher)]
    for view in views(note):
        hits += [
            hit._replace(start=span[0], stop=span[1])
            for hit in _plain(Note.of(view.text), rules, matcher)
            if (span := view.original(hit.start, hit.stop)) is not None
        ]
    return hits


def _plain(note: Note, rules: Rules, matcher: Matcher) -> Iterator[Hit]:
    names, needles = matcher.find(note)
    active = rules.active
    for number, places in needles.items():
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
    yield from _announced(note, names)
    for start, stop in loose(note, names):
        yield Hit(start, stop, "loose-secret", LOOSE)


def _announced(note: Note, names: list[Name]) -> Iterator[Hit]:
    text, done = note.text, 0
    verdicts: dict[tuple[object, ...], bool] = {}  # logs and code repeat their names and values
    for name in names:
        if name.start < done:
            continue
        for value in (*announced(text, name), *cells_under(note, name)):
            secret, form = text[value.start : value.stop], (value.tie, value.quoted, value.alone)
            verdict = verdicts.get((secret, name.bits, form))
            if verdict is None:
                verdict = is_secret(secret, name.bits, value.tie, quoted=value.quoted, alone=value.alone)
                verdicts[secret, name.bits, form] = verdict
            if verdict:
                rule = "named-password" if name.bits >= PASSWORD_BITS else "named-secret"
                stop = value.stop if value.quoted else token_stop(text, value.stop)
                yield Hit(value.start, stop, rule, NAMED)
                done = done if value.tie is Tie.COLUMN else max(done, stop)


def _encoded(note: Note, rules: Rules, matcher: Matcher) -> Iterator[Hit]:
    for start, stop in note.loose:
        for begin, end, text in decoded(note.text, start, stop):
            if next(_plain(Note.of(text), rules, matcher), None) is not None:
                yield Hit(begin, end, "encoded-secret", STRUCTURE)


@lru_cache(maxsize=16)
def _matcher(rules: Rules) -> Matcher:
    return Matcher(rules.active)
