"""The commands that agents and their hooks call: the same answers with a daemon and without one."""

import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext

import pytest
from click.testing import Result

from tests.helpers.installation import Installation, wait_until_indexed

Run = Callable[..., Result]

FERRY_LINE = "The ferry to the island leaves at nine. See [[Island]]."
NOTES = {
    "Ferry.md": "---\ntags: [travel]\n---\n# Ferry\n\n" + FERRY_LINE + "\n",
    "Island.md": "# Island\n\nThe island has one inn and no cars.\n",
    "Sub/Budget.md": "# Budget\n\nThe budget for the weir is nine thousand.\n",
}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("cli"))
    made.write(NOTES)
    made.create_profile("notes")
    made.run("index")
    return made


@pytest.fixture(params=["without a daemon", "with a daemon"], scope="module")
def running(installation: Installation, request: pytest.FixtureRequest) -> Iterator[None]:
    with installation.daemon() if request.param == "with a daemon" else nullcontext() as client:
        if client is not None:
            wait_until_indexed(client)
        yield


@pytest.fixture
def run(installation: Installation, running: None) -> Run:
    return installation.invoke


def test_context_is_the_same_bytes_each_time_from_arguments_and_standard_input(run: Run) -> None:
    first = run("context", "When does the ferry leave?", "--max-tokens", "200")
    assert first.exit_code == 0
    assert "> The ferry to the island leaves at nine." in first.stdout
    assert "notes: Ferry.md:" in first.stdout
    assert run("context", "--max-tokens", "200", types="When does the ferry leave?").stdout == first.stdout
    counted = json.loads(run("context", "When does the ferry leave?", "--max-tokens", "200", "--json").stdout)
    assert (counted["markdown"], counted["tokens"] <= 200) == (first.stdout, True)


def test_context_without_a_prompt_or_for_an_unknown_profile_says_so(run: Run) -> None:
    assert run("context", types="  \n").exit_code == 2
    refused = run("context", "ferry", "--profile", "nowhere")
    assert (refused.exit_code, "no such profile" in refused.stderr) == (1, True)


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


def test_a_hook_ends_with_status_0_whatever_comes_in_and_gives_what_the_notes_say(
    installation: Installation, running: None
) -> None:
    # As a program of its own, since it ends itself where the answer takes too long.
    for sent in ("no JSON", json.dumps({"prompt": "\0\ud83d 🎉 " * 20_000})):
        told = installation.run("context", "--hook", "claude-code", standard_input=sent)
        assert (told.returncode, told.stdout) == (0, "")
    told = installation.run(
        "context", "--hook", "gemini-cli", standard_input=json.dumps({"prompt": "When does the ferry leave?"})
    )
    if told.stdout:  # a busy machine may take longer than a prompt waits
        added = json.loads(told.stdout)["hookSpecificOutput"]
        assert "> The ferry to the island leaves at nine." in added["additionalContext"]


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("When does the ferry leave?", "> The ferry to the island leaves at nine."),
        ("yes", "Nothing is added. The prompt has too few words"),
        ("commit this and push it to the island branch", "Nothing is added. "),
    ],
)
def test_what_a_hook_would_add_is_shown_and_else_why_it_adds_nothing(run: Run, prompt: str, said: str) -> None:
    told = run("context", prompt, "--hook", "claude-code", "--explain")
    assert (told.exit_code, said in told.stdout) == (0, True)


def test_explaining_is_of_a_hook(run: Run) -> None:
    assert run("context", "When does the ferry leave?", "--explain").exit_code == 2


def test_a_person_who_asks_what_a_hook_would_add_is_answered_however_long_it_takes(installation: Installation) -> None:
    # As a program of its own: what ends a hook in time would end this with status 0 and without a word.
    told = installation.run_process("context", "--hook", "claude-code", "--explain", check=False)
    assert (told.returncode, "Give a prompt" in told.stderr) == (2, True)


@pytest.mark.slow
def test_a_hook_is_no_veto_where_the_command_has_no_such_option_any_more(installation: Installation) -> None:
    told = installation.run("context", "--hook", "claude-code", "--wobble", standard_input='{"prompt": "ferry"}')
    assert (told.returncode, told.stdout) == (0, "")


def test_verify_by_the_id_of_a_passage(run: Run) -> None:
    found = json.loads(run("search", "ferry", "--json").stdout)["results"][0]
    told = json.loads(run("verify", "leaves at nine. See", "--id", found["id"], "--json").stdout)
    assert (told["verdict"], told["path"], told["places"]) == ("verified", "Ferry.md", [{"id": found["id"], "line": 6}])
    assert run("verify", "anything at all").exit_code == 2
    assert "has a note at this path" in run("verify", "anything at all", "--note", "Nothing.md").stderr


