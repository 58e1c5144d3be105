"""Generated strings that nothing assigns to a name: in a sentence, a tag, a list, or with a prefix of their own.

One is hidden where a name stands close before it, where a weak word or a vendor's name stands right before it on the
same line, or where it has the form that most services give their tokens: a short prefix, a joiner, a long random tail.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources

from credential_filter.announcers import WEAK_BITS, Name, weak_words
from credential_filter.note import Note
from credential_filter.shape import has_uuid, is_hex, surprise
from credential_filter.verdict import Tie, is_secret

_REACH = 80  # how far before a string its name may stand, in code points
_WEAK_REACH = 32
_VENDOR_SHORTEST = 20

# What a generated string is when it is no secret: the end of what stands right before it, in lower case.
_OTHER_NAMES = (
    "id", "ids", "hash", "digest", "checksum", "integrity", "commit", "rev", "revision", "etag", "e-tag", "guid",
    "fingerprint", "md5", "blob", "tree", "parent", "nonce", "build", "version", "image", "asin", "isbn", "doi", "track",
    "album", "serial", "location", "size", "name", "file", "path", "folder", "branch", "bucket", "arn", "host", "mail",
    "user", "address", "title", "public key", "public_key", "public-key", "publickey", "recv-keys", "permalink", "slug",
    "ref", "trace", "span", "request", "session", "src", "href", "url",
)  # fmt: skip
_OTHER_WORD = re.compile(r"""(?s).*(?:\b(?:at|from)|thumbprint\S*|ssh-\w+|ecdsa\S*|"(?:n|e|x|y|x5[ct]))""")
_BETWEEN = "\"'`])\t\n\r :=->#*|"
_MOST_BETWEEN = 6
_HASH_BEFORE = re.compile(r"\$[\w=,]{1,24}\$[\w./=,$]*\Z")
_PUBLIC_BLOCK = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}"
    r"(?:PUBLIC KEY(?: BLOCK)?|CERTIFICATE(?: REQUEST)?|SIGNATURE|MESSAGE|SIGNED MESSAGE)-----[^\-]{0,16000}"
)
_WORD = re.compile(r"[a-z0-9]{3,}")

_PREFIXED = re.compile(
    r"(?<![A-Za-z0-9_./\-])(?P<prefix>[A-Za-z][A-Za-z0-9]{1,12}(?:[-_.][A-Za-z0-9]{1,10}){0,2}?)[-_.]"
    r"(?P<tail>[A-Za-z0-9][A-Za-z0-9_\-=+.~]{18,}[A-Za-z0-9=])(?![A-Za-z0-9_])"
)
_LONGEST_PREFIX = 48
_PREFIX_MOST_BITS, _TAIL_LEAST_BITS = 12.0, 60.0
_SHORTEST_HEX_TAIL = 32
# Prefixes of identifiers that services show openly.
_ID_PREFIXES = re.compile(
    r"""(?xi) (?: sha\d* | md5 | crc | u?u?ids? | req(?:uest)? | msg | message | user | usr | acct | account | chatcmpl | cmpl
      | resp | run | thread | asst | step | call | toolu | file | org | proj(?:ect)? | team | evt | event | cus | sub | pi
      | prod | price | inv? | ch | txn | img | image | video | commit | rev | doc | page | node | trace | span | batch
      | build | job | task | ami | vpc | subnet | sg | eni | rtb | igw | vol | snap | pvc | pod | post | track | album
      | playlist | ref | tag | tx | block | addr | hash | gist | etag | session | sess | deploy(?:ment)? | dpl ) [-_.]? .*"""
)


def loose(note: Note, names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Spans of the generated strings that are secrets."""
    names = sorted(names, key=lambda name: name.stop)
    stops = [name.stop for name in names]
    public = [block.span() for block in _PUBLIC_BLOCK.finditer(note.text)] if "-----BEGIN" in note.text else []
    done = 0
    for start, stop in note.loose:
        begin = _after_equals(note.text, start, stop)
        near = names[bisect_right(stops, max(done, begin - _REACH)) : bisect_right(stops, begin)]
        done = stop
        before = note.text[max(0, begin - _REACH) : begin]
        if any(first < start < last for first, last in public) or _is_named_otherwise(before):
            continue
        bits = max((name.bits for name in near), default=0.0) or _other_bits(before, note.text[begin:stop])
        if bits and is_secret(note.text[begin:stop], bits, Tie.NEAR):
            yield begin, stop
        elif (
            (token := _PREFIXED.search(note.text, max(0, begin - _LONGEST_PREFIX), stop + _REACH)) is not None
            and token.start() < stop
            and _is_token(token)
            and not _is_named_otherwise(before[: token.start() - begin or None])
        ):
            yield token.span()


def _is_named_otherwise(before: str) -> bool:
    if "$" in before and _HASH_BEFORE.search(before) is not None:
        return True
    shown = (before[:-2] + before[-1] if before.endswith("b'") else before).rstrip(_BETWEEN)
    if not len(before) - _MOST_BETWEEN <= len(shown) < len(before):
        return False
    name = shown[-_WEAK_REACH:].lower()
    return (
        name.endswith(_OTHER_NAMES)
        or name.rstrip(string.digits).rstrip("-").endswith("sha")
        or _OTHER_WORD.fullmatch(name) is not None
    )


def _is_token(token: re.Match[str]) -> bool:
    prefix, tail = token["prefix"], token["tail"]
    if _ID_PREFIXES.fullmatch(prefix) or surprise(prefix) > _PREFIX_MOST_BITS:
        return False
    if is_hex(tail):
        return len(tail) >= _SHORTEST_HEX_TAIL
    return not has_uuid(tail) and surprise(tail[:96]) >= _TAIL_LEAST_BITS


def _other_bits(before: str, value: str) -> float:
    """Evidence from a weak word or a vendor's name on the same line; a vendor's says nothing about a digest."""
    line = before.rpartition("\n")[2][-_WEAK_REACH:]
    if weak_words().search(line):
        return WEAK_BITS
    if len(value) < _VENDOR_SHORTEST or is_hex(value) or has_uuid(value):
        return 0.0
    return 0.0 if vendors().isdisjoint(_WORD.findall(line.lower())) else WEAK_BITS


@cache
def vendors() -> frozenset[str]:
    """Names of services that hand out credentials, in lower case."""
    text = (resources.files("credential_filter") / "data" / "vendors.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def _after_equals(text: str, start: int, stop: int) -> int:
    """The part of a run behind its first `=`, where a name stands before it."""
    found = text.find("=", start, stop - 8)
    return found + 1 if found >= 0 and surprise(text[start:found]) < 0 else start
