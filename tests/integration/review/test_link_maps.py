"""How often the map of a store is made."""

from scrubjay.daemon.links.link_graph import GraphCache
from scrubjay.daemon.review.link_map import LinkMaps
from scrubjay.profiles.store.store import Store
from tests.helpers.counted import lines_run
from tests.integration.links.conftest import Put, put, store

__all__ = ["put", "store"]


def test_a_map_is_made_once_for_each_state_of_the_store(store: Store, put: Put) -> None:
    for number in range(6):
        put(f"birds/{number}.md", f"Note {number}.", links=[str(other) for other in range(6)])
    maps = LinkMaps(GraphCache())
    first = maps.of(store, 40)
    assert [(cluster.size, cluster.notes[0].path) for cluster in first.clusters] == [(6, "birds/0.md")]
    assert lines_run(lambda: maps.of(store, 40)) * 2 < lines_run(lambda: maps.of(store, 1))
    assert maps.of(store, 40) is maps.of(store, 40)
    put("Alone.md", "A note without links.")
    assert LinkMaps(GraphCache()).of(store, 40).unlinked == 1
