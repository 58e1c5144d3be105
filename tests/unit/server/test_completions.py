from collections.abc import Callable
from operator import itemgetter
from typing import cast

import pytest

from scrubjay.daemon.server.handlers.completions import completions, file_names, named_folders
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store.statements import Connection
from scrubjay.profiles.store.store import Store

_TAGS = {"project/atlas": 3, "Größe": 2, "atlas": 1, "done": 9}
_NOTES_IN = {"Runbooks": 5, "Runbooks/Deploying": 4, "Old/Runbooks": 20, "Garten": 1, "Garten/Bäume": 2, "Theatre": 1}


class _Rows:
    """The rows of a store's tags and paths, and nothing else of it."""

    def derived(self, function: Callable[[Connection], object]) -> object:
        return function(cast("Connection", self))

    def execute(self, sql: str) -> list[tuple[object, ...]]:
        if "note_tag" in sql:
            return [(tag.casefold(), tag, notes) for tag, notes in sorted(_TAGS.items(), key=itemgetter(1))]
        assert "path FROM note" in sql
        return [(f"{folder}/{number}.md",) for folder, notes in _NOTES_IN.items() for number in range(notes)]


@pytest.fixture
def stores() -> dict[str, Store]:
    return {"home": cast("Store", _Rows())}


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ("", ["done", "project/atlas", "Größe", "atlas"]),
        ("#pro", ["project/atlas"]),
        ("atl", ["atlas", "project/atlas"]),
        ("grosse", ["Größe"]),
        ("GRÖ", ["Größe"]),
        ("project/a", ["project/atlas"]),
        ("x", []),
    ],
)
def test_completions_are_compared_as_filters_are(stores: dict[str, Store], prefix: str, expected: list[str]) -> None:
    profile = Profile(id="0" * 12, name="home", colour="#000000")
    assert [found.value for found in completions(stores, [profile], "tag", prefix, 9)] == expected


def test_names_that_begin_so_come_first_and_the_ending_goes() -> None:
    paths = ["a/My budget.md", "b/Rebudget.md", "Budget.md", "c/Budget.md", "Bücher.md"]
    found = file_names(paths, "bud", 9)
    assert [(name.value, name.notes) for name in found] == [
        ("Budget", 2),
        ("My budget", 1),
        ("Rebudget", 1),
        ("Bücher", 1),
    ]
    assert [name.value for name in file_names(paths, "buch", 1)] == ["Bücher"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("runbooks", ["Runbooks", "Old/Runbooks"]),
        ("deploying runbooks", ["Runbooks/Deploying"]),
        ("deploy", ["Runbooks/Deploying"]),
        ("garten baume", ["Garten/Bäume"]),
        ("garten", ["Garten"]),
        ("the", []),
        ("runbooks nowhere", []),
        ("", []),
    ],
)
def test_folders_are_named_by_words_of_their_path_one_of_them_their_own(
    stores: dict[str, Store], name: str, expected: list[str]
) -> None:
    profile = Profile(id="0" * 12, name="home", colour="#000000")
    assert [found.value for found in named_folders(stores, [profile], name, 9)] == expected
    assert [found.value for found in named_folders(stores, [profile], name, 1)] == expected[:1]
