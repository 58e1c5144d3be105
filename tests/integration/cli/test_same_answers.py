"""Each command that reads notes prints the same, whether the daemon answers it or the command itself does.

But for one line, which says that nobody has looked for changes since.
"""

import re
from collections.abc import Iterator

import pytest

from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.waiting import until

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("search", "ferry", "island"),
    ("search", "ferry", "--json"),
    ("search", "ferry", "--limit", "100", "--by-chunk", "--context", "1"),
    ("search", "ferry", "--limit", "1000"),
    ("search", "ferry", "--profile", "unknown"),
    ("search", "ferry", "--profile", "NOTES", "--mode", "lexical", "--explain"),
    ("search", "nothing-of-the-kind", "--mode", "lexical"),
    ("search", "x" * 2_001),
    ("explain", "ferry", "--note", "Sub/Budget.md"),
    ("explain", "ferry", "--note", "Nowhere.md"),
    ("credentials",),
    ("credentials", "--json"),
    ("related", "Ferry.md"),
    ("traverse", "Ferry.md"),
    ("timeline", "--since", "2026-01-01", "--until", "2026-12-31"),
    ("verify", "The island has one inn", "--note", "Island.md"),
    ("context", "When does the ferry leave?"),
    ("journal", "recall", "ferry"),
    ("journal", "log"),
)
_OF_THE_MOMENT = re.compile(r'"took_ms": ?[\d.]+|^Scrubjay is not running: this is as it was .*\n', re.MULTILINE)

Printed = dict[tuple[str, ...], tuple[int, str]]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Printed, Printed]]:
    """What each command prints and how it ends: without a daemon, and with one."""
    made = Installation(tmp_path_factory.mktemp("cli"))
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5"
    made.write(
        {
            "Ferry.md": f"# Ferry\n\nThe ferry to the island leaves at nine. See [[Island]].\n\ntoken: {token}\n",
            "Island.md": "# Island\n\nThe island has one inn and no cars.\n",
            "Sub/Budget.md": "# Budget\n\nThe budget for the weir is nine thousand.\n",
        }
    )
    made.create_profile("notes")
    made.run("index")
    alone = {command: _run(made, command) for command in COMMANDS}
    with made.daemon() as client:
        wait_until_indexed(client)
        by_meaning = SearchAsk(query="ferry", mode="semantic")
        until(lambda: client.ask(SEARCH, by_meaning).semantic == "used")  # its model is loaded
        yield alone, {command: _run(made, command) for command in COMMANDS}


def _run(installation: Installation, command: tuple[str, ...]) -> tuple[int, str]:
    result = installation.invoke(*command)
    return result.exit_code, _OF_THE_MOMENT.sub("", result.output)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command)[:60])
def test_a_daemon_changes_no_answer(printed: tuple[Printed, Printed], command: tuple[str, ...]) -> None:
    alone, with_daemon = printed
    assert alone[command] == with_daemon[command]


def test_more_results_than_one_search_gives_are_fetched_page_by_page(printed: tuple[Printed, Printed]) -> None:
    code, said = printed[0]["search", "ferry", "--limit", "1000"]
    assert (code, "ferry" in said.lower()) == (0, True)
