import click
import pytest
from click.testing import CliRunner

from scrubjay.daemon.cli.notes.query_command import QueryCommand


@click.command(cls=QueryCommand, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", default=10)
@click.option("--json", "as_json", is_flag=True)
def look(query: tuple[str, ...], limit: int, as_json: bool) -> None:
    click.echo(f"{' '.join(query)} | {limit} | {as_json}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["moor", "-budget"], "moor -budget | 10 | False"),
        (["-budget", "moor", "--limit", "3"], "-budget moor | 3 | False"),
        (["moor", "-harbour", "--limit=3"], "moor -harbour | 3 | False"),
        (["moor", "-1", "-", "-#done", "--json"], "moor -1 - -#done | 10 | True"),
        (["--json", "--", "moor", "--verbose", "-h"], "moor --verbose -h | 10 | True"),
        (["-h"], "Usage:"),
        (["moor", "--help"], "Usage:"),
    ],
)
def test_a_word_with_a_dash_is_left_out_by_the_query_and_not_by_the_command(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(look, arguments)
    assert (result.exit_code, result.output.startswith(said)) == (0, True)


def test_a_misspelt_option_is_not_searched_for() -> None:
    result = CliRunner().invoke(look, ["moor", "--limt", "3"])
    assert result.exit_code == 2
    assert "--limit" in result.output


def test_no_query_is_a_mistake() -> None:
    assert CliRunner().invoke(look, []).exit_code == 2
