"""What the answers to `scrubjay setup` mean."""

import click
import pytest
from click.testing import CliRunner

from scrubjay.daemon.cli import prompts
from scrubjay.daemon.cli.machine.setup import name_from, picked
from scrubjay.daemon.cli.prompts import Prompts
from scrubjay.daemon.sentences.system import words_for


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        ("", ()),
        (" , ", ()),
        ("2", ("Work",)),
        ("1, Work/Deep ,2", ("Archive", "Work/Deep", "Work")),
        ("2, Work", ("Work",)),
        (".", (".",)),
        ("0, 9", ("0", "9")),
        ("2024", ("2024",)),
    ],
)
def test_numbers_and_folders_can_be_mixed(answer: str, chosen: tuple[str, ...]) -> None:
    assert picked(answer, ["Archive", "Work", "2024"]) == chosen


@pytest.mark.parametrize(
    ("vault", "name"),
    [
        ("Work", "Work"),
        ("Zettelkasten (neu)", "Zettelkasten neu"),
        ("🐦", "notes"),
        (".notes", "notes"),
        ("笔记", "笔记"),
        ("Mein Vo\u0308lt & notes", "Mein Völt notes"),
        ("- Notes", "Notes"),
        ("x" * 80, "x" * 40),
    ],
)
def test_a_vault_gives_a_profile_a_name_that_it_may_have(vault: str, name: str) -> None:
    assert name_from(vault) == name


def test_without_questions_every_answer_is_the_default_and_what_has_none_is_asked_for_as_an_option() -> None:
    ask = Prompts(nothing=True)
    assert ask.confirm("Sure?", default=False) is False
    assert (ask.choice("Which?", ("no", "yes")), ask.line("Name?", "notes")) == ("no", "notes")
    with pytest.raises(click.UsageError, match="Where\\?"):
        ask.line("Where?", None)


@pytest.mark.parametrize(
    ("language", "answers"),
    [
        ("en", {"y": True, "No": False, "": True}),
        ("de", {"j": True, "Nein": False, "y": True}),
        ("fr", {"oui": True}),
        ("es", {"maybe\nsí": True}),
    ],
)
def test_yes_and_no_are_understood_in_the_users_language_and_in_english(
    monkeypatch: pytest.MonkeyPatch, language: str, answers: dict[str, bool]
) -> None:
    monkeypatch.setattr(prompts, "system_words", lambda: words_for([language]))
    asked = click.Command("ask", callback=lambda: click.echo(f"={Prompts(nothing=False).confirm('Sure?', True)}"))
    for typed, answer in answers.items():
        assert CliRunner().invoke(asked, input=f"{typed}\n").output.strip().endswith(f"={answer}"), typed
