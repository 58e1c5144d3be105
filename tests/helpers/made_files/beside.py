"""Files with words that are not in plain sight: how each is made of them, and the place and label that they are at."""

import json
from collections.abc import Callable, Mapping

from tests.helpers.made_files import office, open_formats
from tests.helpers.made_files.pdf import Pdf

BODY = [("One", "first text"), ("Two", "second text")]
OPEN = {"Open": [["a", "b"], ["1", "2"]]}


def second_sheet(said: str) -> dict[str, list[list[str]]]:
    """A sheet, and another that says something."""
    return OPEN | {"Second": [["a", "b"], ["3", said]]}


def _notebook(said: str) -> bytes:
    cell = {"cell_type": "code", "source": "x", "outputs": [{"data": {"text/plain": [said]}}]}
    return json.dumps({"nbformat": 4, "cells": [cell]}).encode()


_HIDDEN = frozenset({"Second"})
Made = tuple[Callable[[str], bytes], tuple[str, str]]
BESIDE: Mapping[str, Made] = {
    "metadata.pdf": (lambda said: Pdf(["text"], metadata={"Subject": said}).bytes(), ("metadata", "")),
    "annotation.pdf": (lambda said: Pdf(["one", "two"], annotations={1: said}).bytes(), ("2", "annotations")),
    "field.pdf": (lambda said: Pdf(["one", "two"], fields={1: said}).bytes(), ("2", "annotations")),
    "metadata.docx": (lambda said: office.docx(BODY, metadata={"description": said}), ("metadata", "")),
    "comment.docx": (lambda said: office.docx(BODY, comment=said), ("comments", "")),
    "footnote.docx": (lambda said: office.docx(BODY, footnote=said), ("footnotes", "")),
    "header.docx": (lambda said: office.docx(BODY, header=said), ("header", "")),
    "box.docx": (lambda said: office.docx(BODY, text_box=said), ("2", "Two")),
    "table.docx": (lambda said: office.docx(BODY, rows=[["a", said]]), ("2", "Two")),
    "metadata.odt": (lambda said: open_formats.odt(BODY, metadata={"description": said}), ("metadata", "")),
    "comment.odt": (lambda said: open_formats.odt(BODY, comment=said), ("comments", "")),
    "footnote.odt": (lambda said: open_formats.odt(BODY, footnote=said), ("footnotes", "")),
    "metadata.pptx": (lambda said: office.pptx(BODY, metadata={"description": said}), ("metadata", "")),
    "notes.pptx": (lambda said: office.pptx(BODY, notes={1: said}), ("2", "speaker notes")),
    "comment.pptx": (lambda said: office.pptx(BODY, comments={0: said}), ("1", "comments")),
    "hidden.pptx": (lambda said: office.pptx([*BODY, ("Three", said)], hidden=frozenset({2})), ("3", "Three")),
    "metadata.odp": (lambda said: open_formats.odp(BODY, metadata={"description": said}), ("metadata", "")),
    "notes.odp": (lambda said: open_formats.odp(BODY, notes={1: said}), ("2", "speaker notes")),
    "metadata.xlsx": (lambda said: office.xlsx(OPEN, metadata={"description": said}), ("metadata", "")),
    "comment.xlsx": (lambda said: office.xlsx(OPEN, comments={"Open": said}), ("Open", "comments")),
    "hidden.xlsx": (lambda said: office.xlsx(second_sheet(said), hidden=_HIDDEN), ("Second", "hidden · row 2")),
    "metadata.ods": (lambda said: open_formats.ods(OPEN, metadata={"description": said}), ("metadata", "")),
    "comment.ods": (lambda said: open_formats.ods(OPEN, comments={"Open": said}), ("Open", "comments")),
    "hidden.ods": (lambda said: open_formats.ods(second_sheet(said), hidden=_HIDDEN), ("Second", "hidden · row 2")),
    "metadata.epub": (lambda said: open_formats.epub(BODY, metadata={"description": said}), ("metadata", "")),
    "metadata.html": (
        lambda said: f'<meta name="description" content="{said}"><p>text</p>'.encode(),
        ("metadata", ""),
    ),
    "output.ipynb": (_notebook, ("1", "")),
}
