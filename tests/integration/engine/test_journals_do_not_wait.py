"""What is remembered waits behind no passages of notes, whatever the model and however many entries lack a vector."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.engine.journals import Author, Journals
from scrubjay.profiles.journal.entries import Journal, JournalEntry
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.meaning.embedder import Awaited, EmbeddingModel
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import Vector, Vectors
from tests.helpers.hash_encoder import HashEncoder

PROFILE = Profile(id="0" * 12, name="work", colour="#000000")
ME = Author("me", "c1")


class CountingEncoder(HashEncoder):
    """Counts the calls that wait their turn among passages of notes."""

    def __init__(self, query_prefix: str) -> None:
        super().__init__()
        self.batches = 0
        self._prefix = query_prefix

    @property
    def spec(self) -> EmbeddingModel:
        return replace(super().spec, query_prefix=self._prefix)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.batches += 1
        return super().embed_passages(texts)


class StuckEncoder(CountingEncoder):
    """Answers nobody in time."""

    def send_query(self, text: str) -> Awaited:
        def wait(_seconds: float) -> Vector:
            raise TimeoutError

        return wait


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FileStore]:
    made = FileStore.open(tmp_path / "index.sqlite3")
    yield made
    made.close()


@pytest.mark.parametrize("query_prefix", ["", "query: "])
def test_to_remember_waits_for_no_batch_and_recalling_embeds_what_is_left(store: FileStore, query_prefix: str) -> None:
    encoder = CountingEncoder(query_prefix)
    journals = Journals(encoder, lambda _: store, lambda _: BUILT_IN)
    for number in range(20):  # as after another model was chosen
        Journal(store).append(JournalEntry(f"{number:012x}", 1, "me", "c1", (), f"The weir has gate {number}"))
    assert journals.save(PROFILE, ME, "The heron waits at the weir").entry.text
    assert encoder.batches == 0
    assert journals.recall((PROFILE,), "heron weir", 1)[0].entry.text == "The heron waits at the weir"
    assert encoder.batches == 1
    assert Journal(store).without_vector(encoder.spec.fingerprint, 30) == []


def test_to_remember_waits_a_moment_for_a_model_that_does_not_answer_and_the_words_tell_what_is_alike(
    store: FileStore,
) -> None:
    encoder = StuckEncoder("")
    journals = Journals(encoder, lambda _: store, lambda _: BUILT_IN)
    first = journals.save(PROFILE, ME, "The heron waits at the weir in the evening").entry
    saved = journals.save(PROFILE, ME, "The heron waits at the weir in the evening light")
    assert [each.key for each in saved.alike] == [first.key]
    assert encoder.batches == 0
    assert {each.entry.key for each in journals.recall((PROFILE,), "bird of the evening", 5)} == {
        first.key,
        saved.entry.key,
    }
    assert Journal(store).without_vector(encoder.spec.fingerprint, 2) == []
