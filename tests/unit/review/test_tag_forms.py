"""Tags that differ in form only: which are one, and what renaming them changes."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.review.finders.tag_forms import TagForms, TagGroup, form_key, groups, renamed
from tests.helpers.review_notes import found_by


@pytest.mark.parametrize(
    ("notes", "found"),
    [
        ([["todo"], ["todo"], ["to-do"], ["ToDo"]], [TagGroup(("todo", "to-do", "ToDo"), (2, 1, 1))]),
        ([["a_b"], ["a-b"], ["a-b"]], [TagGroup(("a-b", "a_b"), (2, 1))]),
        ([["2021-1"], ["202-11"]], []),
        ([["book"], ["books"], ["books"]], [TagGroup(("books", "book"), (2, 1))]),
        ([["book", "books"], ["books"]], []),  # who uses both means two things
        ([["new"], ["news"]], []),
        ([["glass"], ["glas"]], []),
        ([["to-do/home"], ["todo/home"], ["todo"]], [TagGroup(("todo", "to-do"), (2, 1))]),
        ([["area/ToDo"], ["area/todo"], ["area/todo"]], [TagGroup(("area/todo", "area/ToDo"), (2, 1))]),
        ([["Été"], ["été"], ["été"]], [TagGroup(("été", "Été"), (2, 1))]),
        ([["读书"], ["读-书"], ["读书"]], [TagGroup(("读书", "读-书"), (2, 1))]),
        ([["fff000"], ["FFF000"]], []),
        ([["one"], ["two"]], []),
    ],
)
def test_the_form_that_most_notes_use_comes_first(notes: list[list[str]], found: list[TagGroup]) -> None:
    assert groups(notes) == found


TAG = st.text("abA1-_/é", min_size=1, max_size=8)


@given(st.lists(st.lists(TAG, max_size=3), max_size=8))
def test_the_forms_of_a_group_are_one_tag_and_are_written_otherwise(notes: list[list[str]]) -> None:
    for group in groups(notes):
        assert len(set(group.forms)) == len(group.forms)
        assert all(uses > 0 for uses in group.uses)
        keys = {"/".join(map(form_key, form.split("/"))) for form in group.forms}
        assert len({key.rstrip("se") for key in keys}) == 1


@pytest.mark.parametrize(
    ("tag", "result"),
    [("to-do", "todo"), ("to-do/home", "todo/home"), ("to-dos", None), ("area/to-do", None)],
)
def test_renaming_a_tag_renames_what_is_nested_in_it(tag: str, result: str | None) -> None:
    assert renamed(tag, "to-do", "todo") == result


def test_frontmatter_and_text_of_every_note_are_changed(tmp_path: Path) -> None:
    texts = {
        "a.md": "---\ntags: [to-do, home]\n---\nBread.",
        "b.md": "Milk #to-do/shop and `#to-do`.\n\n\t- and #to-do",
        "c.md": "#todo #todo/home",
        "d.md": "#todo",
        "e.md": "Fine. #todo",
    }
    (found,) = found_by(TagForms(), tmp_path, texts)
    assert found.detail == "#to-do"
    told = [(c.action, c.path, c.line, c.column, c.before, c.after, c.tags) for c in found.options[0].changes]
    assert told == [
        ("remove-tags", "a.md", 0, 0, "", "", ("to-do",)),
        ("add-tags", "a.md", 0, 0, "", "", ("todo",)),
        ("replace", "b.md", 1, 0, "#to-do/shop", "#todo/shop", ()),  # what begins a passage may be indented in the file
        ("replace", "b.md", 3, 8, "#to-do", "#todo", ()),
    ]
