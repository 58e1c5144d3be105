"""Passwords as people write them are hidden in each language that has a file, and sentences about passwords stay."""

# ruff: noqa: E501 - tables of layouts
import unicodedata

import pytest

from scrubjay.credential_filter import redact
from scrubjay.credential_filter.text.announcers import languages

# What people make up, put together here, so that no scanner takes it for a live one.
PASSWORDS = tuple(
    "".join(parts)
    for parts in (
        ("hund", "1987"), ("Felix", "2019"), ("liebe", "123"), ("mausi", "88"), ("Blumenkohl", "7"), ("Hamburg", "#", "1"), ("schalke", "04"),
        ("Sommer", "2024", "!"), ("Kranich", "47", "!", "teich"), ("hT7", "$", "mPq2vL"),
    )
)  # fmt: skip
OWN_SCRIPT = {
    "ru": "Котик", "uk": "Котик", "el": "αγάπη", "ar": "حبيبي", "he": "אהבה", "fa": "گربه", "hi": "प्यार", "th": "รักแมว", "zh": "小猫咪", "ja": "さくら", "ko": "사랑해",
}  # fmt: skip
EVERYWHERE = (
    "{a}: {p}", "- {a}: {p}", "**{a}:** {p}", "> {a}: {p}", "| {a} | {p} |\n|---|---|", "| x | {a} |\n|---|---|\n| y | {p} |", "{a} = {p}", "{a} – {p}",
    "{a} → {p}", "{a} {p}", "{a}:\n{p}", "{a}\n\n{p}", "## {a}\n\n{p}", "{a}\n- {p}", "- {a}\n  - {p}", "{a} - {p}", "{a}: `{p}`", "{a} “{p}”",
)  # fmt: skip
LABELS = {code: language["examples"]["labels"][0] for code, language in languages().items()}
LAYOUTS: dict[str, list[str]] = {
    code: [every.replace("{a}", LABELS[code]) for every in EVERYWHERE] + language["examples"]["hide"]
    for code, language in languages().items()
}
ALL_LAYOUTS = [layout for layouts in LAYOUTS.values() for layout in layouts]


def note(layout: str, password: str) -> str:
    return "Notes of today.\n\n" + layout.replace("{p}", password) + "\n\nThe end.\n"


def test_each_language_shows_what_it_hides_and_what_it_keeps() -> None:
    assert len(languages()) >= 26
    assert len(ALL_LAYOUTS) >= 700
    assert min(len(language["examples"]["hide"]) for language in languages().values()) >= 10
    assert min(len(language["examples"]["keep"]) for language in languages().values()) >= 10


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)], ids=["some by turns", "all"])
@pytest.mark.parametrize("code", LAYOUTS)
def test_what_people_make_up_is_hidden(code: str, every: int) -> None:
    assert [
        (layout, password)
        for number, layout in enumerate(LAYOUTS[code])
        for password in PASSWORDS[number % every :: every]
        if password.rstrip("!") in redact(note(layout, password)).text
    ] == []


def test_a_sentence_about_passwords_stays() -> None:
    lines = [line for language in languages().values() for line in language["examples"]["keep"]]
    assert [line for line in lines if redact(f"{line}\n").text != f"{line}\n"] == []


ASKED = (
    "Who remembers that your login password is `{p}` so you can sign into the website?  The database does.",
    "What happens if the password is {p} and everybody in the office has known that for years?",
    "Que se passe-t-il si ton mot de passe est {p} et que tout le monde le connaît déjà ?",
)
TOLD_AND_ASKED = (
    "my password is {p}, isn't it?",
    "Mein Passwort ist {p}, oder?",
    "the password is {p}?",
    "is the wifi password {p}?",
)


def test_a_question_that_goes_on_behind_a_made_up_password_tells_none_and_one_that_ends_there_does() -> None:
    texts = [note(sentence, "Cat" + "Lover1985") for sentence in (*ASKED, *TOLD_AND_ASKED)]
    assert [text for text in texts if "Lover1985" in redact(text).text] == texts[: len(ASKED)]
    assert [redact(text).text for text in texts[: len(ASKED)]] == texts[: len(ASKED)]


def test_a_password_in_the_languages_own_script_is_hidden() -> None:
    passwords = {code: f"{word}2019" for code, word in OWN_SCRIPT.items()}
    texts = [
        (note(layout.replace("{a}", LABELS[code]), password), password)
        for code, password in passwords.items()
        for layout in EVERYWHERE[:4]
    ]
    assert [text for text, password in texts if password in redact(text).text] == []


def test_a_label_is_found_however_its_letters_are_composed() -> None:
    texts = [note(f"{unicodedata.normalize('NFD', label)}: {{p}}", PASSWORDS[0]) for label in LABELS.values()]
    assert [text for text in texts if PASSWORDS[0] in redact(text).text] == []


def test_what_was_hidden_stays_hidden_and_nothing_else_goes() -> None:
    for layout in ALL_LAYOUTS[::23]:
        once = redact(note(layout, PASSWORDS[0])).text
        assert redact(once).text == once
        assert (once[:17], once[-11:]) == ("Notes of today.\n\n", "\n\nThe end.\n")
