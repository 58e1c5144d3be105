"""What is found in a file that is no note: parts of text, each with its place, or why there is none."""

from enum import StrEnum
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
    Reason.NO_OCR: "Reading pictures is not installed: pip install 'scrubjay[ocr]'.",
    Reason.BOX_INCOMPLETE: "The box that files are read in lacks a protection here, and `require_box` demands all.",
}


class Unreadable(msgspec.Struct, frozen=True):
    """That a file yields nothing, and why: one sentence for a person, which quotes nothing of the file."""

    reason: Reason
    sentence: str


def unreadable(reason: Reason) -> Unreadable:
    """The reason with its sentence."""
    return Unreadable(reason, _SENTENCES[reason])


MOST_CHARACTERS = 10_000_000  # that are kept of one file: some four thousand pages
MOST_PARTS = 100_000
LONGEST_NAME = 300  # characters of a title, a place, a label or a link
MOST_LINKS = 10_000

# The limits hold where a struct is decoded: what comes out of the box has been within them, whoever wrote it.
Name: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NAME)]
Page: TypeAlias = Annotated[int, Meta(ge=1, le=10_000_000)]


class Part(msgspec.Struct, frozen=True):
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
    parts: Annotated[tuple[Part, ...], Meta(max_length=MOST_PARTS)] = ()
    # To other files, as written: "Notes/Ferry.md", "paper.pdf#page=3".
    links: Annotated[tuple[Name, ...], Meta(max_length=MOST_LINKS)] = ()
    unreadable: Unreadable | None = None  # then there are no parts
    left_out: Annotated[int, Meta(ge=0)] = 0  # parts that were not read, for length or time
    # Pages that are pictures, from 1: `Recogniser` reads them.
    textless: Annotated[tuple[Page, ...], Meta(max_length=MOST_PARTS)] = ()


class CannotRead(Exception):
    """Raised by parsers: the file yields nothing, for a reason."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason
