"""Values that a name announces, or that stand beside who they belong to: what is found, and whether it is a secret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scrubjay.credential_filter.deciding.hits import NAMED, Hit
from scrubjay.credential_filter.deciding.passwords import is_mixed, is_password, is_random
from scrubjay.credential_filter.deciding.placeholders import contains_example_word, is_placeholder
from scrubjay.credential_filter.deciding.verdict import Tie, is_secret
from scrubjay.credential_filter.deciding.wording import is_passphrase
from scrubjay.credential_filter.finding.assignments import Value, announced, is_doubtful
from scrubjay.credential_filter.finding.codes import codes
from scrubjay.credential_filter.finding.exports import exported
from scrubjay.credential_filter.finding.noted import Noted, noted
from scrubjay.credential_filter.finding.pairs import beside, beside_mail
from scrubjay.credential_filter.finding.tables import cells_under
from scrubjay.credential_filter.reading.announcers import Name
from scrubjay.credential_filter.reading.note import Note, token_stop
from scrubjay.credential_filter.reading.words import PASSWORD_BITS, PERHAPS_BITS, SECRET_BITS

_PASSWORD, _SECRET = "named-password", "named-secret"
# The rule that what a name of some kind announces is hidden in the name of.
_RULES = {
    "code": "access-code", "one-time": "one-time-secret", "licence": "licence-key", "backup": "backup-code",
    "answer": "security-answer", "question": "security-answer",
}  # fmt: skip


def named(note: Note, names: Sequence[Name]) -> Iterator[Hit]:
    """The spans that names in the note, in order, make secrets."""
    weighed = [name for name in names if not name.kind]
    yield from _announced(note, weighed)
    for found in noted(note, weighed):
        if _is_noted(note.text[found.start : found.stop], found):
            rule = _PASSWORD if found.bits >= PASSWORD_BITS else _SECRET
            yield Hit(found.start, found.stop, rule, NAMED)
    for start, stop in exported(note, weighed):
        value = note.text[start:stop]
        if is_password(value) or is_secret(value, PASSWORD_BITS, Tie.COLUMN, quoted=True):
            yield Hit(start, stop, _PASSWORD, NAMED)
    for name in names:
        if name.kind:
            for start, stop in (*codes(note, name), *beside(note, name)):
                yield Hit(start, stop, _RULES.get(name.kind, _PASSWORD), NAMED)
    for start, stop in beside_mail(note):
        yield Hit(start, stop, _PASSWORD, NAMED)


def _announced(note: Note, names: Sequence[Name]) -> Iterator[Hit]:
    text, done = note.text, 0
    in_tables = "|" in text
    verdicts: dict[tuple[object, ...], bool] = {}  # logs and code repeat their names and values
    for name in names:
        if name.start < done:
            continue
        for value in (*announced(text, name), *(cells_under(note, name) if in_tables else ())):
            secret, form = text[value.start : value.stop], (value.tie, value.quoted, value.alone)
            strict = is_doubtful(text, name, value)
            verdict = verdicts.get((secret, name.bits, form, strict))
            if verdict is None:
                verdict = _is_hidden(secret, name, value, strict=strict)
                verdicts[secret, name.bits, form, strict] = verdict
            if verdict:
                rule = _PASSWORD if name.bits >= PASSWORD_BITS else _SECRET
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


def _is_hidden(secret: str, name: Name, value: Value, *, strict: bool) -> bool:
    if (
        not strict
        and name.bits != PERHAPS_BITS
        and is_secret(secret, name.bits, value.tie, quoted=value.quoted, alone=value.alone)
    ):
        return True
    if not name.noted or value.tie is Tie.BESIDE or not is_password(secret):
        return False
    return name.bits != SECRET_BITS or not _is_placeholder(secret)
