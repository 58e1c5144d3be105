"""From a file's bytes to what is found in it: which parser, how much is kept, what goes wrong."""

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType

from scrubjay.daemon.documents.clean_text import clean, clean_name
from scrubjay.daemon.documents.extracted import (
    MOST_CHARACTERS,
    MOST_LINKS,
    MOST_PARTS,
    CannotRead,
    DocumentPart,
    Extracted,
    Kind,
    Reason,
    extensions_of,
    kind_of,
    unreadable,
)
from scrubjay.daemon.documents.formats.base import read_base
from scrubjay.daemon.documents.formats.book import read_epub
from scrubjay.daemon.documents.formats.canvas import read_canvas
from scrubjay.daemon.documents.formats.code import reader_of
from scrubjay.daemon.documents.formats.document import read_docx
from scrubjay.daemon.documents.formats.drawing import read_drawing, read_drawing_note
from scrubjay.daemon.documents.formats.notebook import read_notebook
from scrubjay.daemon.documents.formats.open_document import read_odp, read_ods, read_odt
from scrubjay.daemon.documents.formats.pdf import page_picture, read_pdf
from scrubjay.daemon.documents.formats.plain import read_org, read_rst, read_tex, read_text
from scrubjay.daemon.documents.formats.sheet import read_csv, read_tsv, read_xlsx
from scrubjay.daemon.documents.formats.slides import read_pptx
from scrubjay.daemon.documents.formats.web import read_web
from scrubjay.daemon.documents.parsers.sections import ParsedFile

__all__ = ["extract", "page_picture"]

Parser = Callable[[bytes], ParsedFile]

_PARSERS: Mapping[str, Parser] = MappingProxyType(
    {
        ".pdf": read_pdf,
        ".docx": read_docx,
        ".odt": read_odt,
        ".pptx": read_pptx,
        ".odp": read_odp,
        ".xlsx": read_xlsx,
        ".ods": read_ods,
        ".csv": read_csv,
        ".tsv": read_tsv,
        ".epub": read_epub,
        ".canvas": read_canvas,
        ".base": read_base,
        ".excalidraw": read_drawing,
        ".excalidraw.md": read_drawing_note,
        ".html": read_web,
        ".htm": read_web,
        ".xhtml": read_web,
        ".txt": read_text,
        ".org": read_org,
        ".rst": read_rst,
        ".tex": read_tex,
        ".ipynb": read_notebook,
        **{extension: reader_of(extension) for extension in extensions_of(Kind.CODE)},
    }
)


def extract(extension: str, data: bytes, seconds: float = float("inf")) -> Extracted:
    """What is found in a file with this extension (see `extension_of`).

    Never raises for a file, whatever is in it, but may take as long or as much memory as the file makes it: it belongs
    into a box. After `seconds` of processor time no further part is read, and those that are left are counted.
    Raises ValueError for an extension that has no parser.
    """
    kind = kind_of(f"file{extension}")
    parser = _PARSERS.get(extension)
    if kind is None or parser is None:
        raise ValueError(extension)
    until = time.process_time() + seconds
    try:
        return _kept(kind, parser(data), until)
    except CannotRead as error:
        return Extracted(kind, unreadable=unreadable(error.reason))
    except MemoryError:
        return Extracted(kind, unreadable=unreadable(Reason.TOO_MUCH_MEMORY))
    except Exception:  # noqa: BLE001  (a parser met what its author did not foresee; its message may hold the file's text)
        return Extracted(kind, unreadable=unreadable(Reason.DAMAGED))


def _kept(kind: Kind, found: ParsedFile, until: float) -> Extracted:
    parts: list[DocumentPart] = []
    length = left_out = 0
    for part in found.parts:
        if length >= MOST_CHARACTERS or len(parts) == MOST_PARTS or time.process_time() > until:
            left_out = max(1, found.remaining)
            break
        place, label = clean_name(part.place), clean_name(part.label)
        text = clean(part.text)[: MOST_CHARACTERS - length]
        length += len(place) + len(label) + len(text)
        parts.append(DocumentPart(place, label, text))
    nothing = not any(part.text.strip() or part.label for part in parts)
    why = Reason.TOO_SLOW if left_out else Reason.NO_TEXT
    return Extracted(
        kind,
        clean_name(found.title),
        () if nothing else tuple(parts),
        tuple(dict.fromkeys(map(clean_name, found.links[:MOST_LINKS]))),
        unreadable(why) if nothing else None,
        left_out,
        tuple(found.textless[:MOST_PARTS]),
    )
