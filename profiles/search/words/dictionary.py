"""The commonest words of 34 languages: whether a word that no note has is spelt right, and what it may be a form of."""

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache

from scrubjay.profiles.search.words.analysis import tokenize, words
from scrubjay.profiles.search.words.inflections import other_forms
from scrubjay.profiles.search.words.stems import LANGUAGES, stem_words
from scrubjay.profiles.search.words.stop_words import SMALL_WORDS
from scrubjay.profiles.search.words.word_lists import WordList, listed_in, read_list

_FOLDER = "dictionaries"
COMMON = "common"
"""The list of the commonest words of each language in Latin letters, with the languages behind each word."""
LISTED = listed_in(_FOLDER) - {COMMON}
"""The languages, by their codes, that have a list."""
_SCRIPTS = (
    ("\u0370", "\u03ff", ("el",)),
    ("\u0400", "\u052f", ("ru", "uk", "bg", "mk")),
    ("\u0590", "\u05ff", ("he",)),
    ("\u0600", "\u06ff", ("ar", "fa", "ur")),
    ("\u0900", "\u097f", ("hi",)),
    ("\u0980", "\u09ff", ("bn",)),
    ("\u0b80", "\u0bff", ("ta",)),
)
"""First and last letter of scripts that few languages write, which a word tells by itself."""
_LETTERS_OF = {
    "ca": "àèéíòóúç", "cs": "áčďéěíňóřšťúůýž", "da": "æøå", "de": "äöüß", "es": "áéíñóú", "fi": "äö",
    "fr": "àâçèéêëîïôœùû", "hu": "áéíóöőúüű", "it": "àèéìòù", "lt": "ąčęėįšųūž", "no": "æøå", "pl": "ąćęłńóśźż",
    "pt": "áâãçéêíóôõú", "ro": "ăâîșşțţ", "sv": "åäö", "tr": "çğıöşü",
    "vi": "ạảấầẩẫậăắằẳẵặđẹẻẽềếểễệỉịĩọỏốồổỗộơớờởỡợụủũưứừửữựỳỵỷỹ",
}  # fmt: skip
"""What languages in Latin letters write beside the plain ones."""
_COMMON_WORDS, _COMMON_SHARE = 2, 1 / 3
_TELLING = 6  # letters of a word that is seldom a mistake in another language
_LEAST_PART = 4  # letters
_PREFIXES = (
    "anti", "counter", "dis", "hyper", "inter", "mis", "multi", "non", "out", "over",
    "post", "pre", "re", "semi", "sub", "super", "un", "under",
)  # fmt: skip
"""Of English, that stand before words without end: *unclosed*, *misspelt*."""
_LEAST_PREFIXED = 5  # letters: *untill* is a mistake
_MOST_FORMS = 4_096


def is_word(word: str, languages: Collection[str]) -> bool:
    """Whether a word, folded (see `analysis.words`), is known in one of these languages, or by its script in another.

    So is one that is not too short and common in any language: a single word seldom tells which it is of.

    Beside English an inflected form is known where the list has another form of the same stem; an English one with a
    prefix where it has the word behind it.
    """
    if any(_has(word, language) for language in written_in(word[:1]) or languages if language in LISTED):
        return True
    return len(word) >= _TELLING and bool(common_in(word))


def is_listed(word: str, languages: Collection[str]) -> bool:
    """Whether a word, folded, or an index term is among the common ones of these languages, or put together of two."""
    listed = [language for language in languages if language in LISTED]
    if any(_is_listed(word, language) for language in listed):
        return True
    return len(word) >= _LEAST_PART and any(_forms(word, language) for language in listed)


def _is_listed(word: str, language: str) -> bool:
    listed = _read(language)
    if listed.line(word):
        return True
    cuts = range(_LEAST_PART, len(word) - _LEAST_PART + 1)
    return any(listed.line(word[:cut]) and listed.line(word[cut:]) for cut in cuts)


def written_in(letter: str) -> tuple[str, ...]:
    """The languages of a letter whose script few languages write; none of any other."""
    return next((languages for first, last, languages in _SCRIPTS if first <= letter <= last), ())


def forms(term: str, languages: Collection[str]) -> list[str]:
    """The words of these languages, folded, that an index term stands for."""
    return [form for language in languages if language in LISTED for form in _forms(term, language)]


def letters_of(letter: str) -> tuple[str, ...]:
    """The languages in Latin letters that write this one beside the plain ones."""
    return tuple(language for language, own in _LETTERS_OF.items() if letter in own)


def languages_told(text: str) -> frozenset[str]:
    """The languages beside English that a text may be in, by their letters, small words and commonest words."""
    said = frozenset(words(text))
    letters = {letter for letter in text.lower() if not letter.isascii()}
    told = {language for language, own in _LETTERS_OF.items() if not letters.isdisjoint(own)}
    foreign = said - SMALL_WORDS["en"]
    told.update(language for language, small in SMALL_WORDS.items() if not small.isdisjoint(foreign))
    common = Counter(language for word in said for language in common_in(word))
    least = max(_COMMON_WORDS, len(said) * _COMMON_SHARE)
    told.update(language for language, count in common.items() if count >= least)
    return frozenset(told)


def _has(word: str, language: str) -> bool:
    listed = _read(language)
    if listed.line(word):
        return True
    if language == "en":  # of which English stems would make words of mistakes
        behind = (word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix))
        bare = (word.removesuffix("s"), *(rest for rest in behind if len(rest) >= _LEAST_PREFIXED))
        return any(listed.line(each) or other_forms(each, language) for each in bare)
    if language not in LANGUAGES:
        return False
    [(stem, *_)] = stem_words([word], language)
    return stem != word and any(stem in stems for stems in stem_words(listed.beginning(stem), language))


@lru_cache(_MOST_FORMS)
def _forms(term: str, language: str) -> tuple[str, ...]:
    alike = _read(language).beginning(term[:-1] if language == "en" else term)
    if language == "en":
        return tuple(word for word, stem in zip(alike, tokenize(" ".join(alike)), strict=True) if stem == term)
    if language not in LANGUAGES:
        return tuple(word for word in alike if word == term)
    return tuple(word for word, stems in zip(alike, stem_words(alike, language), strict=True) if term in (word, *stems))


def common_in(word: str) -> Sequence[str]:
    """The languages in Latin letters, beside English, of which a word (folded) is among the commonest."""
    return _read(COMMON).line(word).split()[1:]


def _read(name: str) -> WordList:
    return read_list(_FOLDER, name)
