"""Lines of a note out of its passages: exact, bounded, and every line is reached by going on."""

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.server.replies.note_lines import cut
from scrubjay.profiles.store.rows import ChunkView


def chunk(text: str, line: int, *, number: int = 1, repeated: int = 0) -> ChunkView:
    return ChunkView(
        chunk_id=number,
        note_id=1,
        digest=number.to_bytes(16, "big"),
        text=text,
        headings=("Plan",),
        line=line,
        end_line=line + text.count("\n") - repeated,
        position=number,
        vault="v",
        path="a.md",
        title="A",
        aliases=(),
        tags=(),
        mtime_ns=0,
        redactions=0,
    )


TWO = (chunk("one\ntwo\nthree", 3), chunk("seven\neight", 7, number=2))


def lines(first: int, last: int, tokens: int = 1_000) -> list[tuple[int, str]]:
    return [(part.line, part.text) for part in cut(TWO, first, last, tokens).passages]


def test_a_range_gives_its_lines_and_no_other() -> None:
    assert lines(4, 7) == [(4, "two\nthree"), (7, "seven")]
    assert lines(1, 100) == [(3, "one\ntwo\nthree"), (7, "seven\neight")]
    assert lines(5, 6) == [(5, "three")]
    assert lines(20, 30) == []


def test_what_has_no_room_is_left_for_the_next_time() -> None:
    found = cut(TWO, 1, 100, 17)
    assert [part.text for part in found.passages] == ["one\ntwo"]
    assert (found.next_line, found.lines_left) == (5, 3)


def test_the_heading_rows_that_a_passage_repeats_are_no_lines_of_it() -> None:
    table = (chunk("| a |\n| - |\n| 9 |", 9, repeated=2),)
    assert [(part.line, part.text) for part in cut(table, 1, 20, 100).passages] == [(9, "| 9 |")]


def test_a_line_longer_than_the_budget_is_cut_and_reading_goes_on_after_it() -> None:
    found = cut((chunk("x" * 10_000 + "\nend", 1),), 1, 9, 100)
    assert found.passages[0].text.endswith("x…")
    assert found.next_line == 2
    assert found.tokens <= 100


@given(
    st.lists(st.lists(st.text("ab é", max_size=60), min_size=1, max_size=6), min_size=1, max_size=5),
    st.integers(50, 200),
)
def test_going_on_reaches_every_line_once(texts: list[list[str]], budget: int) -> None:
    chunks: list[ChunkView] = []
    for number, text in enumerate(texts):
        chunks.append(chunk("\n".join(text), (chunks[-1].end_line + 2) if chunks else 1, number=number))
    read: list[str] = []
    at: int | None = 1
    while at is not None:
        found = cut(chunks, at, 10_000, budget)
        read += [line for part in found.passages for line in part.text.split("\n")]
        assert found.tokens <= budget
        assert found.next_line is None or found.next_line > at
        at = found.next_line
    assert read == [line for text in texts for line in text]
