"""From text to index terms, the same way for notes and for queries."""

import re
import threading
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, groupby
from typing import cast

import apsw

from scrubjay.profiles.cancellation import check
from scrubjay.profiles.names import LETTERS, compatible
from scrubjay.profiles.search.words.inflections import other_forms
from scrubjay.profiles.search.words.spellings import (
    DIRECTIONS,
    INVISIBLE,
    MARKS,
    one_character,
    one_spelling,
    without_unseen,
)
from scrubjay.profiles.search.words.stems import LANGUAGES, WORD, stem_words
from scrubjay.profiles.search.words.stop_words import STOP_WORDS, STOP_WORDS_AT_HOME

ANALYSED_BY = "analysis"
"""The name in `meta` of the version that analysed the words in an index."""
ANALYSIS_VERSION = 7
"""Changes whenever the same text would give other terms; the store then rebuilds its word indexes."""
TOKENIZER = ("porter", "unicode61", "remove_diacritics", "2", "categories", "L* N* Co M*")
"""As in schema/0001_first.sql. Marks are letters, or words of Indic scripts would fall apart at their vowels."""
MAX_TERM_LENGTH = 64
"""Longer tokens are base64, hashes and the like: nobody searches for them, and they would swell the vocabulary."""
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)
"""Thai, Lao, Burmese, Khmer, kana, Han and Hangul: runs of these are cut into bigrams."""
_TO_BE_UNSPACED = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\ud7b0-\ud7ff\uff66-\uffdc"
"""What becomes one of them when it is composed: parts of syllables, and narrow forms."""
IN_WORD = re.compile(
    f"(?!{UNSPACED.pattern}|[{_TO_BE_UNSPACED}])[\\w{MARKS}{INVISIBLE}{DIRECTIONS}\u200c]"
    "|(?<=[\u0591-\u05ea])[\"'״׳](?=[\u05d0-\u05ea])|(?<=[\u0400-\u052f])['’](?=[\u0400-\u052f])"
)
"""A character of a word between spaces as it is written, before anything is folded or left out."""
DIGITS = {code: str(unicodedata.decimal(chr(code))) for code in range(0x80, 0x20000) if chr(code).isdecimal()}
"""The ASCII digits of those of other scripts, by code point."""
_LETTERS = LETTERS | DIGITS
_ANY_LETTER = re.compile(f"[{''.join(chr(code) for code in _LETTERS if code < 0x10000)}\U00010000-\U0001ffff]")
"""Letters that Unicode does not decompose, so that the tokenizer leaves them as they are, and digits of all scripts.

All else beyond the first 65,536 is found, too: each digit there by itself would be compared with every character.
"""
# What the following begin with is a set of characters, since the regex engine looks for one several times as fast.
GROUPED = re.compile(r"[0-9](?<![\w.,].)[0-9]{0,2}([ .,'’\u00a0\u202f])[0-9]{3}(?:\1[0-9]{3})*(?![0-9])")
"""A number whose digits are grouped, as `18 400` and `3.500.000`: it is indexed without the groups, too."""
_SHORT = re.compile(r"([oOaA][nNrRtT][eE](?<=[oO][nNrR].|[aA][tT].)(?<![^\W_]...))[sS]?(?![^\W_])")
"""Words whose stem would be a small word: `on`, `or`, `at`. With one more letter they keep one of their own.

They are `one`, `ore` and `ate`."""
_WORD = re.compile("[A-Za-z][A-Za-z0-9_-]{2,}")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
ELIDING = frozenset(("fr", "it", "ca"))
"""Languages that leave the vowel of a small word out before another."""
_ELISION = re.compile(
    r"(?<!\w)(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|un|gl|all|dall|dell|nell|sull|quell|quest)['’](?=\w)",
    re.IGNORECASE,
)
_MAX_PIECES = 5
"""Of a joined form; longer ones are slugs and rules of dashes."""
_SUFFIXES = (
    "able ably ally ance ation ational ement ence er ers es ful fulness ible ies ing ings ion ions ism ist ity ive"
    " iveness ization ize ized izer izing ly ment ments ness ous ousness"
)
_TAILS = tuple(sorted({suffix[at:] for suffix in _SUFFIXES.split() for at in range(len(suffix))}))
"""What may be missing of a word whose ending has begun; the longer suffixes that Porter's steps take off."""
_REMEMBERED = 30_000
"""Words of a language whose stems each thread remembers."""
_local = threading.local()


