"""Values that stand where a secret would: templates, masks, look-ups and code. They are kept."""

from __future__ import annotations

import re

# Words that say so, anywhere in a value.
_STANDS_IN = re.compile(
    r"""(?xi)
      redacted | removed | masked | example | placeholder | dummy | sample | lorem | foo[_\-]?bar
    | change[_\-]?(?:me|this|it) | insert[_\-] | enter[_\-] | to[_\-]do | fill[_\- ]?(?:me|in)
    | replace[_\- ]?(?:me|this|with) | (?:^|[_\-.\s<\[{/])(?:your|my)[_\-.\s]
    | goes[_\- ]here | [_\-.\s]here\W*$ | (?-i:[A-Z]HERE)$ | (?:secret|token|key)here
    | x{4} | \#{4} | \*{4} | •{2} | \.\.\. | …
    """
)
# Values that are nothing else: the kind of thing, the type of thing, the user that every manual has.
_TRIVIAL = re.compile(
    r"""(?xi)
      (?:[a-z]{1,16}[_\-]){0,3} (?:my|your|the|a|some|test|new|old|db|user|root|admin|super|default)?
      (?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|api[_\-]?key|key|creds?) [_\-]?(?:\d{0,2}|123)
    | test[_\-]?\d{0,4} | root | admin | user | guest | postgres | mysql | default
    | string | text | varchar | value | none | null | nil | true | false | undefined | empty | blank | unknown | n/a
    | required | optional | hidden | secure | strong
    """
)
# Variables, templates and patterns.
_TEMPLATE = re.compile(
    r"""(?xi)
      ^\\?\$\w+(?:->.*)?$ | ^\\?\$env: | ^\\?\$_[A-Z]+ | \$\{ | \$\( | \{\{ | \}\} | <%= | \#\{
    | %\(\w+\)[sd] | ^%\w+%?$ | (?<!\w)%[sdv](?!\w) | ^@[\w.:\-]*@?$ | ^[#.][a-z]+(?:-[a-z]+)*$ | ^!\w+(?:\s|$)
    | ^<[^<>]*>?$ | ^\[[^\[\]]*\]?$ | ^\{[^{}]*\}?$ | ^\( | ^\\?$ | ^[&*]\w+$ | ^-{1,2}\w+$
    | ^\^ | \[a-z | \\[dws] | ^-----BEGIN | ^[a-z_]+:[\d,]+$
    """
)
# Where the secret is to be found: addresses, paths, calls, fields of objects.
_LOOK_UP = re.compile(
    r"""(?xi)
      ^(?:https?|file|op|env|vault|ref\+\w+|arn|ssh|git|s3|gs|urn|data|aws|gcp|az|keyring|pass):
    | ^(?:~|\.{1,2}|[A-Z]:)[/\\][\w.~-] | ^(?:/[a-z][\w.@\-]{0,48}){2,}$
    | ^[\w.$>-]+(?:\(|\[["'\w]) | process\.env | environ | getenv | ^ENV\[ | ^secrets?\.
    | ^(?:self|this|config|settings|args?|opts?|options|params?|props|ctx|context|req|request|res|response|data|env|os
        |user|app|vars?|local|module|import|client|state)\.
    | ^[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+\(?$
    """
)
_CONSTANT = re.compile(r"[A-Z]+(?:_[A-Z]+)+")
_MASK_RUN = re.compile(r"(.)\1{4,}")


def is_placeholder(value: str) -> bool:
    """Whether `value` only holds a secret's place: `<token>`, `${KEY}`, `xxxx`, `YOUR_KEY`, `os.getenv("KEY")`."""
    return is_example(value) or _LOOK_UP.search(value) is not None or _CONSTANT.fullmatch(value) is not None


def is_example(value: str) -> bool:
    """Whether a string in a vendor's own format says that it is none: a mask, a template, words such as EXAMPLE."""
    return (
        is_mask(value)
        or _STANDS_IN.search(value) is not None
        or _TEMPLATE.search(value) is not None
        or _TRIVIAL.fullmatch(value) is not None
    )


def is_mask(value: str) -> bool:
    """Whether `value` is mostly one character, or a handful of them: `****`, `XXXX-XXXX`, `00000000`."""
    folded = value.lower()
    kinds = set(folded)
    if len(kinds) <= 3 and len(value) > 3:
        return True
    if len(kinds) > len(value) / 2:
        return False
    return max(map(folded.count, kinds)) > len(value) / 2 or len(_MASK_RUN.sub("", folded)) < len(value) / 2