def test_notes_are_read_by_path_id_and_pattern_whole_and_by_lines(run: Run) -> None:
    whole = run("get", "ferry")
    assert (whole.exit_code, "The ferry to the island leaves at nine." in whole.stdout) == (0, True)
    found = json.loads(run("search", "ferry", "--json").stdout)["results"][0]
    assert run("get", f"#{found['id']}", "--lines", "6", "--numbers").stdout.endswith("     6  " + FERRY_LINE + "\n")
    several = run("get", "*.md", "Nothing.md")
    assert (several.exit_code, "==> Sub/Budget.md <==" in several.stdout, "Nothing.md:" in several.stderr) == (
        1,
        True,
        True,
    )
    (note,) = json.loads(run("get", "Island.md", "--json").stdout)["notes"]
    assert (note["path"], note["next_line"]) == ("Island.md", None)
    assert run("get", "ferry", "--lines", "9:3").exit_code == 2


def test_the_newest_notes_and_how_much_there_is(run: Run) -> None:
    assert "Sub/Budget.md" in run("recent").stdout
    assert len(json.loads(run("recent", "--limit", "2", "--json").stdout)) == 2
    counted = json.loads(run("stats", "--json").stdout)
    assert counted["profiles"][0]["notes"] == 3
    assert "travel (1)" in run("stats", "--profile", "notes").stdout
    assert run("stats", "--profile", "nowhere").exit_code == 1


def test_a_whole_answer_is_checked_against_the_notes_that_it_cites(run: Run) -> None:
    found = json.loads(run("search", "ferry", "--json").stdout)["results"][0]["id"]
    true = run("verify", "--answer", "-", types=f"It says “The ferry to the island leaves at nine” [#{found}].")
    assert (true.exit_code, "verified: Every quotation" in true.stdout, "Ferry.md:6" in true.stdout) == (0, True, True)
    altered = run("verify", "--answer", "-", types=f"It says “The ferry to the island leaves at ten” [#{found}].")
    assert (altered.exit_code, "altered" in altered.stdout, "leaves at nine" in altered.stdout) == (1, True, True)
    invented = run("verify", "--answer", "-", "--json", types="As [#ffffffffffff] says, it rains.")
    assert (invented.exit_code, json.loads(invented.stdout)["unknown"]) == (1, ["ffffffffffff"])
    assert run("verify", "x", "--answer", "-", types="x").exit_code == 2


def test_explain_says_what_became_of_a_note(run: Run) -> None:
    shown = run("explain", "ferry", "--note", "Ferry.md")
    assert (shown.exit_code, shown.stdout.startswith("shown: It is result 1.")) == (0, True)
    filtered = run("explain", "ferry tag:recipe", "--note", "Ferry.md")
    assert (filtered.exit_code, filtered.stdout.startswith("filtered:")) == (1, True)
    assert json.loads(run("explain", "ferry", "--note", "No.md", "--json").stdout)["stage"] == "not-indexed"


def test_related_says_why(run: Run) -> None:
    found = json.loads(run("related", "Ferry.md", "--json").stdout)
    assert found[0]["path"] == "Island.md"
    assert "linked from here" in found[0]["reasons"]
    assert "Island.md" in run("related", "Ferry.md").stdout
    assert run("related", "Nothing.md").exit_code == 1


def test_changes_are_of_a_note_passage_by_passage_or_of_all_by_day(run: Run) -> None:
    edited = run("changes", "Ferry.md", "--since", "last year")
    assert (edited.exit_code, "0 passages new or edited" in edited.stderr) == (1, True)
    found = json.loads(run("changes", "Ferry.md", "--json").stdout)
    assert (found["path"], found["passages"], found["kept"] > 0) == ("Ferry.md", [], True)
    listed = run("changes")
    assert (listed.exit_code, "Ferry.md  notes  changed" in listed.stdout) == (0, True)
    assert run("changes", "No such note.md").exit_code == 1
    too_far = run("changes", "--since", "2001-01-01")
    assert (too_far.exit_code, "a year at most" in too_far.stderr) == (2, True)
    refused = run("changes", "--since", "whenever")
    assert (refused.exit_code, "7d" in refused.stderr) == (2, True)


def test_the_timeline_lists_what_was_changed_by_day(run: Run) -> None:
    listed = run("timeline")
    assert (listed.exit_code, "Ferry.md  notes  changed" in listed.stdout) == (0, True)
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
    assert (
        "0 entries deleted" in run("journal", "prune", "--profile", "notes", "--before", "2020-01-01", "--yes").stdout
    )
    assert run("journal", "forget", "../clients").exit_code == 1
