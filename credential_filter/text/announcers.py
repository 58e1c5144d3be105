"""The words that announce a secret, by how much they promise one, and how sentences in each language tie a password to them."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from scrubjay.credential_filter import data

# How much a name speaks for what follows it being a secret, in bits on the scale of `shape.surprise`.
PASSWORD_BITS, SECRET_BITS, PERHAPS_BITS, WEAK_BITS = 20.0, 14.0, 12.0, 5.0
_BITS = {
    "key": WEAK_BITS,
    "doubtful": PERHAPS_BITS,
    "perhaps": PERHAPS_BITS,
    "credentials": PERHAPS_BITS,
    "token": SECRET_BITS,
    "secret": SECRET_BITS,
    "password": PASSWORD_BITS,
}
_NOTED = ("password", "secret", "perhaps", "credentials")
_LOGIN = "login"
_KINDS = (
    "logins",
    "accounts",
    "user",
    "network",
    "sign",
    "licence",
    "question",
    "answer",
    "backup",
    "one-time",
    "code",
)


# How much a word speaks for what follows it being logins, each a name and a password: words for users say little.
ACCOUNTS, LOGINS, CREDENTIALS = 1, 2, 3
_LOGINS = {"accounts": ACCOUNTS, "logins": LOGINS, "credentials": CREDENTIALS, "password": CREDENTIALS}


@dataclass(frozen=True, slots=True)
class Announcer:
    """A word that announces a secret.

    bits:   how strongly
    joined: whether it may stand inside a longer run of letters
    noted:  whether people note passwords behind it
    inflected: whether a few more letters may follow that belong to it
    kind:   of something else than a value that is weighed; see Name
    logins: whether a list of logins may follow: ACCOUNTS, LOGINS, CREDENTIALS; 0 where none does
    """

    bits: float
    joined: bool
    noted: bool = False
    inflected: bool = False
    kind: str = ""
    logins: int = 0


@cache
def announcers() -> dict[str, Announcer]:
    """Every announcer that is looked for in a whole note, in lower case; what says more stands for a word of two kinds."""
    logins = {word: much for kind, much in _LOGINS.items() for words in word_lists()[kind].values() for word in words}
    return {
        word: Announcer(
            _BITS.get(kind, 0.0),
            way != "apart",
            kind in _NOTED,
            way == "inflected",
            "" if kind in _BITS else _LOGIN if kind in _LOGINS else kind,
            logins.get(word, 0),
        )
        for kind in (*_KINDS, *_BITS)
        for way in ("joined", "inflected", "apart")
        for word in word_lists()[kind].get(way, ())
    }


@cache
def weak_words() -> frozenset[str]:
    """The words, of small letters alone, that count only right before a string that was clearly generated."""
    return frozenset(word_lists()["weak"]["words"])


@cache
def word_lists() -> dict[str, dict[str, list[str]]]:
    """What the file of announcers and those of the languages hold together."""
    lists: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for table in (_tables(data.read("announcers.toml")), *languages().values()):
        for kind in table.keys() - _NO_WORDS:
            for way, words in table[kind].items():
                lists[kind][way] += [spelling for word in words for spelling in _spellings(word)]
    return {kind: dict(ways) for kind, ways in lists.items()}


def _tables(text: str) -> dict[str, dict[str, list[str]]]:
    return {kind: table for kind, table in tomllib.loads(text).items() if isinstance(table, dict)}


def _spellings(word: str) -> tuple[str, ...]:
    """The word; one of Han, kana or Hangul also as it is set apart for looks: 密 码."""
    spaced = 1 < len(word) <= _LONGEST_SPACED and word[:1] >= "\u3040" and " " not in word
    return (word, " ".join(word)) if spaced else (word,)


_NO_WORDS = frozenset(("sentence", "examples"))
_LONGEST_SPACED = 4


@cache
def languages() -> dict[str, dict[str, dict[str, list[str]]]]:
    """The files of the languages, by their codes."""
    return {name.removesuffix(".toml"): _tables(text) for name, text in data.read_all("languages")}


class Ties(NamedTuple):
    """What ties a password to the word for it in a sentence of any language, in lower case.

    verbs:    stand right before the value, which ends its clause: is, lautet, は
    changes:  what stands right before the value where one is changed to it (to, auf, 改成), and the stems of the verbs
              that such a sentence has in the languages that say so; one whose script parts no words by blanks has none
    behind:   stand right behind the value: です, olarak, है
    """

    verbs: frozenset[str]
    changes: dict[str, frozenset[str]]
    behind: tuple[str, ...]


@cache
def ties() -> Ties:
    """The ties of all languages: notes mix them, and a word for a password is often the same in several."""
    tables = [language["sentence"] for language in languages().values()]
    verbs, behind = ({word for table in tables for word in table[way]} for way in ("is", "behind"))
    changes: defaultdict[str, set[str]] = defaultdict(set)
    for table in tables:
        for word in table["to"]:
            changes[word].update(table["changed"])
    stems = {word: frozenset(changed) for word, changed in changes.items()}
    return Ties(frozenset(verbs), stems, tuple(sorted(behind)))
