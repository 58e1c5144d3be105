"""While many passages wait for their vectors, meaning orders what words find, and fills up after it."""

import pytest

from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.integration.search.conftest import MakeStore, Over, note, paths

QUERY = "plugin development"
NEAR = ("near", "nearer")


def embed_as(said: str, store: Store, encoder: HashEncoder, *texts: str) -> None:
    """Of the texts that wait, give these the vector of another."""
    waiting = store.pending_embeddings(encoder.spec.fingerprint, 100)
    chosen = [chunk.digest for chunk in waiting if chunk.text in texts]
    with store.writing() as writer:
        writer.put_embeddings(encoder.spec.fingerprint, chosen, encoder.embed_passages([said] * len(chosen)))


@pytest.fixture
def store(make_store: MakeStore) -> Store:
    said = [note(f"said {number}.md", f"a plugin for {number} gardens") for number in range(8)]
    return make_store(*said, *(note(f"{text}.md", text) for text in NEAR), embedded=False)


def test_what_meaning_alone_finds_pushes_no_note_out_that_has_a_word_until_nine_in_ten_are_embedded(
    store: Store, encoder: HashEncoder, searcher_over: Over
) -> None:
    searcher = searcher_over(home=store)
    embed_as(QUERY, store, encoder, *NEAR)
    found = paths(searcher, QUERY, limit=10)
    assert {path.split()[0] for path in found[:8]} == {"said"}
    assert sorted(found[8:]) == sorted(paths(searcher, QUERY, limit=10, group="chunk")[8:]) == ["near.md", "nearer.md"]
    assert [*paths(searcher, QUERY, limit=4), *paths(searcher, QUERY, limit=6, offset=4)] == found
    assert set(paths(searcher, QUERY, limit=2, mode="semantic")) == {"near.md", "nearer.md"}
    for number in range(7):
        embed_as(f"a plugin for {number} gardens", store, encoder, f"a plugin for {number} gardens")
    assert store.pending_count(encoder.spec.fingerprint) == 1
    assert set(paths(searcher_over(home=store), QUERY, limit=10)[:2]) == {"near.md", "nearer.md"}


def test_meaning_orders_the_notes_that_have_a_word(store: Store, encoder: HashEncoder, searcher_over: Over) -> None:
    embed_as(QUERY, store, encoder, "a plugin for 5 gardens")
    embed_as("clouds", store, encoder, *(f"a plugin for {number} gardens" for number in range(4)))
    assert paths(searcher_over(home=store), QUERY, limit=10)[0] == "said 5.md"
