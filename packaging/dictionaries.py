"""Writes the word lists of `profiles/search/words/dictionaries/` anew, from the frequencies that `wordfreq` carries.

Run once in a long while: `pip install wordfreq==3.1.1 spylls==0.1.7`, then `python packaging/dictionaries.py`. Of each
language its commonest words, folded as the index folds them, sorted, a line each; where words are put together, short
ones too. The English frequencies count common mistakes (`recieve`), so that what Hunspell's English dictionary lacks is
left out where a far commoner word is one edit away; what it has is taken however rare.
"""

# pyright: basic, reportMissingImports=false, reportArgumentType=false

from collections.abc import Iterator, Mapping
from pathlib import Path
from string import ascii_lowercase

from spylls.hunspell import Dictionary
from word_list_file import write
from wordfreq import available_languages, get_frequency_dict, top_n_list

from scrubjay.profiles.search.rank.typos import LEAST_MENDED
from scrubjay.profiles.search.words.analysis import words
from scrubjay.profiles.search.words.dictionary import COMMON
from scrubjay.profiles.search.words.vocabulary import LANGUAGES

FOLDER = Path(__file__).parents[1] / "profiles" / "search" / "words" / "dictionaries"
_MOST = 60_000  # words of a language
_RAREST = 10**-6.5  # of all words in a text
_COMMON, _COMMON_ENGLISH = 10_000, 20_000
_FAR_COMMONER = 30  # times
_CODES = {"nb": "no", "sh": "sr"}
"""Where a list is called otherwise than the language of a note."""
_LEFT_OUT = {"ja", "ko", "zh", "fil", "is", "lv", "ms", "sk", "sl"}
"""Those of pairs of characters, which are no words, and those in which no note is ever said to be."""


def main() -> None:
    """Write each list, and say how large it is."""
    for code in sorted(set(available_languages("best")) - _LEFT_OUT):
        listed = _listed(code)
        write(FOLDER, _CODES.get(code, code), listed)
    write(FOLDER, COMMON, _common())


def _common() -> list[str]:
    """The commonest words of each language in Latin letters but English's own, and which languages these are."""
    english = {term for word in top_n_list("en", _COMMON_ENGLISH) for term in words(word)}
    told: dict[str, list[str]] = {}
    for code in sorted(set(available_languages("best")) - _LEFT_OUT - {"en"}):
        common = {term for word in top_n_list(code, _COMMON) for term in words(word)} - english
        for term in common:
            if len(term) > 1 and "a" <= term[0] <= "z" and term.isalpha():
                told.setdefault(term, []).append(_CODES.get(code, code))
    return sorted(f"{term} {' '.join(codes)}" for term, codes in told.items())


def _listed(code: str) -> list[str]:
    frequencies = get_frequency_dict(code, "best")
    if code == "en":
        hunspell = Dictionary.from_files("en_US")
        common = [word for word in frequencies if _is_english(word, frequencies, hunspell)]
    else:
        common = [word for word, share in frequencies.items() if share >= _RAREST]
    common.sort(key=lambda word: -frequencies[word])
    short = frozenset(top_n_list(code, _COMMON)) if _CODES.get(code, code) in LANGUAGES else ()
    folded = {term: None for word in common for term in words(word) if _is_word(term, LEAST_MENDED - (word in short))}
    return sorted(list(folded)[:_MOST])


def _is_word(term: str, least: int) -> bool:
    return len(term) >= least and not any(character.isdecimal() for character in term)


def _is_english(word: str, frequencies: Mapping[str, float], hunspell: Dictionary) -> bool:
    if any(hunspell.lookup(each) for each in (word, word.title(), word.upper())):
        return True
    return frequencies[word] >= _RAREST and not any(
        frequencies.get(other, 0.0) > _FAR_COMMONER * frequencies[word] and hunspell.lookup(other)
        for other in _one_edit_from(word)
    )


def _one_edit_from(word: str) -> Iterator[str]:
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        yield from (head + letter + tail for letter in ascii_lowercase)
        yield from (head + letter + tail[1:] for letter in ascii_lowercase if tail)
        yield head + tail[1:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]


if __name__ == "__main__":
    main()
