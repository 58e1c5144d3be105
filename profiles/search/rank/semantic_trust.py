"""How far the semantic leg can be trusted with a query: a model knows only what it was trained on. Pure."""

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from scrubjay.profiles.search.meaning.embedder import EmbeddingModel
from scrubjay.profiles.search.words.analysis import UNSPACED, words
from scrubjay.profiles.search.words.dictionary import written_in
from scrubjay.profiles.search.words.stop_words import SMALL_WORDS

UNREAD = 0.05
"""Of a query in a script or language, or of pictures, that the model cannot read."""
UNSPACED_LANGUAGES = frozenset(("ja", "km", "ko", "lo", "my", "th", "zh"))
"""Languages whose words no space tells."""
_OTHER_SCRIPTS = "am ar be bg bn el fa gu he hi hy ka kn mk ml mn mr ne pa ru si sr ta te uk ur yi"
_NOT_LATIN = UNSPACED_LANGUAGES.union(_OTHER_SCRIPTS.split())
"""Languages that nobody writes in ASCII."""
FROM_ENGLISH = 0.68
"""Of what a question in another language counts for: English words stand in notes of every language."""
_CLEARLY = 2
"""Small words: a name may have one of another language."""
_MOST = 0.8
_LAST_LATIN = 0x24F  # of Unicode's letters, for the languages of Europe


def trust(model: EmbeddingModel, text: str) -> float:
    """The share of its weight that the semantic leg keeps: 1 for what the model reads, UNREAD for what it does not.

    An English model turns Chinese, Greek or pictures into unknown tokens, or into single letters, and finds what has as
    many of them.
    """
    if (model.reads_unspaced and not model.unread) or text.isascii():
        return 1.0
    letters = sum(character.isalnum() for character in text)
    pictures = sum(unicodedata.category(character) == "So" for character in text)
    unread = 0 if model.reads_unspaced else pictures + sum(len(run[0]) for run in UNSPACED.finditer(text))
    unread += sum(_is_of_unread_script(model, character) for character in text if character.isalnum())
    read = 1.0 - min(1.0, unread / max(1, letters + pictures))
    return UNREAD + (1.0 - UNREAD) * read


def _is_of_unread_script(model: EmbeddingModel, letter: str) -> bool:
    languages = written_in(letter)
    return bool(languages) and not any(map(model.reads, languages))


def trust_by_language(model: EmbeddingModel, text: str, found: Sequence[str]) -> float:
    """As `trust`, by the language of a query: 1 where the model reads it, UNREAD for notes in others.

    A query of a few words seldom gives its language away; the notes do that hold them, if it may be in theirs. One in
    English says so by its small words, whatever the notes are in. Scripts without spaces are `trust`'s matter. found:
    the languages of the best passages by words, "" of unknown ones.
    """
    others = _NOT_LATIN if text.isascii() else UNSPACED_LANGUAGES
    unread = [language for language in found if not model.reads(language) and language not in others]
    if not unread or is_english(text, frozenset(unread)):
        return 1.0
    return UNREAD + (1.0 - UNREAD) * (1.0 - len(unread) / len(found))


def across_languages(model: EmbeddingModel, text: str, found: Sequence[str]) -> float:
    """How much a query asks in another language than the notes' own, of a model that reads both: 0 to 1.

    The notes of which words found the best passages do not answer then: they hold a name, or a word that is written
    alike. found: as in `trust_by_language`.
    """
    asked = language_of_query(text)
    if not found or not (model.reads(asked) if asked else model.reads_unspaced):
        return 0.0
    read = {language for language in found if language and model.reads(language)}
    foreign = {language for language in read if _is_asked_in_another(text, language)}
    share = sum(language in foreign for language in found) / len(found)
    return share * FROM_ENGLISH if asked == "en" else share


def is_across_unread(model: EmbeddingModel, text: str, notes: Mapping[str, int]) -> bool:
    """Whether a query is clearly in another language than most notes, and the model does not read both.

    notes: how many there are in each language that is known.
    """
    others = {language for language in notes if _is_asked_in_another(text, language, _CLEARLY)}
    if not others or sum(notes[language] for language in others) < _MOST * sum(notes.values()):
        return False
    reads_query = model.reads(language_of_query(text)) and 2 * trust(model, text) > 1
    return not (reads_query and all(map(model.reads, others)))


def _is_asked_in_another(text: str, language: str, lead: int = 1) -> bool:
    """lead: how many small words of other languages a query has more than of this one, at least."""
    letters = [character for character in text if character.isalpha()]
    other = sum(ord(character) > _LAST_LATIN for character in letters)
    if language not in _NOT_LATIN and 2 * other > len(letters):
        return True
    said, own = words(text), small_words(language)
    elsewhere = sum(word not in own and word in _small_anywhere() for word in said)
    return elsewhere >= lead + sum(word in own for word in said)


def language_of_query(text: str) -> str:
    """The language (ISO 639-1) that has most of a query's small words; "" where it has none."""
    said = [word for word in words(text) if word in _small_anywhere()]
    if not said:
        return ""
    counts = {language: sum(word in small_words(language) for word in said) for language in SMALL_WORDS}
    return max(counts, key=lambda language: counts[language])


def is_english(text: str, others: Collection[str]) -> bool:
    """Whether a text has more small words of English than of other languages; what both have tells nothing."""
    said = words(text)
    english, foreign = small_words("en"), frozenset[str]().union(*map(small_words, others))
    return sum(word in english - foreign for word in said) > sum(word in foreign - english for word in said)


@lru_cache(maxsize=32)
def small_words(language: str) -> frozenset[str]:
    """The small words of a language (ISO 639-1), as words are compared; none of one that is not known."""
    return frozenset(words(" ".join(SMALL_WORDS.get(language, ()))))


@lru_cache(maxsize=1)
def _small_anywhere() -> frozenset[str]:
    """The small words of all languages."""
    return frozenset[str]().union(*map(small_words, SMALL_WORDS))
