"""Generated strings that nothing assigns to a name: in a sentence, a tag, a list, or with a prefix of their own.

One is hidden where a name stands close before it, where a weak word or a vendor's name stands right before it on the
same line, or where it has the form that most services give their tokens: a short prefix, a joiner, a long random tail.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set

from scrubjay.credential_filter.text.announcers import SECRET_BITS, WEAK_BITS, weak_words
from scrubjay.credential_filter.text.scanned_note import BLOT, Note
from scrubjay.credential_filter.text.secret_names import Name
from scrubjay.credential_filter.verdict.shape import has_uuid, is_cut_short, is_hex, surprise
from scrubjay.credential_filter.verdict.verdict import Tie, is_secret, vendors

_REACH = 80  # how far before a string its name may stand, in code points
_WEAK_REACH = 32
_VENDOR_SHORTEST = 20
_VAULT_PREFIX, _VAULT_SHORTEST = re.compile(r"(?<![A-Za-z0-9./])[sbr]\.\Z"), 24  # HashiCorp's, before 2021

# What a generated string is when it is no secret: the end of what stands right before it, in lower case.
_OTHER_NAMES = (
    "id", "ids", "hash", "digest", "checksum", "integrity", "commit", "rev", "revision", "etag", "e-tag", "guid",
    "fingerprint", "md5", "blob", "tree", "parent", "nonce", "build", "version", "image", "asin", "isbn", "doi", "track",
    "album", "serial", "location", "size", "name", "file", "path", "folder", "branch", "bucket", "arn", "host", "mail",
    "user", "address", "title", "public key", "public_key", "public-key", "publickey", "recv-keys", "permalink", "slug",
    "ref", "trace", "span", "request", "session", "src", "href", "url",
)  # fmt: skip
_OTHER_WORD = re.compile(
    r"""(?:at(?<!\wat)|from(?<!\wfrom)|thumbprint\S{0,32}|ssh-\w{1,32}|ecdsa\S{0,32}|"(?:n|e|x|y|x5[ct]))\Z"""
)
# A revision, behind what sentences say of one.
_REVISION = re.compile(r"[0-9a-f]{40}|[0-9a-f]{7,12}")
_IN = re.compile(
    r"\b(?:in|by|since|until|with|of|to|before|after|reverts?|commit|merged?|fixed|at|from)[ \t`\"'(\[]{1,3}\Z",
    re.IGNORECASE,
)
_BETWEEN = "\"'`])\t\n\r :=->#*|"
_MOST_BETWEEN = 6
_HASH_BEFORE = re.compile(r"\$[\w=,]{1,24}\$[\w./=,$]*\Z")
_PUBLIC_BLOCK = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}"
    r"(?:PUBLIC KEY(?: BLOCK)?|CERTIFICATE(?: REQUEST)?|SIGNATURE|MESSAGE|SIGNED MESSAGE)-----[^\-]{0,16000}"
)
_WORD, _LETTERS = re.compile(r"[a-z0-9]{3,}"), re.compile(r"[a-z]+")
_ADJACENT = re.compile(r"""(?<![A-Za-z0-9])([A-Za-z][A-Za-z0-9]{2,30})["']?[\s:=("'\-]{1,4}\Z""")
_LONGEST_ADJACENT = 36
_BEHIND_ADJACENT = re.compile(r"""[\s:=("'\-]\Z""")
_CODE_HOSTS = frozenset(
    ["github", "gitlab", "bitbucket", "gitea", "codeberg", "gogs", "sourcehut", "jenkins", "docker"]
)
_JOINED_WEAK = re.compile(
    r"""[a-z0-9][_\-. ]?(?:PRIVATE|ACCESS)[\s:="'\-]{1,4}\Z|[a-z]-?(?:access|private)[\s:="'\-]{1,4}\Z"""
)
_MANY_KINDS = re.compile(r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])[A-Za-z0-9_\-]{24,80}")
# Identifiers that are meant to be seen: addresses of coins, of files in IPFS.
_PUBLIC_FORM = re.compile(r"[13][1-9A-HJ-NP-Za-km-z]{25,34}$|Qm[1-9A-HJ-NP-Za-km-z]{44}$|[1-9A-HJ-NP-Za-km-z]{43,44}$")
_LINE_OF_BLOCK = re.compile(rb"[a0\-]{24}")

