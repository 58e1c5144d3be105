"""Values that stand where a secret would: templates, masks, look-ups and code. They are kept."""

from __future__ import annotations

import re
from itertools import groupby

from ahocorasick_rs import AhoCorasick

from scrubjay.credential_filter.deciding.shape import surprise
from scrubjay.credential_filter.reading.note import encodable

# Words that say so, and marks of templates, anywhere in a value in lower case.
_STANDS_IN = AhoCorasick((
    "redacted", "removed", "masked", "example", "placeholder", "dummy", "sample", "lorem", "foobar", "foo_bar", "foo-bar",
    *(f"change{joiner}{what}" for joiner in ("", "_", "-") for what in ("me", "this", "it")),
    "insert_", "insert-", "enter_", "enter-", "to_do", "to-do",
    *(f"fill{joiner}{what}" for joiner in ("", "_", "-", " ") for what in ("me", "in")),
    *(f"replace{joiner}{what}" for joiner in ("", "_", "-", " ") for what in ("me", "this", "with")),
    "goes_here", "goes-here", "goes here", "secrethere", "tokenhere", "keyhere",
    "xxxxx", "####", "****", "••", "...", "…",
    "${", "$(", "{{", "}}", "<%=", "#{", "[a-z", "\\d", "\\w", "\\s",
))  # fmt: skip
_YOURS = re.compile(r"(?i)(?:^|[_\-.\s<\[{/])(?:your|my)[_\-.\s]")
_HERE = re.compile(r"(?:(?i:[_\-.\s]here)\W{0,96}|[A-Z]HERE)$")
# Values that are nothing else: the kind of thing, the type of thing, the user that every manual has.
_TRIVIAL = re.compile(
    r"""(?xi)
      (?:[a-z]{1,16}[_\-]){0,3} (?:my|your|the|a|some|test|new|old|db|user|root|admin|super|default)?
      (?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|api[_\-]?key|key|creds?) [_\-]?(?:\d{0,2}|123)(?::[a-z]+)?
    | test[_\-]?\d{0,4} | root | admin | user | guest | postgres | mysql | default
    | string | text | varchar | value | none | null | nil | true | false | undefined | empty | blank | unknown | n/a
    | required | optional | hidden | secure | strong
    """
)
# Variables, templates and patterns: how they start.
_TEMPLATE = re.compile(
    r"""(?xi)
      \\?\$+\w+(?:-(?:>.*)?)?$ | \\?\$env: | \\?\$_[A-Z]+ | %\w+%?$ | @[\w.:\-]*@?$ | [#.][a-z]+(?:-[a-z]+)*$ | !\w+(?:\s|$)
    | <[^<>]*>?$ | \[[^\[\]]*\]?$ | \{[^{}]*\}?$ | \( | \\?$ | [&*]\w+$ | -{1,2}\w+$ | \^ | -----BEGIN | [a-z_]+:[\d,]+$
    """
)
_GUID = re.compile(r"\{[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\}")
_FORMAT = re.compile(r"%\(\w+\)[sd]|(?<!\w)%[sdv](?!\w)", re.IGNORECASE)
# Where the secret is to be found: addresses, paths, calls, fields of objects.
_LOOK_UP = re.compile(
    r"""(?xi)
      (?:https?|file|op|env|vault|ref\+\w+|arn|ssh|git|s3|gs|urn|data|aws|gcp|az|keyring|pass):
    | (?:~|\.{1,2}|[A-Z]:)[/\\][\w.~-] | (?:/[a-z][\w.@\-]{0,48}){2,}$
    | [\w.$>-]+(?:\(|\[["'\w]) | ENV\[ | secrets?\.
    | (?:self|this|config|settings|args?|opts?|options|params?|props|ctx|context|req|request|res|response|data|env|os
        |user|app|vars?|local|module|import|client|state)\.
    """
)
_FIELD = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+\(?")
_FIELD_MOST_BITS = 12.0  # names of fields read like words
_LOOK_UP_WORDS = ("process.env", "environ", "getenv")
_CUT_SHORT = re.compile(r"[-_.:!]?(?:[#*•]{3}|[xX]{4}|\.{3}|…)")
_CONSTANT = re.compile(r"[A-Z]+(?:_[A-Z]+)+")
_SHORTEST_RUN = 4
_RANDOM_BITS = 24.0  # a string with so many is no template, however it begins
_ENOUGH_CHARS = 96


def is_placeholder(value: str) -> bool:
    """Whether `value` only holds a secret's place: `<token>`, `${KEY}`, `xxxx`, `YOUR_KEY`, `os.getenv("KEY")`."""
    return (
        is_example(value)
        or _LOOK_UP.match(value) is not None
        or _CONSTANT.fullmatch(value) is not None
        or (_FIELD.fullmatch(value) is not None and surprise(value) <= _FIELD_MOST_BITS)
        or any(map(value.lower().__contains__, _LOOK_UP_WORDS))
    )


def contains_example_word(value: str) -> bool:
    """Whether a word such as EXAMPLE, or a mark of a template, is anywhere in the value."""
    return bool(_STANDS_IN.find_matches_as_indexes(encodable(value.lower())))


def is_example(value: str) -> bool:
    """Whether a string in a vendor's own format says that it is none: a mask, a template, words such as EXAMPLE."""
    folded = value.lower()
    return (
        is_mask(value)
        or _TRIVIAL.fullmatch(value) is not None
        or _GUID.fullmatch(value) is not None
        or (_TEMPLATE.match(value) is not None and surprise(value[:_ENOUGH_CHARS]) < _RANDOM_BITS)
        or contains_example_word(value)
        or ("%" in value and _FORMAT.search(value) is not None)
        or ("here" in folded and _HERE.search(value) is not None)
        or (("your" in folded or "my" in folded) and _YOURS.search(value) is not None)
    )


def is_cut_short(text: str, stop: int) -> bool:
    """Whether a mask takes the place of what should follow here, as in `xoxp-5723-####`."""
    return _CUT_SHORT.match(text, stop) is not None


def is_mask(value: str) -> bool:
    """Whether `value` is mostly one character, or a handful of them: `****`, `XXXX-XXXX`, `00000000`."""
    folded = value.lower()
    kinds = set(folded)
    if len(value) > 3 and (len(kinds) <= 2 or len(set(value)) <= 3):
        return True
    if len(kinds) > len(value) / 2:
        return False
    most = max(map(folded.count, kinds))
    return most > len(value) / 2 or (most > _SHORTEST_RUN and _without_runs(folded) < len(value) / 2)


def _without_runs(folded: str) -> int:
    """How many characters are left without the runs of one and the same."""
    runs = (sum(1 for _ in same) for _, same in groupby(folded))
    return sum(size for size in runs if size <= _SHORTEST_RUN)
