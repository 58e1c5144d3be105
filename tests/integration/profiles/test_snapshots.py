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


def test_what_others_write_meanwhile_is_seen_after_it(store: Store):
    put(store, "a.md")
    with store.one_snapshot():
        assert paths(store) == ["a.md"]
        in_another_thread(lambda: put(store, "b.md"))
        assert paths(store) == ["a.md"]
        assert store.read(reads.note_count) == 1
    assert sorted(paths(store)) == ["a.md", "b.md"]


def test_what_the_thread_writes_itself_is_seen_at_once(store: Store):
    with store.one_snapshot():
        assert paths(store) == []
        before = store.read(generation_of)
        put(store, "a.md")
        assert paths(store) == ["a.md"]
        assert store.read(generation_of) != before


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


def test_after_a_read_that_failed_the_next_one_begins_anew(store: Store):
    put(store, "a.md")
    with store.one_snapshot():
        with pytest.raises(StoreError), store.reading():
            raise LookupError
        in_another_thread(lambda: put(store, "b.md"))
        assert sorted(paths(store)) == ["a.md", "b.md"]
