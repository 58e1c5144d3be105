"""Notes that nothing leads to or from, where notes usually are linked."""

from collections.abc import Iterator

from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.habits import folder_of, is_apart, is_index, is_periodic, shares
from scrubjay.daemon.review.proposal import Kind
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.profiles.store.note_texts import StoredNote

_HABIT = 0.7  # share of a folder's notes that must be linked for one that is not to be worth a question
_LEAST_WORDS = 40  # fewer are a stub's
_MOST_INTO = 20  # what more notes link to is what they have in common, as a tag is


class Unlinked:
    """Orphans, which no note links to and which link to none; dead ends, which are linked to and link to none.

    A link to a note that is not written yet is one, too.
    """

    kinds: tuple[Kind, ...] = ("orphan", "dead-end")

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """See `Finder.find`."""
        written = [
            note
            for note in notes.notes
            if note.words >= _LEAST_WORDS and not (is_apart(note) or is_periodic(note) or is_index(note))
        ]
        counted = {note.note_id: self._links(notes, note) for note in written}
        linked = shares(written, lambda note: any(counted[note.note_id]))
        leading = shares(written, lambda note: counted[note.note_id][1] > 0)
        for note in written:
            into, out = counted[note.note_id]
            if out or into > _MOST_INTO:
                continue
            habit = (leading if into else linked).get(folder_of(note), 0.0)
            if habit >= _HABIT:
                yield FoundProposal(
                    kind="dead-end" if into else "orphan",
                    note=note,
                    detail=str(into) if into else "",
                    strength=round(habit, 3),
                )

    def _links(self, notes: ReviewNotes, note: StoredNote) -> tuple[int, int]:
        """How many notes link to a note, and how many links of any kind to notes it has."""
        row = notes.graph.row_of.get(note.note_id)
        out = sum(1 for link in notes.links.of(note.note_id) if notes.links.target(link))
        if row is None:
            return 0, out
        return len(notes.graph.into.of(row)), max(out, len(notes.graph.out.of(row)))
