"""What PostgreSQL gets of a statement that is written for SQLite, too."""

import pytest

from scrubjay.profiles.store.statements import Insert, put, upsert
from scrubjay.profiles.team.connection import numbered


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("SELECT 1", b"SELECT 1"),
        ("SELECT a FROM b WHERE c = ? AND d = ?", b"SELECT a FROM b WHERE c = $1 AND d = $2"),
        ("VALUES (?,?,?)", b"VALUES ($1,$2,$3)"),
        ("SELECT ?1, ?2, ?1", b"SELECT $1, $2, $1"),
        ("SELECT ?12", b"SELECT $12"),
        ("SELECT x::text, ?::bigint", b"SELECT x::text, $1::bigint"),
    ],
)
def test_marks_are_numbered_as_postgresql_has_them(written: str, sent: bytes) -> None:
    assert numbered(written) == sent


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        pytest.param(Insert("t", ("a", "b")).text, "INSERT INTO t (a, b) VALUES (?, ?)", id="plain"),
        pytest.param(
            put("t", ("a",), ("b", "c")).text,
            "INSERT INTO t (a, b, c) VALUES (?, ?, ?) ON CONFLICT (a) DO UPDATE SET b = excluded.b, c = excluded.c",
            id="in place of a row",
        ),
        pytest.param(
            put("t", ("a",), ()).text, "INSERT INTO t (a) VALUES (?) ON CONFLICT (a) DO NOTHING", id="of keys alone"
        ),
        pytest.param(
            upsert("t", ("a",), ("b",), "SELECT id, ? FROM s WHERE TRUE"),
            "INSERT INTO t (a, b) SELECT id, ? FROM s WHERE TRUE ON CONFLICT (a) DO UPDATE SET b = excluded.b",
            id="of a query",
        ),
    ],
)
def test_an_insert_is_written_for_one_row(statement: str, text: str) -> None:
    assert statement == text
