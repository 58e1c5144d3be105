"""Reads that belong together: one snapshot for all that a thread reads in one go."""

import threading
from collections.abc import Callable

import pytest

from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.statements import generation_of
from scrubjay.profiles.store.store import Store
from tests.helpers.waiting import PATIENCE_SECONDS
from tests.integration.profiles.notes import bundle

_MORE_THAN_CONNECTIONS = 6


def put(store: Store, path: str) -> None:
    with store.writing() as writer:
        writer.put_note(bundle(path, f"text of {path}"))


def paths(store: Store) -> list[str]:
    return [note.path for note in store.read(reads.recent)]


def in_another_thread(work: Callable[[], None]) -> None:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(PATIENCE_SECONDS)
    assert not thread.is_alive()


def test_one_snapshot_shows_what_the_thread_itself_writes_and_what_others_do_only_after_it(store: Store):
    put(store, "a.md")
    with store.one_snapshot():
        assert paths(store) == ["a.md"]
        in_another_thread(lambda: put(store, "b.md"))
        assert (paths(store), store.read(reads.note_count)) == (["a.md"], 1)
    assert sorted(paths(store)) == ["a.md", "b.md"]
    with store.one_snapshot():
        before = store.read(generation_of)
        put(store, "c.md")
        assert sorted(paths(store)) == ["a.md", "b.md", "c.md"]
        assert store.read(generation_of) != before
        with pytest.raises(StoreError), store.reading():
            raise LookupError
        in_another_thread(lambda: put(store, "d.md"))
        assert store.read(reads.note_count) == 4  # after a read that failed the next one begins anew


def test_who_reads_one_thing_never_waits_for_those_who_hold_on(store: Store):
    put(store, "a.md")
    all_have_read = threading.Barrier(_MORE_THAN_CONNECTIONS + 1)

    def hold() -> None:
        with store.one_snapshot():
            paths(store)
            all_have_read.wait(PATIENCE_SECONDS)

    threads = [threading.Thread(target=hold, daemon=True) for _ in range(_MORE_THAN_CONNECTIONS)]
    for thread in threads:
        thread.start()
    all_have_read.wait(PATIENCE_SECONDS)
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    assert paths(store) == ["a.md"]
