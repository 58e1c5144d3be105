"""What the pages show to be typed is typed here as it stands there, and answers as the pages say."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.plain_http import http_client
from tests.integration.docs.examples import BadExample, Example, difference, examples_of, pages, unmarked
from tests.integration.docs.stage import Stage, ids_in
from tests.integration.packaging.scripts import ROOT

PAGES = pages(ROOT)
EXAMPLES = {page: examples_of(page, text) for page, text in PAGES.items()}
FROM_NOTHING = ("README.md", "docs/quick-start.md")  # these begin with `scrubjay setup`; the others go on from there
STANDARD_FOLDERS = {".cache", ".local", ".local/share", ".local/state"}  # of the system's, which others use as well
MADE_FOR_THEM = {  # what the pages' examples are about, beside the sample vault
    "draft.md": "Dear Hannah,\nthe password: SECRET\n",
    "reply.md": 'Why it broke: "A rename is two changes pretending to be one" [#4b6ee1d91d10]\n',
    "golden.jsonl": '{"query": "how deep is the peat", "notes": ["Field/Peat depth and carbon.md"]}\n',
}


def check(stage: Stage, example: Example) -> None:
    """Run one block and compare."""
    where = f"{example.page}:{example.line}"
    if example.not_run:
        return
    if example.kind == "json":
        json.loads(example.text)
    elif example.kind == "toml":
        tomllib.loads(example.text)
    elif example.kind in {"sh", "python"}:
        said = stage.run(example)
        for each in said:
            assert each.status in {0, example.status}, f"{where}: {each.command}\n{each.output}"
        assert example.status in {each.status for each in said}, f"{where}: nothing left with {example.status}"
        printed = "".join(each.output for each in said)
        assert (line := difference(example.shown, printed)) is None, f"{where} shows {line!r}, but it says:\n{printed}"


def with_examples(names: Iterator[str] | tuple[str, ...]) -> list[str]:
    return [page for page in names if any(one.kind in {"sh", "python"} and not one.not_run for one in EXAMPLES[page])]


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path)
    yield stage
    stage.close()


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The sample vault as the profile `work`, indexed, with the daemon running."""
    stage = Stage(tmp_path_factory.mktemp("docs"))
    vault = stage.sample_vault("Notes")
    for name, text in MADE_FOR_THEM.items():
        (stage.home / name).write_text(text.replace("SECRET", "-".join(("Correct", "Horse", "7!"))), encoding="utf-8")
    made = stage.type(f'scrubjay profile create work --vault "{vault}" --allow . --exclude Private')
    assert made.status == 0, made.output
    started = stage.type("scrubjay start && scrubjay index --wait")
    assert started.status == 0, started.output
    yield stage
    stage.close()


@pytest.fixture
def furnished(stage: Stage) -> Stage:
    """The same, with all read that other pages' examples have written."""
    assert stage.type("scrubjay index --wait").status == 0
    return stage


def test_the_readme_from_setup_to_leaving_without_a_trace(empty: Stage) -> None:
    empty.sample_vault("Notes")
    lists = empty.home / ".config" / "obsidian" / "obsidian.json"
    lists.parent.mkdir(parents=True)
    lists.write_text(json.dumps({"vaults": {"a": {"path": str(empty.home / "Notes")}}}), encoding="utf-8")
    before = empty.files()
    for example in EXAMPLES["README.md"]:
        if "scrubjay search" in example.text:  # nobody reads on as quickly as a test, before the notes are embedded
            empty.type("scrubjay index --wait")
        check(empty, example)
    assert empty.files() - before <= STANDARD_FOLDERS


@pytest.mark.slow
def test_the_quick_start_from_setup_to_leaving(empty: Stage) -> None:
    vault = empty.sample_vault("Work")
    (vault / "Notes" / "Private").mkdir(parents=True)
    for example in EXAMPLES["docs/quick-start.md"]:
        check(empty, example)


@pytest.mark.parametrize("page", [page for page in with_examples(tuple(PAGES)) if page not in FROM_NOTHING])
def test_the_examples_of_a_page_work_as_written(page: str, furnished: Stage) -> None:
    for example in EXAMPLES[page]:
        check(furnished, example)


def test_no_page_has_commands_that_nothing_runs_but_a_few_that_say_why() -> None:
    found = {page: unmarked(text) for page, text in PAGES.items()}
    assert {page: commands for page, commands in found.items() if commands} == {}
    left_out = [one for examples in EXAMPLES.values() for one in examples if one.not_run]
    assert all(len(one.not_run.split()) > 2 for one in left_out)
    run = [one for examples in EXAMPLES.values() for one in examples if one.kind in {"sh", "python"}]
    assert len(left_out) * 2 < len(run)


PAGE = """
Text.

<!-- example: status 1 | answers y; two -->
```sh
first \\
  more
second   # why
```

```text
shown … here
…
```

```python
print()
```
"""


def test_a_page_is_taken_apart_into_commands_answers_and_what_is_shown() -> None:
    shell, text, program = examples_of("page.md", PAGE)
    assert shell.commands == ("first    more", "second   # why")
    assert (shell.status, shell.answers, shell.shown) == (1, ("y", "two"), ("shown … here",))
    assert (shell.line, text.kind, program.kind, program.shown) == (6, "text", "python", ())
    with pytest.raises(BadExample, match="perhaps"):
        examples_of("page.md", "<!-- example: perhaps -->\n```sh\nls\n```\n")


def test_what_is_shown_stands_in_the_output_line_by_line_in_order() -> None:
    for shown, output, missing in (
        (("a",), "x\na\ny\n", None),
        (("a", "b"), "b\na\n", "b"),
        (("a … c",), "a b c", None),
        (("a … c",), "a b", "a … c"),
        (("(1+1)",), "(1+1)  ", None),
    ):
        assert difference(shown, output) == missing


def test_an_id_is_seen_whatever_digits_it_has_and_so_are_commands_in_the_text() -> None:
    for printed, *ids in (
        ("key       kind\n7783fdb7  missing-link", "7783fdb7"),
        ("key       kind\n77831057  missing-link", "77831057"),
        ("key       kind\ndeadbeef  missing-link", "deadbeef"),
        ("a note  #4b6ee1d91d10\nanother  #123456789012", "4b6ee1d91d10", "123456789012"),
        ('{"id":"123456789012","score":0.12345678}', "123456789012"),
        ("12,345,678 bytes on 2026-03-01, 1.12345678 MB, scans/20260301.pdf",),
        ("a house of cards",),
    ):
        assert ids_in(printed) == ids
    assert unmarked("See\n\n    scrubjay search x\n") == ["    scrubjay search x"]


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".venv/bin/scrubjay").exists(), reason="what `make run` says is about .venv")
def test_what_make_run_advises_works_as_it_is_printed(tmp_path: Path) -> None:
    environment = os.environ | {
        "SCRUBJAY_HOME": str(tmp_path / "a trial"),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }
    command = [sys.executable, "packaging/try_it.py", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as trial:
        assert trial.stdout
        try:
            said = [next(trial.stdout)]
            while not said[-1].strip().startswith("SCRUBJAY_HOME="):
                said.append(next(trial.stdout))
            advised = said[-1].strip()
            assert said[0].startswith("Search page: file://")
            without = {name: value for name, value in environment.items() if name != "SCRUBJAY_HOME"}
            done = subprocess.run(["bash", "-c", advised], cwd=ROOT, env=without, capture_output=True, check=False)
            assert done.returncode == 0
        finally:
            trial.terminate()


FINDS_NOTHING = {  # in the sample vault, which has none of these, or by itself; what they mean is tested elsewhere
    "kind:pdf",
    '["due date":"next week"]',
    "modified:last week",
    "profile:work",
    "-profile:diary",
    "sort:-modified",
}


def test_the_queries_that_the_page_of_searching_teaches_find_something(furnished: Stage) -> None:
    rows = re.findall(r"^\| (`.*?) \| ", PAGES["docs/searching.md"].partition("## Times")[0], re.MULTILINE)
    queries = [query for row in rows for query in re.findall(r"`([^`]+)`", row)]
    token = furnished.type("scrubjay token").output.split()[-1]
    with http_client(f"http://127.0.0.1:{furnished.port}", token) as http:
        found = {query: http.post("/v1/search", json={"query": query}).json()["results"] for query in queries}
    assert len(queries) > 40
    assert {query for query, results in found.items() if not results} <= FINDS_NOTHING


def test_questions_of_the_readme_find_their_notes_as_very_likely(furnished: Stage) -> None:
    asked = [
        command for one in EXAMPLES["README.md"] for command in one.commands if command.startswith("scrubjay search")
    ]
    assert asked
    for command in asked:
        first = next(line for line in furnished.type(command).output.splitlines() if line.strip())
        assert first.split()[-1] == "high", first
