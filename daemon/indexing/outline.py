"""A note's sections: where each begins and ends, under which headings it stands, and how many tokens it has."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from scrubjay.daemon.indexing.link_lists import is_link_list
from scrubjay.daemon.markdown.blocks import Piece, finer
from scrubjay.daemon.vault.parse import ParsedNote

SPECIAL_TOKENS = 2  # what the model adds to each text, such as [CLS] and [SEP]
_LIKELY_TOO_LONG = 5  # code points a token of the window: longer sections are taken apart before they are counted
_LEAST_BUDGET = 0.5  # share of the window that a passage may have however long its title and headings are


@dataclass(slots=True)
class Section:
    """What stands between one heading and the next. Offsets are code points of the body."""

    level: int  # of its heading; 0 for what comes before the first one
    heading: str
    start: int  # of the heading's line
    text_start: int
    end: int
    path: tuple[str, ...]  # headings down to it, its own last; one that repeats the note's title is left out
    pieces: list[Piece] = field(default_factory=list[Piece])  # none if it is blank or a list of links
    is_link_list: bool = False
    tokens: int = 0  # of its text
    heading_tokens: int = 0  # of the heading's line, at most


@dataclass(slots=True)
class Outline:
    """The sections of one note and what they may measure."""

    note: ParsedNote
    sections: list[Section]
    max_tokens: int
    tokens_of: dict[str, int] = field(default_factory=dict[str, int])  # of the title and of each heading
    _budgets: dict[tuple[str, ...], int] = field(default_factory=dict[tuple[str, ...], int])

    def budget(self, path: tuple[str, ...]) -> int:
        """Tokens that a passage under these headings may have, beside "title › heading › heading"."""
        budget = self._budgets.get(path)
        if budget is None:
            context = SPECIAL_TOKENS + self.tokens_of[self.note.title] + sum(self.tokens_of[name] + 1 for name in path)
            budget = self._budgets[path] = max(self.max_tokens - context, int(self.max_tokens * _LEAST_BUDGET), 1)
        return budget

    def names(self) -> Iterator[str]:
        """The texts that `tokens_of` must hold before `budget` is asked."""
        yield self.note.title
        for heading in self.note.headings:
            yield heading.text

    def heading_line(self, section: Section) -> str:
        """The heading as it stands in the file."""
        return self.note.body[section.start : section.text_start]


def outline(note: ParsedNote, max_tokens: int) -> Outline:
    """The sections of `note`, cut into pieces that are not yet counted."""
    ends = [*(heading.start for heading in note.headings), len(note.body)]
    sections = [_section(note, Section(0, "", 0, 0, ends[0], ()), max_tokens)]
    above: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    for heading, end in zip(note.headings, ends[1:], strict=True):
        while above[-1][0] >= heading.level:
            above.pop()
        path = above[-1][1]
        if heading.text and not (heading.level == 1 and _same(heading.text, note.title)):
            path = (*path, heading.text)
        above.append((heading.level, path))
        section = Section(heading.level, heading.text, heading.start, min(heading.end, end), end, path)
        sections.append(_section(note, section, max_tokens))
    return Outline(note, sections, max_tokens)


def _section(note: ParsedNote, section: Section, max_tokens: int) -> Section:
    text = note.body[section.text_start : section.end]
    if not text or text.isspace():
        return section
    if section.path and is_link_list(section.path, text):
        section.is_link_list = True
    else:
        whole = Piece(section.text_start, section.end, "section")
        section.pieces = _likely_short(note, [whole], max_tokens)
    return section


def _likely_short(note: ParsedNote, pieces: list[Piece], max_tokens: int) -> list[Piece]:
    """The pieces, with finer ones in place of those so long that they would most likely be counted in vain."""
    longest = _LIKELY_TOO_LONG * max_tokens
    short: list[Piece] = []
    for piece in pieces:
        if piece.end - piece.start <= longest or piece.kind in {"line", "run"}:
            short.append(piece)
        else:
            short.extend(_likely_short(note, finer(note.body, piece, note.fences, max_tokens), max_tokens))
    return short


def _same(heading: str, title: str) -> bool:
    return heading == title or " ".join(heading.split()).casefold() == title.casefold()
