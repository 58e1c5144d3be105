"""PDFium's C interface with types, as far as it is used: fpdfview.h, fpdf_text.h, fpdf_doc.h, fpdf_annot.h."""

import ctypes
import importlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from scrubjay.daemon.documents.extracted import CannotRead, Reason

_C: Any = importlib.import_module("pypdfium2.raw")  # generated, without types

_PASSWORD, _SECURITY = 4, 5  # FPDF_ERR_…
_HEADER_WITHIN = 1_024  # bytes, as readers allow
_MOST_ANNOTATIONS = 2_000  # of one page
_MOST_OUTLINE = 20_000
_DEEPEST_OUTLINE = 30
_MOST_PIXELS = 16_000_000
_WHITE = 0xFFFFFFFF
_ANNOTATIONS, _REVERSED = 0x01, 0x10  # FPDF_ANNOT, FPDF_REVERSE_BYTE_ORDER
_THREE_BYTES = 2  # FPDFBitmap_BGR

Handle = Any


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the outline: its title and its page, from 0."""

    title: str
    page: int


@contextmanager
def opened(data: bytes) -> Generator[Handle]:
    """A document of bytes, closed at the end. Raises CannotRead: encrypted, damaged, wrong-extension."""
    document = _C.FPDF_LoadMemDocument64(data, len(data), None)
    if not document:
        error = _C.FPDF_GetLastError()
        if error in (_PASSWORD, _SECURITY):
            raise CannotRead(Reason.ENCRYPTED)
        raise CannotRead(Reason.DAMAGED if b"%PDF-" in data[:_HEADER_WITHIN] else Reason.WRONG_EXTENSION)
    try:
        yield document
    finally:
        _C.FPDF_CloseDocument(document)


@contextmanager
def page_of(document: Handle, number: int) -> Generator[Handle]:
    """A page, from 0; false where it can't be loaded."""
    page = _C.FPDF_LoadPage(document, number)
    try:
        yield page
    finally:
        if page:
            _C.FPDF_ClosePage(page)


def page_count(document: Handle) -> int:
    """How many pages a document says it has."""
    return int(_C.FPDF_GetPageCount(document))


def page_text(page: Handle) -> str:
    """The text layer of a page, in the order of the file, lines as they are set."""
    text = _C.FPDFText_LoadPage(page)
    if not text:
        return ""
    try:
        count = _C.FPDFText_CountChars(text)
        if count <= 0:
            return ""
        buffer = (ctypes.c_ushort * (count + 1))()
        written = _C.FPDFText_GetText(text, 0, count, buffer)
        return bytes(memoryview(buffer).cast("B")[: 2 * max(0, written - 1)]).decode("utf-16-le", "replace")
    finally:
        _C.FPDFText_ClosePage(text)


def is_blank(page: Handle) -> bool:
    """Whether nothing at all is drawn on a page."""
    return _C.FPDFPage_CountObjects(page) <= 0


def annotations(page: Handle) -> Iterator[str]:
    """What the annotations and form fields of a page say."""
    for index in range(min(_C.FPDFPage_GetAnnotCount(page), _MOST_ANNOTATIONS)):
        annotation = _C.FPDFPage_GetAnnot(page, index)
        if annotation:
            try:
                values = (_value(annotation, key) for key in (b"Contents", b"V"))
                yield from filter(None, values)
            finally:
                _C.FPDFPage_CloseAnnot(annotation)


def metadata(document: Handle, key: str) -> str:
    """An entry of the document's information dictionary."""
    name = key.encode()
    return _utf16(lambda buffer, size: _C.FPDF_GetMetaText(document, name, buffer, size))


def outline(document: Handle) -> list[Entry]:
    """The outline's entries that lead to a page, in its order; cycles and endless depth are cut."""
    found: list[Entry] = []
    seen: set[int] = set()
    waiting = [(_C.FPDFBookmark_GetFirstChild(document, None), 0)]
    while waiting and len(seen) < _MOST_OUTLINE:
        mark, depth = waiting.pop()
        if not mark or (address := ctypes.addressof(mark.contents)) in seen:
            continue
        seen.add(address)
        target = _C.FPDFBookmark_GetDest(document, mark)
        page = _C.FPDFDest_GetDestPageIndex(document, target) if target else -1
        if page >= 0:
            found.append(Entry(_title(mark), page))
        waiting.append((_C.FPDFBookmark_GetNextSibling(document, mark), depth))
        if depth < _DEEPEST_OUTLINE:
            waiting.append((_C.FPDFBookmark_GetFirstChild(document, mark), depth + 1))
    return found


def drawn(page: Handle, width: int) -> tuple[int, int, bytes]:
    """A page as pixels: width, height, and three bytes for each pixel (RGB), row after row."""
    height = max(1, round(width * _C.FPDF_GetPageHeightF(page) / max(1.0, _C.FPDF_GetPageWidthF(page))))
    if width * height > _MOST_PIXELS:
        raise CannotRead(Reason.TOO_LARGE)
    stride = 3 * width + -3 * width % 4
    pixels = ctypes.create_string_buffer(stride * height)
    bitmap = _C.FPDFBitmap_CreateEx(width, height, _THREE_BYTES, pixels, stride)
    if not bitmap:
        raise CannotRead(Reason.TOO_MUCH_MEMORY)
    try:
        _C.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, _WHITE)
        _C.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, _ANNOTATIONS | _REVERSED)
    finally:
        _C.FPDFBitmap_Destroy(bitmap)
    view = memoryview(pixels)
    return width, height, b"".join(view[row * stride : row * stride + 3 * width] for row in range(height))


def _value(annotation: Handle, key: bytes) -> str:
    return _utf16(
        lambda buffer, size: _C.FPDFAnnot_GetStringValue(
            annotation, key, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)) if buffer else None, size
        )
    )


def _title(mark: Handle) -> str:
    return _utf16(lambda buffer, size: _C.FPDFBookmark_GetTitle(mark, buffer, size))


def _utf16(call: Callable[[Any, int], int]) -> str:
    """What a function writes that is called twice: for the length in bytes with its end, then for the text."""
    size = call(None, 0)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    call(buffer, size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace")
