"""Notes without a text, notes that were hardly begun, and notes so long that parts of them are better found alone."""

import re
from collections.abc import Iterator, Sequence

from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.habits import folder_of, is_apart, is_index, is_periodic, usual_words
from scrubjay.daemon.review.proposal import Kind, Other
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.profiles.names import fold
from scrubjay.profiles.store.note_texts import StoredNote, StoredPassage

_DAY_NS = 86_400 * 10**9
_STUB_WORDS = 20
_STUB_SHARE = 0.2  # of the words that notes of the folder usually have
_STUB_DAYS = 14  # younger ones may be in the making
_UNFINISHED_WORDS = 60
_UNFINISHED = re.compile(
    r"\b(?:TODO|TBD|WIP|FIXME)\b|(?i:\b(?:coming soon|to be written|work in progress|this is a stub)\b)|待补充|待续"
)
_PICTURE = re.compile(r"!\[")
_LONG_WORDS = 5_000
_PART_WORDS = 300  # of a section that is worth a note of its own
_LEAST_PARTS = 4
_MOST_PARTS = 12
_WORD = re.compile(r"\w+")
_PLAIN = frozenset(("tags", "tag", "aliases", "alias", "created", "date", "updated", "modified", "title", "cssclass"))


class Empty:
    """Notes that have a name alone. What is in a note's properties, links or drawings is a text."""

    kinds: tuple[Kind, ...] = ("empty",)

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """See `Finder.find`."""
        few = [
            note
            for note in notes.notes
            if note.passages <= 1 and not note.payload and not notes.links.of(note.note_id) and not is_apart(note)
        ]
        texts = {note_id: passages[0].text for note_id, passages in notes.passages([note.note_id for note in few])}
        for note in few:
            says = fold(texts.get(note.note_id, "").strip("# \n"))
            if says in ("", fold(note.title)) and not any(fold(name) not in _PLAIN for name in note.properties):
                yield FoundProposal(
                    kind="empty", note=note, detail=str(note.size), strength=1.0 if not note.size else 0.8
                )


class Stub:
    """Notes of a few words in a folder of longer ones, and short ones that say that they are not finished."""

    kinds: tuple[Kind, ...] = ("stub",)

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """See `Finder.find`."""
        usual = usual_words(notes.notes)
        few = [
            note
            for note in notes.notes
            if 0 < note.words <= _UNFINISHED_WORDS
            and not note.payload
            and not (is_apart(note) or is_periodic(note) or is_index(note))
            and len(notes.links.of(note.note_id)) <= 1
            and notes.now_ns - note.mtime_ns >= _STUB_DAYS * _DAY_NS
        ]
        for note_id, passages in notes.passages([note.note_id for note in few]):
            note = notes.by_id[note_id]
            text = "\n".join(passage.text for passage in passages).strip()
            said = _UNFINISHED.search(text)
            if fold(text.strip("# \n")) == fold(note.title) or note.properties.keys() - _PLAIN or _PICTURE.search(text):
                continue
            share = note.words / max(1.0, usual.get(folder_of(note), 0.0))
            if said or (note.words <= _STUB_WORDS and share <= _STUB_SHARE):
                yield FoundProposal(
                    kind="stub",
                    note=note,
                    line=passages[0].line,
                    quote=text.splitlines()[0][:200],
                    detail=str(note.words),
                    strength=0.9 if said else round(1.0 - share, 3),
                )


class Long:
    """Notes of many words with several large sections: the headings at which each could become a note of its own."""

    kinds: tuple[Kind, ...] = ("long",)

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """See `Finder.find`."""
        long = [note for note in notes.notes if note.words >= _LONG_WORDS and not is_apart(note) and not is_index(note)]
        for note_id, passages in notes.passages([note.note_id for note in long]):
            note = notes.by_id[note_id]
            parts = _parts(notes, note, passages)
            if len(parts) >= _LEAST_PARTS:
                yield FoundProposal(
                    kind="long",
                    note=note,
                    detail=str(note.words),
                    others=parts[:_MOST_PARTS],
                    strength=round(1.0 - _LONG_WORDS / 2 / note.words, 3),
                )


def _parts(notes: ReviewNotes, note: StoredNote, passages: Sequence[StoredPassage]) -> tuple[Other, ...]:
    """The outermost sections that are worth a note, as places of the note, in order; scores are their share of it."""
    counted: dict[str, tuple[int, int]] = {}  # heading -> line of its first passage, words
    for passage in passages:
        if passage.headings:
            line, count = counted.get(passage.headings[0], (passage.line, 0))
            counted[passage.headings[0]] = (line, count + len(_WORD.findall(passage.text)))
    total = max(1, sum(count for _, count in counted.values()))
    return tuple(
        Other(vault=notes.vault_name(note), path=note.path, title=heading, line=line, score=round(count / total, 3))
        for heading, (line, count) in counted.items()
        if count >= _PART_WORDS
    )
