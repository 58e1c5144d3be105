"""One pass over a text: every place that holds a secret, by every way of finding one."""

from __future__ import annotations

import binascii
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import chain
from operator import itemgetter

from scrubjay.credential_filter.finders.adjacent import before_names, beside, beside_mail
from scrubjay.credential_filter.finders.assignments import Value, announced, is_doubtful, placed
from scrubjay.credential_filter.finders.listed import listed
from scrubjay.credential_filter.finders.login_lists import login_lists
from scrubjay.credential_filter.finders.loose_strings import loose
from scrubjay.credential_filter.finders.noted_passwords import Noted, is_inside_word, noted
from scrubjay.credential_filter.finders.seed_phrases import phrases, phrases_near
from scrubjay.credential_filter.finders.short_codes import CODE_KINDS, codes, digits, exported
from scrubjay.credential_filter.finders.structures import passwords, private_keys, values, web_tokens
from scrubjay.credential_filter.finders.table_cells import cells_under, html_cells_under
from scrubjay.credential_filter.finders.told_passwords import told
from scrubjay.credential_filter.rules.known_formats import known
from scrubjay.credential_filter.rules.ruleset import Rules
from scrubjay.credential_filter.text.announcers import PASSWORD_BITS, PERHAPS_BITS, SECRET_BITS
from scrubjay.credential_filter.text.matcher import Found, Matcher
from scrubjay.credential_filter.text.scanned_note import BLOT, Note, token_stop
from scrubjay.credential_filter.text.secret_names import Name
from scrubjay.credential_filter.text.unicode import disjoint
from scrubjay.credential_filter.text.views import views
from scrubjay.credential_filter.verdict.passwords import is_homemade, is_mixed, is_password, is_random, is_ticket
from scrubjay.credential_filter.verdict.shape import contains_example_word, is_passphrase, is_placeholder, is_words
from scrubjay.credential_filter.verdict.verdict import KNOWN, LOOSE, NAMED, PASSWORD, STRUCTURE, Hit, Tie, is_secret

# Secrets a few layers deep: text in base64 or hexadecimal that holds a secret once it is decoded.

_SHORTEST_CODED = 24
_CODED = re.compile(rf"[A-Za-z0-9+/_\-]{{{_SHORTEST_CODED},}}={{0,2}}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){16,}")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]")


def decoded(text: str, start: int, stop: int) -> Iterator[tuple[int, int, str]]:
    """The encodings of text inside a run of letters, digits and joiners: their spans, and what they say."""
    for coded in _CODED.finditer(text, start, stop):
        if (plain := _decode(coded[0])) is not None:
            yield *coded.span(), plain


def _decode(coded: str) -> str | None:
    if _HEX.fullmatch(coded):
        return _text(bytes.fromhex(coded))
    body = coded.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return _text(binascii.a2b_base64(body + "=" * (-len(body) % 4)))
    except binascii.Error:
        return None


def _text(data: bytes) -> str | None:
    """What the bytes say, if they are text."""
    wide = len(data) > 8 and not any(data[1:9:2])  # as PowerShell encodes its commands
    try:
        text = data.decode("utf-16-le" if wide else "utf-8")
    except UnicodeDecodeError:
        return None
    return text if _CONTROL.search(text) is None else None


# Values that a name announces, or that stand beside who they belong to: what is found, and whether it is a secret.

# Where nothing is left to be found behind a name: a mark stands there alone.
_MARK = re.compile(rf"[\s:=\"'`*]{{0,8}}+{BLOT}++(?![^\s\"'`*,;<|)])")
_SECRET, _LOOSE = "named-secret", "loose-secret"
_FEWEST_IN_CELL = 4  # words of a passphrase: three with a number say where one is kept
_LISTED = (PASSWORD, _SECRET, _LOOSE)  # rules of what may be one of several in a list
# The rule that what a name of some kind announces is hidden in the name of.
_RULES = {
    "code": "access-code", "one-time": "one-time-secret", "licence": "licence-key", "backup": "backup-code",
    "answer": "security-answer", "question": "security-answer",
}  # fmt: skip


def named(note: Note, names: Sequence[Name]) -> Iterator[Hit]:
    """The spans that names in the note, in order, make secrets."""
    is_marked = BLOT in note.text
    weighed = [name for name in names if not name.kind and not (is_marked and _MARK.match(note.text, name.stop))]
    if weighed:
        yield from _weighed(note, weighed)
    for name in names:
        if name.kind:
            for start, stop in codes(note, name) if name.kind in CODE_KINDS else beside(note, name):
                yield Hit(start, stop, _RULES.get(name.kind, PASSWORD), NAMED)
    for start, stop in beside_mail(note):
        yield Hit(start, stop, PASSWORD, NAMED)


