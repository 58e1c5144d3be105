"""The languages' files, of which the tray and `scrubjay setup` read theirs."""

import json
import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scrubjay.daemon import sentences as folder
from scrubjay.daemon.program import Platform
from scrubjay.daemon.sentences.sentences import LANGUAGES, Counted, Sentences, words_of
from scrubjay.daemon.sentences.system import system_languages, words_for

ENGLISH = words_of("en")
OTHERS = [words_of(language) for language in sorted(LANGUAGES - {"en"})]


def file_of(language: str) -> dict[str, dict[str, Any]]:
    return json.loads((Path(folder.__path__[0]) / f"{language}.json").read_text(encoding="utf-8"))


def sentences(words: Sentences) -> dict[str, str]:
    """Each sentence by its name; of counted ones the form that each language has."""
    values = {name: getattr(words, name) for name in words.__struct_fields__}
    return {name: value if isinstance(value, str) else value.other for name, value in values.items()}


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("words", OTHERS, ids=lambda words: words.language)
class TestALanguage:
    def test_has_every_key_of_english_and_no_other_each_in_its_section(self, words: Sentences) -> None:
        own, english = file_of(words.language), file_of("en")
        assert {section: own[section].keys() for section in own} == {
            section: english[section].keys() for section in english
        }

    def test_says_the_same_things_about_the_same_values(self, words: Sentences) -> None:
        english = sentences(ENGLISH)
        assert {name: places(text) for name, text in sentences(words).items()} == {
            name: places(text) for name, text in english.items()
        }

    def test_counts_in_the_forms_that_its_numbers_need(self, words: Sentences) -> None:
        counted = [words.notes, words.files, words.passages]
        assert {each.one is not None for each in counted} == {words.ones != ""}

    def test_has_no_sentence_that_was_left_in_english(self, words: Sentences) -> None:
        english, own = sentences(ENGLISH), sentences(words)
        same = {name for name in own if own[name] == english[name] and " " in own[name].replace("{", "").strip()}
        assert {
            name
            for name in same
            if not set(own[name].replace("Scrubjay", "")) <= set("{}, abcdefghijklmnopqrstuvwxyz_:")
        } == set()

    def test_asks_by_letters_that_differ(self, words: Sentences) -> None:
        assert words.yes != words.no
        assert words.no != "y" and words.yes != "n"  # what English readers type


def test_the_tray_and_setup_know_every_sentence_of_their_sections() -> None:
    known = {field.encode_name for field in msgspec.structs.fields(Sentences)}
    assert (file_of("en")["tray"] | file_of("en")["setup"]).keys() <= known


def test_no_key_stands_in_two_sections() -> None:
    keys = [key for section in file_of("en").values() for key in section]
    assert sorted(keys) == sorted(set(keys))


@pytest.mark.parametrize(
    ("words", "number", "percent", "notes"),
    [
        (words_of("en"), "1,234", "40%", ["0 notes", "1 note", "1,234 notes"]),
        (words_of("de"), "1.234", "40\u00a0%", ["0 Notizen", "1 Notiz", "1.234 Notizen"]),
        (words_of("fr"), "1\u202f234", "40\u00a0%", ["0 note", "1 note", "1\u202f234 notes"]),
        (words_of("es"), "1234", "40\u00a0%", ["0 notas", "1 nota", "1234 notas"]),
        (words_of("zh"), "1,234", "40%", ["0 篇笔记", "1 篇笔记", "1,234 篇笔记"]),
        (words_of("ja"), "1,234", "40%", ["0 件のノート", "1 件のノート", "1,234 件のノート"]),
    ],
    ids=lambda value: value.language if isinstance(value, Sentences) else "",
)
def test_numbers_are_written_and_counted_as_the_language_does(
    words: Sentences, number: str, percent: str, notes: list[str]
) -> None:
    assert words.number(1_234) == number
    assert words.percent(0.4) == percent
    assert [words.counted(words.notes, count) for count in (0, 1, 1_234)] == notes
    assert isinstance(words.notes, Counted)


@pytest.mark.parametrize(
    ("languages", "spoken"),
    [
        (["de_AT.UTF-8"], "de"),
        (["pt_BR.UTF-8", "fr_CA"], "fr"),
        (["zh_CN.UTF-8"], "zh"),
        (["zh-Hans-DE"], "zh"),
        (["zh_TW.UTF-8", "ja_JP"], "ja"),
        (["zh-Hant"], "en"),
        (["es_MX@peso"], "es"),
        (["C.UTF-8"], "en"),
        ([""], "en"),
        ([], "en"),
    ],
)
def test_the_first_language_that_there_are_words_for_is_spoken(languages: list[str], spoken: str) -> None:
    assert words_for(languages).language == spoken


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({}, ()),
        ({"LANG": "de_DE.UTF-8"}, ("de_DE.UTF-8",)),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"}, ("fr_FR.UTF-8",)),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "ja_JP.UTF-8"}, ("ja_JP.UTF-8",)),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "es:fr"}, ("es", "fr", "de_DE.UTF-8")),
        ({"LANG": "C.UTF-8", "LANGUAGE": "es"}, ()),
        ({"LC_ALL": "POSIX", "LANG": "de_DE"}, ()),
    ],
)
@pytest.mark.parametrize("platform", ["linux"])
def test_the_environment_tells_the_language_as_gettext_reads_it(
    platform: Platform, environment: Mapping[str, str], told: tuple[str, ...]
) -> None:
    assert system_languages(platform, environment) == told
