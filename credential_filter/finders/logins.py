"""The logins on a line, each a name and a password, and which of them count in a list that a word announces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from scrubjay.credential_filter import data
from scrubjay.credential_filter.finders.noted_passwords import bare
from scrubjay.credential_filter.text.announcers import ACCOUNTS, CREDENTIALS, LOGINS
from scrubjay.credential_filter.text.scanned_note import BLOT, Note, in_address
from scrubjay.credential_filter.verdict.passwords import is_homemade, is_mixed, is_password, is_random, names_file
from scrubjay.credential_filter.verdict.shape import contains_example_word, function_words, is_example, remarks
from scrubjay.credential_filter.verdict.verdict import NAMED, PASSWORD, Hit, vendors

# What a value is taken for: nothing, made of words and digits as people do, drawn by chance.
NOTHING, MADE, DRAWN = range(3)
# What stands before it: something else, a name of a thing or a person, what only a user is called, a user that is known.
OTHER, NAME, USER, KNOWN = range(4)
# How they are tied: on one word (admin/x, admin:x), by a mark between blanks, by a comma or a plus, by a blank.
TIGHT, MARKED, LISTED, BLANK = range(4)

_SHORTEST_OF_WORDS = 8
_LONGEST_OF_ACCOUNT = 24
_FEWEST_DIGITS = 3  # of what is made of words, behind the name of a thing
_LETTER, _DIGIT = re.compile(r"[^\W\d_]"), re.compile(r"\d")
_SYMBOL = re.compile(r"[!#$%&*@?+^~]")
_NUMBERED = re.compile(r"[^\W\d_]{1,24}[\-_ ]?\d(?:\.\d){0,3}(?:-[a-z]{1,12})?|v?[\d.]+\w?")  # OAuth2, TLS1.3
_WORD_AND_NUMBER = re.compile(r"[^\W\d_]{1,40}[\-_.]?\d{1,8}")
_OF_YEAR = re.compile(r"[^\W\d_]{1,40}[\-_.]?(?:19|20)\d\d(?:[\-_.]\w{1,12})?")
_IDENTIFIER = re.compile(r"[a-z0-9]{1,24}(?:[\-_.][a-z0-9]{1,24}){1,8}")
_BANK_ACCOUNT = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{10,30}")
_CODE = re.compile(r"\]\(|::|->|://|</|\w\(|/[^/]{0,200}/|^\W{0,4}[A-Z]:\\")
_KNOWN_USERS = frozenset((
    "admin", "root", "administrator", "guest", "user", "test", "demo", "postgres", "mysql", "ubuntu", "superuser", "sysadmin", "sa", "backup",
    "web", "www", "pi", "service", "support", "operator", "ftp", "oracle", "gast", "invité", "invitado", "convidado", "ospite", "админ", "管理员",
))  # fmt: skip
# What has a password of its own, though below weaker words what follows it is more often a number or a name.
_OPENED = frozenset((
    "mail", "e-mail", "email", "emails", "mails", "phone", "mobile", "handy", "telefon", "téléphone", "teléfono", "telefono", "telefone", "телефон",
    "nas", "server", "serveur", "servidor", "сервер", "почта", "пошта", "correo", "courriel", "correio", "konto", "サーバー", "服务器", "site", "webseite",
))  # fmt: skip
_A_USER = re.compile(r"[^\W\d_][\w.\-]{1,31}")
_NO_NAME = re.compile(rf"[/\\{BLOT}]|\Av?[\d\W]*+\Z")
_MAIL = re.compile(r"[\w.+\-]{1,64}@[\w\-]{1,63}(?:\.[\w\-]{1,63}){0,4}")
_MOST_WORDS_OF_NAME = 4

# Parts of a line.
_MOST_TOKENS = 40
_TOKEN = re.compile(r"[^\s\u3000]{1,200}+")
_MARKS = frozenset(("/", "／", ":", "：", "=", "=>", "->", "-->", "→", "➜", "–", "—", "-"))
_ENDS_ITEM = frozenset(
    (",", ";", "|", "·", "•", "and", "und", "et", "y", "e", "och", "en", "og", "и", "i", "or", "oder", "ou", "o", "или")
)
_TAIL = re.compile(r"""(?P<close>["'`*_)\]}”»]{0,4}+)(?P<mark>[:：=]|->|→|[,;]{1,2}|\+)["'`*_]{0,4}+\Z""")
_PIECE = re.compile(r"[、，；]|[,;|](?=[^,;|]{1,64}[/:=：])")
_INSIDE = re.compile(r"(?<=[\w)\]*_`\"'])(?:->|[/／:：=→])(?=[^/\s:])")
_CLOSERS = {")": "(", "]": "[", "}": "{", "）": "（", "】": "【"}
_WRAPS = "*_`\"'()[]{}<>“”„«»（）【】"
_AROUND_NAME = _WRAPS + " \t.,:#"


# A letter beside a digit, or with no more than two marks between: without one there is no password here.
_PROMISING = re.compile(r"[^\W\d][^\w\s]{0,2}\d|\d[^\w\s]{0,2}[^\W\d]")


def is_promising(note: Note, start: int, stop: int) -> bool:
    """Whether it is worth while to read a part of a line for logins."""
    return note.has_digit(start, stop) and _PROMISING.search(note.text, start, stop) is not None


class Login(NamedTuple):
    """What may be a password, and what stands before it: a user's name, or that of what it opens.

    start, stop: the span of the password
    user:  as it is written, without marks around it
    tie:   how the two are tied
    whole: whether nothing but a remark in brackets stands behind it
    """

    start: int
    stop: int
    user: str
    tie: int
    looks: int
    whole: bool = True


NO_LOGIN = Login(0, 0, "", MARKED, NOTHING)  # what has the form of one, and no password in it


class _Part(NamedTuple):
    """A word (mark ""), a tie between words (mark and how), or the end of an item."""

    start: int
    stop: int
    mark: str
    tie: int = MARKED


def _parts(text: str, start: int, stop: int) -> Iterator[_Part]:
    """The words of a line and the marks between them, blanks left out."""
    for number, token in enumerate(_TOKEN.finditer(text, start, stop)):
        word, (begin, end) = token[0], token.span()
        if number == _MOST_TOKENS:
            return
        if word in _MARKS:
            yield _Part(begin, end, "tie")
        elif word == "+":
            yield _Part(begin, end, "tie", LISTED)
        elif not word.strip(_WRAPS):
            continue
        elif word.lower() in _ENDS_ITEM:
            yield _Part(begin, end, "end")
        else:
            yield from _of_token(text, begin, end)


def _of_token(text: str, begin: int, end: int) -> Iterator[_Part]:
    tail = _TAIL.search(text, begin, end)
    mark = tail["mark"] if tail is not None else ""
    stop = tail.start("mark") if tail is not None else end
    if tail is not None and text[begin:stop].strip(_WRAPS) == "":
        stop, mark = end, ""
    if "://" in text[begin:stop]:
        yield _Part(begin, stop, "")
    else:
        for first, last in _pieces(text, begin, stop):
            if first > begin:
                yield _Part(first, first, "end")
            inside = _INSIDE.search(text, first, last)
            if (
                inside is None
                or text.count("/", first, last) > 1
                or kind_of_user(text[first : inside.start()]) == OTHER
            ):
                yield _Part(first, last, "")
                continue
            yield _Part(first, inside.start(), "")
            yield _Part(inside.start(), inside.end(), "tie", TIGHT)
            again = _INSIDE.search(text, inside.end(), last) if inside[0] in ":：=" else None
            if again is not None and again[0] in "/／":
                yield _Part(inside.end(), again.start(), "")
                yield _Part(again.start(), again.end(), "tie", TIGHT)
                yield _Part(again.end(), last, "")
            else:
                yield _Part(inside.end(), last, "")
    if mark:
        yield _Part(stop, end, "end" if mark[0] in ",;" else "tie", LISTED if mark == "+" else MARKED)


def _pieces(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    for cut in _PIECE.finditer(text, begin, end):
        if cut.start() > begin:
            yield begin, cut.start()
        begin = cut.end()
    if begin < end:
        yield begin, end


def logins_in(text: str, start: int, stop: int) -> list[Login]:
    """The logins of a line, or of a part of one: those that are tied by marks, or the one that a comma or a blank ties."""
    items: list[list[list[_Part]]] = [[[]]]
    ties: list[list[int]] = [[]]
    for part in _parts(text, start, stop):
        if part.mark == "end":
            if items[-1][0]:
                items.append([[]])
                ties.append([])
        elif part.mark == "tie":
            if items[-1][-1]:
                items[-1].append([])
                ties[-1].append(part.tie)
        else:
            items[-1][-1].append(part)
    if not items[-1][0]:
        items.pop()
        ties.pop()
    is_tied = any(len(item) > 1 for item in items)
    if 1 < len(items) < _MOST_WORDS_OF_NAME and (not is_tied or (len(items) > 1 and len(items[-2]) > 1)):
        login = _by_comma(text, items[-2][-1], items[-1])
        if login is not None:
            return [login]
    found: list[Login] = []
    for item, how in zip(items, ties, strict=True):
        if len(item) > 1:
            found.append(_of_item(text, item, how))
        elif 1 < len(item[0]) <= _MOST_WORDS_OF_NAME:
            found.append(_login(text, item[0][:-1], item[0][-1:], BLANK))
    return found


def _by_comma(text: str, name: list[_Part], item: list[list[_Part]]) -> Login | None:
    """A login whose password is all that stands behind a comma, and whose user, who looks like none, before it."""
    if len(item) > 1 or len(item[0]) > 1 or not 0 < len(name) < _MOST_WORDS_OF_NAME:
        return None
    login = _login(text, name, item[0], LISTED)
    is_user = not likeness(text[slice(*trimmed(text, name[-1].start, name[-1].stop))])
    return login if login.looks and is_user else None


def _of_item(text: str, item: list[list[_Part]], ties: list[int]) -> Login:
    """The last of what is tied that may be a password, or what stands there instead."""
    login = NO_LOGIN
    for place in range(len(item) - 1, 0, -1):
        if not item[place] or not item[place - 1]:
            continue
        login = _login(text, item[place - 1], item[place], ties[place - 1])
        if login.looks:
            return login
    return login


def _login(text: str, name: Sequence[_Part], value: Sequence[_Part], tie: int) -> Login:
    start, stop = trimmed(text, value[0].start, value[0].stop)
    user = text[name[0].start : name[-1].stop] if tie != TIGHT else text[name[-1].start : name[-1].stop]
    whole = len(value) == 1 or text[value[1].start] in "(["
    before = {text[part.start : part.stop].lower() for part in name[:-1]}
    is_none = BLOT in text[start:stop] or in_address(text, name[-1].start) or not remarks().isdisjoint(before)
    looks = NOTHING if is_none else likeness(text[start:stop])
    return Login(start, stop, user, tie, looks, whole)


def trimmed(text: str, start: int, stop: int) -> tuple[int, int]:
    """The span without what is wrapped around it, and without the end of a sentence or of brackets that begin before it."""
    for _ in range(4):
        size = stop - start
        start, stop = bare(text, start, stop)
        while stop - start > 1 and (
            text[stop - 1] in ".,;:`*\"'。"
            or (
                text[stop - 1] in _CLOSERS
                and text.count(_CLOSERS[text[stop - 1]], start, stop) < text.count(text[stop - 1], start, stop)
            )
        ):
            stop -= 1
        while stop - start > 1 and text[start] in "([{`*\"'（【" and text[stop - 1] not in ")]}）】":
            start += 1
        if stop - start == size:
            break
    return start, stop


@lru_cache(maxsize=4096)
def likeness(value: str) -> int:
    """What a value is taken for: NOTHING, MADE or DRAWN."""
    if _DIGIT.search(value) is None and value.lower() == value:
        return NOTHING
    if _BANK_ACCOUNT.fullmatch(value) is not None or _CODE.search(value) is not None or contains_example_word(value):
        return NOTHING
    is_drawn = is_mixed(value) or (is_random(value) and is_password(value) and _IDENTIFIER.fullmatch(value) is None)
    if is_drawn and not is_of_year(value):
        return DRAWN
    return MADE if _is_made(value) or is_password(value) else NOTHING


def is_of_year(value: str) -> bool:
    """Whether it is a word with a year, as much else is named: Oxford2012, Season2024-b."""
    return _OF_YEAR.fullmatch(value) is not None


def _is_made(value: str) -> bool:
    """Whether a password in a list of logins may be made of words, which by itself looks like the name of a thing."""
    digits = len(_DIGIT.findall(value))
    return (
        len(value) >= _SHORTEST_OF_WORDS
        and digits > 0
        and _LETTER.search(value) is not None
        and (digits > 1 or _SYMBOL.search(value) is not None or is_password(value) or value.lower() != value)
        and (is_homemade(value) or (_IDENTIFIER.fullmatch(value) is None and _WORD_AND_NUMBER.fullmatch(value) is None))
        and _NUMBERED.fullmatch(value) is None
        and not names_file(value)
        and not is_example(value)
    )


@cache
def _no_users() -> frozenset[str]:
    lines = (line for line in data.read("no_users.txt").splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())


@lru_cache(maxsize=4096)
def kind_of_user(written: str, *, before_slash: bool = True) -> int:
    """What stands before a value: a user, or what else has a password, or something of which none is to be expected."""
    name = written.strip(_AROUND_NAME).lower()
    words = name.replace("(", " ").replace(")", " ").split()
    if not words or len(words) > _MOST_WORDS_OF_NAME or _NO_NAME.search(name) is not None:
        return OTHER
    if _MAIL.fullmatch(name) is not None or (name in _KNOWN_USERS and (before_slash or name not in _no_users())):
        return KNOWN
    if words[-1] in _no_users() or words[0] in _no_users() or not function_words().isdisjoint(words):
        return OTHER
    if len(words) > 1 or _A_USER.fullmatch(name) is None or name in vendors():
        return NAME
    is_small = written.strip(_AROUND_NAME) == name
    return USER if is_small or (_DIGIT.search(name) is not None and not is_of_year(name)) else NAME


# Which logins of a list count.


def counted(text: str, logins: Sequence[Login], much: int) -> Iterator[Hit]:
    """The passwords in a list of logins that a word announces which promises so much (`announcers.LOGINS`)."""
    users = [_kind_in_list(login, much) if login.looks else OTHER for login in logins]
    likely = sum(
        user > OTHER and (login.whole or login.tie == TIGHT) for login, user in zip(logins, users, strict=True)
    )
    is_drawn = any(login.looks == DRAWN for login in logins)
    is_likely = 2 * likely > len(logins) or (likely > 1 and is_drawn)
    for login, user in zip(logins, users, strict=True):
        if user == OTHER:
            continue
        if login.looks == DRAWN:
            counts = _counts_drawn(login, user, much)
        else:
            counts = _counts_made(text[login.start : login.stop], login, user, much, is_likely=is_likely)
        if counts:
            yield Hit(login.start, login.stop, PASSWORD, NAMED)


def _kind_in_list(login: Login, much: int) -> int:
    kind = kind_of_user(login.user, before_slash=login.tie == TIGHT)
    if kind == OTHER and much == CREDENTIALS and login.tie == MARKED and login.whole:
        words = login.user.strip(_AROUND_NAME).lower().split()
        if 0 < len(words) <= _MOST_WORDS_OF_NAME and not _OPENED.isdisjoint((words[0], words[-1])):
            return NAME
    return kind


def _counts_drawn(login: Login, user: int, much: int) -> bool:
    if login.tie == BLANK:
        return much == CREDENTIALS or (much == LOGINS and user == KNOWN)
    if much == ACCOUNTS and user == NAME:  # what is longer is rather an address of money, or a number of an account
        return login.whole and login.stop - login.start <= _LONGEST_OF_ACCOUNT
    return True


def _counts_made(value: str, login: Login, user: int, much: int, *, is_likely: bool) -> bool:
    if much == CREDENTIALS:
        if user == NAME and not is_likely and is_of_year(value):
            return False
        return login.whole or (login.tie != BLANK and user > NAME)
    if user == KNOWN:
        return login.tie != BLANK or (login.whole and much == LOGINS)
    if login.tie > MARKED or not is_likely or not (login.whole or login.tie == TIGHT):
        return False
    is_telling = not is_of_year(value) and (
        len(_DIGIT.findall(value)) >= _FEWEST_DIGITS or _SYMBOL.search(value) is not None
    )
    if much == ACCOUNTS:
        return is_telling and user == USER and is_homemade(value)
    return is_telling or user == USER
