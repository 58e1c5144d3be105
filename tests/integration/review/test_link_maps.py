"""How often the map of a store is made, and what is told meanwhile."""

from scrubjay.daemon.links.link_graph import GraphCache
from scrubjay.daemon.processes.scheduler import Scheduler
from scrubjay.daemon.review.link_map import LinkMap
from scrubjay.daemon.review.link_maps import LinkMaps
from scrubjay.daemon.review.looker import Looker
from scrubjay.profiles.store import proposals, reads
from scrubjay.profiles.store.store import Store
from tests.helpers.counted import lines_run
from tests.integration.links.conftest import Put, put, store

__all__ = ["put", "store"]


def birds(put: Put) -> None:
    for number in range(6):
        put(f"birds/{number}.md", f"Note {number}.", links=[str(other) for other in range(6)])


def test_a_map_is_made_once_for_each_state_of_the_notes(store: Store, put: Put) -> None:
    birds(put)
    maps = LinkMaps(Looker(GraphCache()))
    first, changed = maps.of(store, 40, None)
    assert [(cluster.size, cluster.notes[0].path) for cluster in first.clusters] == [(6, "birds/0.md")]
    assert changed == 0
    assert lines_run(lambda: maps.of(store, 40, None)) * 2 < lines_run(lambda: maps.of(store, 1, None))
    with store.writing() as writer:
        proposals.forget_state(writer.connection, store.machine, "")
    assert maps.of(store, 1, None)[0] is maps.of(store, 1, None)[0], "no note has changed"
    put("Alone.md", "A note without links.")
    assert maps.of(store, 40, None)[0].unlinked == 1


def test_the_last_map_is_told_until_the_next_is_made(store: Store, put: Put) -> None:
    birds(put)
    maps = LinkMaps(Looker(GraphCache(), scheduler := Scheduler()))
    scheduler.stop()  # nothing is made but by the test
    assert maps.of(store, 40, 0.0) == (LinkMap((), (), (), 0), 6)
    maps.renew()
    first, changed = maps.of(store, 40, 0.0)
    assert (len(first.clusters), first.unlinked, changed) == (1, 0, 0)
    put("Alone.md", "A note without links.")
    put("birds/1.md", "Note 1, changed.", links=["0"])
    assert maps.of(store, 40, 0.0) == (first, 2)
    maps.renew()
    second, changed = maps.of(store, 40, 0.0)
    assert (second.unlinked, changed) == (1, 0)


def test_a_map_of_before_tells_nothing_of_notes_that_went(store: Store, put: Put) -> None:
    birds(put)
    put("Bridge.md", "It joins.", links=["birds/0", "x"])
    put("x.md", "Beyond it.")
    maps = LinkMaps(Looker(GraphCache(), scheduler := Scheduler()))
    scheduler.stop()
    maps.of(store, 40, None)
    gone = [note_id for note_id, title in store.read(reads.titles).items() if title in ("0", "Bridge")]
    with store.writing() as writer:
        writer.forget_notes(gone)
    found, changed = maps.of(store, 40, 0.0)
    (cluster,) = found.clusters
    assert (changed, found.bridges) == (2, ())
    assert "birds/0.md" not in {note.path for note in cluster.notes}
    assert cluster.name == cluster.notes[0].title, "a folder or a tag may have gone with its notes"
