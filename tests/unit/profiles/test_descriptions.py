"""What the user says of folders: the longest path decides, and what is gone or forbidden says nothing."""

import pytest

from scrubjay.profiles.registry.profile_settings import (
    Descriptions,
    FolderDescription,
    described,
    description_of,
    without,
)


def saying(*folders: str) -> Descriptions:
    return tuple(FolderDescription(folder=folder, text=f"about {folder}") for folder in folders)


def folders(said: Descriptions) -> list[str]:
    return [each.folder for each in said]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Inbox.md", "about ."),
        ("Meetings/2026/May.md", "about Meetings"),
        ("meetings/May.md", "about Meetings"),
        ("Meetings/A/May.md", "about Meetings/A"),
        ("Meetings/Apple/May.md", "about Meetings"),
        ("Büro/May.md", "about Büro"),
        ("Meetings/One.md", "about Meetings/One.md"),
    ],
)
def test_the_longest_folder_that_a_note_is_in_says_what_it_is(path: str, text: str) -> None:
    said = saying(".", "Meetings", "Meetings/A", "Meetings/One.md", "Bu\u0308ro", "Büro/Later")
    assert description_of(path, said).replace("u\u0308", "ü") == text


def test_a_folder_has_one_description_until_it_is_empty_or_forbidden() -> None:
    assert description_of("Inbox.md", saying("Meetings", "In")) == ""
    said = described(described((), "B", "one"), "A", "two")
    assert folders(said) == ["A", "B"]
    again = described(said, "b", "three")
    assert [(each.folder, each.text) for each in again] == [("A", "two"), ("b", "three")]
    assert folders(described(again, "A", "")) == ["b"]
    said = saying(".", "Meetings", "Meetings/A", "Meetings too")
    assert folders(without(said, ["meetings"])) == [".", "Meetings too"]
    assert folders(without(said, ["."])) == []
