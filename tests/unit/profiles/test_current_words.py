"""The vocabulary of an open store is read once, and nobody waits long for it."""

import gc
import threading
import weakref
from collections.abc import Callable
from typing import cast

import pytest

from scrubjay.profiles.errors import StoreCorrupt
from scrubjay.profiles.search.words.postings import Field, PostingBatch
from scrubjay.profiles.search.words.vocabulary import CurrentWords, Read, Vocabulary
from scrubjay.profiles.store.sqlite import SqliteConnection
from scrubjay.profiles.store.statements import FileConnection
from tests.helpers.waiting import PATIENCE_SECONDS


def reading(*words: str, generation: int = 1) -> Read:
    connection = cast("FileConnection", SqliteConnection(":memory:"))
    connection.execute(
        "CREATE TABLE posting (term TEXT, field INTEGER, shard INTEGER, entries BLOB, PRIMARY KEY (shard, term, field))"
    )
    batch = PostingBatch(connection)
    for document, word in enumerate(words, 1):
        batch.add(Field.BODY, document, [word])
    batch.flush()
    known = Vocabulary(connection)
    return lambda: (generation, known)


def near(current: CurrentWords, read: Read, word: str, patience: Callable[[], float | None] = lambda: None):
    return [(found.term, found.frequency) for found in current.near(read, word, 5, typed=word, patience=patience)]


def refuse() -> tuple[int, Vocabulary]:
    raise AssertionError("it is there already")


def test_it_is_read_once():
    current = CurrentWords()
    assert near(current, reading("walrus"), "walrs") == [("walrus", 1)]
    assert near(current, refuse, "walrs") == [("walrus", 1)]
    current.load(refuse, 1)


def test_who_has_no_patience_goes_without_and_finds_it_later():
    current, go_on = CurrentWords(), threading.Event()
    slow = reading("walrus")

    def read() -> tuple[int, Vocabulary]:
        assert go_on.wait(PATIENCE_SECONDS)
        return slow()

    assert near(current, read, "walrs", lambda: 0.0) == []
    go_on.set()
    assert near(current, read, "walrs") == [("walrus", 1)]


def test_what_is_written_while_it_is_read_counts_once():
    current = CurrentWords()
    done = reading("walrus", "heron", generation=2)

    def read() -> tuple[int, Vocabulary]:
        current.changed({"heron": 1}, 2)  # committed before the snapshot, told of late
        current.changed({"heron": 1}, 3)
        return done()

    current.load(read, 2)
    assert near(current, refuse, "herom") == [("heron", 2)]
    current.changed({"heron": 1}, 3)  # told of twice
    assert near(current, refuse, "herom") == [("heron", 2)]
    current.changed({"heron": -1}, 4)
    assert near(current, refuse, "herom") == [("heron", 1)]


def test_what_another_process_wrote_is_there_once_it_is_loaded_again():
    current = CurrentWords()
    current.load(reading("walrus", generation=1), 1)
    current.changed({"heron": 1}, 5)  # 2 to 4 were written elsewhere
    assert near(current, refuse, "herom") == [("heron", 1)]
    current.load(reading("walrus", "heron", "ostrich", generation=5), 5)
    assert near(current, refuse, "ostrch") == [("ostrich", 1)]


def test_a_store_that_cannot_be_read_gives_no_neighbours_and_is_tried_again():
    current = CurrentWords()

    def read() -> tuple[int, Vocabulary]:
        raise StoreCorrupt("damaged")

    assert near(current, read, "walrs") == []
    with pytest.raises(StoreCorrupt):
        current.load(read, 1)
    assert near(current, reading("walrus"), "walrs") == [("walrus", 1)]


def test_what_is_forgotten_is_read_again():
    current = CurrentWords()
    current.load(reading("walrus"), 1)
    current.forget()
    assert near(current, reading("heron"), "walrs") == []


def test_what_others_have_written_is_read_once_in_a_while_and_nobody_waits_for_it():
    current, go_on = CurrentWords(), threading.Event()
    assert near(current, reading("walrus"), "walrs") == [("walrus", 1)]
    later = reading("walrus", "walrus", generation=3)

    def read() -> tuple[int, Vocabulary]:
        assert go_on.wait(PATIENCE_SECONDS)
        return later()

    current.renew(refuse, 1, 0.0)  # nobody has
    current.renew(read, 3, 0.0)
    current.renew(refuse, 3, 0.0)  # it is being read
    assert near(current, refuse, "walrs") == [("walrus", 1)]
    go_on.set()
    current.load(refuse, 3)
    assert near(current, refuse, "walrs") == [("walrus", 2)]
    current.renew(refuse, 4, 3600.0)  # not again so soon
    assert near(current, refuse, "walrs") == [("walrus", 2)]


def test_an_old_one_goes_at_once_and_does_not_wait_until_garbage_is_collected():
    _, known = reading("walrus", "sunflower")()
    assert known.near("walrs", 5)
    known.compounds("sun", 5, ("en",))
    kept = weakref.ref(known)
    gc.disable()
    try:
        del known
        assert kept() is None
    finally:
        gc.enable()
