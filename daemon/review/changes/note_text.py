"""A note's text with all that makes its bytes what they are, and edits of it that leave every other byte alone."""

import codecs
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from scrubjay.daemon.review.changes.refusal import ChangeRefused

_LINE_END = re.compile(r"\r\n|\r|\n")
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class TextEdit(msgspec.Struct, frozen=True):
    """The code points from `start` up to `stop` of a text become `text`."""

    start: int
    stop: int
    text: str


@dataclass(frozen=True)
class NoteText:
    """The text of a note's file, its line ends as they are."""

    text: str
    mark: bytes = b""  # the byte order mark before it
    encoding: str = "utf-8"

    @classmethod
    def of(cls, data: bytes, *, raw: bool = False) -> "NoteText":
        """What the bytes say. Raises ChangeRefused for what is no text, or would not come back byte for byte.

        raw: of any file, each byte as one code point, so that edits are of bytes.
        """
        if raw:
            return cls(data.decode("latin-1"), b"", "latin-1")
        mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
        try:
            found = cls(data[len(mark) :].decode(encoding), mark, encoding)
        except UnicodeDecodeError:
            raise ChangeRefused("not-text", "The note is no text in UTF-8; save it as UTF-8 in an editor.") from None
        if found.encoded(found.text) != data:
            raise ChangeRefused("not-text", "The note's bytes are not in the one form that its encoding allows.")
        return found

    def encoded(self, text: str) -> bytes:
        """Another text as bytes, in the same encoding and with the same mark."""
        return self.mark + text.encode(self.encoding)

    @cached_property
    def line_end(self) -> str:
        """How its lines end: as its first one does."""
        found = _LINE_END.search(self.text)
        return found[0] if found else "\n"

    @cached_property
    def _lines(self) -> list[tuple[int, int]]:
        ends = [(found.start(), found.end()) for found in _LINE_END.finditer(self.text)]
        starts, stops = [0, *(end for _, end in ends)], [*(start for start, _ in ends), len(self.text)]
        return list(zip(starts, stops, strict=True))

    def line(self, number: int) -> tuple[int, int] | None:
        """Where a line, counted from 1, starts and stops, without its end; None where there are not so many."""
        return self._lines[number - 1] if 1 <= number <= len(self._lines) else None

    def in_its_line_ends(self, written: str) -> str:
        """A text of ours with the note's line ends."""
        return _LINE_END.sub(self.line_end, written)


def edited(text: str, edits: Iterable[TextEdit]) -> str:
    """The text after all of the edits, each in terms of the text as it was; those at one place in the order given.

    Raises ChangeRefused where two touch the same code points.
    """
    parts: list[str] = []
    end = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.stop)):
        if edit.start < end:
            raise collision()
        parts += (text[end : edit.start], edit.text)
        end = edit.stop
    return "".join((*parts, text[end:]))


def reverse(text: str, edits: Sequence[TextEdit]) -> tuple[TextEdit, ...]:
    """The edits that make `text` again of what `edited` makes of it."""
    back: list[TextEdit] = []
    shift = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.stop)):
        start = edit.start + shift
        back.append(TextEdit(start, start + len(edit.text), text[edit.start : edit.stop]))
        shift += len(edit.text) - (edit.stop - edit.start)
    return tuple(back)


def collision() -> ChangeRefused:
    """The refusal of a change where another one is made."""
    return ChangeRefused("collides", "Two changes touch the same place of the note; apply one, then look at the other.")
