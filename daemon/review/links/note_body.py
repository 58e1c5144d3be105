"""A note's text put together of its passages, each line where it stands in the file.

Passages leave out headings, lists of links and frontmatter; these lines are blank here. What a passage repeats to be
read alone (a table's heading rows, what an item is indented under) is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.credential_filter import MARK_START
from scrubjay.daemon.markdown.payloads import MARK
from scrubjay.profiles.store.beside.note_texts import StoredPassage


@dataclass(frozen=True, slots=True)
class NoteBody:
    """Lines as the file has them, but for what the index leaves out."""

    lines: tuple[str, ...]  # from the file's first on
    unplaced: frozenset[int]  # 1-based lines whose columns may be others in the file

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self.lines)

    def line(self, number: int) -> str:
        """A line, 1-based; "" where there is none."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def place(self, number: int, column: int, text: str) -> int | None:
        """The column to change `text` at, which stands at the 1-based `column` of a line; None where that isn't sure.

        0 in a line that may begin otherwise in the file, where the text stands just once in it.
        """
        line = self.line(number)
        if number not in self.unplaced and MARK_START not in line and MARK not in line:
            return column
        return 0 if line.count(text) == 1 else None


def body_of(passages: Sequence[StoredPassage], title: str) -> NoteBody:
    """The body of one note, from its passages in order. A note without text is indexed by its title: it has none."""
    if len(passages) == 1 and not passages[0].headings and passages[0].line == 1 and title.startswith(passages[0].text):
        return NoteBody((), frozenset())
    lines: list[str] = []
    unplaced: set[int] = set()
    for passage in passages:
        rows = passage.text.split("\n")
        repeated = len(rows) - (passage.end_line - passage.line + 1)
        for number, row in enumerate(rows[max(repeated, 0) :], start=passage.line):
            lines.extend("" for _ in range(number - len(lines)))
            here = lines[number - 1]
            lines[number - 1] = f"{here} {row}" if here else row
            if here or (number == passage.line and not repeated):
                unplaced.add(number)  # a passage begins within the line, or was stripped of what indents it
    return NoteBody(tuple(lines), frozenset(unplaced))