def _weighed(note: Note, weighed: Sequence[Name]) -> Iterator[Hit]:
    """The spans that names make secrets whose values are weighed."""
    yield from _announced(note, weighed)
    is_inside = cache(partial(is_inside_word, note))
    for found in noted(note, weighed, is_inside):
        if _is_noted(note.text[found.start : found.stop], found):
            rule = PASSWORD if found.bits >= PASSWORD_BITS else _SECRET
            yield Hit(found.start, found.stop, rule, NAMED)
    for start, stop in (*told(note, weighed, is_inside), *digits(note, weighed)):
        yield Hit(start, stop, PASSWORD, NAMED)
    for start, stop in before_names(note, weighed):
        if is_password(note.text[start:stop]):
            yield Hit(start, stop, PASSWORD, NAMED)
    for start, stop in exported(note, weighed):
        value = note.text[start:stop]
        if is_password(value) or is_secret(value, PASSWORD_BITS, Tie.COLUMN, quoted=True):
            yield Hit(start, stop, PASSWORD, NAMED)


def _announced(note: Note, names: Sequence[Name]) -> Iterator[Hit]:
    text, done = note.text, 0
    in_tables, in_html = "|" in text, "<th" in text
    verdicts: dict[tuple[object, ...], bool] = {}  # logs and code repeat their names and values
    for name in names:
        if name.start < done:
            continue
        found = [*announced(text, name)]
        if in_tables:
            found += cells_under(note, name)
        if in_html:
            found += html_cells_under(note, name)
        for value in found:
            if _is_hidden(text, name, value, verdicts):
                rule = PASSWORD if name.bits >= PASSWORD_BITS else _SECRET
                stop = value.stop if value.quoted else token_stop(text, value.stop)
                yield Hit(value.start, stop, rule, NAMED)
                done = done if value.tie is Tie.COLUMN else max(done, stop)


def _is_noted(value: str, found: Noted) -> bool:
    if is_passphrase(value):
        return True
    if is_password(value):
        return found.bits != SECRET_BITS or not _is_placeholder(value)
    return found.tied and found.bits >= PASSWORD_BITS and is_mixed(value)


def _is_placeholder(value: str) -> bool:
    """Whether a value that looks like a password holds a secret's place all the same."""
    return contains_example_word(value) if is_random(value) else is_placeholder(value)


def _is_hidden(text: str, name: Name, value: Value, verdicts: dict[tuple[object, ...], bool]) -> bool:
    """Whether the value is a secret; what takes its surroundings to be told is asked last, and kept in `verdicts`."""
    secret = text[value.start : value.stop]
    if value.tie is Tie.COLUMN and " " in secret:
        pieces = secret.split(" ")
        return name.bits >= PASSWORD_BITS and len(pieces) >= _FEWEST_IN_CELL and is_words(pieces)
    if _is_noted_password(secret, name, value):
        return True
    if name.bits == PERHAPS_BITS and not is_password(secret):
        return False
    tie = value.tie
    if tie is Tie.ASSIGNED and not _is_secret(
        secret, name, value._replace(tie=Tie.PAIRED, quoted=True, alone=True), verdicts
    ):
        return False  # whatever its surroundings say: they can make it no more than that
    value = placed(text, name, value)
    if value.tie is not tie and _is_noted_password(secret, name, value):
        return True
    is_open = name.bits == PERHAPS_BITS or is_doubtful(text, name, value)
    return not is_open and _is_secret(secret, name, value, verdicts)


def _is_secret(secret: str, name: Name, value: Value, verdicts: dict[tuple[object, ...], bool]) -> bool:
    case = secret, name.bits, value.tie, value.quoted, value.alone
    verdict = verdicts.get(case)
    if verdict is None:
        verdict = is_secret(secret, name.bits, value.tie, quoted=value.quoted, alone=value.alone)
        verdicts[case] = verdict
    return verdict


def _is_noted_password(secret: str, name: Name, value: Value) -> bool:
    return (
        name.noted
        and value.tie is not Tie.BESIDE
        and (is_password(secret) or (value.tie is Tie.COLUMN and name.bits == PERHAPS_BITS and is_homemade(secret)))
        and not (value.tie is Tie.PASSED and is_ticket(secret))
        and (name.bits != SECRET_BITS or not _is_placeholder(secret))
    )


_SHORT_NOTE = 1000  # so short a note is searched for a seed phrase even when no word announces one

DETECTORS: Mapping[str, Callable[[Note, Sequence[int]], Iterator[tuple[int, int]]]] = {
    "private-key": lambda note, places: private_keys(note.text, places),
    "seed-phrase": lambda note, places: phrases_near(note.folded, places),
}


