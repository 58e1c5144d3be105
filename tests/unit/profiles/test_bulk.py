"""What a statement that inserts a row becomes for many rows, and how their values are sent."""

import pytest

from scrubjay.profiles.store.statements import Insert
from scrubjay.profiles.team.bulk import ColumnType, arrays, statement_of

_INT8, _TEXT, _TSVECTOR = ColumnType("int8", 20), ColumnType("text", 25), ColumnType("tsvector", 3614)


def test_the_statement_takes_one_array_a_column():
    insert = Insert("t", ("a", "b"), " ON CONFLICT (a) DO NOTHING")
    assert statement_of(insert, [_INT8, ColumnType("date", 1082)]) == (
        "INSERT INTO t (a, b) SELECT a, CAST(b AS date) FROM unnest($1::int8[], $2::text[]) AS given (a, b)"
        " WHERE TRUE ON CONFLICT (a) DO NOTHING"
    )


def _elements(array: bytes) -> tuple[int, int, list[bytes | None]]:
    """(whether there are NULLs, type, elements) of an array of one dimension."""
    numbers = [int.from_bytes(array[at : at + 4], "big", signed=True) for at in range(0, 20, 4)]
    assert (numbers[0], numbers[4]) == (1, 1)
    elements: list[bytes | None] = []
    at = 20
    while at < len(array):
        size = int.from_bytes(array[at : at + 4], "big", signed=True)
        elements.append(None if size < 0 else array[at + 4 : at + 4 + size])
        at += 4 + max(size, 0)
    assert len(elements) == numbers[3]
    return numbers[1], numbers[2], elements


@pytest.mark.parametrize(
    ("column", "values", "has_null", "sent"),
    [
        pytest.param(_INT8, (1, -2), 0, [(1).to_bytes(8, "big"), (-2).to_bytes(8, "big", signed=True)], id="integers"),
        pytest.param(_INT8, (None, 3), 1, [None, (3).to_bytes(8, "big")], id="an absent integer"),
        pytest.param(_TEXT, ("é", "", "a\0b", "\ud800"), 0, ["é".encode(), b"", "a\ufffdb".encode(), b"?"], id="texts"),
        pytest.param(_TSVECTOR, (b"\0\0\0\0",), 0, [b"\0\0\0\0"], id="as the server receives it"),
    ],
)
def test_values_are_sent_as_the_server_receives_them(
    column: ColumnType, values: tuple[object, ...], has_null: int, sent: list[bytes | None]
):
    [array] = arrays([(value,) for value in values], [column])
    assert _elements(array) == (has_null, column.number, sent)
