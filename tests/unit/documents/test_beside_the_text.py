"""What is not in plain sight is text, too: metadata, comments, notes, hidden sheets. Each has a place of its own."""

import pytest

from scrubjay.daemon.documents.extract import extract
from scrubjay.daemon.documents.extracted import DocumentPart, extension_of
from tests.helpers.made_files import office, open_formats
from tests.helpers.made_files.beside import BESIDE, BODY, OPEN, Made
from tests.helpers.made_files.pdf import Pdf

SAID = "planted words"
CASES: dict[str, Made] = {
    **BESIDE,
    "note.excalidraw.md": (lambda said: f"---\na: b\n---\n{said}\n# Excalidraw Data\n".encode(), ("note", "")),
    "own.excalidraw.md": (lambda said: f"---\na: {said}\n---\n# Excalidraw Data\n".encode(), ("metadata", "")),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_beside_the_text_is_found_at_its_place(case: str) -> None:
    make, place = CASES[case]
    holding = [part for part in extract(extension_of(case), make(SAID)).parts if SAID in part.text]
    assert [(part.place, part.label) for part in holding] == [place]


@pytest.mark.parametrize(
    ("extension", "data"),
    [(".docx", office.docx(BODY, deleted=SAID)), (".odt", open_formats.odt(BODY, deleted=SAID))],
)
def test_text_that_was_deleted_is_not_read_though_the_file_keeps_it(extension: str, data: bytes) -> None:
    assert SAID not in str(extract(extension, data))


def test_who_wrote_a_comment_is_no_part_of_the_sentence_that_it_is_about() -> None:
    found = extract(".odt", open_formats.odt(BODY, comment=SAID))
    assert found.parts[1] == DocumentPart("2", "Two", "second text\n\nCommented")


def test_a_title_comes_from_the_metadata() -> None:
    made = {
        ".pdf": Pdf(["text"], metadata={"Title": SAID}).bytes(),
        ".docx": office.docx(BODY, metadata={"title": SAID}),
        ".odt": open_formats.odt(BODY, metadata={"title": SAID}),
        ".pptx": office.pptx(BODY, metadata={"title": SAID}),
        ".xlsx": office.xlsx(OPEN, metadata={"title": SAID}),
        ".epub": open_formats.epub(BODY, metadata={"title": SAID}),
        ".html": f"<title>{SAID}</title><p>text</p>".encode(),
    }
    assert {extension: extract(extension, data).title for extension, data in made.items()} == dict.fromkeys(made, SAID)
