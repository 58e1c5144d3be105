"""Whether a string by itself looks like a password rather than like text, code or data of an ordinary kind."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from scrubjay.credential_filter import data
from scrubjay.credential_filter.verdict.shape import is_example, is_hex, surprise

SHORTEST, LONGEST = 6, 160
_RANDOM_BITS = 9.0  # from here on nobody composed it of words
_CLEARLY_RANDOM_BITS = 24.0
_ENOUGH_CHARS = 96  # more would not change the verdict
_SHORTEST_LETTERS = 8  # of a password without a digit
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_SYMBOL = re.compile(r"[!#$%&*@^?+~§€£¥°]")

# A name with a number behind a mark, as people compose them: Heron-2041x, heron.2041!
_NAME_AND_NUMBER = re.compile(
    r"[^\W\d_]{3,24}[\W_]{1,3}\d{3,10}[^\w\s]?\w?[^\w\s]?|\d{3,10}[\-_.!@#$%&*+][^\W\d_]{3,24}[!?]?"
)
# Words with marks between them and a number in one of them, as password managers draw them.
_JOINED_WORDS = re.compile(r"(?:[A-Z]?[a-zà-ÿа-яё]{2,12}\d{0,4}[\-_.]){2,9}[A-Z]?[a-zà-ÿа-яё]{2,12}\d{0,4}[!?]?")

_TICKET = re.compile(r"[A-Z][A-Z0-9]{1,9}-\d{1,6}")
_MIXED = re.compile(r"(?=[A-Za-z]{0,31}[0-9])[A-Za-z0-9]{8,32}")
_SIXES = re.compile(r"(?:[A-Za-z0-9]{6}-){2,3}[A-Za-z0-9]{6}")  # as Apple's keychain draws them

# Strings of a kind that is no password, whatever stands before them: mail, links, hashes.
_ADDRESS = re.compile(
    r"""(?x)
      [\w.+\-]{1,64}@(?:[a-z0-9\-]{1,64}\.){1,4}(?:[a-z]{2,16}|\d{1,3})[.,;:)>]?+
    | \(?(?:\w{1,12}=[\w.]{1,12}[,;&]){1,8}\w{1,12}=[\w.]{1,12}\)?[.,;]?   # parameters
    | (?:ISO|IEC|IEEE|RFC|CVE|UTF|DIN|NIST|FIPS|PEP|ECMA|ANSI|SP)[\-/]?\d[\w\-.:/]{0,24}      # standards
    | @[\w\-]{1,40}(?:\.[\w\-]{1,40}){0,4}(?::\d{2,5}|\.[a-z]{2,6})(?:['")/].{0,80})?
    | \$(?:2[abxy]?|argon2\w{0,2}|[156y]|apr1|pbkdf2[\w\-]{0,10}|scrypt)\$.{1,200}      # hashes of passwords
    | \$\{?[A-Z][A-Z0-9_]{2,80}\}?(?:[/.:@].{0,80})? | \[\[[^\[\]]{1,160}\]\].{0,4} | \^[a-z0-9\-]{4,12} | [0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}
    """
)
_LINKED = re.compile(
    r"\s|^//|^\$\(|://|\]\((?:https?:|<|\.{0,2}/|\#|[\w%\-]+[./])|[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|(?:\.{3}|…)$|^/[\w.\-]{2,40}/[\w.\-]{2,40}/"
)
# The same, but for those that are clearly random.
_ORDINARY = re.compile(
    r"""(?x)
      [+~<>=]{0,2}\d[\d.,:/\-–x+]{0,40}+[%°]?[A-Za-z"']{0,5}[.,;:)]?  # numbers, dates, times, amounts: 8-64, 30s, 1.5GB
    | [$€£¥]\d[\d.,]{0,12}[kKmM]? | \#\d{1,8}
    | [vV]?\d{1,5}(?:\.\d{1,5}){1,4}[\w\-+.]{0,24}                    # versions
    | [A-Za-z]{1,16}[-/_.]?\d{1,3}(?:[-_/][A-Za-z]{0,8}\d{0,4}){0,3}[.,;:)]?  # standards and numbered things: SHA-256, user2
    | [A-Za-z]{2,8}-?(?:19|20)\d\d | (?:CVE|RFC|ISO|IEC|KB|PEP|JSR|IEEE|NIST|SP)[- ]?[\d\-.]{2,16}
    | [A-Za-z0-9]{1,24}(?:\\?_[A-Za-z0-9]{1,24}){1,8} | \$\{?\w{1,40}\}?(?:[/.:].{0,80})?     # names in code
    | \#[\w/\-]{1,60} | @[\w\-]{1,40} | \\[A-Za-z]{1,24}\{.{0,80}      # tags, people, TeX
    | (?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{1,4}(?:/\d{1,3})?            # IPv6
    | [a-z]{2,6}\d{0,2}\(\d{1,6}(?:[.^*/+,\-]\d{1,6}){1,6}\)?[.,;:)]?      # formulas: log2(94^12)
    """
)
_FILE_ENDINGS = frozenset(
    [
        "md",
        "txt",
        "py",
        "js",
        "mjs",
        "ts",
        "tsx",
        "jsx",
        "json",
        "yaml",
        "yml",
        "toml",
        "ini",
        "conf",
        "cfg",
        "env",
        "sh",
        "ps1",
        "bat",
        "exe",
        "dll",
        "so",
        "c",
        "h",
        "cpp",
        "hpp",
        "cs",
        "go",
        "rs",
        "rb",
        "php",
        "java",
        "kt",
        "htm",
        "html",
        "css",
        "scss",
        "xml",
        "csv",
        "tsv",
        "pdf",
        "doc",
        "docx",
        "xls",
        "xlsx",
        "ppt",
        "pptx",
        "png",
        "jpg",
        "jpeg",
        "gif",
        "svg",
        "webp",
        "mp3",
        "mp4",
        "zip",
        "gz",
        "tar",
        "7z",
        "log",
        "lock",
        "db",
        "sqlite",
        "sqlite3",
        "pem",
        "crt",
        "cer",
        "key",
        "pub",
        "kdb",
        "kdbx",
        "gpg",
        "asc",
        "app",
        "com",
        "org",
        "net",
        "io",
        "dev",
        "edu",
        "gov",
        "eu",
        "de",
        "uk",
        "fr",
        "ru",
        "cn",
        "jp",
    ]
)
_PATH = re.compile(r"(?:~?/[\w.\-@]{1,40}+){2,12}+/?+[.,;:)]?|(?:[\w.\-]{2,24}+/){1,12}+[\w.\-]{0,24}+[.,;:)]?")
# Signs of addresses, markup and code inside a string.
_IN_CODE = re.compile(
    r"""://|\]\(|\{\{|\}\}|\$\{|</|/>|=["']|["']:|\(["']|\(\)|=>|->|::|\|\||&&|\w\(\w{0,24}[),]|\w\[\w{1,24}\]|^["']?\w{1,40}["']?[:=]["']?\w{0,40}["']?[,;]?$|^\W{1,3}\w{1,24}\W{0,3}$"""
)


@lru_cache(maxsize=16_384)  # a value is met again from the name beside it, and from the name above it
def is_password(value: str) -> bool:
    """Whether the string, which is no more than one word, was generated or composed as passwords are."""
    if not SHORTEST <= len(value) <= LONGEST or _LETTER.search(value) is None or _is_word(value):
        return False
    if _DIGIT.search(value) is None and (len(value) < _SHORTEST_LETTERS or not value.lower() != value != value.upper()):
        return False  # neither random nor composed, whatever else it is
    if _ADDRESS.fullmatch(value) is not None or _LINKED.search(value) is not None:
        return False
    if _NAME_AND_NUMBER.fullmatch(value) is not None:
        return True
    head = value[:_ENOUGH_CHARS]
    bits = surprise(head)
    if bits < _CLEARLY_RANDOM_BITS and _is_of_known_kind(head):
        return False
    return not is_hex(value) if is_random(value, bits=bits) else _is_composed(value, bits)


def _is_composed(value: str, bits: float) -> bool:
    """Whether somebody made it of words, digits and marks."""
    head = value[:_ENOUGH_CHARS]
    if _LETTER.search(head) is None or _DIGIT.search(head) is None:
        return False
    return (
        (_SYMBOL.search(head) is not None and (bits >= 0 or sum(map(str.isdigit, head)) > 1))
        or _JOINED_WORDS.fullmatch(value) is not None
        or (_SIXES.fullmatch(value) is not None and not value.islower())
    )


def _is_word(value: str) -> bool:
    """Whether it holds no more than letters, with a capital at its beginning at most, or no letter; perhaps with punctuation."""
    plain = value.strip(".,;:!?()\"'*_-")
    return plain.isalpha() and (plain[1:].islower() or plain.isupper() or not plain.isascii())


def names_file(value: str) -> bool:
    """Whether it ends as names of files, or of hosts, do."""
    ending = value.rstrip(".,;:)").partition("?")[0].rpartition(".")
    return bool(ending[0]) and ending[2].lower() in _FILE_ENDINGS


def _is_of_known_kind(value: str) -> bool:
    return (
        names_file(value)
        or _ORDINARY.fullmatch(value) is not None
        or _PATH.fullmatch(value) is not None
        or _IN_CODE.search(value) is not None
    )


def is_mixed(value: str) -> bool:
    """Whether digits and letters of both cases are mixed in a string of nothing else that does not read like words.

    That is enough where nothing but a mark stands between a name for a password and the string.
    """
    return _MIXED.fullmatch(value) is not None and value.lower() != value != value.upper() and surprise(value) >= 0


def is_random(value: str, *, bits: float | None = None) -> bool:
    """Whether the characters come one after the other as chance has them, letters of both cases or digits among them."""
    head = value[:_ENOUGH_CHARS]
    if (surprise(head) if bits is None else bits) < _RANDOM_BITS or len(value) < SHORTEST:
        return False
    if _DIGIT.search(head) is not None:
        return _LETTER.search(head) is not None
    return len(value) >= _SHORTEST_LETTERS and head.lower() != head != head.upper()


# A word and a number, as people make their passwords: hund1987, Hamburg#1, Котик2019, 1987-Katze!
_LETTERS = r"[^\s\d!-@\[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f\uff00-\uff20]"
_HOMEMADE = re.compile(
    rf"""(?x) (?P<word>{_LETTERS}{{2,24}}+) (?P<mark>[!\#$%&*@?+_.^~\-]{{0,2}}+) (?P<number>\d{{1,8}}+) (?P<end>[!\#$%*?+^~]{{0,3}}+)
      (?:[\-:'’]?[a-zà-ɏа-я]{{1,3}}+)?   # the ending of a case
    | (?P<first>\d{{2,8}}+) (?P<between>[!\#$%&*@?+_.^~\-]{{0,2}}+) (?P<last>{_LETTERS}{{3,24}}+) (?P<close>[!\#$%*?+^~]{{0,3}}+)"""
)
_MADE_OF_ALL = re.compile(r"(?=[^!#$%*?^~]{0,39}[!#$%*?^~])(?=\D{0,39}\d)[A-Za-z][\w!#$%*?^~@&+.\-]{4,39}")
_SHORTEST_FOREIGN = 5  # characters where letters are not of the Latin alphabet
_LONG_WORD = 6  # letters before a single digit
_LONGEST_ABBREVIATION = 5
_FEWEST_BEFORE = 3  # digits before a word in small letters: 12characters is none


@lru_cache(maxsize=16_384)
def is_homemade(value: str) -> bool:
    """Whether it is a word with a number, as people make passwords of, and nothing that is known to carry a number.

    Much else has this form: it counts only where a sentence or a label says that this is the password.
    """
    found = _HOMEMADE.fullmatch(value)
    if found is None:
        is_made = _MADE_OF_ALL.fullmatch(value) is not None and any(map(str.isalpha, value[1:]))
        return is_made and not _is_of_known_kind(value) and not is_example(value)
    word = found["word"] or found["last"]
    if len(value) < (SHORTEST if word.isascii() else _SHORTEST_FOREIGN) or word.lower() in _numbered():
        return False
    marks = (found["mark"] or "") + (found["end"] or "") + (found["between"] or "") + (found["close"] or "")
    if not marks.strip("-_.?!+"):
        if word.isascii() and word.isupper() and len(word) <= _LONGEST_ABBREVIATION:
            return False
        if found["number"] is not None and len(found["number"]) == 1 and word.isascii() and len(word) < _LONG_WORD:
            return False
        if found["first"] is not None and len(found["first"]) < _FEWEST_BEFORE and word.islower():
            return False
    return not is_example(value)


@cache
def _numbered() -> frozenset[str]:
    lines = data.read("numbered.txt").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def is_ticket(value: str) -> bool:
    """Whether it has the form of a ticket's number, as trackers give them: JIRA-1234."""
    return _TICKET.fullmatch(value) is not None
