"""What an agent may rely on, tried as an agent does, over standard input and output and over HTTP.

More of it: test_clients (one clean text, however a program reads), test_tools (names, lists, ids, the journal),
test_rights, test_install, test_protocol, and tests/integration/cli/test_for_agents.py (hooks).
"""

import json
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from scrubjay.daemon.transport import running
from tests.helpers.forked import helpers_of
from tests.helpers.waiting import until
from tests.integration.mcp.conftest import Place, open_place
from tests.integration.mcp.test_clients import as_text
from tests.integration.mcp.wire import TRANSPORTS, Connection, opened, request

LONG_PATH = "/".join(("Customers", "Halden Kommune " * 6, "2026-10-21 Halden Kommune call about pumps.md")).replace(
    " /", "/"
)
LINKS = "".join(
    f"- [{name} ({kind})](https://{name.lower()}.example/{'x' * 60})"
    + "".join(f" ([{each}](https://{each.lower()}.example/{name.lower()}/{'y' * 40}))" for each in ("Docs", "Article"))
    + "\n"
    for name, kind in (("Jujutsu", "works with Git"), ("Pijul", "a theory of patches"), ("Sapling", "source control"))
)
OPERATORS = {
    "file:": "Find text in the name of a file",
    "path:": "Find text in the path of a file",
    "tag:": "Find a tag in a note",
    "line:": "Find what stands on the same line",
    "block:": "Find what stands in the same block",
    "section:": "Find what stands below one heading",
    "task-todo:": "Find an open task that waits to be done",
}
HEADS = "Search operator · Description"
DECIDED = """# Decided

Decided by: Mei Tan, on 2026-05-27.

| who | when |
| --- | --- |
| Mei Tan | 2026-05-28 |

Ask Mei Tan at 17:30 about 3500 rows. Tan Wei Ming 12345. The tan sofa costs 1299 euros. Linda Pin, on 2026-05-29.
"""
BOARD = """# Board

The board did not approve the sale of the Rotterdam office in March.

We no longer deliver printed invoices to customers in Denmark.

No employee may carry a private phone in the laboratory.

Der Vorstand hat den Verkauf des Lagers nicht genehmigt.

The pumps are tested on Mondays.
"""
NOTES = {
    "Ferry.md": "# Ferry\n\nThe ferry to the island leaves at nine.\n",
    "DR-002 Kestrel.md": "---\ndate: 2026-03-04\n---\n# Launch\n\nKestrel launches on 1 September 2026.\n",
    "DR-009 Kestrel.md": "---\ndate: 2026-07-15\n---\n# Launch\n\nKestrel launches on 15 October 2026 and no sooner.\n",
    "DR-014 Kestrel.md": "---\ndate: 2026-10-07\n---\n# Launch\n\nKestrel launches on 20 January 2027.\n",
    LONG_PATH: "# Pumps\n\nHalden wants a second pumping station.\n",
    "Board.md": BOARD,
    "Decided.md": DECIDED,
    "Reading.md": f"# Reading\n\n{LINKS}",
    "Operators.md": "# Operators\n\nOperators narrow it down.\n\n| Search operator | Description |\n| --- | --- |\n"
    + "".join(f"| `{name}` | {what} |\n" for name, what in OPERATORS.items()),
}


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with open_place(tmp_path_factory.mktemp("promises"), NOTES, {}) as made:
        yield made


@pytest.fixture(scope="module", params=TRANSPORTS)
def connection(harbour: Place, request: pytest.FixtureRequest) -> Iterator[Connection]:
    made = TRANSPORTS[request.param](harbour, "2025-11-25")
    opened(made)
    yield made
    made.close()


def call(connection: Connection, tool: str, **arguments: Any) -> str:
    """What a model is given."""
    answer = request(connection, "tools/call", name=tool, arguments=arguments)["result"]
    assert not answer.get("isError"), answer
    return as_text(answer)


def lines_with(text: str, words: str) -> list[str]:
    return [line for line in text.splitlines() if words in line]


def test_what_holds_comes_first_and_what_held_before_says_so_with_its_day(connection: Connection) -> None:
    for said in (
        call(connection, "search", query="When does Kestrel launch?", limit=3),
        call(connection, "context", prompt="When does Kestrel launch?", max_tokens=500),
    ):
        days = re.findall(r"> Kestrel launches on (\d+ \w+)", said)
        assert sorted(days) == ["1 September", "15 October", "20 January"]
        assert days[0] == "20 January"
        (newest,) = lines_with(said, "DR-014 Kestrel.md:6, dated 2026-10-07, modified 20")
        key = re.findall(r"#([0-9a-f]{12})", newest)[0]
        assert "older than" not in newest
        for older in ("DR-002 Kestrel.md:6, dated 2026-03-04", "DR-009 Kestrel.md:6, dated 2026-07-15"):
            (where,) = lines_with(said, older)
            assert f", older than #{key}" in where
    only = call(connection, "search", query="When does Kestrel launch?", limit=1)
    assert "> Kestrel launches on 20 January 2027." in only


