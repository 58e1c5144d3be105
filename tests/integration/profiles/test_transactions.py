"""Transactions of a file as blocks: whole or undone, and no thread stands still for one."""

import gc
import threading
import weakref
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import apsw
import pytest

from scrubjay.profiles.store.sqlite import connect
from scrubjay.profiles.store.statements import FileConnection


@pytest.fixture
def two_writers(tmp_path: Path) -> Iterator[tuple[FileConnection, FileConnection]]:
    one, other = (connect(tmp_path / "two.sqlite3", None, "writer") for _ in range(2))
    one.pragma("journal_mode", "wal")
    one.execute("CREATE TABLE kept (word TEXT)")
    with closing(one), closing(other):
        yield one, other


def test_who_waits_for_another_s_transaction_keeps_no_thread_from_ending_it(
    two_writers: tuple[FileConnection, FileConnection],
) -> None:
    one, other = two_writers
    one.execute("BEGIN IMMEDIATE")
    ending = threading.Timer(0.1, lambda: one.execute("COMMIT"))
    ending.start()
    with other:
        other.execute("INSERT INTO kept VALUES ('after')")
    ending.join()
    assert one.execute("SELECT word FROM kept").fetchall() == [("after",)]


@pytest.mark.parametrize("inner_fails", [False, True])
@pytest.mark.parametrize("outer_fails", [False, True])
def test_a_block_within_a_transaction_is_undone_alone(
    two_writers: tuple[FileConnection, FileConnection], inner_fails: bool, outer_fails: bool
) -> None:
    one, other = two_writers
    with suppress(KeyError), one:
        one.execute("INSERT INTO kept VALUES ('outer')")
        with suppress(LookupError), one:
            one.execute("INSERT INTO kept VALUES ('inner')")
            if inner_fails:
                raise IndexError
        if outer_fails:
            raise KeyError
    kept = [] if outer_fails else ["outer"] if inner_fails else ["outer", "inner"]
    assert [word for (word,) in other.execute("SELECT word FROM kept").fetchall()] == kept
    assert not one.in_transaction
    with one:
        one.execute("INSERT INTO kept VALUES ('next')")


def test_a_commit_that_is_refused_leaves_no_transaction_open(
    two_writers: tuple[FileConnection, FileConnection],
) -> None:
    one, _ = two_writers
    one.execute("CREATE TABLE of (word TEXT PRIMARY KEY)")
    one.execute("CREATE TABLE is_of (word TEXT REFERENCES of DEFERRABLE INITIALLY DEFERRED)")
    with pytest.raises(apsw.ConstraintError), one:
        one.execute("INSERT INTO is_of VALUES ('nothing')")
    assert not one.in_transaction
    assert one.execute("SELECT count(*) FROM is_of").get == 0


def test_a_statement_goes_once_nobody_has_it_though_another_ended_meanwhile(
    two_writers: tuple[FileConnection, FileConnection],
) -> None:
    one, _ = two_writers
    words = one.execute("SELECT word FROM kept")
    is_there = weakref.ref(words)
    one.execute("SELECT 1").fetchall()
    words.fetchall()
    del words
    gc.collect()
    assert is_there() is None
