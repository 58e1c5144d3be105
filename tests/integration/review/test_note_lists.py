"""What a look reads of all notes at once takes little more memory than what it keeps."""

import apsw

from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.note_texts import stored_notes
from scrubjay.profiles.store.store import Store
from tests.helpers.review_notes import put


def test_all_notes_are_read_without_a_copy_of_their_rows_in_sqlite(file_store: FileStore) -> None:
    about = "willow " * 400
    put(file_store, {f"notes/{number}.md": f"---\nabout: {about}\n---\nNote {number}." for number in range(200)})
    notes = stored_notes(file_store)
    before = apsw.memory_used()
    apsw.memory_high_water(True)
    assert stored_notes(file_store) == notes
    assert sum(len(note.properties_json) for note in notes) > 500_000
    assert apsw.memory_high_water() - before < 100_000


def test_all_notes_are_in_the_order_of_their_paths_with_what_they_hold(store: Store) -> None:
    texts = {"b.md": "---\ntags: [eel]\nup: x\n---\nOne.\n\n# A part\n\nTwo.", "É.md": "A heron.", "a/c.md": ""}
    put(store, texts)
    found = {note.path: note for note in stored_notes(store)}
    assert list(found) == ["a/c.md", "b.md", "É.md"]
    assert (found["b.md"].tags, found["b.md"].properties) == (("eel",), {"tags": ("eel",), "up": "x"})
    assert (found["b.md"].passages, found["b.md"].last_line) == (1, 9)
    assert found["a/c.md"].words < found["É.md"].words < found["b.md"].words
