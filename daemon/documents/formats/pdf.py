"""PDF: the text layer page by page, the outline as headings, annotations, form fields and metadata."""

import re
import struct
import zlib
from collections.abc import Iterator

from scrubjay.daemon.documents.extracted import ANNOTATIONS, METADATA, CannotRead, DocumentPart, Reason
from scrubjay.daemon.documents.parsers import pdfium
from scrubjay.daemon.documents.parsers.sections import ParsedFile

_TOLD = ("Title", "Author", "Subject", "Keywords")
_MOST_PAGES = 20_000
_PAGES_AT_ONCE = 200  # then the document is opened again: PDFium keeps what it has read of it
_WIDEST = 4_000  # pixels
# PDFium writes U+0002 or U+FFFE for a hyphen that only a line's end called for.
_BROKEN_WORD = re.compile("[\x02\ufffe](?:\r\n|\n)?")
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_NAMELESS = re.compile("[\ue000-\uf8ff\ufffd\x00]")  # glyphs of a font that does not say which characters they are


def read_pdf(data: bytes) -> ParsedFile:
    """A part for each page that has text, one for its annotations, one for the metadata."""
    with pdfium.opened(data) as document:
        title = pdfium.metadata(document, "Title")
    found = ParsedFile([], title=title)
    found.parts = _parts(data, found)
    return found


def page_picture(data: bytes, page: int, width: int) -> bytes:
    """A page, from 1, as a PNG so many pixels wide. Raises CannotRead."""
    with pdfium.opened(data) as document:
        if not 1 <= page <= pdfium.page_count(document) or not 1 <= width <= _WIDEST:
            raise CannotRead(Reason.DAMAGED)
        with pdfium.page_of(document, page - 1) as handle:
            if not handle:
                raise CannotRead(Reason.DAMAGED)
            return _png(*pdfium.drawn(handle, width))


def _parts(data: bytes, found: ParsedFile) -> Iterator[DocumentPart]:
    with pdfium.opened(data) as document:
        told = [f"{key}: {value}" for key in _TOLD if (value := pdfium.metadata(document, key))]
        if told:
            yield DocumentPart(METADATA, "", "\n".join(told))
        count = min(pdfium.page_count(document), _MOST_PAGES)
        labels = _labels(pdfium.outline(document), count)
    for begin in range(0, count, _PAGES_AT_ONCE):
        with pdfium.opened(data) as document:
            for number in range(begin, min(begin + _PAGES_AT_ONCE, count)):
                found.remaining = count - number
                yield from _page(document, number, labels[number], found)
    found.remaining = 0


def _page(document: pdfium.Handle, number: int, label: str, found: ParsedFile) -> Iterator[DocumentPart]:
    place = str(number + 1)
    with pdfium.page_of(document, number) as page:
        if not page:
            return
        text = _mended(pdfium.page_text(page))
        if text:
            yield DocumentPart(place, label, text)
        elif not pdfium.is_blank(page):
            found.textless.append(number + 1)
        if noted := "\n".join(pdfium.annotations(page)):
            yield DocumentPart(place, ANNOTATIONS, noted)


def _mended(text: str) -> str:
    """A page's text with the words that lines had broken; "" where its fonts don't tell what it says."""
    text = _BROKEN_WORD.sub("", text).translate(_LIGATURES).strip()
    return "" if 3 * len(_NAMELESS.findall(text)) > len(text) else text


def _labels(entries: list[pdfium.Entry], count: int) -> list[str]:
    """For each page the outline's entries that begin on it, else the last one before."""
    begin: dict[int, list[str]] = {}
    for entry in entries:
        if entry.title.strip():
            begin.setdefault(entry.page, []).append(entry.title.strip())
    labels: list[str] = []
    current = ""
    for page in range(count):
        here = begin.get(page, [])
        labels.append(" · ".join(here) or current)
        current = here[-1] if here else current
    return labels


def _png(width: int, height: int, pixels: bytes) -> bytes:
    """https://www.w3.org/TR/png-3/, colour type 2, each row unfiltered."""
    row = 3 * width
    rows = b"".join(b"\0" + pixels[at : at + row] for at in range(0, row * height, row))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 3)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )
