"""Jupyter's notebooks (nbformat 3 and 4): a part for each cell, with what it printed."""

from scrubjay.daemon.documents.extracted import METADATA, CannotRead, DocumentPart, Reason
from scrubjay.daemon.documents.parsers.json_and_links import (
    Object,
    is_object,
    json_object,
    markdown_links,
    objects,
    string,
)
from scrubjay.daemon.documents.parsers.sections import ParsedFile

_LONGEST_OUTPUT = 5_000  # characters of a cell's output: what is longer is data


def read_notebook(data: bytes) -> ParsedFile:
    """Cells are numbered from 1; the label is the last heading before or in a cell."""
    notebook = json_object(data)
    sheets = [notebook, *objects(notebook.get("worksheets"))]
    cells = [cell for sheet in sheets for cell in objects(sheet.get("cells"))]
    if not cells and "nbformat" not in notebook:
        raise CannotRead(Reason.WRONG_EXTENSION)
    parts: list[DocumentPart] = []
    links: list[str] = []
    label = ""
    for number, cell in enumerate(cells, 1):
        source = _joined(cell.get("source", cell.get("input")))
        if cell.get("cell_type") == "markdown":
            headings = [line.lstrip("#").strip() for line in source.splitlines() if line.startswith("#")]
            label = headings[0] if headings else label
            links += markdown_links(source)
        text = "\n".join(filter(None, (source, *map(_output, objects(cell.get("outputs"))))))
        if text.strip():
            parts.append(DocumentPart(str(number), label, text))
    metadata = notebook.get("metadata")
    told = string(metadata.get("title")) if is_object(metadata) else ""
    return ParsedFile([*parts, DocumentPart(METADATA, "", told)] if told else parts, title=told, links=links)


def _output(output: Object) -> str:
    """What a cell printed, or the plain form of what it showed."""
    data = output.get("data", output)
    shown = data.get("text/plain", data.get("text")) if is_object(data) else None
    text = _joined(output.get("text")) or _joined(shown) or "\n".join(map(string, _list(output.get("traceback"))))
    return text[:_LONGEST_OUTPUT]


def _joined(value: object) -> str:
    """Text is a string, or a list of lines with their ends."""
    return string(value) or "".join(map(string, _list(value)))


def _list(value: object) -> list[object]:
    return [*value] if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]  (of JSON)
