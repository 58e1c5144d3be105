"""What is particular to PDF: the outline as headings, words that lines broke, pages that are pictures, drawn pages."""

import io

import pytest
from PIL import Image

from scrubjay.daemon.documents.extract import extract
from scrubjay.daemon.documents.extracted import CannotRead, Reason, unreadable
from scrubjay.daemon.documents.formats.pdf import page_picture
from tests.helpers.made_files.pdf import Pdf


def test_a_page_is_below_the_outlines_last_entry() -> None:
    made = Pdf(["a", "b", "c"], titles=["One", "Two", "Three"]).bytes()
    assert [part.label for part in extract(".pdf", made).parts] == ["One", "Two", "Three"]
    without_two = made.replace("Two".encode("utf-16-be").hex().encode(), b"0020" * 3)
    assert [part.label for part in extract(".pdf", without_two).parts] == ["One", "One", "Three"]


def test_pages_that_are_pictures_are_named_for_ocr_and_blank_ones_are_not() -> None:
    scanned = extract(".pdf", Pdf(["", ""], drawn_only=True).bytes())
    assert (scanned.unreadable, scanned.textless) == (unreadable(Reason.NO_TEXT), (1, 2))
    assert extract(".pdf", Pdf(["", "text"]).bytes()).textless == ()


def test_more_pages_than_are_read_at_once_keep_their_numbers() -> None:
    found = extract(".pdf", Pdf([f"page number {number}" for number in range(1, 451)]).bytes())
    assert [part.place for part in found.parts] == [str(number) for number in range(1, 451)]
    assert found.parts[449].text == "page number 450"


def test_a_page_is_drawn_as_a_png_of_the_width_that_was_wanted() -> None:
    made = Pdf(["", "dark words"]).bytes()
    with Image.open(io.BytesIO(page_picture(made, 2, 300))) as picture:
        assert (picture.format, picture.size, picture.mode) == ("PNG", (300, 425), "RGB")
        assert min(picture.convert("L").tobytes()) < 128  # something is drawn
        assert picture.getpixel((299, 424)) == (255, 255, 255)


@pytest.mark.parametrize(("page", "width"), [(0, 300), (3, 300), (1, 0), (1, 100_000)])
def test_a_page_or_width_that_can_not_be_is_refused(page: int, width: int) -> None:
    with pytest.raises(CannotRead):
        page_picture(Pdf(["a", "b"]).bytes(), page, width)
