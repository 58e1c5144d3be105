"""Writes the lists of irregular forms of `profiles/search/words/inflections/` anew, from the lemmas of `simplemma`.

Run once in a long while: `pip install simplemma==2.0.0 wordfreq==3.1.1`, then `python packaging/irregular_forms.py`. Of
each language the commonest forms whose stem is another than that of the word that they are forms of (`läroböcker`,
`lärobok`), a line each: the form, behind it the words, all without accents; and such a line the other way round. Left
out are words that say little, and forms that are words of their own. Those of English stand here: the data takes
*media* for a form of *medium* and *maria* for one of *mare*.
"""

# pyright: basic, reportMissingImports=false, reportPrivateUsage=false

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
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
_OWN_PARTICIPLES = {"es": 4, "fr": 4, "it": 4}
"""The same where a participle has a feminine and a plural."""
_PARTICIPLE = re.compile(r"(\w*)ge\w{2,}(?:t|en)")
"""Of German, where each is inflected as an adjective: `geschrieben`, `aufgenommen`."""
_LEMMAS = {"no": "nb", "sr": "hbs"}
_FREQUENCIES = {"no": "nb", "sr": "sh"}
"""Where data is called otherwise than the language of a note."""
_NO_DATA = {"eo", "et", "eu", "hi", "hy", "ne", "ta", "yi"}
"""Of which one of the two has nothing, or nothing that the stemmers do not know."""

_ENGLISH = """
arise arose arisen, awake awoke awoken, become became, begin began begun, bend bent, bite bit bitten, bleed bled, blow
blew blown, break broke broken, breed bred, bring brought, build built, burn burnt, buy bought, calf calves, catch
caught, child children, choose chose chosen, cling clung, come came, creep crept, crisis crises, criterion criteria,
deal dealt, dig dug, draw drew drawn, dream dreamt, drink drank drunk, drive drove driven, eat ate eaten, elf elves,
fall fallen, feed fed, fight fought, flee fled, fling flung, fly flew flown, foot feet, forbid forbade forbidden, forget
forgot forgotten, forgive forgave forgiven, freeze froze frozen, fungus fungi, get got gotten, give gave given, go went
gone, goose geese, grandchild grandchildren, grow grew grown, half halves, hang hung, hear heard, hide hid hidden, hold
held, hypothesis hypotheses, keep kept, kneel knelt, knife knives, know knew known, lay laid, lead led, lean leant, leap
leapt, learn learnt, lend lent, lose lost, make made, man men, mean meant, meet met, mistake mistook mistaken, mouse
mice, overcome overcame, ox oxen, pay paid, penny pence, person people, phenomenon phenomena, rebuild rebuilt, ride rode
ridden, rise risen, run ran, say said, see seen, seek sought, sell sold, send sent, sew sewn, shake shook shaken, shelf
shelves, shine shone, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep slept, slide
slid, smell smelt, sneak snuck, sow sown, speak spoken, spell spelt, spend spent, spill spilt, spin spun, spit spat,
spoil spoilt, spring sprang sprung, stand stood, steal stolen, stick stuck, sting stung, stink stank stunk, strike
struck, string strung, strive strove striven, swear swore sworn, sweep swept, swell swollen, swim swam swum, swing
swung, take took taken, teach taught, tear tore torn, tell told, thief thieves, think thought, throw threw thrown, tooth
teeth, understand understood, undertake undertook undertaken, wake woken, wear wore worn, weave wove woven, weep wept,
wife wives, win won, withdraw withdrew withdrawn, wolf wolves, woman women, write wrote written
"""
"""Each word with its forms that its stem does not tell; without those that mean another thing, too, as *saw* does.

Nor is *matrices* here: of a collection on computing it brought what says *matrix* before what was asked for."""


def main() -> None:
    """Write each list, and say how large it is."""
    _LISTS.mkdir(exist_ok=True)
    for language in sys.argv[1:] or ("en", *sorted(LANGUAGES - _NO_DATA)):
        write(_LISTS, language, _lines(_english() if language == "en" else _found(language)))


def _english() -> Iterator[tuple[str, str]]:
    for word, *forms in map(str.split, _ENGLISH.split(",")):
        yield from ((form, word) for form in forms)


def _found(language: str) -> list[tuple[str, str]]:
    """The commonest irregular forms, each with its word."""
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
        and (forms_of[form] < _OWN_PARTICIPLES.get(language, _OWN) or _is_participle(form, word, language))
    ]
    own, others = (stem_words([pair[at] for pair in pairs], language) for at in (0, 1))
    apart = [pair for pair, *stems in zip(pairs, own, others, strict=True) if set(stems[0]).isdisjoint(stems[1])]
    apart.sort(key=lambda pair: -frequencies[pair[0]])
    return [(plain(form, language), plain(word, language)) for form, word in apart[:_MOST]]


def _lines(pairs: Iterable[tuple[str, str]]) -> list[str]:
    linked: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for form, word in pairs:
        linked[form][word] = None
        linked[BASE + word][form] = None
    return sorted(f"{key} {' '.join(others)}" for key, others in linked.items())


def _is_participle(form: str, word: str, language: str) -> bool:
    found = _PARTICIPLE.fullmatch(form) if language == "de" else None
    return found is not None and word.startswith(found[1]) and word.endswith("n")


def _lemmas(language: str) -> dict[str, str]:
    """By form the word that it is a form of; both in lower case, of letters alone."""
    found = DefaultDictionaryFactory().get_dictionary(_LEMMAS.get(language, language))
    lowered = ((form.lower(), word.lower()) for form, word in found.items())
    return {
        form: word for form, word in lowered if form != word and form.isalpha() and word.isalpha() and len(word) > 1
    }


if __name__ == "__main__":
    main()
