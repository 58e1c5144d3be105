"""What waits gets its vector once, however many batches are with the model at a time."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from scrubjay.daemon.indexing import embedding_pass
from scrubjay.daemon.indexing.embedding_pass import embed_pending
from scrubjay.daemon.indexing.notes_found import NotesFound
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.profiles.digests import bytes_digest
from scrubjay.profiles.search.meaning.embedder import EmbedderFailed
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import ChunkRow, NoteBundle, NoteRow, Vectors
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder

NOTES = 10


class Counting(HashEncoder):
    """Remembers what it was asked, and can fail from some request on."""

    def __init__(self, fail_from: int = 1_000) -> None:
        super().__init__(32)
        self.asked: list[str] = []
        self._requests = 0
        self._fail_from = fail_from

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self._requests += 1
        if self._requests > self._fail_from:
            raise EmbedderFailed("out of order")
        self.asked.extend(texts)
        return super().embed_passages(texts)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr(embedding_pass, "BATCH", 3)
    opened = FileStore.open(tmp_path / "s.sqlite3")
    put(opened, {number: f"text {number}" for number in range(NOTES)})
    yield opened
    opened.close()


def put(store: Store, texts: Mapping[int, str]) -> None:
    """Notes of one passage each, by number; the greater it is, the newer they are."""
    with store.writing() as writer:
        for number, text in texts.items():
            digest = bytes_digest(text.encode(), bytes(32))
            note = NoteRow("v", f"{number}.md", str(number), number, 1, digest, "f")
            writer.put_note(NoteBundle(note, (ChunkRow(digest, text, (), 1, 1),)))


def test_every_chunk_is_embedded_once_and_the_newest_first(store: Store) -> None:
    embedder = Counting()
    assert embed_pending(store, embedder, Progress(), threading.Event(), lambda: None) == NOTES
    assert len(embedder.asked) == len(set(embedder.asked)) == NOTES
    assert embedder.asked[0] in {f"{number}\ntext {number}" for number in range(4, 10)}  # two batches at a time
    assert store.pending_count(embedder.spec.fingerprint) == 0
    assert store.counts().embeddings == NOTES


def test_passages_of_one_text_that_come_after_a_search_are_all_found(store: Store) -> None:
    embedder = HashEncoder(32)

    def found() -> int:
        """How many notes a search finds, once all have their vectors."""
        embed_pending(store, embedder, Progress(), threading.Event(), lambda: None)
        query = embedder.embed_query("text 1")
        return len(store.semantic(embedder.spec.fingerprint, query, where=None, limit=100))

    assert found() == NOTES
    put(store, dict.fromkeys(range(NOTES, 2 * NOTES), "the same text"))
    assert found() == 2 * NOTES


def test_what_was_done_before_a_failure_is_kept(store: Store) -> None:
    embedder = Counting(fail_from=2)
    with pytest.raises(EmbedderFailed):
        embed_pending(store, embedder, Progress(), threading.Event(), lambda: None)
    assert store.counts().embeddings in (3, 6)  # of the two batches under way, the one that failed may come first


def test_a_stop_ends_it_before_the_next_batch(store: Store) -> None:
    stop = threading.Event()
    turns = iter((False, False, True))

    def wait_turn() -> None:
        if next(turns):
            stop.set()

    assert embed_pending(store, Counting(), Progress(), stop, wait_turn) == 6
    assert store.counts().embeddings == 6


def test_what_a_search_has_found_is_embedded_first(store: Store) -> None:
    embedder, found = Counting(), NotesFound()
    found.put(["2.md", "4.md", "gone.md"])
    embed_pending(store, embedder, Progress(), threading.Event(), lambda: None, found=found)
    assert {"2\ntext 2", "4\ntext 4"} <= set(embedder.asked[:6])  # two batches at a time
    assert len(embedder.asked) == len(set(embedder.asked)) == NOTES
    assert found.paths() == frozenset()


def test_a_small_vault_is_embedded_before_newer_notes_of_a_larger_one(store: Store) -> None:
    with store.writing() as writer:
        for number in range(2):
            digest = (100 + number).to_bytes(16, "big")
            note = NoteRow("small", f"{number}.md", "old", number, 1, digest, "f")
            writer.put_note(NoteBundle(note, (ChunkRow(digest, f"old text {number}", (), 1, 1),)))
    embedder = Counting()
    assert embed_pending(store, embedder, Progress(), threading.Event(), lambda: None) == NOTES + 2
    assert {"old\nold text 0", "old\nold text 1"} <= set(embedder.asked[:6])


def test_a_pass_ends_when_its_turn_is_over_and_keeps_what_it_began(store: Store) -> None:
    turns = iter((True, False))
    embedder = Counting()
    assert (
        embed_pending(store, embedder, Progress(), threading.Event(), lambda: None, has_turn=lambda: next(turns)) == 6
    )
    assert store.counts().embeddings == len(embedder.asked) == 6
