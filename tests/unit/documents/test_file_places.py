"""What places in files are called, and where a link leads."""

import pytest

from scrubjay.profiles.search.results.places import open_url, path_with_place, place_name


@pytest.mark.parametrize(
    ("kind", "place", "named"),
    [
        ("pdf", "3", "page 3"),
        ("pdf", "metadata", "metadata"),
        ("slides", "4", "slide 4"),
        ("sheet", "Budget", "sheet Budget"),
        ("sheet", "1", "sheet 1"),
        ("book", "The Weir", "chapter The Weir"),
        ("notebook", "2", "cell 2"),
        ("document", "comments", "comments"),
        ("canvas", "a1b2c3", "card"),
        ("note", "", ""),
        ("hologram", "7", ""),
    ],
)
def test_a_place_is_named_as_its_reader_would(kind: str, place: str, named: str) -> None:
    assert place_name(kind, place) == named


def test_a_path_is_followed_by_the_line_of_a_note_and_the_place_in_another_file() -> None:
    assert path_with_place("Bread.md", "note", "", 7) == "Bread.md:7"
    assert path_with_place("a/invoice.pdf", "pdf", "3", 41) == "a/invoice.pdf, page 3"
    assert path_with_place("pier.png", "image", "", 1) == "pier.png"


@pytest.mark.parametrize(
    ("path", "kind", "place", "headings", "url"),
    [
        ("A & B/C.pdf", "pdf", "3", ("Two",), "obsidian://open?vault=My%20vault&file=A%20%26%20B%2FC.pdf%23page%3D3"),
        ("C.pdf", "pdf", "metadata", (), "obsidian://open?vault=My%20vault&file=C.pdf"),
        ("sums.xlsx", "sheet", "Budget", ("Budget",), "obsidian://open?vault=My%20vault&file=sums.xlsx"),
        ("Bread.md", "note", "", ("Top", "Baking"), "obsidian://open?vault=My%20vault&file=Bread%23Baking"),
        ("Bread.md", "note", "", (), "obsidian://open?vault=My%20vault&file=Bread"),
    ],
)
def test_a_link_opens_the_file_at_the_place(
    path: str, kind: str, place: str, headings: tuple[str, ...], url: str
) -> None:
    assert open_url("My vault", path, kind, place, headings) == url
