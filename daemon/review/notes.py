"""The notes of one profile as they are looked at for proposals: one view at one moment, texts on demand."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from scrubjay.daemon.graph.csr import FrozenGraph
from scrubjay.daemon.review.proposal import Other
from scrubjay.profiles.database.rows import LinkRow
from scrubjay.profiles.store.beside import note_texts
from scrubjay.profiles.store.beside.note_texts import StoredNote, StoredPassage
from scrubjay.profiles.store.store import Store


@dataclass(frozen=True)
class ReviewNotes:
    """The Markdown notes of one store. Everything in here has been through the credential filter.

    Lists are those of one moment; texts and vectors are read when asked for and may be newer. For one thread.
    """

    notes: tuple[StoredNote, ...]  # by vault and path
    graph: FrozenGraph  # of all notes and files
    vaults: Mapping[str, str]  # id -> name
    now_ns: int
    store: Store  # for nearest vectors, words and the like; finders read, and never write
    inboxes: Mapping[str, str] = field(default_factory=dict[str, str])  # vault id -> its folder named as inbox

    @cached_property
    def by_id(self) -> Mapping[int, StoredNote]:
        """The notes by their ids; files of other kinds are in the graph, and not here."""
        return {note.note_id: note for note in self.notes}

    @cached_property
    def links(self) -> Mapping[int, tuple[LinkRow, ...]]:
        """The links of every note (and file) that has one, as written, by note id, in the order of the lines."""
        return note_texts.links_of(self.store)

    def passages(self, note_ids: Sequence[int] | None = None) -> Iterator[tuple[int, tuple[StoredPassage, ...]]]:
        """(note id, its passages in order) of these notes (None: of all), ascending. Streams; reads as it goes."""
        return note_texts.passages_of(self.store, list(self.by_id) if note_ids is None else note_ids)

    def vault_name(self, note: StoredNote) -> str:
        """The name of a note's vault, as clients know it."""
        return self.vaults.get(note.vault, note.vault)

    def other(self, note: StoredNote, *, line: int = 0, score: float = 0.0) -> Other:
        """A note as proposals name it."""
        return Other(vault=self.vault_name(note), path=note.path, title=note.title, line=line, score=score)

    def links_to(self, note: StoredNote) -> int:
        """How many notes link to a note."""
        row = self.graph.row_of.get(note.note_id)
        return 0 if row is None else len(self.graph.into.of(row))
