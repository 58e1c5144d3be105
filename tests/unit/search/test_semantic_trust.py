from dataclasses import replace

import pytest

from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.search.rank.semantic_trust import (
    FROM_ENGLISH,
    UNREAD,
    across_languages,
    is_english,
    trust,
    trust_by_language,
)


@pytest.mark.parametrize(
    ("query", "least", "most"),
    [
        ("how do I sync two devices", 1.0, 1.0),
        ("Wie gleiche ich zwei Geräte ab?", 1.0, 1.0),
        ("如何同步两台设备", UNREAD, UNREAD),
        ("obsidian 插件", 0.7, 0.9),
        ("🎉", UNREAD, UNREAD),
        ("🎉 party", 0.7, 0.9),
        ("…?!", 1.0, 1.0),
    ],
)
def test_the_bundled_model_is_trusted_with_what_it_reads(query: str, least: float, most: float) -> None:
    assert least <= trust(BUNDLED, query) <= most


def test_a_model_is_not_trusted_with_a_script_in_which_it_told_nothing_apart() -> None:
    model = replace(BUNDLED, reads_unspaced=True, languages=("en", "zh"), unread=("el",))
    assert [trust(model, text) for text in ("ο σκύλος", "如何同步两台设备", "собака")] == [UNREAD, 1.0, 1.0]
    assert trust_by_language(model, "πότε", ["el"] * 4) == UNREAD


@pytest.mark.parametrize(
    ("query", "found", "expected"),
    [
        pytest.param("Pakete verwalten", ["de"] * 4, UNREAD, id="only-german-notes-hold-its-words"),
        pytest.param("how to create a package", ["de"] * 4, 1.0, id="an-english-question-over-german-notes"),
        pytest.param("créer un package", ["fr", "en"], (1 + UNREAD) / 2, id="half-of-the-notes-are-english"),
        pytest.param("nuget.config", ["de", "en", "", "de"], (1 + UNREAD) / 2, id="a-name-says-no-language"),
        pytest.param("как создать пакет", ["ru"], UNREAD, id="russian"),
        pytest.param("Sync-Package", ["ru"] * 4, 1.0, id="latin-letters-are-no-russian"),
        pytest.param("如何同步", ["zh"] * 4, 1.0, id="what-the-script-says-is-not-counted-twice"),
        pytest.param("Pakete verwalten", ["en", ""], 1.0, id="german-asked-of-english-notes"),
        pytest.param("Pakete verwalten", [], 1.0, id="no-note-holds-a-word"),
    ],
)
def test_an_english_model_has_little_to_say_of_notes_in_other_languages(
    query: str, found: list[str], expected: float
) -> None:
    assert trust_by_language(BUNDLED, query, found) == pytest.approx(expected)
    assert trust_by_language(replace(BUNDLED, reads_unspaced=True), query, found) == 1.0


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("who is the warden of the bog", True),
        ("warden bog", False),  # no small word says so
        ("was ist die Hauptstadt", False),
        ("", False),
    ],
)
def test_small_words_say_that_a_query_is_in_english(query: str, expected: bool) -> None:
    assert is_english(query, {"de", "nl"}) is expected


POLYGLOT = replace(BUNDLED, reads_unspaced=True)


@pytest.mark.parametrize(
    ("query", "found", "expected"),
    [
        pytest.param("Wie wird ein Paket erstellt?", ["en"] * 4, 1.0, id="german-asked-of-english-notes"),
        pytest.param("comment créer un package pour les projets", ["en", "en", "fr", ""], 0.5, id="half-are-english"),
        pytest.param("Справочник по команде nuget", ["en"] * 2, 1.0, id="its-script-is-another"),
        pytest.param("how to create a package", ["de"] * 4, FROM_ENGLISH, id="english-asked-of-german-notes"),
        pytest.param("how to create a package", ["en"] * 4, 0.0, id="in-the-notes-language"),
        pytest.param("nuget.config", ["en"] * 4, 0.0, id="a-name-is-in-no-language"),
        pytest.param("como instalar", [], 0.0, id="no-note-holds-a-word"),
        pytest.param("设置 sync", ["zh"] * 4, 0.0, id="chinese"),
    ],
)
def test_a_question_in_another_language_than_the_notes_is_one_for_the_meaning(
    query: str, found: list[str], expected: float
) -> None:
    assert across_languages(POLYGLOT, query, found) == expected
    assert across_languages(BUNDLED, query, found) == 0.0
