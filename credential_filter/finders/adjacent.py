"""Passwords beside what names them or who they belong to: `x is the password`, `anna@heron.example / x`, a key's emoji."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrubjay.credential_filter.finders.noted_passwords import MARKERS, bare, items
from scrubjay.credential_filter.text.announcers import PASSWORD_BITS
from scrubjay.credential_filter.text.scanned_note import BLOT, Note, in_address
from scrubjay.credential_filter.text.secret_names import Name
from scrubjay.credential_filter.verdict.passwords import is_password, is_ticket

# Passwords that stand before what names them: `x is the password`, `x = Passwort`, `x (PW)`.

_REACH = 200  # how far before a name its value may begin
# The value, what ties it to the name, and no more than an adjective before that.
_VALUE = re.compile(
    r"""(?x) (?:^|(?<=\s)) (?P<value>\S{6,160}+) \s{1,3}
    (?: (?:is|was|ist|war|est|es|è|é|as|als|comme|como|come) \b
        (?:\s(?:the|my|our|your|a|das|mein|unser|dein|le|mon|la|mi|il|o|minha|mia)\b)? (?:\s[^\W\d_]{2,16})?
      | = | <[-=]+ | [←⇐] | (?=[(\[]) )
    \s{0,3} ["'`*_(\[]{0,3} \Z"""
)
# What may follow the name where its value does not.
_CLOSED = re.compile(
    r"""["'`*_]{0,3}(?:[.,;!)\]]|[ \t\r]*(?:\n|\Z)|\s(?:for|für|to|of|de|del|da|von|bei|on|at|in|pour|para|per)\b)"""
)


def before_names(note: Note, names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Spans of what may be a password right before its name, where nothing but a sentence's rest stands behind it."""
    for name in names:
        if not name.noted or name.bits < PASSWORD_BITS or _CLOSED.match(note.text, name.stop) is None:
            continue
        start = max(note.line_start(name.start), name.start - _REACH)
        start = max(start, note.text.rfind(BLOT, start, name.start) + 1)
        line = note.text[start : name.start]
        found = _VALUE.search(line) if any(map(str.isdigit, line)) else None
        if found is not None and not in_address(note.text, start + found.start("value")):
            yield bare(note.text, start + found.start("value"), start + found.end("value"))


# Passwords beside who they belong to, without a name for them: `anna@heron.example / x`, `admin:x`, a key's emoji.

_SYMBOL = re.compile(r"[!#$%&*@^?+~]|[^\W\d_]{3,24}[-_.]\d{3,10}")
_BESIDE_USER = re.compile(
    r"""["'`*)\]_]{0,3}[ \t]{0,3}(?:[:：](?!//)|(?<=\s)/|/(?=\s)|[|,;→\t–—]|->|-(?=\s))[ \t]{0,3}(?=\S)"""
)
# What stands below whom it belongs to: the address, or the user behind its name, ends its line.
_BELOW = rf"""["'`*_)\]>]{{0,4}}[ \t|,;]{{0,8}}\r?\n{MARKERS.pattern}(?=\S)"""
_BELOW_MAIL = re.compile(rf"[ \t]{{1,3}}(?=[(\[]\S)|{_BELOW}")
_BELOW_USER = re.compile(rf"""["'`*_)\]]{{0,4}}[ \t]?[:：=][ \t"'`*_(\[]{{0,6}}[\w.+@\-]{{2,64}}{_BELOW}""")
# A key on one of the lines below a network's name.
_KEY_BELOW = re.compile(
    r"""(?i)\n(?:[ \t>|*+\-]{0,8}[^\W\d_][^\n]{0,48}\n)?[ \t>|*+\-]{0,8}(?:key|code|schlüssel|clé|clave|chave|chiave|sleutel|nyckel|klucz|ключ|密钥|密鑰|キー)"""
    r"""["'`*_]{0,4}[ \t]?[:：=][ \t"'`*_]{0,6}(?P<key>[^\s"'`]{8,63})["'`*_]{0,4}[ \t\r]*(?=\n|\Z)"""
)
_NETWORK_NAME = re.compile(r"[ \t]?[:：=|]")
_SEPARATORS = ("/", "|", ",", ";", ":", "：", "→", "->", "–", "—", "-", "\t")
_NETWORK_MARKS = frozenset(":：=,/|(\t–—-→")
_DIGIT = re.compile(r"\d")  # without one, nothing here looks like a password
_LONGEST_LOGIN = 160
_MAIL = re.compile(r"[\w\-]{1,63}(?:\.[\w\-]{1,63}){1,4}")
_BLANK, _STRONG = re.compile(r"[ \t]{1,3}(?=[^\s(\[])"), re.compile(r"[!#$%&*^?+~]")
_BEFORE_MAIL = re.compile(r"(?<![\w.+\-])(?!git\Z)[\w.+\-]{1,64}\Z")
_LINE_REST = re.compile(r"""["'`*_|=)\]>]{0,4}[ \t|]{0,8}\r?(?=\n|\Z|\()""")
_PAIR_REACH = 48


def beside(note: Note, name: Name) -> Iterator[tuple[int, int]]:
    """Spans behind the name of a user, of a network, or an emoji, that look like a password."""
    text = note.text
    if name.kind == "login" and (below := _BELOW_USER.match(text, name.stop)) is not None:
        yield from _no_ticket(note, below.end())
    line_stop = note.line_stop(name.stop)
    if name.kind == "network" and _NETWORK_NAME.match(text, name.stop) is not None:
        key = _KEY_BELOW.match(text, line_stop)
        if key is not None and _DIGIT.search(key["key"]) is not None:
            yield key.span("key")
    if not note.has_digit(name.stop, min(line_stop, name.stop + _LONGEST_LOGIN)):
        return
    if name.kind == "sign":
        yield from _first(note, name.stop, min(line_stop, name.stop + _PAIR_REACH))
    elif name.kind == "network":
        for start, stop in _first(note, name.stop, min(line_stop, name.stop + 2 * _PAIR_REACH)):
            between = text[name.stop : start]
            if not _NETWORK_MARKS.isdisjoint(between) and _SYMBOL.search(text, start, stop) is not None:
                yield start, stop
    elif name.kind == "user":
        between = _BESIDE_USER.match(text, name.stop, line_stop)
        if between is not None:
            yield from _last(note, between.end(), line_stop)
    elif name.kind == "login" and line_stop - name.stop < _LONGEST_LOGIN:
        rest = text[name.stop : line_stop].rstrip()
        start = max(rest.rfind(" "), rest.rfind("\t"), rest.rfind("　")) + 1
        before = rest[:start]
        if before.rstrip(" ").endswith(_SEPARATORS) and any(map(str.isalnum, before)):
            yield from _last(note, name.stop + start, line_stop)


def beside_mail(note: Note) -> Iterator[tuple[int, int]]:
    """Spans that look like a password behind an address for mail and a mark, or alone on the line below it."""
    text = note.text
    at = text.find("@")
    while at >= 0:
        host = _MAIL.match(text, at + 1)
        if host is not None and _BEFORE_MAIL.search(text, max(0, at - 64), at) is not None:
            if (between := _BESIDE_USER.match(text, host.end())) is not None:
                yield from _last(note, between.end(), note.line_stop(between.end()))
            elif (blank := _BLANK.match(text, host.end())) is not None:
                for start, stop in _no_ticket(note, blank.end()):
                    if _STRONG.search(text, start, stop) is not None:
                        yield start, stop
            elif (between := _BELOW_MAIL.match(text, host.end())) is not None:
                yield from _no_ticket(note, between.end())
        at = text.find("@", at + 1)


def _no_ticket(note: Note, start: int) -> Iterator[tuple[int, int]]:
    """What stands here alone, where the number of a ticket is likelier than a password in its form."""
    return (span for span in _last(note, start, note.line_stop(start)) if not is_ticket(note.text[span[0] : span[1]]))


def _first(note: Note, start: int, stop: int) -> Iterator[tuple[int, int]]:
    for span in items(note, start, stop, most=5):
        if is_password(note.text[span[0] : span[1]]):
            yield span
            return


def _last(note: Note, start: int, line_stop: int) -> Iterator[tuple[int, int]]:
    """What stands here, if it looks like a password and nothing comes behind it."""
    for span in items(note, start, min(line_stop, start + 1), most=1):
        if is_password(note.text[span[0] : span[1]]) and _LINE_REST.match(note.text, span[1]) is not None:
            yield span
