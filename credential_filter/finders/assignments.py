"""Values that a name announces, in text and in the cells of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from scrubjay.credential_filter.text.announcers import PASSWORD_BITS, WEAK_BITS
from scrubjay.credential_filter.text.scanned_note import BLOT, in_address
from scrubjay.credential_filter.text.secret_names import Name
from scrubjay.credential_filter.verdict.passwords import is_ticket
from scrubjay.credential_filter.verdict.shape import has_uuid
from scrubjay.credential_filter.verdict.verdict import Tie

_QUOTE = r"""(?:\\{0,4}["'`]|&quot;|&\#39;|[“„«‘])"""

_LINK = re.compile(
    rf"""(?x)
    (?: {_QUOTE} | [\])*_}}]  | </\w{{1,12}}+> ){{0,5}}+                       # the end of whatever wraps the name
    (?: [ ]? \( [^()\n]{{1,24}} \) (?=\s?[:=*]) )?+ \*{{0,2}}+                 # a remark: (prod)
    (?: [ ]?:[ ]?(?:str|string|String|bytes|Text)\b(?=[ ]?=) | [ ](?:string|String)(?=[ ]?:?=) )?+    # a type
    (?:
        [ \t]{{0,8}}+ (?P<assigned> (?: [?+.|&:]{{0,3}} =>? | :{{1,2}} (?!//) | [-=~]> | [→⇒：＝] | ,\s{{0,8}}["'](?:value|val)["'][ ]?: ) (?!=) ) \*{{0,2}}+ [ \t]{{0,8}}+
      | [ \t]{{0,4}}+ (?P<compared> [=!]={{1,2}}+ ) [ \t]{{0,4}}+ (?={_QUOTE})
      | [ \t]{{1,3}}+ (?P<said> (?:is|was|are|ist|lautet|lauten|es|est|é|è|to|of|jest|är|er|on) \b :? | は | 是 | 为 ) [ \t]{{1,3}}+
      | (?P<element> (?:\s{{0,2}}<input(?:\s(?!value=)[\w\-]{{1,16}}=["'][\w\-]{{0,24}}["']){{0,4}}+)? [ ]value=(?={_QUOTE})
        | (?:\sname=["']\w+["'])? > [ \t\n]{{0,12}}+ (?:<!\[CDATA\[)? )
      | (?<!\]) (?P<passed> ,[ \t]{{0,4}}+(?={_QUOTE}) | [ ]?\((?={_QUOTE}|[^()\s]{{0,64}}\d) )
      | (?P<beside> (?:[ \t]|\\t){{1,8}}+ | [.\-_](?=[\w\-]{{16}}) )
    )
    (?: \*\*|__|\* )?
    (?P<open> [@urbf]{{0,2}} {_QUOTE} | \(?(?:currently|now|e\.g\.)?[ ]?` )?
    """
)
_LONG_TOKEN = re.compile(r"[\w+/=.~%!\-]{12}")  # a word that says little announces nothing shorter
_FLAG = re.compile(r"(?:^|[\s\"'`])-{1,2}[\w\-]{0,30}$")
_PART_OF_NAME = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_]|[a-z0-9]-")
_TAG = re.compile(r"<[\w:.\-]{0,32}\Z")
_CLOSING = {"“": "”", "„": "“", "«": "»", "‘": "’"}
_BARE = re.compile(r"""(?:[^\s"'`<>\]]++|\](?!\())++""")
# Where a bare value ends before the next white space: at the next pair of a connection string, a query or a list.
_NEXT_PAIR = re.compile(
    r"""(?x) [;&,\\*] (?: (?<=[;&,])(?=[\s\w.%-]{1,40}[=:]) | (?<=;)$ | (?<=\\)[nrt](?=\W|[A-Z_]|$)
      | (?<=&)(?:quot|lt|gt|amp); | (?<=\*)\*$ )"""
)
_YODA = re.compile(r"""["']([^"'\n]{4,128})["'] {0,4}[!=]={1,2} {0,4}\(?[\w.$\->]{0,40}$""")
_YODA_REACH = 180
_QUOTES = ("'", '"', "`")
_TO_SPACE = re.compile(r"\S{2,}")
_CODE_BEHIND = re.compile(r"""["'`][\s,;:)\]}>+.]""")
_LONGEST_LINE_HEAD = 200
_LONGEST_BARE, _LONGEST_QUOTED = 512, 8192


_CUT_SHORT = re.compile(r"\.\.\.|…|<(?!/)|\{")  # behind the start of an example: sk-..., xoxb-<yours>
_LINE_HEAD = re.compile(r"^[\s>*+\-#]*+(?:\d++[.)]\s)?+(?:export\s|set\s|ENV\s)?[\w\s.\-\"'`*$]{0,40}$")
_LINE_TAIL = re.compile(r"""["'`*]{0,3},?[ \t\r]*(?:\n|\Z|\#|\()""")
_TICKET = re.compile(r"[A-Z]{0,3}[\-/ ]?[\d\W]{1,16}")
_PLAIN_NAMES = frozenset(("token", "key", "secret", "tokens", "keys"))
_BARE_HEAD = re.compile(r"""[\s>*+\-#"'`|]*+(?:[Uu]ser )?+""")
_USER = re.compile(
    r"""(?xi) (?: \b (?: user(?:[_\-\ ]?name)? | usr | login | e-?mail | account | uid | benutzer\w* | usuario | usuário
      | utilisateur | utente | gebruiker\w* ) | пользователь | логин | 用户名? | ユーザー\w* | 사용자\w* )
      ["'*`]{0,3} \s{0,3} (?:[:=]|=>) \s{0,3} ["'`]? \w"""
)
_USER_WORDS = (
    "user", "usr", "benutzer", "gebruiker", "login", "mail", "account", "uid", "usuario", "usuário",
    "utilisateur", "utente", "пользователь", "логин", "用户", "ユーザー", "사용자",
)  # fmt: skip
_USER_REACH = 96


class Value(NamedTuple):
    """A span that a name announces, and how it is tied to it.

    alone: whether name and value are all there is on their line
    """

    start: int
    stop: int
    tie: Tie
    quoted: bool
    alone: bool = False


def announced(text: str, name: Name) -> Iterator[Value]:
    """The value after the name and, for a comparison written backwards, the one before it."""
    if name.bits <= WEAK_BITS and _LONG_TOKEN.search(text, name.stop, name.stop + 64) is None:
        return
    link = _LINK.match(text, name.stop)
    if (
        link is not None
        and (value := _value(text, link)) is not None
        and not (value.tie is Tie.BESIDE and text[name.stop] in "._-" and in_address(text, name.start))
    ):
        yield value
    first = max(0, name.start - _YODA_REACH)
    if text.find("=", first, name.start) < 0:
        return
    line = text[max(first, text.rfind("\n", first, name.start) + 1) : name.start]
    if ("'" in line or '"' in line) and (before := _YODA.search(line)) is not None:
        start = name.start - len(line) + before.start(1)
        yield Value(start, start + len(before[1]), Tie.COMPARED, quoted=True)


def placed(text: str, name: Name, value: Value) -> Value:
    """The value with what its surroundings say: a flag, a line of its own, a user's name beside it."""
    if value.tie is Tie.COLUMN:
        return value
    if text.startswith("</", value.stop) and _TAG.search(text, max(0, name.start - 40), name.start):
        value = Value(value.start, value.stop, value.tie, True, value.alone)
    if value.tie is Tie.BESIDE:
        before = max(0, name.start - 40)
        is_flag = text.find("-", before, name.start) >= 0 and _FLAG.search(text, before, name.start) is not None
        return Value(value.start, value.stop, Tie.FLAG, value.quoted, value.alone) if is_flag else value
    if value.tie is not Tie.ASSIGNED:
        return value
    line = max(0, text.rfind("\n", max(0, name.start - 64), name.start) + 1, name.start - 64)
    alone = (
        name.bits >= PASSWORD_BITS
        and _LINE_TAIL.match(text, value.stop) is not None
        and _LINE_HEAD.match(text[line : name.start]) is not None
        and not is_pass(text, name)
    )
    tie = Tie.PAIRED if _is_paired(text, name.start) else Tie.ASSIGNED
    return Value(value.start, value.stop, tie, value.quoted, alone)


def is_pass(text: str, name: Name) -> bool:
    """Whether the name is no more than "pass", which tests, tickets and compilers say as well; "DB_PASS" is more."""
    return (
        name.stop - name.start == len("pass")
        and text[name.start : name.stop].lower() == "pass"
        and _PART_OF_NAME.fullmatch(text, max(0, name.start - 2), name.start) is None
    )


def is_doubtful(text: str, name: Name, value: Value) -> bool:
    """Whether the surroundings say that this is no secret unless it clearly looks like one.

    So with "pass" and what numbers a ticket, with a list behind a plural, with what a method of the name's object is
    given, with a ticket's number in brackets, and with a UUID behind no more than "token" or "key".
    """
    word = text[name.start : name.stop]
    shown = text[value.start : value.stop]
    if is_pass(text, name):
        return _TICKET.fullmatch(shown) is not None
    if value.tie is Tie.PASSED:
        return "." in word or is_ticket(shown)
    if shown.startswith("@") and text[name.stop : name.stop + 1] == ">":  # <user>:<password>@host
        return True
    if word[-1] in "sS" and name.bits >= PASSWORD_BITS:
        return text[value.stop : value.stop + 1] == "," and not value.quoted
    if name.bits < PASSWORD_BITS and has_uuid(shown) and word.lower() in _PLAIN_NAMES:
        line = text[max(text.rfind("\n", 0, name.start) + 1, name.start - 40) : name.start]
        return _BARE_HEAD.fullmatch(line) is not None
    return False


def _is_paired(text: str, start: int) -> bool:
    """Whether a user is named right before."""
    before = text[max(0, start - _USER_REACH) : start].rpartition(BLOT)[2]
    return any(map(before.lower().__contains__, _USER_WORDS)) and _USER.search(before) is not None


def _tie(link: re.Match[str]) -> Tie:
    if link["assigned"] or link["element"]:
        return Tie.ASSIGNED
    if link["compared"]:
        return Tie.COMPARED
    if link["said"]:
        return Tie.SAID
    return Tie.PASSED if link["passed"] else Tie.BESIDE


def _past_quotes(text: str, start: int, stop: int) -> str:
    """The value up to the next white space where a quote in it cannot be the end of a string that began before it."""
    line = max(text.rfind("\n", max(0, start - _LONGEST_LINE_HEAD), start) + 1, start - _LONGEST_LINE_HEAD, 0)
    rest = _TO_SPACE.match(text, stop, start + _LONGEST_BARE)
    if rest is None or text.find(text[stop], line, start) >= 0 or _CODE_BEHIND.match(text, stop):
        return text[start:stop]
    return text[start : rest.end()]


def _value(text: str, link: re.Match[str]) -> Value | None:
    start = link.end()
    if link["open"]:
        quote = link["open"].lstrip("@urbf(").removeprefix("currently").strip(" ")
        stop = text.find(_CLOSING.get(quote, quote), start, start + _LONGEST_QUOTED)
        if stop >= 0 and text.find("\n", start, stop) < 0:
            return Value(start, stop, _tie(link), quoted=True)
    bare = _BARE.match(text, start, start + _LONGEST_BARE)
    if bare is None:
        return None
    value = bare[0]
    if text[bare.end() : bare.end() + 1] in _QUOTES and link["assigned"] and not link["open"]:
        value = _past_quotes(text, start, bare.end())
    # one character is found many times faster than one of a class
    has_mark = ";" in value or "&" in value or "," in value or "\\" in value or "*" in value
    if has_mark and (cut := _NEXT_PAIR.search(value)) is not None:
        value = value[: cut.start()]
    value = value.rstrip(",;:)]}*|").rstrip(".")
    if not value or _CUT_SHORT.match(text, start + len(value)):
        return None
    return Value(start, start + len(value), _tie(link), quoted=False)
