"""What is found in a file that is no note: parts of text, each with its place, or why there is none."""

from enum import StrEnum

import msgspec


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
    Reason.NO_OCR: "Reading pictures is not installed: pip install 'scrubjay[ocr]'.",
}


class Unreadable(msgspec.Struct, frozen=True):
    """That a file yields nothing, and why: one sentence for a person, which quotes nothing of the file."""

    reason: Reason
    sentence: str


def unreadable(reason: Reason) -> Unreadable:
    """The reason with its sentence."""
    return Unreadable(reason, _SENTENCES[reason])


class Part(msgspec.Struct, frozen=True):
    """A piece of a file's text that one can jump to.

    place: where it is, as the file's own program would name it: page or slide ("3"), sheet, chapter, id of a card or a
    picture's "1"; line ("12") of text and code, cell ("4") of a notebook, section ("2") of a document or web page;
    METADATA, COMMENTS and the like for what stands at no place of its own. Several parts may share a place.
    label: the heading, outline entry, definition or range of rows that it is below, or "".
    """

    place: str
    label: str
    text: str


METADATA, COMMENTS, FOOTNOTES, EDGES = "metadata", "comments", "footnotes", "edges"
SPEAKER_NOTES, ANNOTATIONS, HIDDEN = "speaker notes", "annotations", "hidden"  # labels; COMMENTS is one, too


class Extracted(msgspec.Struct, frozen=True):
    """All that is found in one file. Its text has NOT been through the credential filter."""

    kind: Kind
    title: str = ""  # by its metadata, or ""
    parts: tuple[Part, ...] = ()
    links: tuple[str, ...] = ()  # to other files, as written: "Notes/Ferry.md", "paper.pdf#page=3"
    unreadable: Unreadable | None = None  # then there are no parts
    left_out: int = 0  # parts that were not read, for length or time
    textless: tuple[int, ...] = ()  # pages that are pictures, from 1: `Recogniser` reads them


class CannotRead(Exception):
    """Raised by parsers: the file yields nothing, for a reason."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason
