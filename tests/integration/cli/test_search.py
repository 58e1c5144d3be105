"""`scrubjay search`: as many results as are asked for, with how many there are."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from tests.helpers.installation import Installation

NOTES = 130


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("search"))
    for number in range(NOTES):
        folder, tag = ("Deep/", "odd") if number % 2 else ("", "even")
        text = f"---\ntags: [{tag}]\n---\nThe heron of day {number}."
        made.write({f"{folder}Note {number:03d}.md": text})
    made.create_profile("notes")
    made.run("index")
    return made


def found(place: Installation, *arguments: str) -> list[str]:
    answer = json.loads(place.run("search", "heron", "--mode", "lexical", "--json", *arguments).stdout)
    assert answer["total_notes"] == NOTES
    return [result["path"] for result in answer["results"]]


def test_the_limit_is_what_it_says_all_is_all_and_the_order_is_of_all(place: Installation) -> None:
    every = found(place, "--all")
    assert len(set(every)) == len(every) == NOTES
    assert found(place, "--limit", "120") == every[:120]
    assert found(place) == every[:10]
    newest = [Path(path).stem for path in found(place, "--sort", "-title", "--limit", "3")]
    assert newest == ["Note 129", "Note 128", "Note 127"]
    settings = place.home.settings
    before = settings.read_text("utf-8")
    settings.write_text(f"{before}\n[limits]\nresults = 50\n", encoding="utf-8")
    assert found(place, "--all") == every, "though one search gives few"
    settings.write_text(before, encoding="utf-8")


def test_it_says_how_many_there_are_and_of_what(place: Installation) -> None:
    done = place.run("search", "heron", "quokka", "--mode", "lexical", "--facet", "tag", "--facet", "folder")
    said = " ".join(f"{done.stdout} {done.stderr}".split())
    for words in (f"10 of {NOTES} notes with these words.", "tag: even 65, odd 65", "folder: Deep 65"):
        assert words in said
    assert 'No note says "quokka".' in said
    assert "not running: this is as it was when notes were read last" in said
    assert "not running" not in place.run("search", "heron", "--mode", "lexical", "--json").stderr


@pytest.mark.parametrize("query", ["tag:odd", "-swan"])
def test_a_list_has_no_relevance_and_is_of_no_words(place: Installation, query: str) -> None:
    done = place.run("search", "--limit", "3", "--", query)
    assert re.search(r"^Deep/Note \d+\.md:\d+  notes  \d{4}-\d\d-\d\d$|^Note ", done.stdout, re.MULTILINE)
    assert "high" not in done.stdout
    assert "notes with these words" not in done.stderr
    assert re.search(r"^3 of \d+ notes\.$", done.stderr, re.MULTILINE)


def test_where_nothing_is_asked_for_it_says_what_may_be(place: Installation) -> None:
    for query in ("", "tag:"):
        done = place.run("search", query, check=False)
        assert done.returncode == 1
        assert "type a word, or a filter with its value, such as tag:recipe." in " ".join(done.stderr.split())
        assert "Nothing found" not in done.stderr


def test_a_mended_word_is_told_and_can_be_searched_as_typed(place: Installation) -> None:
    done = place.run("search", "heorn", "--mode", "lexical")
    assert "howing results for heron." in done.stdout + done.stderr
    assert place.run("search", "heorn", "--mode", "lexical", "--as-typed", check=False).returncode == 1


def test_how_the_legs_are_fused_is_a_matter_of_the_search_or_of_the_settings(tmp_path: Path) -> None:
    made = Installation(tmp_path)
    made.write({"Heron.md": "The heron waits at the weir.", "Weir.md": "A weir."})
    made.create_profile("notes")
    made.run("index")

    def by_rank(*arguments: str) -> bool:
        """Whether the best note has the points that its place by words gives."""
        answer = json.loads(made.run("search", "heron", "weir", "--explain", "--json", *arguments).stdout)
        part = answer["results"][0]["explain"][0]
        return part["points"] == pytest.approx(0.4 / (60 + part["rank"]))

    assert (by_rank("--fusion", "rrf"), by_rank()) == (True, False)
    settings = made.home.settings
    settings.write_text(f'fusion = "rrf"\n{settings.read_text(encoding="utf-8")}', encoding="utf-8")
    assert (by_rank(), by_rank("--fusion", "convex")) == (True, False)
    assert "lexical rank" in made.run("explain", "heron", "weir", "--note", "Heron.md", "--fusion", "rrf").stdout


def test_every_copy_of_a_note_is_in_what_other_programs_read(tmp_path: Path) -> None:
    made = Installation(tmp_path)
    copies = {f"Copy {number}.md": "# Warning\n\nThe heron bites." for number in range(8)}
    made.write({**copies, "Own.md": "A heron of its own."})
    made.create_profile("notes")
    made.run("index")

    def listed(*arguments: str) -> list[str]:
        return made.run("search", "heron", "--mode", "lexical", "--all", *arguments).stdout.splitlines()

    every = sorted([*copies, "Own.md"])
    assert sorted(listed("--format", "paths")) == every
    assert sorted(listed("--format", "paths", "--sort", "title")) == every
    assert sorted(json.loads(line)["path"] for line in listed("--format", "jsonl")) == every
    assert sorted(line.split(",")[0] for line in listed("--format", "csv", "--fields", "path")[1:]) == every
    assert "also Copy" in " ".join(listed()), "a person sees a text once"
    assert "also Copy" not in " ".join(listed("--unfolded"))


def test_a_result_is_opened_in_obsidian_by_its_number(place: Installation, tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > "{tmp_path}/opened"\n')
    browser.chmod(0o755)
    asking = Installation(place.root, environment={"BROWSER": f"{browser} %s"})
    third = found(place, "--limit", "3")[2]
    asking.run("search", "heron", "--mode", "lexical", "--limit", "3", "--open", "3")
    address = urlsplit((tmp_path / "opened").read_text())
    assert (address.scheme, parse_qs(address.query)) == ("obsidian", {"path": [str(place.vault / third)]})
    refused = asking.run("search", "heron", "--limit", "3", "--open", "4", check=False)
    assert (refused.returncode, "There are 3 results" in refused.stderr) == (1, True)


def test_on_a_terminal_each_path_is_a_link_to_its_note(place: Installation) -> None:
    shown = Installation(place.root, environment={"FORCE_COLOR": "1"})
    [path] = found(place, "--limit", "1")
    link = "obsidian://open?path=" + quote(str(place.vault / path), safe="")
    assert f"{link}\x1b\\" in shown.run_process("search", "heron", "--mode", "lexical", "--limit", "1").stdout
    assert "\x1b" not in place.run("search", "heron", "--mode", "lexical", "--limit", "1").stdout
