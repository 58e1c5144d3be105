"""What is said above results: words that no note has, what was searched in the place of others, what is unread."""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from scrubjay.profiles.search.query.query_plan import QueryPlan
from scrubjay.profiles.search.rank.hidden import LeftOut
from scrubjay.profiles.search.rank.highlights import Highlighter
from scrubjay.profiles.search.rank.lexical_query import QueryTerm, ScoredWords
from scrubjay.profiles.search.rank.split_words import may_be_password
from scrubjay.profiles.search.rank.typos import NearWord, in_place
from scrubjay.profiles.search.types import Notice, UnreadNotes
from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.search.words.spellings import without_unseen


def notices(query: str, words: ScoredWords, passages: Iterable[str]) -> tuple[Notice, ...]:
    """The notices of a search for `query`. passages: among the best found, to spell a near word as notes do."""
    said: list[Notice] = []
    texts = tuple(passages) if words.instead or words.offered else ()
    if words.instead:
        spelt = {typed: _spelt(other, texts, words.languages) for typed, other in words.instead.items()}
        mended, typed = in_place(query, spelt)
        if not typed:  # what is searched as one word is none as it was written
            mended, typed = " ".join(spelt.values()), tuple(spelt)
        text = f"You typed {enumerated(_quoted(typed))}: showing results for {mended}."
        said.append(Notice("mended", text, typed, mended))
    secrets = tuple(word for word in words.absent if may_be_password(word))
    if others := tuple(word for word in words.absent if word not in secrets):
        said.append(Notice("absent-words", f"No note says {_either(others)}.", others))
    if secrets:
        said.append(password_notice(secrets))
    if words.offered:
        near = {typed: _spelt(other, texts, words.languages) for typed, other in words.offered.items()}
        meant, _ = in_place(query, near)
        said.append(Notice("offered", f"Did you mean {meant}?", (), meant))
    return tuple(said)


def password_notice(words: Sequence[str]) -> Notice:
    """That no note says these words, at least one, which look like passwords."""
    text = f"No note says {_either(words)}; if it was a password, it was taken out before indexing."
    return Notice("absent-password", text, tuple(words))


def _either(words: Sequence[str]) -> str:
    return " or ".join(_quoted(words))


def enumerated(parts: Sequence[str]) -> str:
    """Parts that are none of them empty, as a sentence lists them: `a, b and c`."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _quoted(words: Sequence[str]) -> list[str]:
    return [f'"{word}"' for word in words]


def list_notice(plan: QueryPlan) -> tuple[Notice, ...]:
    """What a query asks for that has no words: nothing at all, or everything but something."""
    if not plan.text and not plan.is_list:
        text = "There is nothing to look for: type a word, or a filter with its value, such as tag:recipe."
        return (Notice("nothing-asked", text, ()),)
    if plan.only_excludes:
        text = "These are all notes but those that were left out by -. Type a word that they should say."
        return (Notice("only-excluded", text, ()),)
    return ()


def unfinished_notice(looked: tuple[int, int] | None, seconds: float) -> tuple[Notice, ...]:
    """That an operator which reads the texts of notes had no time for all. looked: at how many, of how many."""
    if looked is None:
        return ()
    done, total = looked
    said = f"Stopped after {seconds:g} seconds; {done:,} of {total:,} notes were looked at, the newest first."
    return (Notice("unfinished", f"{said} Another word or filter in the query leaves fewer.", ()),)


def unread_notice(unread: UnreadNotes) -> tuple[Notice, ...]:
    """That there may be more, where some notes have not been read yet."""
    waiting = [f"Profile {name} has not been read yet" for name in unread.profiles]
    if unread.notes:
        waiting.append(f"{unread.notes:,} of your notes have not been read yet")
    if not waiting:
        return ()
    return (Notice("unread", f"{'. '.join(waiting)}, so there may be more.", ()),)


def hidden_notices(count: LeftOut) -> tuple[Notice, ...]:
    """That notes which match are not among the results, since their owner hid them. `words` has how many."""

    def notice(code: Literal["hidden", "dismissed"], many: int, what: str) -> Notice:
        text = f"1 note that you {what} matches, too." if many == 1 else f"{many:,} notes that you {what} match, too."
        return Notice(code, text, (str(many),))

    always, for_query = count.always, count.for_query
    return (
        *([notice("hidden", always, "hid")] if always else []),
        *([notice("dismissed", for_query, "left out of this search")] if for_query else []),
    )


_MODELS_LANGUAGES = {
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "ja": "Japanese",
    "ru": "Russian",
    "zh": "Chinese",
}
"""Those that a model is tried on; one that reads more reads the notes."""


def language_notice(read: Collection[str]) -> tuple[Notice, ...]:
    """That a query is in another language than the notes. read: the languages of the models that do not read both."""
    if not read:
        return ()
    named = " and ".join(_MODELS_LANGUAGES.get(code, code) for code in sorted(read))
    text = (
        f"You ask in another language than most of your notes are in. The model reads {named}, so only the words that"
        " both have in common are found."
    )
    return (Notice("other-language", text, tuple(sorted(read))),)


def _spelt(other: NearWord, passages: Iterable[str], languages: Sequence[str]) -> str:
    """A word as a passage spells it, with its accents; folded where none of them has it."""
    highlighter = Highlighter((QueryTerm(other.term, others=(other.term,)),), languages)
    for text in passages:
        for match in sorted(highlighter.matches(text)):
            written = without_unseen(text[match.start : match.end]).strip().lower()
            if analysis.words(written) == [other.form]:
                return written
    return other.form
