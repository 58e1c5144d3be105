"""Obsidian's bases (`.base`, YAML): the names, filters and formulas that a user wrote, as they stand."""

import re

from scrubjay.daemon.documents.extracted import CannotRead, DocumentPart, Reason
from scrubjay.daemon.documents.parsers.decode import as_text
from scrubjay.daemon.documents.parsers.json_and_links import markdown_links
from scrubjay.daemon.documents.parsers.sections import ParsedFile

_KEY = re.compile(r"^(filters|formulas|properties|display|summaries|views)\s*:", re.MULTILINE)
_ITEM = re.compile(r"^( {0,8})- ", re.MULTILINE)
_NAME = re.compile(r"^\s+(?:- )?name:[ \t]*[\"']?(.{0,200}?)[\"']?[ \t]*$", re.MULTILINE)


def read_base(data: bytes) -> ParsedFile:
    """A part for what holds for all views, and one for each view, called as the view is.

    Not parsed as YAML: all that is in it is text for a search, and no parser can then be led astray.
    """
    text = as_text(data)
    if text.strip() and not _KEY.search(text):
        raise CannotRead(Reason.WRONG_EXTENSION)
    common, mark, views = text.partition("views:")
    items = [*_ITEM.finditer(views)]
    begins = [item.start() for item in items if item[1] == items[0][1]]  # no list within a view
    pieces = [views[begin:end] for begin, end in zip(begins, [*begins[1:], None], strict=True)]
    if mark and not begins:
        common = text
    named = [(name[1] if (name := _NAME.search(piece)) else "", piece.rstrip()) for piece in pieces]
    parts = [DocumentPart("1", "", common.strip())] if common.strip() else []
    parts += [DocumentPart(str(number), *each) for number, each in enumerate(named, len(parts) + 1)]
    return ParsedFile(parts, links=markdown_links(text))
