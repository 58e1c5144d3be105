"""The sketch of one note, by which what was said of it is known again after a small change."""

from scrubjay.daemon.review.finders.shingles import WordHashes, sketch
from scrubjay.profiles.store.near_copies import Hashes, sketch_of
from scrubjay.profiles.store.note_texts import texts_of
from scrubjay.profiles.store.store import Store


def sketch_now(store: Store, note_id: int) -> Hashes:
    """Of the note's text as it is now: the one that is kept, or made here, where notes were not compared since."""
    kept = sketch_of(store, note_id)
    return sketch(texts_of(store, (note_id,)).get(note_id, ""), WordHashes()) if kept is None else kept
