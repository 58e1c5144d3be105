"""Statements that SQLite is given, counted: work that is the same on every machine."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, cast

import apsw
import pytest

from scrubjay.profiles.store.sqlite import SqliteConnection


def statements_run(work: Callable[[], object]) -> int:
    """How many statements a call gives SQLite, in whichever thread; one that is run for many rows counts for each."""
    count = 0
    execute, executemany = cast("Any", SqliteConnection).execute, cast("Any", SqliteConnection).executemany

    def executed(self: SqliteConnection, *given: Any, **options: Any) -> Any:
        nonlocal count
        count += 1
        return execute(self, *given, **options)

    def executed_many(self: SqliteConnection, sql: str, rows: Any, **options: Any) -> Any:
        nonlocal count
        rows = list(rows)
        count += len(rows)
        return executemany(self, sql, rows, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteConnection, "execute", executed)
        patch.setattr(SqliteConnection, "executemany", executed_many)
        work()
    return count


@contextmanager
def rows_gone_through(connection: object) -> Generator[list[int]]:
    """Of each statement of a connection of apsw: the rows it steps over in tables that it goes through as a whole."""
    rows: list[int] = []
    traced = cast("Any", connection)

    def ran(told: dict[str, Any]) -> None:
        rows.append(told["stmt_status"]["SQLITE_STMTSTATUS_FULLSCAN_STEP"])

    traced.trace_v2(apsw.SQLITE_TRACE_PROFILE, ran)
    try:
        yield rows
    finally:
        traced.trace_v2(0, None)
