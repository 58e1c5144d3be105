"""Terms with their positions, as a server receives them, and what it has no room for."""

import pytest

from scrubjay.profiles.team.word_positions import word_positions

_WHOLE_OF_16_383 = ["w", *[""] * 16_381, "last"]


def _received(packed: bytes) -> dict[str, list[int]]:
    """The positions by term; as `tsvectorrecv` reads them, in order."""
    found: dict[str, list[int]] = {}
    at = 4
    while at < len(packed):
        end = packed.index(b"\0", at)
        count = int.from_bytes(packed[end + 1 : end + 3], "big")
        numbers = packed[end + 3 : end + 3 + 2 * count]
        found[packed[at:end].decode()] = [int.from_bytes(numbers[i : i + 2], "big") for i in range(0, len(numbers), 2)]
        at = end + 3 + 2 * count
    assert len(found) == int.from_bytes(packed[:4], "big")
    assert list(found) == sorted(found)
    return found


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        pytest.param([], {}, id="nothing"),
        pytest.param([["red", "apple", "red"]], {"apple": [2], "red": [1, 3]}, id="a term stands twice"),
        pytest.param([["a", "", "b"]], {"a": [1], "b": [3]}, id="a word of no letters leaves its place"),
        pytest.param([["a"], [], ["b"]], {"a": [1], "b": [6]}, id="a gap after each field"),
        pytest.param([["日本", "é", "z", "zz"]], {"z": [3], "zz": [4], "é": [2], "日本": [1]}, id="ordered by bytes"),
        pytest.param([_WHOLE_OF_16_383], {"w": [1], "last": [16_383]}, id="the last position there is"),
        pytest.param([["", *_WHOLE_OF_16_383]], {"*": [], "w": [2]}, id="a position too many"),
        pytest.param([_WHOLE_OF_16_383, ["b"]], {"*": [], "w": [1], "last": [16_383]}, id="a field too many"),
        pytest.param([["a"] * 255], {"a": list(range(1, 256))}, id="as often as a term may stand"),
        pytest.param([["a"] * 256], {"*": [], "a": list(range(1, 256))}, id="once more than that"),
    ],
)
def test_terms_stand_where_they_do_and_a_mark_says_what_is_left_out(
    fields: list[list[str]], found: dict[str, list[int]]
):
    assert _received(word_positions(fields, str)) == found


def test_two_terms_that_one_hash_stands_for_are_said_to_be_incomplete():
    assert "*" in _received(word_positions([["heron", "plover"]], lambda _: "same"))
