"""While many passages wait for their vectors, meaning orders what words find, and fills up after it."""

import pytest

from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.integration.search.conftest import MakeStore, note
from tests.integration.search.test_missing import MakeSearcher

QUERY = "plugin development"
NEAR = ("near", "nearer")


def embed_as(said: str, store: Store, encoder: HashEncoder, texts: tuple[str, ...]) -> None:
    """Of the texts that wait, give these the vector of another."""
    waiting = store.pending_embeddings(encoder.spec.fingerprint, 100)
    chosen = [chunk.digest for chunk in waiting if chunk.text in texts]
    with store.writing() as writer:
        vectors = encoder.embed_passages([said] * len(chosen))
        writer.put_embeddings(encoder.spec.fingerprint, chosen, vectors)


@pytest.fixture
def store(make_store: MakeStore) -> Store:
    said = [note(f"said {number}.md", f"a plugin for {number} gardens") for number in range(8)]
    return make_store(*said, *(note(f"{text}.md", text) for text in NEAR), embedded=False)


def paths(searcher: MakeSearcher, store: Store, request: SearchRequest) -> list[str]:
    return [result.path for result in searcher(home=store).search(request).results]


def test_what_meaning_alone_finds_pushes_no_note_out_that_has_a_word(
    store: Store, encoder: HashEncoder, searcher_over: MakeSearcher
) -> None:
    embed_as(QUERY, store, encoder, NEAR)
    found = paths(searcher_over, store, SearchRequest(QUERY, limit=10))
    assert {path.split()[0] for path in found[:8]} == {"said"}
    assert sorted(found[8:]) == ["near.md", "nearer.md"]
    pages = [
        *paths(searcher_over, store, SearchRequest(QUERY, limit=4)),
        *paths(searcher_over, store, SearchRequest(QUERY, limit=6, offset=4)),
    ]
    assert pages == found
    by_passage = paths(searcher_over, store, SearchRequest(QUERY, limit=10, group="chunk"))
    assert sorted(by_passage[8:]) == ["near.md", "nearer.md"]
    assert set(paths(searcher_over, store, SearchRequest(QUERY, limit=2, mode="semantic"))) == {"near.md", "nearer.md"}


def test_meaning_orders_the_notes_that_have_a_word(
    store: Store, encoder: HashEncoder, searcher_over: MakeSearcher
) -> None:
    embed_as(QUERY, store, encoder, ("a plugin for 5 gardens",))
    embed_as("clouds", store, encoder, tuple(f"a plugin for {number} gardens" for number in range(4)))
    assert paths(searcher_over, store, SearchRequest(QUERY, limit=10))[0] == "said 5.md"


def test_what_is_near_stands_where_it_belongs_as_soon_as_nine_in_ten_are_embedded(
    store: Store, encoder: HashEncoder, searcher_over: MakeSearcher
) -> None:
    embed_as(QUERY, store, encoder, NEAR)
    waiting = store.pending_embeddings(encoder.spec.fingerprint, 100)[:7]
    with store.writing() as writer:
        vectors = encoder.embed_passages([chunk.text for chunk in waiting])
        writer.put_embeddings(encoder.spec.fingerprint, [chunk.digest for chunk in waiting], vectors)
    assert store.pending_count(encoder.spec.fingerprint) == 1
    assert set(paths(searcher_over, store, SearchRequest(QUERY, limit=10))[:2]) == {"near.md", "nearer.md"}
