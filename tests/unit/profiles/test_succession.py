"""Which passage takes the place of one that was edited."""

import pytest

from scrubjay.profiles.store.rows import ChunkRow
from scrubjay.profiles.store.succession import Gone, heirs


def chunk(text: str) -> ChunkRow:
    return ChunkRow(digest=text.encode(), headings=(), line=1, end_line=1, text=text)


@pytest.mark.parametrize(
    ("gone", "before", "now", "added", "heir"),
    [
        pytest.param(Gone(b"x", 1, "the old cat"), 3, ("a", "the cat", "c"), (1,), b"the cat", id="edited"),
        pytest.param(
            Gone(b"x", 0, "a red apple tree"),
            2,
            ("new head", "b", "a red apple"),
            (0, 2),
            b"a red apple",
            id="moved on",
        ),
        pytest.param(Gone(b"x", 1, "gone"), 3, ("a", "c"), (), b"a", id="deleted: what stands there"),
        pytest.param(Gone(b"x", 2, "gone"), 3, ("a", "b"), (), b"b", id="the last one deleted"),
        pytest.param(Gone(b"x", 0, "cat"), 1, ("dog", "cow"), (0, 1), b"dog", id="no word is shared"),
    ],
)
def test_the_heir_shares_most_words_or_stands_where_it_stood(
    gone: Gone, before: int, now: tuple[str, ...], added: tuple[int, ...], heir: bytes
) -> None:
    assert heirs([gone], before, [chunk(text) for text in now], added) == {b"x": heir}


def test_what_is_still_there_and_what_left_nothing_behind_has_no_heir() -> None:
    assert heirs([Gone(b"a", 1, "a")], 2, [chunk("a")], ()) == {}
    assert heirs([Gone(b"a", 0, "a")], 1, [], ()) == {}
