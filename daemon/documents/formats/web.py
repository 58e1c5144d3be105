"""HTML files and saved web pages: their readable part, below its headings."""

import re

from scrubjay.daemon.documents.extracted import METADATA, CannotRead, DocumentPart, Reason
from scrubjay.daemon.documents.parsers.decode import as_text
from scrubjay.daemon.documents.parsers.html import html_page, readable
from scrubjay.daemon.documents.parsers.sections import ParsedFile, Sections

_CHARSET = re.compile(rb"<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_TAG = re.compile(r"<[a-zA-Z!?]")
_HEAD_BYTES = 4_096


def read_web(data: bytes) -> ParsedFile:
    """A part for each heading of the page, and one for what its head says of it."""
    page = html_page(html_text(data))
    sections = Sections()
    for block in readable(page.blocks):
        if block.level:
            sections.heading(block.text)
        else:
            sections.paragraph(block.text)
    parts = sections.end()
    if page.metadata:
        parts.append(DocumentPart(METADATA, "", "\n".join(dict.fromkeys(page.metadata))))
    return ParsedFile(parts, title=page.title, links=[*dict.fromkeys(page.links)])


def html_text(data: bytes) -> str:
    """The text of an HTML file, in the encoding that it names. Raises CannotRead where there is no tag in it."""
    named = _CHARSET.search(data[:_HEAD_BYTES])
    text = as_text(data, named[1].decode("ascii") if named else "")
    if text.strip() and not _TAG.search(text):
        raise CannotRead(Reason.WRONG_EXTENSION)
    return text
