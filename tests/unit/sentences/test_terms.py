"""The table of terms (`docs/terms.md`) and the sentences agree; what stands in two places is said in the same words."""

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from scrubjay.daemon import sentences as folder
from scrubjay.daemon.sentences.sentences import LANGUAGES

PAGE = (Path(__file__).parents[3] / "docs" / "terms.md").read_text(encoding="utf-8")
NAMES = {"English": "en", "German": "de", "French": "fr", "Spanish": "es", "Chinese": "zh", "Japanese": "ja"}
_COMMAND = re.compile(r"`[^`]*`")
_ADDRESS = re.compile(r"\{\w+\}|\b\w+: ?\S+:\S+")


def rows(part: str) -> list[tuple[str, ...]]:
    lines = re.findall(r"^\| (.*) \|$", part, re.MULTILINE)
    return [tuple(cell.strip() for cell in line.split(" | ")) for line in lines[2:]]


TERMS, _, UNUSED = PAGE.partition("## Words that are not used")
TABLE = rows(TERMS)
BANNED = [(NAMES[language], word) for language, words, _ in rows(UNUSED) for word in words.split(", ")]


def said(language: str) -> dict[str, str]:
    """Every sentence of a language by its key, its forms together, without commands and what is put in."""
    text = (Path(folder.__path__[0]) / f"{language}.json").read_text(encoding="utf-8")
    file: dict[str, dict[str, Any]] = json.loads(text)
    whole = {
        key: value if isinstance(value, str) else "\n".join(value.values())
        for section in file.values()
        for key, value in section.items()
    }
    return {key: _ADDRESS.sub("", _COMMAND.sub("", value)) for key, value in whole.items()}


def stem(cell: str) -> str:
    """The part of a term that no sentence bends."""
    return cell.partition("(")[0].strip().casefold()


def test_the_table_has_every_language_of_the_interface_and_no_term_twice() -> None:
    assert set(NAMES.values()) == LANGUAGES
    assert len(TABLE) >= 120
    assert {len(row) for row in TABLE} == {len(LANGUAGES)}
    assert len({row[0] for row in TABLE}) == len(TABLE)


@pytest.mark.parametrize(("column", "language"), list(enumerate(NAMES.values()))[1:])
def test_every_term_of_the_table_is_what_the_sentences_say(column: int, language: str) -> None:
    text = "\n".join(said(language).values()).casefold()
    assert [row[column] for row in TABLE if stem(row[column]) not in text] == []


@pytest.mark.parametrize(("column", "language"), list(enumerate(NAMES.values()))[1:])
def test_what_english_says_by_a_term_alone_others_say_by_theirs(column: int, language: str) -> None:
    english, own = said("en"), said(language)
    terms: defaultdict[str, list[str]] = defaultdict(list)
    for row in TABLE:
        terms[stem(row[0])].append(stem(row[column]))
    wrong = {
        key: own[key]
        for key, text in english.items()
        if (words := terms.get(text.casefold())) and not any(word in own[key].casefold() for word in words)
    }
    assert wrong == {}


@pytest.mark.parametrize(("language", "word"), BANNED)
def test_a_word_that_is_not_used_stands_nowhere(language: str, word: str) -> None:
    latin = re.fullmatch(r"[\w -]+", word, re.ASCII)
    pattern = re.compile(rf"\b{re.escape(word)}" if latin else re.escape(word), re.IGNORECASE)
    assert {key: text for key, text in said(language).items() if pattern.search(text)} == {}


SAME = {  # of the tray -> of the page
    "pause": "profiles.pause",
    "lock": "profiles.lock",
    "unlock": "do.unlock",
    "refuse": "clients.refuse",
    "not_running": "offline.title",
    **{
        f"state_{state}": f"state.{state}"
        for state in ("idle", "scanning", "reading", "embedding", "paused", "locked", "failed", "away")
    },
}


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_tray_says_what_the_page_says(language: str) -> None:
    own = said(language)
    different = {key: (own[key], own[page]) for key, page in SAME.items() if own[key].lower() != own[page].lower()}
    assert different == {}
    assert own["open_page"] in own["page.closed.detail"]
    assert own["credentials"].startswith(own["pane.credentials"])


MARKS = {"en": "“”", "de": "„“", "fr": "«»", "es": "«»", "zh": "“”", "ja": "「」"}


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_no_mark_stands_without_its_other_half(language: str) -> None:
    for opening, closing in (MARKS[language], "()", "（）"):
        single = {key: text for key, text in said(language).items() if text.count(opening) != text.count(closing)}
        assert single == {}


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_what_is_quoted_stands_in_the_marks_of_its_language(language: str) -> None:
    others = {mark for marks in MARKS.values() for mark in marks} - set(MARKS[language])
    assert {key: text for key, text in said(language).items() if others & set(text)} == {}
