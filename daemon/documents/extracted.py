"""What is found in a file that is no note; which files are read, by their names, and how large they may be."""

from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta


class Kind(StrEnum):
    """What a file is to its reader."""

    PDF = "pdf"
    DOCUMENT = "document"
    SLIDES = "slides"
    SHEET = "sheet"
    BOOK = "book"
    WEB = "web"
    CANVAS = "canvas"
    BASE = "base"
    DRAWING = "drawing"
    TEXT = "text"
    NOTEBOOK = "notebook"
    CODE = "code"
    IMAGE = "image"


class Reason(StrEnum):
    """Why a file has no text here. Stable and kebab-case, for programs."""

    ENCRYPTED = "encrypted"
    NO_TEXT = "no-text"
    TOO_SLOW = "too-slow"
    TOO_LARGE = "too-large"
    DAMAGED = "damaged"
    WRONG_EXTENSION = "wrong-extension"
    BOMB = "bomb"
    TOO_MUCH_MEMORY = "too-much-memory"
    PROCESS_ENDED = "process-ended"
    NO_OCR = "no-ocr"
    BOX_INCOMPLETE = "box-incomplete"


_SENTENCES = {
    Reason.ENCRYPTED: "It is encrypted: save a copy without a password.",
    Reason.NO_TEXT: "It has no text.",
    Reason.TOO_SLOW: "Reading it took too long.",
    Reason.TOO_LARGE: "It is larger than files of its kind may be.",
    Reason.DAMAGED: "It is damaged: its own program may be able to repair it.",
    Reason.WRONG_EXTENSION: "Its content is not what its name says.",
    Reason.BOMB: "It unpacks to far more than such a file holds.",
    Reason.TOO_MUCH_MEMORY: "Reading it took too much memory.",
    Reason.PROCESS_ENDED: "The process that reads files ended over it.",
    Reason.NO_OCR: "Reading pictures needs Scrubjay's extra `ocr`, which is not installed.",
    Reason.BOX_INCOMPLETE: "The box that files are read in lacks a protection here, and `require_box` demands all.",
}


class UnreadableFile(msgspec.Struct, frozen=True):
    """That a file yields nothing, and why: one sentence for a person, which quotes nothing of the file."""

    reason: Reason
    sentence: str


def unreadable(reason: Reason) -> UnreadableFile:
    """The reason with its sentence."""
    return UnreadableFile(reason, _SENTENCES[reason])


MOST_CHARACTERS = 10_000_000  # that are kept of one file: some four thousand pages
MOST_PARTS = 100_000
LONGEST_NAME = 300  # characters of a title, a place, a label or a link
MOST_LINKS = 10_000
# The limits hold where a struct is decoded: what comes out of the box has been within them, whoever wrote it.
Name: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NAME)]
Page: TypeAlias = Annotated[int, Meta(ge=1, le=10_000_000)]


class DocumentPart(msgspec.Struct, frozen=True):
    """A piece of a file's text that one can jump to.

    place: where it is, as the file's own program would name it: page or slide ("3"), sheet, chapter, id of a card or a
    picture's "1"; line ("12") of text and code, cell ("4") of a notebook, section ("2") of a document or web page;
    METADATA, COMMENTS and the like for what stands at no place of its own. Several parts may share a place.
    label: the heading, outline entry, definition or range of rows that it is below, or "".
    """

    place: Name
    label: Name
    text: Annotated[str, Meta(max_length=MOST_CHARACTERS)]


METADATA, COMMENTS, FOOTNOTES, EDGES = "metadata", "comments", "footnotes", "edges"
SPEAKER_NOTES, ANNOTATIONS, HIDDEN = "speaker notes", "annotations", "hidden"  # labels; COMMENTS is one, too


class Extracted(msgspec.Struct, frozen=True):
    """All that is found in one file. Its text has NOT been through the credential filter."""

    kind: Kind
    title: Name = ""  # by its metadata, or ""
    parts: Annotated[tuple[DocumentPart, ...], Meta(max_length=MOST_PARTS)] = ()
    # To other files, as written: "Notes/Ferry.md", "paper.pdf#page=3".
    links: Annotated[tuple[Name, ...], Meta(max_length=MOST_LINKS)] = ()
    unreadable: UnreadableFile | None = None  # then there are no parts
    left_out: Annotated[int, Meta(ge=0)] = 0  # parts that were not read, for length or time
    # Pages that are pictures, from 1: `Recogniser` reads them.
    textless: Annotated[tuple[Page, ...], Meta(max_length=MOST_PARTS)] = ()


class CannotRead(Exception):
    """Raised by parsers: the file yields nothing, for a reason."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


_EXTENSIONS = MappingProxyType(
    {
        Kind.PDF: (".pdf",),
        Kind.DOCUMENT: (".docx", ".odt"),
        Kind.SLIDES: (".pptx", ".odp"),
        Kind.SHEET: (".xlsx", ".ods", ".csv", ".tsv"),
        Kind.BOOK: (".epub",),
        Kind.WEB: (".html", ".htm", ".xhtml"),
        Kind.CANVAS: (".canvas",),
        Kind.BASE: (".base",),
        Kind.DRAWING: (".excalidraw", ".excalidraw.md"),
        Kind.TEXT: (".txt", ".org", ".rst", ".tex"),
        Kind.NOTEBOOK: (".ipynb",),
        Kind.CODE: (
            *(".py", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".java", ".c", ".h", ".go", ".rs"),
            *(".cpp", ".hpp", ".cc", ".cs", ".rb", ".php", ".swift", ".kt", ".scala", ".lua", ".r", ".jl", ".sh"),
            *(".sql", ".css", ".toml", ".yaml", ".yml", ".json", ".xml"),
        ),
        Kind.IMAGE: (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"),
    }
)
_KIND_OF = {extension: kind for kind, extensions in _EXTENSIONS.items() for extension in extensions}
_MB = 1_000_000
_LIMITS = MappingProxyType(
    {
        Kind.PDF: 100 * _MB,
        Kind.DOCUMENT: 50 * _MB,
        Kind.SLIDES: 100 * _MB,
        Kind.SHEET: 25 * _MB,
        Kind.BOOK: 50 * _MB,
        Kind.WEB: 10 * _MB,
        Kind.CANVAS: 5 * _MB,
        Kind.BASE: 1 * _MB,
        Kind.DRAWING: 10 * _MB,
        Kind.TEXT: 5 * _MB,
        Kind.NOTEBOOK: 20 * _MB,
        Kind.CODE: 1 * _MB,
        Kind.IMAGE: 25 * _MB,
    }
)


def extension_of(name: str) -> str:
    """The extension that decides how a file is read, in lower case, with its dot; "" where it is not read."""
    lower = name.rpartition("/")[2].lower()
    if lower.endswith(".excalidraw.md"):
        return ".excalidraw.md"
    stem, dot, extension = lower.rpartition(".")
    return dot + extension if stem and dot + extension in _KIND_OF else ""


def kind_of(name: str) -> Kind | None:
    """What a file of this name is; None where it is not read as text. A Markdown note is no kind."""
    return _KIND_OF.get(extension_of(name))


def extensions_of(kind: Kind) -> tuple[str, ...]:
    """The extensions of a kind, with their dots."""
    return _EXTENSIONS[kind]


def byte_limit(kind: Kind) -> int:
    """How large a file of this kind may be, in bytes."""
    return _LIMITS[kind]
