"""The words of a query on a command line, where a dash leaves a word out of the search."""

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
    ("arguments", "status", "said"),
    [
        ("moor -budget", 0, "moor -budget | 10 | False"),
        ("-budget moor --limit 3", 0, "-budget moor | 3 | False"),
        ("moor -harbour --limit=3", 0, "moor -harbour | 3 | False"),
        ("moor -1 - -#done --json", 0, "moor -1 - -#done | 10 | True"),
        ("--json -- moor --verbose -h", 0, "moor --verbose -h | 10 | True"),
        ("-h", 0, "Usage:"),
        ("moor --help", 0, "Usage:"),
        ("moor --limt 3", 2, "--limit"),
        ("", 2, "Missing argument"),
    ],
)
def test_a_word_with_a_dash_is_left_out_by_the_query_and_not_by_the_command(
    arguments: str, status: int, said: str
) -> None:
    result = CliRunner().invoke(look, arguments.split())
    assert (result.exit_code, said in result.output) == (status, True)