def stemmed_language(lang: str) -> str:
    """The language in which the words of a note are stemmed beside English; "" where that is all there is."""
    return lang if lang in LANGUAGES else ""


def stems_text(text: str, language: str) -> str:
    """What the words of a text are found by in a language, beside what `index_text` gives: one token each; "": none."""
    if not language:
        return ""
    words = WORD.findall(_composed(text))
    known = _own_stems(words, language)
    return _plain_letters(" ".join(" ".join(known[word]) for word in words if known[word]))


def _own_stems(words: Collection[str], language: str) -> dict[str, tuple[str, ...]]:
    """Of words (as `stems.WORD` finds them), the stems in a language that are other terms than the word itself."""
    known = _remembered_stems(language)
    distinct = set(words)
    if len(known) > _REMEMBERED:
        known.clear()
    missing = list(distinct.difference(known))
    for word, stems in zip(missing, stem_words(missing, language), strict=True):
        others = {_single_term(stem): stem for stem in reversed(stems)}
        known[word] = tuple(stem for term, stem in others.items() if term not in ("", _single_term(word)))
    return {word: known[word] for word in distinct}


def _remembered_stems(language: str) -> dict[str, tuple[str, ...]]:
    """What `_own_stems` found in this thread."""
    known: dict[str, dict[str, tuple[str, ...]]] | None = getattr(_local, "stems", None)
    if known is None:
        known = _local.stems = {}
    return known.setdefault(language, {})


def release_memory() -> None:
    """Forget, in all threads, the stems of the words that were met."""
    global _local  # noqa: PLW0603
    _local = threading.local()


def _single_term(word: str) -> str:
    """The term of a word; "" of one that is cut into several, or into none."""
    made = tokenize(_plain_letters(word))
    return made[0] if len(made) == 1 else ""


def index_text(text: str) -> str:
    """`text` as it goes into FTS5: same words in the same order, then what was added."""
    plain, parts, last_characters = _with_additions(text)
    added = [*parts, *_symbols(text), *last_characters]
    return f"{plain}\n{' '.join(added)}" if added else plain


def _with_additions(text: str) -> tuple[str, list[str], list[str]]:
    """A text as it is tokenized; the parts of its identifiers; the last characters of its unspaced runs."""
    text = _plain_letters(text)
    parts = _identifier_parts(text)
    if text.isascii():
        return text, parts, []
    last_characters = [one_character(run[0][-1]) for run in UNSPACED.finditer(text)]
    return UNSPACED.sub(_bigrams, text), parts, last_characters


def terms(text: str, language: str = "") -> list[str]:
    """All terms of a text in order, repeats included, and those that are too long to be indexed.

    language: in which its words have stems, too (`stemmed_language`).
    """
    found = tokenize(index_text(text))
    return found + tokenize(stems_text(text, language)) if language else found


