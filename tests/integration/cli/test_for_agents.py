"""The commands that agents and their hooks call, and all that read notes: a daemon changes no answer."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.waiting import until

Run = Callable[..., Result]

ASKED = "When does the ferry leave?"
FERRY_LINE = "The ferry to the island leaves at nine. See [[Island]]."
TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5"
NOTES = {
    "Ferry.md": f"---\ntags: [travel]\n---\n# Ferry\n\n{FERRY_LINE}\n",
    "Island.md": "# Island\n\nThe island has one inn and no cars.\n",
    "Sub/Budget.md": f"# Budget\n\nThe budget for the weir is nine thousand.\n\ntoken: {TOKEN}\n",
}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("cli"))
    made.write(NOTES)
    made.create_profile("notes")
    made.run("index")
    return made


@pytest.fixture
def run(installation: Installation) -> Run:
    return installation.invoke


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("search", "ferry", "island"),
    ("search", "ferry", "--json"),
    ("search", "ferry", "--limit", "1000", "--by-chunk", "--context", "1"),
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
    ("get", "*.md", "Nothing.md"),
    ("get", "ferry", "--lines", "6", "--numbers"),
    ("recent",),
    ("stats",),
    ("changes",),
    ("changes", "Ferry.md"),
    ("timeline",),
    ("timeline", "--since", "2026-01-01", "--until", "2026-12-31"),
    ("verify", "The island has one inn", "--note", "Island.md"),
    ("verify", "The island has two inns", "--note", "Island.md"),
    ("ask", ASKED),
    ("ask", "What does the weir cost?", "--json"),
    ("context", ASKED),
    ("context", ASKED, "--hook", "claude-code", "--explain"),
    ("context", ASKED, "--profile", "nowhere"),
    ("journal", "recall", "ferry"),
    ("journal", "log"),
)
# But for one line, which says that nobody has looked for changes since.
_OF_THE_MOMENT = re.compile(r'"took_ms": ?[\d.]+|^Scrubjay is not running: this is as it was .*\n', re.MULTILINE)


def test_a_daemon_changes_no_answer(tmp_path: Path) -> None:
    made = Installation(tmp_path)
    made.write(NOTES)
    made.create_profile("notes")
    made.run("index")

    def printed() -> dict[str, tuple[int, str]]:
        """What each command prints and how it ends."""
        done = {" ".join(command)[:60]: made.invoke(*command) for command in COMMANDS}
        return {name: (each.exit_code, _OF_THE_MOMENT.sub("", each.output)) for name, each in done.items()}

    alone = printed()
    with made.daemon() as client:
        wait_until_indexed(client)
        by_meaning = SearchAsk(query="ferry", mode="semantic")
        until(lambda: client.ask(SEARCH, by_meaning).semantic == "used")  # its model is loaded
        assert printed() == alone


def test_context_is_the_same_bytes_each_time_from_arguments_and_standard_input(run: Run) -> None:
    first = run("context", ASKED, "--max-tokens", "200")
    assert first.exit_code == 0
    assert "> The ferry to the island leaves at nine." in first.stdout
    assert "notes: Ferry.md:" in first.stdout
    assert run("context", "--max-tokens", "200", types=ASKED).stdout == first.stdout
    counted = json.loads(run("context", ASKED, "--max-tokens", "200", "--json").stdout)
    assert (counted["markdown"], counted["tokens"] <= 200) == (first.stdout, True)
    assert run("context", types="  \n").exit_code == 2
    refused = run("context", "ferry", "--profile", "nowhere")
    assert (refused.exit_code, "no such profile" in refused.stderr) == (1, True)


def test_a_hook_ends_with_status_0_whatever_comes_in_and_gives_what_the_notes_say(installation: Installation) -> None:
    # As a program of its own, since it ends itself where the answer takes too long.
    def sends(client: str, prompt: str) -> str:
        told = installation.run("context", "--hook", client, standard_input=prompt)
        assert told.returncode == 0
        return told.stdout

    assert sends("claude-code", "no JSON") == ""
    assert sends("claude-code", json.dumps({"prompt": "\0\ud83d 🎉 " * 20_000})) == ""
    if told := sends("gemini-cli", json.dumps({"prompt": ASKED})):  # a busy machine may take longer than a prompt waits
        added = json.loads(told)["hookSpecificOutput"]
        assert "> The ferry to the island leaves at nine." in added["additionalContext"]


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        (ASKED, "> The ferry to the island leaves at nine."),
        ("yes", "Nothing is added. The prompt has too few words"),
        ("commit this and push it to the island branch", "Nothing is added. "),
    ],
)
def test_what_a_hook_would_add_is_shown_and_else_why_it_adds_nothing(run: Run, prompt: str, said: str) -> None:
    told = run("context", prompt, "--hook", "claude-code", "--explain")
    assert (told.exit_code, said in told.stdout) == (0, True)
    assert run("context", prompt, "--explain").exit_code == 2, "explaining is of a hook"


def test_a_person_who_asks_what_a_hook_would_add_is_answered_however_long_it_takes(installation: Installation) -> None:
    # As a program of its own: what ends a hook in time would end this with status 0 and without a word.
    told = installation.run_process("context", "--hook", "claude-code", "--explain", check=False)
    assert (told.returncode, "Give a prompt" in told.stderr) == (2, True)


@pytest.mark.slow
def test_a_hook_is_no_veto_where_the_command_has_no_such_option_any_more(installation: Installation) -> None:
    told = installation.run("context", "--hook", "claude-code", "--wobble", standard_input='{"prompt": "ferry"}')
    assert (told.returncode, told.stdout) == (0, "")


@pytest.mark.parametrize(
    ("quote", "exit_code", "said"),
    [
        ("The ferry to the island leaves at nine", 0, "Ferry.md:6"),
        ("the FERRY … leaves at nine", 0, "verified"),
        ("The ferry to the island leaves at ten", 1, "not-found"),
        ("ferry", 1, "unverifiable"),
    ],
)
def test_verify_tells_by_its_exit_status(run: Run, quote: str, exit_code: int, said: str) -> None:
    told = run("verify", quote, "--note", "Ferry.md")
    assert (told.exit_code, said in told.stdout) == (exit_code, True)


def test_verify_by_the_id_of_a_passage_and_a_whole_answer_by_those_that_it_cites(run: Run) -> None:
    found = json.loads(run("search", "ferry", "--json").stdout)["results"][0]["id"]
    told = json.loads(run("verify", "leaves at nine. See", "--id", found, "--json").stdout)
    assert (told["verdict"], told["path"], told["places"]) == ("verified", "Ferry.md", [{"id": found, "line": 6}])
    assert run("verify", "anything at all").exit_code == 2
    assert "has a note at this path" in run("verify", "anything at all", "--note", "Nothing.md").stderr
    true = run("verify", "--answer", "-", types=f"It says “The ferry to the island leaves at nine” [#{found}].")
    assert (true.exit_code, "verified: Every quotation" in true.stdout, "Ferry.md:6" in true.stdout) == (0, True, True)
    altered = run("verify", "--answer", "-", types=f"It says “The ferry to the island leaves at ten” [#{found}].")
    assert (altered.exit_code, "altered" in altered.stdout, "leaves at nine" in altered.stdout) == (1, True, True)
    invented = run("verify", "--answer", "-", "--json", types="As [#ffffffffffff] says, it rains.")
    assert (invented.exit_code, json.loads(invented.stdout)["unknown"]) == (1, ["ffffffffffff"])
    assert run("verify", "x", "--answer", "-", types="x").exit_code == 2


def test_notes_are_read_by_path_id_and_pattern_whole_and_by_lines(run: Run) -> None:
    whole = run("get", "ferry")
    assert (whole.exit_code, "The ferry to the island leaves at nine." in whole.stdout) == (0, True)
    found = json.loads(run("search", "ferry", "--json").stdout)["results"][0]
    assert run("get", f"#{found['id']}", "--lines", "6", "--numbers").stdout.endswith("     6  " + FERRY_LINE + "\n")
    several = run("get", "*.md", "Nothing.md")
    assert (several.exit_code, "Nothing.md:" in several.stderr) == (1, True)
    assert "==> Sub/Budget.md <==" in several.stdout
    (note,) = json.loads(run("get", "Island.md", "--json").stdout)["notes"]
    assert (note["path"], note["next_line"]) == ("Island.md", None)
    assert run("get", "ferry", "--lines", "9:3").exit_code == 2


def test_the_newest_notes_and_how_much_there_is(run: Run) -> None:
    assert "Sub/Budget.md" in run("recent").stdout
    assert len(json.loads(run("recent", "--limit", "2", "--json").stdout)) == 2
    assert json.loads(run("stats", "--json").stdout)["profiles"][0]["notes"] == 3
    assert "travel (1)" in run("stats", "--profile", "notes").stdout
    assert run("stats", "--profile", "nowhere").exit_code == 1


def test_explain_says_what_became_of_a_note_and_related_why(run: Run) -> None:
    shown = run("explain", "ferry", "--note", "Ferry.md")
    assert (shown.exit_code, shown.stdout.startswith("shown: It is result 1.")) == (0, True)
    filtered = run("explain", "ferry tag:recipe", "--note", "Ferry.md")
    assert (filtered.exit_code, filtered.stdout.startswith("filtered:")) == (1, True)
    assert json.loads(run("explain", "ferry", "--note", "No.md", "--json").stdout)["stage"] == "not-indexed"
    found = json.loads(run("related", "Ferry.md", "--json").stdout)[0]
    assert (found["path"], "linked from here" in found["reasons"]) == ("Island.md", True)
    assert "Island.md" in run("related", "Ferry.md").stdout
    assert run("related", "Nothing.md").exit_code == 1


def test_changes_are_of_a_note_passage_by_passage_or_of_all_by_day(run: Run) -> None:
    edited = run("changes", "Ferry.md", "--since", "last year")
    assert (edited.exit_code, "0 passages new or edited" in edited.stderr) == (1, True)
    found = json.loads(run("changes", "Ferry.md", "--json").stdout)
    assert (found["path"], found["passages"], found["kept"] > 0) == ("Ferry.md", [], True)
    assert run("changes", "No such note.md").exit_code == 1
    for command in ("changes", "timeline"):
        listed = run(command)
        assert (listed.exit_code, "Ferry.md  notes  changed" in listed.stdout) == (0, True)
    for since, said in (("2001-01-01", "a year at most"), ("whenever", "7d")):
        refused = run("changes", "--since", since)
        assert (refused.exit_code, said in refused.stderr) == (2, True)
    (day,) = json.loads(run("timeline", "--json").stdout)
    assert {each["note"]["path"] for each in day["notes"]} == set(NOTES)
    for days in (
        ("--since", "today"),
        ("--since", "7d", "--until", "today"),
        ("--since", "last month", "--until", "this week"),
    ):
        assert json.loads(run("timeline", *days, "--json").stdout), days
    assert "--until" in run("timeline", "--until", "whenever").stderr
    assert run("timeline", "--since", "2001-01-01", "--until", "2001-01-02").exit_code == 1
    assert "days" in run("timeline", "--since", "2001-01-02", "--until", "2001-01-01").stderr


def test_the_journal_from_adding_to_forgetting(run: Run) -> None:
    secret = "ghp" + "_" + "h3Wq" * 9
    added = run("journal", "add", "--tag", "style", types=f"Ada prefers tables, says {secret}\n")
    assert "1 credential taken out" in added.stderr
    assert run("journal", "recall", "tables or prose", "--as-of", "9999-12-31").exit_code == 0
    entry = json.loads(run("journal", "recall", "tables or prose", "--json").stdout)[0]
    assert secret not in entry["text"]
    assert entry["id"] in added.stdout
    assert "Ada prefers tables" in run("journal", "log", "--since", "2020-01-01").stdout
    assert run("journal", "log", "--until", "2020-01-01").exit_code == 1
    assert run("journal", "forget", f"#{entry['id']}").stdout == "Forgotten.\n"
    gone = run("journal", "forget", entry["id"])
    assert (gone.exit_code, "no entry" in gone.stderr.lower() or "No journal" in gone.stderr) == (1, True)
    pruned = run("journal", "prune", "--profile", "notes", "--before", "2020-01-01", "--yes")
    assert "0 entries deleted" in pruned.stdout
    assert run("journal", "forget", "../clients").exit_code == 1