def test_a_note_is_read_by_a_path_however_long(connection: Connection) -> None:
    assert len(LONG_PATH) > 100
    assert "> Halden wants a second pumping station." in call(connection, "get_note", id=LONG_PATH)
    found = call(connection, "search", query="second pumping station", limit=1)
    assert f"notes: {LONG_PATH}:3" in found


LEFT_OUT = (
    "The board … approve the sale of the Rotterdam office in March",
    "approve the sale of the Rotterdam office",
    "deliver printed invoices to customers in Denmark",
    "employee may carry a private phone in the laboratory",
    "Der Vorstand hat den Verkauf des Lagers … genehmigt",
)


def test_a_quotation_that_leaves_a_not_out_is_altered_by_every_door(harbour: Place, connection: Connection) -> None:
    for quote in LEFT_OUT:
        assert call(connection, "verify_quote", id="Board.md", quote=quote).startswith("altered: "), quote
        assert harbour.installation.invoke("verify", quote, "--note", "Board.md").exit_code == 1, quote
    true = "The board did not approve the sale of the Rotterdam office"
    assert call(connection, "verify_quote", id="Board.md", quote=true).startswith("verified: ")


def test_what_is_cited_and_not_quoted_is_named_and_the_answer_is_not_verified(connection: Connection) -> None:
    key = re.findall(r"#([0-9a-f]{12})", call(connection, "search", query="path:Board.md pumps Mondays", limit=1))[0]
    answer = f'As the note says: the board approved the sale [#{key}]. And "The pumps are tested on Mondays." [#{key}]'
    said = call(connection, "verify_answer", text=answer)
    assert "partly-quoted: " in said
    assert f"- line 1: #{key} is cited, and nothing of it is quoted" in said
    for quoted in ("'{}'", "<q>{}</q>", "*{}*", "`{}`", "```\n{}\n```\n"):
        altered = quoted.format("The pumps are tested on Tuesdays.")
        assert "mismatch: " in call(connection, "verify_answer", text=f"{altered} [#{key}]"), quoted


def test_a_person_s_name_and_a_day_are_no_credential(connection: Connection) -> None:
    said = call(connection, "get_note", id="Decided.md")
    for line in filter(None, DECIDED.splitlines()):
        assert line.removeprefix("# ") in said
    assert "Decided.md" not in call(connection, "credentials_report")
    text = f"Meeting with Mei Tan on 2026-05-27 about 3500 rows, over {type(connection).__name__}"
    assert "taken out" not in call(connection, "remember", text=text)
    assert f"> {text}" in call(connection, "recall", query=text)


def test_an_excerpt_of_a_list_or_a_table_holds_the_point(connection: Connection) -> None:
    for query, *shown in (
        ("Sapling source control", "Sapling (source control) (Docs) (Article)"),
        ("Pijul theory patches", "Pijul (a theory of patches) (Docs) (Article)"),
        ("search operator open task", HEADS, "task-todo: Find an open task that waits to be done"),
        ("operator same block", HEADS, "block: Find what stands in the same block"),
    ):
        excerpt = "\n".join(lines_with(call(connection, "search", query=query, limit=1), "> "))
        assert [each for each in shown if each not in excerpt] == [], excerpt


@contextmanager
def helpless(place: Place) -> Generator[None]:
    """The processes that the daemon embeds and reads with stand still, as if they had much to do."""
    daemon = running(place.installation.home).pid
    place.installation.run("search", "which boats sail")  # for which a model is loaded
    until(lambda: bool(helpers_of(daemon)))
    helpers = helpers_of(daemon)
    try:
        for each in helpers:
            with suppress(psutil.NoSuchProcess):
                each.suspend()
        yield
    finally:
        for each in helpers:
            with suppress(psutil.NoSuchProcess):
                each.resume()


def test_to_remember_waits_for_no_model(harbour: Place, connection: Connection) -> None:
    text = f"The gangway was painted grey, over {type(connection).__name__}"
    with helpless(harbour):
        assert "Remembered as #" in call(connection, "remember", text=text)
    assert f"> {text}" in call(connection, "recall", query="which colour has the gangway")


EVERYDAY = tuple(
    each["prompt"]
    for each in map(
        json.loads, (Path(__file__).parents[2] / "quality" / "prompts.jsonl").read_text("utf-8").splitlines()
    )
    if not each["answer"]
)


def test_a_hook_answers_by_words_where_the_model_does_not_and_is_silent_where_nothing_is_asked(harbour: Place) -> None:
    def added(prompt: str) -> str:
        told = harbour.installation.invoke("context", prompt, "--hook", "claude-code", "--explain")
        assert told.exit_code == 0, told.output
        return told.stdout

    with helpless(harbour):
        assert "> The ferry to the island leaves at nine." in added("When does the ferry to the island leave?")
        for prompt in EVERYDAY:
            assert added(prompt).startswith("Nothing is added. "), prompt
