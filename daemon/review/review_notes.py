"""The notes of one profile as they are looked at for proposals: one view at one moment, texts by line."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from scrubjay.credential_filter import MARK_START
from scrubjay.daemon.links.link_graph import FrozenGraph
from scrubjay.daemon.review.finders.link_view import LinkView
from scrubjay.daemon.review.memos import Memos
from scrubjay.daemon.review.proposal import Other
from scrubjay.daemon.vault.markdown.payloads import MARK
from scrubjay.profiles.store import note_texts
from scrubjay.profiles.store.note_texts import StoredLinks, StoredNote, StoredPassage
from scrubjay.profiles.store.store import Store

_DELIMITERS = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:-]*)*")


@dataclass(frozen=True)
class ReviewNotes:
    """The Markdown notes of one store. Everything in here has been through the credential filter.

    Lists are those of one moment; texts and vectors are read when asked for and may be newer. For one thread.
    """

    notes: tuple[StoredNote, ...]  # by vault and path
    graph: FrozenGraph  # of all notes and files
    vaults: Mapping[str, str]  # id -> name, of those on this computer
    now_ns: int
    store: Store  # for nearest vectors, words and the like; finders read, and never write
    inboxes: Mapping[str, str] = field(default_factory=dict[str, str])  # vault id -> its folder named as inbox

    @cached_property
    def by_id(self) -> Mapping[int, StoredNote]:
        """The notes by their ids; files of other kinds are in the graph, and not here."""
        return {note.note_id: note for note in self.notes}

    @cached_property
    def by_vault(self) -> Mapping[str, Sequence[StoredNote]]:
        """The notes of each vault, by the vaults' ids, in their order."""
        found: defaultdict[str, list[StoredNote]] = defaultdict(list)
        for note in self.notes:
            found[note.vault].append(note)
        return {vault: found[vault] for vault in sorted(found)}

    @cached_property
    def by_place(self) -> Mapping[tuple[str, str], StoredNote]:
        """The notes by their vault's name and path, as proposals name them."""
        return {(self.vault_name(note), note.path): note for note in self.notes}

    @cached_property
    def memos(self) -> Memos:
        """What was worked out of the notes before, and is now."""
        return Memos(self.store)

    @cached_property
    def links(self) -> StoredLinks:
        """The links of every note (and file), as written."""
        return note_texts.stored_links(self.store)

    @cached_property
    def link_view(self) -> LinkView:
        """The links, resolved."""
        return LinkView(self.by_vault, self.links, self.graph.names)

    def passages(self, note_ids: Sequence[int] | None = None) -> Iterator[tuple[int, tuple[StoredPassage, ...]]]:
        """(note id, its passages in order) of these notes (None: of all), ascending. Streams; reads as it goes."""
        return note_texts.passages_of(self.store, list(self.by_id) if note_ids is None else note_ids)

    def vault_name(self, note: StoredNote) -> str:
        """The name of a note's vault, as clients know it."""
        return self.store.vault_name(note.vault, self.vaults)

    def other(self, note: StoredNote, *, line: int = 0, score: float = 0.0) -> Other:
        """A note as proposals name it."""
        return Other(vault=self.vault_name(note), path=note.path, title=note.title, line=line, score=score)

    def links_to(self, note: StoredNote) -> int:
        """How many notes link to a note."""
        row = self.graph.row_of.get(note.note_id)
        return 0 if row is None else len(self.graph.into.of(row))


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

    def is_in_table(self, number: int) -> bool:
        """Whether a 1-based line is a row of a table."""
        while number > 0 and "|" in self.line(number):
            if _DELIMITERS.fullmatch(self.line(number)):
                return True
            number -= 1
        return False


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