_PREFIXED = re.compile(
    r"(?<![A-Za-z0-9_./\-])(?P<prefix>[A-Za-z][A-Za-z0-9]{1,12}(?:[-_.][A-Za-z0-9]{1,10}){0,2}?)[-_.]"
    r"(?P<tail>[A-Za-z0-9][A-Za-z0-9_\-=+.~]{12,}[A-Za-z0-9=])(?![A-Za-z0-9_])"
)
# Three parts, as Discord's tokens have them: who, when, and a signature.
_DOTTED = re.compile(
    r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{18,30}\.[A-Za-z0-9_-]{5,8}\.[A-Za-z0-9_-]{26,48}(?![A-Za-z0-9_.-])"
)
_LONGEST_PREFIX = 48
_JOINED_TAIL = re.compile(r"[-_.][A-Za-z0-9][A-Za-z0-9_\-=+.~]{12}")  # without one there is no prefix
_PREFIX_MOST_BITS, _TAIL_LEAST_BITS = 12.0, 45.0
_WORD_PARTS = re.compile(r"\A(?:[A-Za-z]{2,10}[-_.])+")  # that belong to the prefix: acme_test_…
_SHORT_PREFIX = 5  # letters of an abbreviation, whatever they are
_SHORTEST_TAIL, _SHORTEST_JOINED_TAIL = 15, 20
_GROUPS_OF_HEX = re.compile(
    r"(?:[A-Za-z]+[-_.])*+[0-9a-fA-F]{4,}(?:[-_][0-9a-fA-F]{4,})+"
)  # UUIDs, however they are joined
_SHORTEST_HEX_TAIL = 32
# Prefixes of identifiers that services show openly.
_ID_PREFIX = r"""(?xi) (?: sha\d* | md5 | crc | u?u?ids? | req(?:uest)? | msg | message | user | usr | acct | account | chatcmpl | cmpl
      | resp | run | thread | asst | step | call | toolu | file | org | proj(?:ect)? | team | evt | event | cus | sub | pi
      | prod | price | inv? | ch | txn | img | image | video | commit | rev | doc | page | node | trace | span | batch
      | build | job | task | ami | vpc | subnet | sg | eni | rtb | igw | vol | snap | pvc | pod | post | track | album
      | playlist | ref | tag | tx | block | addr | hash | gist | etag | session | sess | deploy(?:ment)? | dpl )"""
_ID_PREFIXES = re.compile(_ID_PREFIX + r"[-_.]?.*")
_IDENTIFIER = re.compile(_ID_PREFIX + r"[-_]")


