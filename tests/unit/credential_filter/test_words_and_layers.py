"""Passphrases of words and blanks behind their label; tokens encoded more than once; blanks inside of a token."""

# ruff: noqa: E501 - tables of lines
import base64

import pytest

from scrubjay.credential_filter import redact
from scrubjay.credential_filter.rules.templates import expand

TOKEN = expand("ghp_{alnum:36}")


LABELS = ("Password: {}\n", "- Passwort: {}\n", "Mot de passe : {}\n", "**Password:** {}\n")
PLACES = (
    "We wrote it down: Password: {}\n", "Password – {}\n", "Password:\n{}\n", "## Password\n\n{}\n", "Passwords\n\n- {}\n- and\n",
    "| Password | {} |\n",
)  # fmt: skip


@pytest.mark.parametrize(
    ("words", "layouts"),
    [
        ("correct horse battery staple", LABELS),
        ("Blue kestrel 47 pond", LABELS),
        ("tree tree 99", LABELS),
        ("amber nettle walrus pumice opal", LABELS + PLACES),
        ("mctcg jizwly ldaexzs ewxlte 3261", PLACES),
    ],
)
def test_all_of_a_passphrase_is_hidden_wherever_its_label_stands(words: str, layouts: tuple[str, ...]) -> None:
    hidden = [layout.format("[REDACTED:named-password]") for layout in layouts]
    assert [redact(layout.format(words)).text for layout in layouts] == hidden


@pytest.mark.parametrize(
    "words", ["correct horse battery staple", "`amber nettle walrus pumice`", "jay / amber nettle correct pumice"]
)
def test_a_passphrase_in_a_cell_below_a_word_for_passwords_is_hidden(words: str) -> None:
    said = redact(f"| Site | Password |\n|---|---|\n| bank | {words} |\n").text
    assert "[REDACTED:named-password]" in said
    assert "nettle" not in said and "horse" not in said


def test_a_remark_in_such_a_cell_stays() -> None:
    remarks = (
        "see the vault entry", "not set", "stored in KeePass", "minimum length twelve characters", "page 12 notebook", "shared with whole team",
        "changed in May 2024", "rotated every ninety days", "weak passwords rejected automatically", "anna / stored in KeePass",
    )  # fmt: skip
    tables = [f"| Site | Password |\n|---|---|\n| bank | {remark} |\n" for remark in remarks]
    assert [redact(table).text for table in tables] == tables


def test_behind_a_label_for_phrases_a_sentence_is_one() -> None:
    assert "river" not in redact("Passphrase: the quick river sings at night\n").text


def test_a_remark_behind_the_label_stays() -> None:
    lines = [
        "Password: see the manager", "Password: at least 12 characters", "Password: reset on 3 May", "Password: minimum 12 characters",
        "Passphrase: see the manager", "Password: ask Anna for it", "Passwort: steht im Heft von 2019", "Passphrase: a long sequence of words",
        "Password: changed May 2024", "Passwords: never share them with anybody",
    ]  # fmt: skip
    assert [redact(f"{line}\n").text.rstrip("\n") for line in lines] == lines


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_what_is_encoded_several_times_is_hidden(layers: int) -> None:
    coded = f"token {TOKEN}"
    for _ in range(layers):
        coded = base64.b64encode(coded.encode()).decode()
    assert coded[10:40] not in redact(f"see {coded} there\n").text


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f", "\u2009", "\u2007", "\u205f", "\u00a0\u00a0"])
def test_a_blank_that_parts_no_lines_does_not_end_a_token(blank: str) -> None:
    left = redact(f"see {TOKEN[:20]}{blank}{TOKEN[20:]} there\n").text
    assert TOKEN[:20] not in left
    assert TOKEN[20:] not in left


def test_such_a_blank_between_words_and_numbers_stays() -> None:
    text = "10\u00a0000\u00a0km, Mot de passe\u00a0: voir le coffre, §\u00a012, WLAN\u00a05\u00a0GHz\n"
    assert redact(text).text == text
