"""What finders work out of one note after the other, kept in the store: done again only where what it depends on is
another."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Generic, TypeVar

import msgspec

from scrubjay.daemon import __version__
from scrubjay.profiles.store.note_texts import StoredNote
from scrubjay.profiles.store.review_memos import MadeMemos, Memo, memos_of
from scrubjay.profiles.store.store import Store

_AT_ONCE = 500  # notes whose memos are read, and kept, in one transaction

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """Something that is worked out of a note: what it is called in the store, and its type, as MessagePack has it."""

    name: str
    type: type[T]


class Memos:
    """What was worked out of the notes of one store, by this look and those before. For one look, and one thread.

    Anything may be forgotten, and is then worked out again: so nothing but time depends on what is kept.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._made: list[MadeMemos] = []

    def of(
        self,
        part: Part[T],
        notes: Iterable[StoredNote],
        depends_on: Callable[[StoredNote], object],
        work: Callable[[Sequence[StoredNote]], Iterable[tuple[int, T]]],
    ) -> Iterator[tuple[int, T]]:
        """(note id, what is worked out of it), ascending.

        depends_on: all that it depends on beside the note's text and this program, in a form that MessagePack has.
        work: does it for some notes, ascending; what it leaves out is left out.
        """
        listed = sorted(notes, key=lambda note: note.note_id)
        decode = msgspec.msgpack.Decoder(part.type).decode
        for start in range(0, len(listed), _AT_ONCE):
            some = listed[start : start + _AT_ONCE]
            made_of = {note.note_id: _digest(note, depends_on(note)) for note in some}
            kept = memos_of(self._store, part.name, list(made_of))
            fresh = {id_ for id_, memo in kept.items() if memo.made_of == made_of[id_]}
            others = [note for note in some if note.note_id not in fresh]
            made = dict(work(others)) if others else {}
            self._keep(part, others, made_of, made)
            for note_id in made_of:
                if note_id in fresh:
                    yield note_id, decode(kept[note_id].made)
                elif note_id in made:
                    yield note_id, made[note_id]

    def take_made(self) -> Iterator[MadeMemos]:
        """What this look has worked out, each to be kept before the next is asked for, and given once."""
        while self._made:
            yield self._made.pop()

    def _keep(self, part: Part[T], notes: Sequence[StoredNote], made_of: dict[int, bytes], made: dict[int, T]) -> None:
        encode = msgspec.msgpack.encode
        of_notes = {
            note.note_id: ((note.digest, note.fingerprint), Memo(made_of[note.note_id], encode(made[note.note_id])))
            for note in notes
            if note.note_id in made
        }
        if of_notes:
            self._made.append(MadeMemos(part.name, of_notes))


def digest_of(values: object) -> bytes:
    """A digest of what MessagePack has a form of."""
    return blake2b(msgspec.msgpack.encode(values), digest_size=16).digest()


def _digest(note: StoredNote, depends_on: object) -> bytes:
    return digest_of((__version__, note.digest, note.fingerprint, depends_on))