def loose(note: Note, names: Sequence[Name], hidden: Set[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Spans of the generated strings that are secrets. Those that are hidden already are passed over."""
    names = sorted(names, key=lambda name: name.stop)
    stops = [name.stop for name in names]
    text, is_marked = note.text, BLOT in note.text
    public = [block.span() for block in _PUBLIC_BLOCK.finditer(note.text)] if "-----BEGIN" in note.text else []
    done = 0
    for start, stop in note.loose:
        if (start, stop) in hidden:
            done = stop
            continue
        begin = _after_equals(text, start, stop)
        reach = max(0, begin - _REACH)
        if is_marked:
            reach = max(reach, text.rfind(BLOT, reach, begin) + 1)
        if text.startswith(".", start - 1) and start and (dotted := _dotted(text, start, stop)) is not None:
            done = stop
            yield dotted
            continue
        near = names[bisect_right(stops, max(done, reach)) : bisect_right(stops, begin)] if names else ()
        done = stop
        before = text[reach:begin]
        if (
            (public and any(first < start < last for first, last in public))
            or _is_named_otherwise(before)
            or (_REVISION.fullmatch(text, begin, stop) is not None and _IN.search(before) is not None)
            or is_cut_short(text, stop)
        ):
            continue
        value = text[begin:stop]
        bits = max([name.bits for name in near], default=0.0) or _other_bits(before, value)
        if (
            (bits and is_secret(value, bits, Tie.NEAR))
            or _is_beside_service(before, value)
            or (_is_generated(value) and _stands_alone(note, begin, stop))
        ):
            yield begin, stop
        elif (
            before.endswith(".")
            and len(value) >= _VAULT_SHORTEST
            and _VAULT_PREFIX.search(before) is not None
            and surprise(value) > 0
        ):
            yield begin - 2, stop
        elif (
            _JOINED_TAIL.search(text, max(0, begin - _LONGEST_PREFIX), stop + _REACH) is not None
            and (token := _PREFIXED.search(text, max(0, begin - _LONGEST_PREFIX), stop + _REACH)) is not None
            and token.start() < stop
            and _is_token(token)
            and not _is_named_otherwise(before[: token.start() - begin or None])
        ):
            yield token.span()


def _dotted(text: str, start: int, stop: int) -> tuple[int, int] | None:
    """The token of three parts that ends with this run, which stands behind a full stop."""
    found = _DOTTED.search(text, max(0, start - _LONGEST_PREFIX), stop)
    if found is None or found.end() <= start or surprise(found[0][-_LONGEST_PREFIX:]) < _TAIL_LEAST_BITS:
        return None
    return found.span()


def _is_named_otherwise(before: str) -> bool:
    if "$" in before and _HASH_BEFORE.search(before) is not None:
        return True
    shown = (before[:-2] + before[-1] if before.endswith("b'") else before).rstrip(_BETWEEN)
    if not 0 < len(before) - len(shown) <= _MOST_BETWEEN:
        return False
    name = shown[-_WEAK_REACH:].lower()
    return (
        name.endswith(_OTHER_NAMES)
        or name.rstrip(string.digits).rstrip("-").endswith("sha")
        or _OTHER_WORD.search(name) is not None
    )


def _is_beside_service(before: str, value: str) -> bool:
    """Whether a service's name, or a word such as PRIVATE joined to one, stands right before the value."""
    line = before.rpartition("\n")[2]
    if _BEHIND_ADJACENT.search(line, max(0, len(line) - 1)) is None:
        return False
    line = line[-_LONGEST_ADJACENT - 1 :]
    if _JOINED_WEAK.search(line) is None:
        named = _ADJACENT.search(line)
        if named is None or named[1].lower() not in vendors() or named[1].lower() in _CODE_HOSTS:
            return False
        if len(value) < _VENDOR_SHORTEST and line[-1] not in "\"'":
            return False
    return is_secret(value, SECRET_BITS, Tie.BESIDE)


def _stands_alone(note: Note, start: int, stop: int) -> bool:
    """Whether the string is all there is on its line or between quotes, and is no line of a longer block."""
    text = note.text
    if not (start and stop < len(text) and text[start - 1] == text[stop] and text[stop] in "\"'`"):
        line_start, line_stop = note.line_start(start), note.line_stop(stop)
        if text[line_start:start].strip(" \t>-*") or text[stop:line_stop].strip():
            return False
        around = note.flat[max(0, line_start - 25) : line_start], note.flat[line_stop : line_stop + 25]
        return not any(_LINE_OF_BLOCK.search(side) for side in around)
    return True


def _is_generated(value: str) -> bool:
    """Whether the value alone shows that it is a token: all kinds of characters, as long as tokens are, and random."""
    return (
        _MANY_KINDS.fullmatch(value) is not None
        and _PUBLIC_FORM.match(value) is None
        and _IDENTIFIER.match(value) is None
        and surprise(value) >= _TAIL_LEAST_BITS
    )


def _is_token(token: re.Match[str]) -> bool:
    prefix, tail = token["prefix"], token["tail"]
    short = len(prefix) <= _SHORT_PREFIX and prefix.isalpha() and prefix.islower()
    if _ID_PREFIXES.fullmatch(prefix) or not (short or surprise(prefix) <= _PREFIX_MOST_BITS):
        return False
    tail = _WORD_PARTS.sub("", tail, count=1)
    if is_hex(tail):
        return len(tail) >= _SHORTEST_HEX_TAIL
    if len(tail) < _SHORTEST_TAIL or (len(tail) < _SHORTEST_JOINED_TAIL and not tail.isalnum()):
        return False
    return _GROUPS_OF_HEX.fullmatch(token[0]) is None and surprise(tail[:96]) >= _TAIL_LEAST_BITS


def _other_bits(before: str, value: str) -> float:
    """Evidence from a weak word or a vendor's name on the same line; a vendor's says nothing about a digest."""
    line = before.rpartition("\n")[2][-_WEAK_REACH:].lower()
    if not weak_words().isdisjoint(_LETTERS.findall(line)):
        return WEAK_BITS
    if len(value) < _VENDOR_SHORTEST or is_hex(value) or has_uuid(value):
        return 0.0
    return 0.0 if vendors().isdisjoint(_WORD.findall(line)) else WEAK_BITS


def _after_equals(text: str, start: int, stop: int) -> int:
    """The part of a run behind its first `=`, where a name stands before it."""
    found = text.find("=", start, stop - 8)
    return found + 1 if found >= 0 and surprise(text[start:found]) < 0 else start
