"""What is not in plain sight is text, too: metadata, comments, notes, hidden sheets. Each has a place of its own."""

import json

import pytest

from scrubjay.daemon.documents.extract import extract
from scrubjay.daemon.documents.extracted import DocumentPart
from tests.helpers.made_files import office, open_formats
from tests.helpers.made_files.pdf import Pdf

BODY = [("One", "first text"), ("Two", "second text")]
SAID = "planted words"
TOLD = {"description": SAID}
OPEN = {"Open": [["a", "b"], ["1", "2"]]}
SHEETS = OPEN | {"Second": [["a", "b"], ["3", SAID]]}
NOTEBOOK = {
    "nbformat": 4,
    "cells": [{"cell_type": "code", "source": "x", "outputs": [{"data": {"text/plain": [SAID]}}]}],
}

CASES = {
    "pdf-metadata": (".pdf", Pdf(["text"], metadata={"Subject": SAID}).bytes(), ("metadata", "")),
    "pdf-annotation": (".pdf", Pdf(["one", "two"], annotations={1: SAID}).bytes(), ("2", "annotations")),
    "pdf-form-field": (".pdf", Pdf(["one", "two"], fields={1: SAID}).bytes(), ("2", "annotations")),
    "docx-metadata": (".docx", office.docx(BODY, metadata=TOLD), ("metadata", "")),
    "docx-comment": (".docx", office.docx(BODY, comment=SAID), ("comments", "")),
    "docx-footnote": (".docx", office.docx(BODY, footnote=SAID), ("footnotes", "")),
    "docx-header": (".docx", office.docx(BODY, header=SAID), ("header", "")),
    "docx-text-box": (".docx", office.docx(BODY, text_box=SAID), ("2", "Two")),
    "docx-table": (".docx", office.docx(BODY, rows=[["a", SAID]]), ("2", "Two")),
    "odt-metadata": (".odt", open_formats.odt(BODY, metadata=TOLD), ("metadata", "")),
    "odt-comment": (".odt", open_formats.odt(BODY, comment=SAID), ("comments", "")),
    "odt-footnote": (".odt", open_formats.odt(BODY, footnote=SAID), ("footnotes", "")),
    "pptx-metadata": (".pptx", office.pptx(BODY, metadata=TOLD), ("metadata", "")),
    "pptx-notes": (".pptx", office.pptx(BODY, notes={1: SAID}), ("2", "speaker notes")),
    "pptx-comment": (".pptx", office.pptx(BODY, comments={0: SAID}), ("1", "comments")),
    "pptx-hidden": (".pptx", office.pptx([*BODY, ("Three", SAID)], hidden=frozenset({2})), ("3", "Three")),
    "odp-metadata": (".odp", open_formats.odp(BODY, metadata=TOLD), ("metadata", "")),
    "odp-notes": (".odp", open_formats.odp(BODY, notes={1: SAID}), ("2", "speaker notes")),
    "xlsx-metadata": (".xlsx", office.xlsx(OPEN, metadata=TOLD), ("metadata", "")),
    "xlsx-comment": (".xlsx", office.xlsx(OPEN, comments={"Open": SAID}), ("Open", "comments")),
    "xlsx-hidden": (".xlsx", office.xlsx(SHEETS, hidden=frozenset({"Second"})), ("Second", "hidden · row 2")),
    "ods-metadata": (".ods", open_formats.ods(OPEN, metadata=TOLD), ("metadata", "")),
    "ods-comment": (".ods", open_formats.ods(OPEN, comments={"Open": SAID}), ("Open", "comments")),
    "ods-hidden": (".ods", open_formats.ods(SHEETS, hidden=frozenset({"Second"})), ("Second", "hidden · row 2")),
    "epub-metadata": (".epub", open_formats.epub(BODY, metadata=TOLD), ("metadata", "")),
    "html-metadata": (".html", f'<meta name="description" content="{SAID}"><p>text</p>'.encode(), ("metadata", "")),
    "ipynb-output": (".ipynb", json.dumps(NOTEBOOK).encode(), ("1", "")),
    "drawing-note": (".excalidraw.md", f"---\na: b\n---\n{SAID}\n# Excalidraw Data\n".encode(), ("note", "")),
    "drawing-metadata": (".excalidraw.md", f"---\na: {SAID}\n---\n# Excalidraw Data\n".encode(), ("metadata", "")),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_beside_the_text_is_found_at_its_place(case: str) -> None:
    extension, data, (place, label) = CASES[case]
    holding = [part for part in extract(extension, data).parts if SAID in part.text]
    assert [(part.place, part.label) for part in holding] == [(place, label)]


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
        ".xlsx": office.xlsx(SHEETS, metadata={"title": SAID}),
        ".epub": open_formats.epub(BODY, metadata={"title": SAID}),
        ".html": f"<title>{SAID}</title><p>text</p>".encode(),
    }
    assert {extension: extract(extension, data).title for extension, data in made.items()} == dict.fromkeys(made, SAID)
