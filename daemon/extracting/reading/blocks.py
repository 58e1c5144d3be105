"""Text that comes in paragraphs below headings, as parts."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from scrubjay.daemon.extracting.extracted import Part


@dataclass(slots=True)
class Sections:
    """Gathers paragraphs into sections: one part for each heading, numbered from 1 in their order.

    The heading is the part's label and is not repeated in its text; a heading without text of its own is a part, too,
    so that it is found.
    """

    parts: list[Part] = field(default_factory=list[Part])
    _label: str = ""
    _place: str = ""
    _lines: list[str] = field(default_factory=list[str])
    _number: int = 0

    def heading(self, title: str, place: str = "") -> None:
        """A new section begins. place: instead of its number."""
        title = " ".join(title.split())
        if title:
            self.end()
            self._label, self._place = title, place

    def paragraph(self, text: str) -> None:
        """A paragraph, or a row of a table, of the current section."""
        if text := text.strip():
            self._lines.append(text)

    def end(self) -> list[Part]:
        """All parts, once there is no more text."""
        if self._lines or self._label:
            self._number += 1
            place = self._place or str(self._number)
            self.parts.append(Part(place, self._label, "\n\n".join(self._lines)))
        self._label, self._place, self._lines = "", "", []
        return self.parts


def numbered(parts: Iterator[tuple[str, str]]) -> Iterator[Part]:
    """Parts from labels and texts, with their number as their place; those without any text keep their number."""
    for number, (label, text) in enumerate(parts, 1):
        if label or text:
            yield Part(str(number), label, text)
