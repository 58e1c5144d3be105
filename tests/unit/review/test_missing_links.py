"""Names of notes that stand as plain words: which are proposed as links, where, and written how."""

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.missing_links import MissingLinks
from tests.helpers.review_notes import found_by, put, stored, view_of

Finding = Callable[[Mapping[str, str]], list[FoundProposal]]

LINKED = {f"day {n}.md": "Walked to [[Heron Weir]] today, and home again along the river." for n in range(4)}
"""A vault in which who says Heron Weir links it."""


@pytest.fixture
def find(tmp_path: Path) -> Finding:
    return partial(found_by, MissingLinks(), tmp_path)


def applied(text: str, found: FoundProposal) -> str:
    """The text with the first place of a proposal changed, as R3's and Obsidian's appliers do."""
    (change,) = found.options[0].changes
    lines = text.replace("\r\n", "\n").split("\n")
    line = lines[change.line - 1]
    at = line.index(change.before) if change.column == 0 else change.column - 1
    assert line[at : at + len(change.before)] == change.before
    assert change.column or line.count(change.before) == 1
    lines[change.line - 1] = line[:at] + change.after + line[at + len(change.before) :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("We met at Heron Weir.", "We met at [[Heron Weir]]."),
        ("We met at heron weir's gate.", None),  # the vault links it with capitals alone
        ("Nothing.\n\n  - at **Heron Weir**, again", "Nothing.\n\n  - at **[[Heron Weir]]**, again"),
        ("| a | b |\n|---|---|\n| Heron Weir | 2 |", "| a | b |\n|---|---|\n| [[Heron Weir]] | 2 |"),
        ("> [!note] Heron Weir\n> At Heron Weir.", "> [!note] [[Heron Weir]]\n> At Heron Weir."),
        ("---\nplace: Heron Weir\n---\nAt Heron Weir.", "---\nplace: Heron Weir\n---\nAt [[Heron Weir]]."),
        ("# Heron Weir\n\nAbout it.", None),
        ("`Heron Weir`", None),
        ("```\nHeron Weir\n```", None),
        ("~~~\nHeron Weir\n~~~\n", None),
        ("<!-- Heron Weir -->", None),
        ("%% Heron Weir %%", None),
        ("[Heron Weir](https://example.org)", None),
        ("https://example.org/Heron Weir/x Heron Weirs", None),
        ("See <https://example.org/Heron%20Weir> and $Heron Weir$.", None),
        ("The Heron Weirs and Grey-Heron Weir.", None),
        ("photos/Heron Weir/1.png", None),
        ("[[Heron Weir]] and later Heron Weir.", None),  # it is linked once: that is enough
        ("一\tHeron Weir在", "一\t[[Heron Weir]]在"),
        ("🦆 Heron Weir 🦆", "🦆 [[Heron Weir]] 🦆"),
        ("First.\r\n\r\nAt Heron Weir.\r\n", "First.\n\nAt [[Heron Weir]].\n"),
    ],
)
def test_a_name_is_linked_where_it_is_said_and_nowhere_else(find: Finding, text: str, after: str | None) -> None:
    vault = {**LINKED, "Heron Weir.md": "Below the mill.", "new.md": text}
    found = [each for each in find(vault) if each.note.path == "new.md"]
    assert [applied(text, each) for each in found] == ([] if after is None else [after])


def test_an_alias_keeps_its_words(find: Finding) -> None:
    vault = {
        "birds/ardea.md": "---\naliases: [Grey Heron]\n---\nA bird.",
        **{f"{n}.md": "A [[ardea|Grey Heron]] stood there." for n in range(3)},
        "new.md": "| who |\n|---|\n| Grey Heron |",
    }
    (found,) = find(vault)
    assert found.options[0].changes[0].after == r"[[ardea\|Grey Heron]]"
    assert (found.subject, found.detail, found.line) == ("birds/ardea.md", "Grey Heron", 3)


def test_a_file_name_is_said_without_its_hyphens(find: Finding) -> None:
    vault = {"heron-weir.md": "Below the mill.", "new.md": "We met at Heron Weir again."}
    (found,) = find(vault)
    assert found.options[0].changes[0].after == "[[heron-weir|Heron Weir]]"


def test_a_common_word_is_no_link_though_a_note_has_its_name(find: Finding) -> None:
    vault = {"Tasks.md": "All of them."} | {f"{n}.md": "Tasks are to be done. More tasks." for n in range(12)}
    assert find(vault) == []


def test_of_two_notes_of_one_name_neither_is_guessed(find: Finding) -> None:
    vault = {**LINKED, "a/Heron Weir.md": "One.", "b/Heron Weir.md": "Two.", "new.md": "At Heron Weir."}
    assert [each.note.path for each in find(vault) if each.note.path == "new.md"] == []


def test_links_are_written_as_the_vault_writes_its_own(find: Finding) -> None:
    vault = {
        "places/Heron Weir.md": "Below the mill.",
        **{f"days/{n}.md": "At [Heron Weir](../places/Heron%20Weir.md)." for n in range(4)},
        "days/new.md": "At Heron Weir.",
    }
    (found,) = find(vault)
    assert found.options[0].changes[0].after == "[Heron Weir](../places/Heron%20Weir.md)"


def test_each_place_can_be_chosen_and_the_first_one_is(find: Finding) -> None:
    vault = {**LINKED, "Heron Weir.md": "Below.", "new.md": "At Heron Weir.\n\nStill at Heron Weir."}
    (found,) = [each for each in find(vault) if each.note.path == "new.md"]
    assert [(option.changes[0].line, option.chosen) for option in found.options] == [(1, True), (3, False)]


def test_a_note_newer_than_the_view_of_the_links_waits_for_the_next(tmp_path: Path) -> None:
    vault = {**LINKED, "Heron Weir.md": "Below.", "old.md": "Heron Weir, too."}
    store = stored(tmp_path, vault)
    graph = view_of(store).graph
    put(store, {"new.md": "At Heron Weir."})
    view = dataclasses.replace(view_of(store), graph=graph)
    assert [each.note.path for each in MissingLinks().find(view)] == ["old.md"]
    store.close()
