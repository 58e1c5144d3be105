"""`scrubjay search`: as many results as are asked for, with how many there are."""

import json
from pathlib import Path

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


def test_the_limit_is_what_it_says_and_all_is_all(place: Installation) -> None:
    every = found(place, "--all")
    assert len(set(every)) == len(every) == NOTES
    assert found(place, "--limit", "120") == every[:120]
    assert found(place) == every[:10]


def test_the_order_is_of_all_notes(place: Installation) -> None:
    assert [Path(path).stem for path in found(place, "--sort", "-title", "--limit", "3")] == [
        "Note 129",
        "Note 128",
        "Note 127",
    ]


def test_it_says_how_many_there_are_and_of_what(place: Installation) -> None:
    done = place.run("search", "heron", "quokka", "--mode", "lexical", "--facet", "tag", "--facet", "folder")
    said = " ".join(f"{done.stdout} {done.stderr}".split())
    assert f"10 of {NOTES} notes with these words." in said
    assert "tag: even 65, odd 65" in said
    assert "folder: Deep 65" in said
    assert 'No note says "quokka".' in said


def test_a_mended_word_is_told_and_can_be_searched_as_typed(place: Installation) -> None:
    done = place.run("search", "heorn", "--mode", "lexical")
    assert "Showing results for heron." in done.stdout + done.stderr
    assert place.run("search", "heorn", "--mode", "lexical", "--as-typed", check=False).returncode == 1
