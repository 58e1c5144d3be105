"""Secrets whose form gives them away: keys in armour, Secret manifests, passwords inside URLs, JSON Web Tokens."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Iterator

from scrubjay.credential_filter.text.scanned_note import Note
from scrubjay.credential_filter.verdict.shape import is_mask, is_placeholder

# Private keys in PEM and PGP armour, whole or cut off, on lines of their own, quoted, indented or in one string.

_BEGIN = re.compile(r"-{4,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = re.compile(r"-{4,5} ?END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_LONGEST = 1 << 17
_KEY = re.compile(r"[A-Za-z0-9+/=]{12}")
# A line of a key that has no end, with what may stand around it: quotes, comments, indents, escaped line ends.
_LINE = re.compile(r"(?:[\s>*#/|\"'+,;]|\\[nrt])*+(?:[A-Za-z0-9+/=]{8,}+|[A-Za-z\-]{3,24}: [^\n]{0,200})")


def private_keys(text: str, places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Spans of the keys between the armour lines, which stay, given where "PRIVATE KEY" stands, in order.

    A key without its end goes on as long as it looks like one.
    """
    done = 0
    for place in places:
        begin = _BEGIN.search(text, max(done, place - 64), place + 32)
        if place < done or begin is None:
            continue
        done = _stop(text, begin.end())
        if (key := _KEY.search(text, begin.end(), done)) is not None and not is_mask(text[key.start() : done]):
            yield begin.end(), done


def _stop(text: str, start: int) -> int:
    """Where the key ends that starts here: at its last armour line, or before the next key."""
    following = _BEGIN.search(text, start, start + _LONGEST)
    limit = following.start() if following else min(len(text), start + _LONGEST)
    end = text.find("END ", start, limit)
    while end >= 0:
        if (armour := _END.search(text, max(start, end - 8), end + 80)) is not None:
            return armour.start()
        end = text.find("END ", end + 1, limit)
    stop = start
    while (line := _LINE.match(text, stop, limit if following else len(text))) is not None:
        stop = line.end()
    return stop


# Kubernetes Secret manifests: every value below `data` and `stringData` is a secret.

_KIND = re.compile(r"""kind["']?\s{0,4}:\s{0,4}["']?[Ss]ecret["']?[ \t]*+(?:[,}\r\n]|\Z)""")
_DIVIDER = re.compile(r"^(?:---|```)", re.MULTILINE)
_SECTION = re.compile(
    r"""^(?P<indent>[ \t]*+)["']?(?:data|stringData)["']?[ \t]*+:[ \t]*+\{?[ \t]*+\r?\n""", re.MULTILINE
)
_ENTRY = re.compile(
    r"""(?x) (?P<indent>[ \t]*+) ["']?[\w.\-]++["']? [ \t]*+ : [ \t]*+
    (?: (?P<block>[|>][+-]?) | ["']? (?P<value>[^\n"'\#|>{][^\n"'\#]*+)? ) ["']? [^\n]*+ (?:\n|\Z)"""
)
_COMMENT = re.compile(r"[ \t]*+(?:#[^\n]*+)?\r?\n")
_YAML_LINE = re.compile(r"(?P<indent>[ \t]*+)(?P<rest>[^\n]*+)(?:\n|\Z)")


def values(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the values in every Secret of the text."""
    done = 0
    place = text.find("kind")
    while place >= 0:
        if _KIND.match(text, place) is not None:
            start, done = _document(text, done, place)
            for section in _SECTION.finditer(text, start, done):
                yield from _section(text, section, done)
        place = text.find("kind", max(place + 4, done))


def _document(text: str, floor: int, place: int) -> tuple[int, int]:
    """Where the YAML document, or the code block, begins and ends that this place is in."""
    start = floor
    for divider in _DIVIDER.finditer(text, floor, place):
        start = divider.end()
    end = _DIVIDER.search(text, place)
    return start, end.start() if end else len(text)


def _section(text: str, section: re.Match[str], stop: int) -> Iterator[tuple[int, int]]:
    position, depth = section.end(), len(section["indent"])
    while position < stop:
        if (comment := _COMMENT.match(text, position, stop)) is not None:
            position = comment.end()
            continue
        entry = _ENTRY.match(text, position, stop)
        if entry is None or len(entry["indent"]) <= depth:
            return
        position = entry.end()
        if entry["block"]:
            first, position = position, _block_stop(text, position, stop, len(entry["indent"]))
            block = text[first:position]
            yield first + len(block) - len(block.lstrip()), first + len(block.rstrip())
        elif (value := (entry["value"] or "").rstrip(" \t\r,")) and not is_placeholder(value):
            yield entry.start("value"), entry.start("value") + len(value)


def _block_stop(text: str, position: int, stop: int, depth: int) -> int:
    """Where the lines end that are indented further than `depth`, empty ones among them."""
    while position < stop and (line := _YAML_LINE.match(text, position, stop)) is not None:
        if line["rest"].strip() and len(line["indent"]) <= depth:
            break
        position = line.end()
    return position


# Passwords inside URLs: `scheme://user:password@host`.

_LONGEST_ADDRESS = 400  # from the scheme's end to the "@"
_CREDENTIALS = re.compile(r"""://([^\s:/@"'<>`]{0,128}):([^\s/@"'<>`|]{1,256})@(?=[\w\[({$<%])""")
_WORDS = frozenset(
    ["pass", "password", "passwd", "pwd", "pw", "secret", "token", "user", "username", "xxx", "x", "foo", "bar", "test"]
)


def passwords(note: Note) -> Iterator[tuple[int, int]]:
    """Spans of the passwords in URLs; placeholders such as `user:password@` are left out."""
    text, tried = note.text, -1
    at = text.find("@")
    while at >= 0:
        place = text.rfind("://", max(tried + 1, at - _LONGEST_ADDRESS), at)
        if place >= 0:
            tried = place
            found = _CREDENTIALS.match(text, place) if text[max(0, place - 2) : place].isalnum() else None
            if found is not None and _is_password(found[1], found[2]):
                yield found.span(2)
        at = text.find("@", at + 1)


def _is_password(user: str, password: str) -> bool:
    return not (len(password) < 4 or password.lower() in _WORDS or password == user or is_placeholder(password))


# JSON Web Tokens whose header begins otherwise than `{"`: with a blank or a line's end, before or behind the brace.

_HEADER_MOST = 2048
_ALGORITHM = re.compile(rb"\s{0,8}\{[^{}]{0,1500}\"alg\"")
_PARTS = re.compile(r"[A-Za-z0-9_\-]++\.[A-Za-z0-9_\-]{10,}+(?:\.[A-Za-z0-9_\-]*+){0,3}+")


def web_tokens(note: Note) -> Iterator[tuple[int, int]]:
    """Spans of the tokens whose first part says, decoded, which algorithm signed them."""
    text = note.text
    for begin, stop in note.runs:
        if text[stop : stop + 1] != "." or stop - begin > _HEADER_MOST:
            continue
        start = text.rfind("=", begin, stop) + 1 or begin  # behind a name: access_token=…
        token = _PARTS.match(text, start)
        if token is not None and _ALGORITHM.match(_decoded(text[start:stop])) is not None and not is_mask(token[0]):
            yield token.span()


def _decoded(part: str) -> bytes:
    """What a part of a token says; nothing where it is no base64."""
    body = part.replace("-", "+").replace("_", "/")
    try:
        return binascii.a2b_base64(body + "=" * (-len(body) % 4))
    except binascii.Error:
        return b""