def terms_of_each(texts: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """`terms` of each text with its place among them, found as they are asked for: of a long text in several steps.

    Short ones are tokenized together: one by one they would take several times as long. Raises Abandoned, and pauses,
    between its steps, see `cancellation.check`.
    """
    waiting: list[str] = []
    size = 0
    for place, text in enumerate(texts):
        if size + len(text) > _AT_ONCE:
            yield from enumerate(_terms_of_short(waiting), place - len(waiting))
            waiting, size = [], 0
        if len(text) > _AT_ONCE:
            yield from ((place, some) for some in _terms_of_long(text))
        else:
            waiting.append(text)
            size += len(text)
    yield from enumerate(_terms_of_short(waiting), len(texts) - len(waiting))


_AT_ONCE = 2_000
"""Characters that are tokenized in one go: no other thread runs Python meanwhile."""
_BOUNDARY = "\U0010fffd"
"""A character of private use, which is a term by itself and stands between texts."""


def _terms_of_short(texts: Sequence[str]) -> list[list[str]]:
    check()
    if any(_BOUNDARY in text for text in texts):
        return list(map(terms, texts))
    found: list[list[str]] = [[]]
    for term in tokenize(f"\n{_BOUNDARY}\n".join(map(index_text, texts))):
        if term == _BOUNDARY:
            found.append([])
        else:
            found[-1].append(term)
    return found[: len(texts)]


def _terms_of_long(text: str) -> Iterator[list[str]]:
    """Cut at ends of lines, over which nothing reaches that the terms depend on but the symbols, which are few."""
    parts: list[str] = []
    last_characters: list[str] = []
    start = 0
    while start < len(text):
        check()
        end = len(text) if len(text) - start <= _AT_ONCE else text.rfind("\n", start, start + _AT_ONCE) + 1
        end = end or text.find("\n", start) + 1 or len(text)
        piece, more_parts, more_characters = _with_additions(text[start:end])
        yield tokenize(piece)
        parts += more_parts
        last_characters += more_characters
        start = end
    yield tokenize(" ".join((*parts, *_symbols(text), *last_characters)))


def tokenize(text: str) -> list[str]:
    """FTS5's own tokens of `text`, without any step of `index_text`. Thread-safe."""
    return _tokenized(text, 0)


def words(text: str) -> list[str]:
    """The words of a text in order, folded, not stemmed: names that differ in case and marks alone give the same."""
    return _tokenized(_plain_letters(text), 1)


def query_terms(text: str, languages: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The distinct terms of a query, in order, without stop words (unless nothing else is there).

    A single character of an unspaced script gives itself: search for it as a prefix, since notes hold bigrams.
    """
    return tuple(query_words(text, languages))


def query_words(text: str, languages: tuple[str, ...] = ()) -> dict[str, str]:
    """`query_terms`, each with the first word that it is the stem of, folded.

    languages: of the notes beside English; their small words go, too, and what is elided before a word: `l'arbre`.
    """
    symbols = _symbols(text)
    text = _plain_letters(text)
    text = text if ELIDING.isdisjoint(languages) else _ELISION.sub("", text)
    text = f"{UNSPACED.sub(_bigrams, text)} {' '.join((*_identifier_parts(text), *symbols))}"
    # Words and their stems run parallel. Stop words are told by the word: "Suche" is not English "such".
    pairs = [(word, term) for word, term in zip(_tokenized(text, 1), tokenize(text), strict=True)]
    # A mark without a letter, which is folded away, is a token of no letters.
    pairs = [(word, term) for word, term in pairs if 0 < len(term) <= MAX_TERM_LENGTH]
    stopped = _stopped(languages)
    kept = [(word, term) for word, term in pairs if word not in stopped]
    words: dict[str, str] = {}
    for word, term in kept or pairs:
        words.setdefault(term, word)
    return words


def forms(text: str, term: str, languages: Iterable[str] = ()) -> list[str]:
    """The words of a text, folded, that an index term stands for: as its stem in English or in these languages."""
    plain = _plain_letters(text)
    plain = f"{plain} {' '.join(_identifier_parts(plain))}"
    found = [word for word, stem in zip(_tokenized(plain, 1), tokenize(plain), strict=True) if stem == term]
    written = WORD.findall(_composed(text)) if languages else []
    for language in languages:
        for word, stems in _own_stems(written, language).items():
            if term in map(_single_term, stems):
                found += words(word)
    return found


def stems_of_words(text: str, languages: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """By word of a query (as `query_words` gives them): the other terms that it is found by in these languages."""
    found = WORD.findall(_composed(text))
    others: dict[str, dict[str, None]] = {}
    for language in languages:
        for word, stems in _own_stems(found, language).items():
            folded = words(word)
            if stems and len(folded) == 1:
                others.setdefault(folded[0], {}).update(dict.fromkeys(map(_single_term, stems)))
    return {word: tuple(stems) for word, stems in others.items()}


def irregular_terms(text: str, languages: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """By word of a query (as `query_words` gives them): the terms of its irregular forms in these languages."""
    found: dict[str, dict[str, None]] = {}
    for word in WORD.findall(_composed(text)):
        folded = words(word)
        for language in languages if len(folded) == 1 else ():
            if forms := other_forms(word, language):
                own = _own_stems(forms, language) if language in LANGUAGES else {}
                stems = (stem for of_form in own.values() for stem in of_form)
                terms = filter(None, map(_single_term, (*forms, *stems)))
                found.setdefault(folded[0], {}).update(dict.fromkeys(terms))
    return {word: tuple(terms) for word, terms in found.items()}


def stems_ahead(unfinished: str) -> tuple[str, ...]:
    """Stems of what an unfinished word may become that it already runs past: `complicati` may become `complications`,
    which is indexed as `complic`. Its own stem is the first.
    """
    tails = _TAILS if unfinished.isascii() and unfinished.isalpha() else ()
    stems = tokenize(" ".join((unfinished, *(unfinished + tail for tail in tails))))
    return tuple(dict.fromkeys((*stems[:1], *(stem for stem in stems if len(stem) < len(unfinished)))))


def stems_behind(word: str) -> tuple[str, ...]:
    """What is left of a word, folded, at the end of one that is put together of it and another, in English stemming.

    That takes more off a longer word: `kamer` stays, `slaapkamer` is indexed as `slaapkam`; and more off an even longer
    one: `hausfeier` stays, of `geburtstagsfeier` is left `geburtstagsfei`.
    """
    behind = (term.removeprefix(part) for part in _OTHER_PARTS for term in tokenize(part + word))
    return tuple(dict.fromkeys(behind))


_OTHER_PARTS = ("haus", "haushaus")


def phrase_terms(text: str) -> tuple[str, ...]:
    """The terms of a quoted phrase, in order, nothing dropped and nothing added."""
    return tuple(tokenize(phrase_text(text)))


def phrase_text(text: str) -> str:
    """A phrase as FTS5 must get it to find it in `index_text`: its words, or of none its symbols."""
    said = UNSPACED.sub(_bigrams, _plain_letters(text))
    symbols = _symbols(text)
    return " ".join(symbols) if symbols and not tokenize(said) else said


def is_unspaced(term: str) -> bool:
    """Whether a term is of a script that is indexed by bigrams."""
    return UNSPACED.fullmatch(term) is not None


def _composed(text: str) -> str:
    """The text in one spelling: compatibility characters folded, accents on their letters, nothing invisible."""
    return text if text.isascii() else one_spelling(compatible("NFKC", without_unseen(text)))


def _plain_letters(text: str) -> str:
    """The text as it is tokenized, but for what the tokenizer itself folds."""
    if not text.isascii():
        text = _composed(text)
        text = text.translate(_LETTERS) if _ANY_LETTER.search(text) else text
        text = _without_symbols(text)
    return _SHORT.sub(_kept_apart, text)


def _kept_apart(short: re.Match[str]) -> str:
    return f"{short[1]}e"


def _tokenized(text: str, start: int) -> list[str]:
    """Tokens of FTS5's tokenizer chain, from TOKENIZER[start] on: 0 is porter over unicode61, 1 is unicode61 alone."""
    made: dict[int, Callable[..., object]] | None = getattr(_local, "tokenizers", None)
    if made is None:
        made = _local.tokenizers = {}
    if start not in made:
        made[start] = apsw.Connection(":memory:").fts5_tokenizer(TOKENIZER[start], list(TOKENIZER[start + 1 :]))
    encoded = text.encode("utf-8", "replace")
    flags = apsw.FTS5_TOKENIZE_DOCUMENT
    return cast("list[str]", made[start](encoded, flags, None, include_offsets=False, include_colocated=False))


def single_terms(words: Iterable[str]) -> dict[str, str]:
    """Of those of some words that are plain ones in ASCII: the only term that `terms` has for each."""
    plain = [word for word in words if word.isascii() and is_plain(word)]
    return dict(zip(plain, tokenize(_SHORT.sub(_kept_apart, " ".join(plain))), strict=True))


def is_plain(word: str) -> bool:
    """Whether a word has nothing but letters and is not put together of others."""
    return word.isalpha() and (word.islower() or word.istitle() or word.isupper())


def _identifier_parts(text: str) -> list[str]:
    """What is added for the identifiers and grouped numbers of a text; plain words, the vast majority, are passed over
    quickly."""
    numbers = ["".join(filter(str.isdigit, number[0])) for number in GROUPED.finditer(text)]
    return numbers + [
        part
        for word in _WORD.findall(text)
        if not (word.isalpha() and (word.islower() or word.istitle() or word.isupper()))  # `is_plain`, without a call
        for part in _parts_of(word)
    ]


def _parts_of(word: str) -> list[str]:
    """`getUserName` -> get, User, Name; `read_csv` -> readcsv (its parts are tokens already)."""
    parts: list[str] = []
    pieces = [piece for piece in word.replace("-", "_").split("_") if piece]
    if 1 < len(pieces) <= _MAX_PIECES:
        parts.append("".join(pieces))
    for piece in pieces:
        split: list[str] = _PARTS.findall(piece)
        if len(split) > 1:
            parts.extend(split)
    return parts


# The tokenizer drops some symbols and takes others, which are newer than it, for letters. So each is added at the end,
# as a character of private use, which is a term. Words on both sides of one are a phrase; a row of one counts once.

_SIGNS = "".join(
    chr(code)
    for code in chain(range(0xA2, 0x2500), range(0x25A0, 0x3400))
    if unicodedata.category(chr(code)) in ("Sc", "Sm", "So")
)
_DRAWN = "[\ufe00-\ufe0f\u20e3\U0001f3fb-\U0001f3ff]*"  # says how the symbol before it is drawn
_SYMBOLS = (
    re.compile(f"([{_SIGNS}]){_DRAWN}"),
    re.compile(f"([\U0001f000-\U0001f3fa\U0001f400-\U0001faff]){_DRAWN}"),
)
"""Currencies, arrows, mathematical signs and the like, but not the lines and blocks of drawings; and emoji.

The regex engine looks for a set of characters twenty times as fast where all are among the first 65,536.
"""
_OF_NAMES = re.compile(r"([+#])(?:(?<=[^\W\d_][+])[+](?![\w+])|(?<=(?<!\w)[A-Za-z]#)(?![\w#]))")
"""What tells `C++` and `C#` from C."""
_PRIVATE = 0xF0000


def symbols_in(text: str) -> list[tuple[int, int, str]]:
    """Where the symbols of a text stand, in order, each with the character that it is told by."""
    patterns = () if text.isascii() else _SYMBOLS
    if "++" in text or "#" in text:
        patterns = (*patterns, _OF_NAMES)
    return sorted(
        (*found.span(), found[found.lastindex or 0]) for pattern in patterns for found in pattern.finditer(text)
    )


def _symbols(text: str) -> list[str]:
    """The terms of the symbols of a text, in order."""
    found = symbols_in(_composed(text)) if symbols_in(text) else ()  # composing takes longer than looking
    return [chr(_PRIVATE + ord(symbol)) for symbol, _ in groupby(symbol for *_, symbol in found)]


def _without_symbols(text: str) -> str:
    """A text, composed, without them."""
    for symbol in _SYMBOLS:
        text = symbol.sub(" ", text)
    return text


def symbol_of(term: str) -> str:
    """The symbol that a term stands for; "" of any other."""
    symbol = chr(ord(term) - _PRIVATE) if len(term) == 1 and ord(term) > _PRIVATE else ""
    return symbol if symbol in ("+", "#") or any(each.fullmatch(symbol) for each in _SYMBOLS) else ""


def title_length(title: str) -> int:
    """How many terms a title has, by which it is compared with a query. Symbols before it are not what it says."""
    return sum(not symbol_of(term) for term in terms(title))


def _bigrams(match: re.Match[str]) -> str:
    """A run as overlapping pairs, set off by spaces; a single character stays."""
    run = one_character(match[0])
    pairs = [run[i : i + 2] for i in range(len(run) - 1)] or [run]
    return f" {' '.join(pairs)} "


_STOPPED = frozenset(token for word in STOP_WORDS for token in _tokenized(word, 1))
"""Stop words, folded. They are indexed like all others, so that a phrase or a query of nothing else finds them."""


@lru_cache(maxsize=32)
def _stopped(languages: tuple[str, ...]) -> frozenset[str]:
    """The stop words where notes are in these languages beside English."""
    small = (STOP_WORDS_AT_HOME.get(language, ()) for language in languages)
    return _STOPPED.union(token for words in small for word in words for token in _tokenized(word, 1))


_SMALL = frozenset(token for word in STOP_WORDS for token in tokenize(_plain_letters(word)))
"""Their terms."""


def is_small(term: str) -> bool:
    """Whether an index term is that of a stop word."""
    return term in _SMALL


def as_number(text: str) -> float | None:
    """A finite number that the whole text spells, or None."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None


@dataclass(frozen=True)
class IndexedText:
    """A text as it goes into the indexes, and apart from it the stems in its own language."""

    text: str
    added: str

    @classmethod
    def of(cls, text: str, stemmed: str) -> "IndexedText":
        """The text of a note in this language (see `analysis.stemmed_language`)."""
        return cls(index_text(text), stems_text(text, stemmed))

    @property
    def whole(self) -> str:
        """What positions are counted in: the stems at the end, where they can't stand between the words of a phrase."""
        return f"{self.text}\n{self.added}" if self.added else self.text

    @cached_property
    def terms(self) -> list[str]:
        """The terms of the text."""
        return tokenize(self.text)

    @cached_property
    def stems(self) -> list[str]:
        """Those that are only stems."""
        return tokenize(self.added) if self.added else []

    @property
    def places(self) -> list[str]:
        """The term at each position of `whole`; "" where nothing is left of a word."""
        return [*self.terms, *self.stems]