def scan(text: str, rules: Rules) -> list[Hit]:
    """The spans to hide, in no order, overlapping. Looks a few layers deep into encodings and broken lines."""
    note, matcher = Note.of(text), _matcher(rules)
    found = matcher.find(note)
    hits = [_unwrapped(text, hit) for hit in _plain(note, rules, found)]
    if note.loose:
        hits += _encoded(note, rules, matcher, hits)
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


_PAIRS = {")": "(", "]": "[", "}": "{"}
_LOOKED_BACK = 400  # code points, for what a bracket closes


def _unwrapped(text: str, hit: Hit) -> Hit:
    """A hit without brackets that belong to what is around it: hidden with it, they would be missed by who reads YAML."""
    start, stop = hit.start, hit.stop
    if hit.rank not in (NAMED, LOOSE) or (text[stop - 1] not in _PAIRS and text[start] not in _PAIRS.values()):
        return hit
    before = text[max(text.rfind("\n", 0, start) + 1, start - _LOOKED_BACK) : start]
    for closing, opening in _PAIRS.items():
        if text[start] == opening and closing not in text[start:stop]:
            start, before = start + 1, before + opening
    taken = ""
    while (
        stop - start > 1
        and (opening := _PAIRS.get(closing := text[stop - 1])) is not None
        and text.count(closing, start, stop) > text.count(opening, start, stop)
        and before.count(opening) > before.count(closing) + taken.count(closing)
    ):
        stop, taken = stop - 1, taken + closing
    return hit._replace(start=start, stop=stop)


def _are_two(starts: Sequence[int], start: int, stop: int) -> bool:
    """Whether what was joined is two secrets, one below the other, that are found each by itself."""
    place = bisect_left(starts, start)
    return place + 1 < len(starts) and starts[place] == start and starts[place + 1] < stop


def _counts(hit: Hit, source: str) -> bool:
    """Whether a hit in text that was joined is one: two lines that happen to make a generated string are none."""
    return hit.rank == KNOWN or (hit.rank == LOOSE and "\n" not in source)


def _plain(note: Note, rules: Rules, found: Found) -> Iterator[Hit]:
    hits = [*_formats(note, rules, found), *named(note, found.names)]
    names = [name for name in found.names if not name.kind]
    if note.loose:
        hits += [Hit(start, stop, _LOOSE, LOOSE) for start, stop in loose(note, names, _hidden(note.loose, hits))]
    yield from hits
    yield from listed(note, found.names, [hit for hit in hits if hit.rule in _LISTED])
    yield from login_lists(note, found.names)


def _hidden(runs: Iterable[tuple[int, int]], hits: Iterable[Hit]) -> frozenset[tuple[int, int]]:
    """The runs that lie in hits: there is nothing more to be found out about them."""
    hidden = disjoint(sorted([(hit.start, hit.stop) for hit in hits]))
    inside: set[tuple[int, int]] = set()
    for start, stop in runs if hidden else ():
        place = bisect_right(hidden, start, key=itemgetter(0)) - 1
        if place >= 0 and stop <= hidden[place][1]:
            inside.add((start, stop))
    return frozenset(inside)


def _formats(note: Note, rules: Rules, found: Found) -> Iterator[Hit]:
    """What has a form of its own."""
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
    for start, stop in web_tokens(note):
        yield Hit(start, stop, "json-web-token", KNOWN)
    if names:
        for start, stop in values(note.text):
            yield Hit(start, stop, "kubernetes-secret", STRUCTURE)


_LAYERS = 3  # of encodings, one around the other


def _encoded(note: Note, rules: Rules, matcher: Matcher, hits: Iterable[Hit], layers: int = _LAYERS) -> Iterator[Hit]:
    """What holds a secret once it is decoded, or decoded again."""
    hidden = _hidden(note.loose, hits)
    for start, stop in note.loose:
        if stop - start < _SHORTEST_CODED or (start, stop) in hidden:
            continue
        for begin, end, text in decoded(note.text, start, stop):
            inner = Note.of(text)
            plain = _plain(inner, rules, matcher.find(inner))
            again = _encoded(inner, rules, matcher, (), layers - 1) if layers > 1 else iter(())
            if next(chain(plain, again), None) is not None:
                yield Hit(begin, end, "encoded-secret", STRUCTURE)


@lru_cache(maxsize=16)
def _matcher(rules: Rules) -> Matcher:
    return Matcher(rules.active)


def release_memory() -> None:
    """Give up 4 MB by which the rules' words are found in a text; they are made again in 30 ms."""
    _matcher.cache_clear()
