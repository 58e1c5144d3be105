"""The Tab key: whatever stands on the line, completions come or do not; nothing is raised into the shell."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete

from scrubjay.daemon.cli.app import COMPLETE_VAR, scrubjay

ODD = (
    *("--nope", "--nope=x", "-z", "--", "-", "--tag", "--profile", "--limit"),
    *("x:", ":", "tag:\0", "\ud83d", "''", "é\n", "9" * 30),
)


def completed(words: list[str], incomplete: str) -> list[str]:
    found = BashComplete(scrubjay, {}, "scrubjay", COMPLETE_VAR).get_completions(words, incomplete)
    return [each.value for each in found]


def paths(command: click.Command, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield above
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            if below := command.get_command(context, name):
                yield from paths(below, (*above, name))


def test_odd_words_raise_nothing_at_any_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path))
    for path in paths(scrubjay):
        for nth, odd in enumerate(ODD):
            for incomplete in (odd, "", "tag:x", "--"):
                completed([*path, odd], incomplete)
            completed([*path, odd, ODD[nth - 1]], "z")
    assert "--limit" in completed(["search", "--tag", "z"], "--lim"), "the rest is completed all the same"
