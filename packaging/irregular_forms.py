"""Writes the lists of irregular forms of `profiles/search/words/inflections/` anew, from the lemmas of `simplemma`.

Run once in a long while: `pip install simplemma==2.0.0 wordfreq==3.1.1`, then `python packaging/irregular_forms.py`. Of
each language the commonest forms whose stem is another than that of the word that they are forms of (`läroböcker`,
`lärobok`), a line each: the form, behind it the words, all without accents; and such a line the other way round. Left
out are words that say little, and forms that are words of their own.
"""

# pyright: basic, reportMissingImports=false, reportPrivateUsage=false

import sys
from collections import Counter, defaultdict
from pathlib import Path

from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory
from word_list_file import write
from wordfreq import get_frequency_dict

from scrubjay.profiles.search.words.inflections import BASE, FOLDER
from scrubjay.profiles.search.words.stems import LANGUAGES, plain, stem_words
from scrubjay.profiles.search.words.stop_words import SMALL_WORDS

_LISTS = Path(__file__).parents[1] / "profiles" / "search" / "words" / FOLDER
_MOST = 40_000  # forms of a language
_LEAST = 3  # letters
_OWN = 2  # other forms that make a form a word of its own
_LEMMAS = {"no": "nb", "sr": "hbs"}
_FREQUENCIES = {"no": "nb", "sr": "sh"}
"""Where data is called otherwise than the language of a note."""
_NO_DATA = {"eo", "et", "eu", "hi", "hy", "ne", "ta", "yi"}
"""Of which one of the two has nothing, or nothing that the stemmers do not know."""


def main() -> None:
    """Write each list, and say how large it is."""
    _LISTS.mkdir(exist_ok=True)
    for language in sys.argv[1:] or sorted(LANGUAGES - _NO_DATA):
        write(_LISTS, language, _listed(language))


def _listed(language: str) -> list[str]:
    lemmas = _lemmas(language)
    frequencies = get_frequency_dict(_FREQUENCIES.get(language, language), "best")
    small = {plain(word, language) for word in SMALL_WORDS.get(language, ())}
    forms_of = Counter(lemmas.values())
    pairs = [
        (form, word)
        for form, word in lemmas.items()
        if form in frequencies
        and len(form) >= _LEAST
        and not {plain(form, language), plain(word, language)} & small
        and forms_of[form] < _OWN
    ]
    own, others = (stem_words([pair[at] for pair in pairs], language) for at in (0, 1))
    apart = [pair for pair, *stems in zip(pairs, own, others, strict=True) if set(stems[0]).isdisjoint(stems[1])]
    apart.sort(key=lambda pair: -frequencies[pair[0]])
    linked: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for form, word in ((plain(form, language), plain(word, language)) for form, word in apart[:_MOST]):
        linked[form][word] = None
        linked[BASE + word][form] = None
    return sorted(f"{key} {' '.join(others)}" for key, others in linked.items())


def _lemmas(language: str) -> dict[str, str]:
    """By form the word that it is a form of; both in lower case, of letters alone."""
    found = DefaultDictionaryFactory().get_dictionary(_LEMMAS.get(language, language))
    lowered = ((form.lower(), word.lower()) for form, word in found.items())
    return {
        form: word for form, word in lowered if form != word and form.isalpha() and word.isalpha() and len(word) > 1
    }


if __name__ == "__main__":
    main()
