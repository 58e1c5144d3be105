"""Irregular forms of words: those whose stem is another than that of the word that they are forms of.

They are data, see `packaging/irregular_forms.py`, and are asked of the words of a query alone: notes are indexed by
stems.
"""

from scrubjay.profiles.search.words.stems import plain
from scrubjay.profiles.search.words.word_lists import listed_in, read_list

FOLDER = "inflections"
"""Of lists, each line of which is a form and the words that it may be a form of, or BASE with a word and its forms.

All are as `stems.plain` writes them.
"""
BASE = "="
INFLECTED = listed_in(FOLDER)
"""The languages, by their codes, that have a list."""
_MOST_FORMS = 32


def other_forms(word: str, language: str) -> tuple[str, ...]:
    """What a word is an irregular form of, and the irregular forms of these and of itself; without accents."""
    if language not in INFLECTED:
        return ()
    inflections = read_list(FOLDER, language)
    asked = plain(word, language)
    bases = (asked, *inflections.line(asked).split()[1:])
    found = dict.fromkeys(bases)
    for base in bases:
        found.update(dict.fromkeys(inflections.line(BASE + base).split()[1:]))
    return tuple(form for form in found if form != asked)[:_MOST_FORMS]
