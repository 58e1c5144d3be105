"""What stands around the sample vault's links, with real vectors: whether it finds the linked notes."""

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.store.store import Store
from tests.quality.linked import linked
from tests.quality.running import ask_all

LEAST = 0.68  # measured: .736 over 49 notes


def test_what_stands_around_a_link_finds_the_linked_note(sample_store: Store, embedder: InProcessEmbedder) -> None:
    collection, index = linked("sample", sample_store)
    searcher = Searcher(lambda: {"quality": sample_store}, embedder)
    found = ask_all(collection, {"quality": index}, searcher, "hybrid", depth=10)
    searcher.close()
    assert len(found.queries) > 40
    assert found.mean("ndcg10") >= LEAST
