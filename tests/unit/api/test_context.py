"""The block for an agent's context: bounded, deterministic, and nothing in it can pass for one of our own lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.api.context import Source, estimated_tokens, render_context

SOURCES = st.lists(
    st.builds(
        Source,
        id=st.text("0123456789abcdef", min_size=12, max_size=12),
        profile=st.text(min_size=1, max_size=20),
        path=st.text(min_size=1, max_size=40),
        title=st.text(max_size=40),
        headings=st.lists(st.text(max_size=20), max_size=3).map(tuple),
        line=st.integers(1, 10_000),
        text=st.text(max_size=600),
    ),
    max_size=6,
)


def source(text: str, number: int = 1) -> Source:
    return Source(f"{number:012x}", "work", f"N{number}.md", f"Note {number}", ("Plan",), number, text)


def test_passages_are_quoted_with_their_place() -> None:
    reply = render_context([source("First line.\nSecond line.")], 500)
    assert reply.markdown.endswith(
        "\n### Note 1 › Plan\n[#000000000001] work: N1.md:1\n\n> First line.\n> Second line.\n"
    )
    assert reply.sources == ("000000000001",)


def test_what_does_not_fit_is_cut_at_a_word_and_what_follows_left_out() -> None:
    reply = render_context([source("word " * 400, 1), source("never shown", 2)], 150)
    assert reply.sources == ("000000000001",)
    assert reply.markdown.endswith("word …\n")
    assert reply.tokens <= 150


@pytest.mark.parametrize("sources", [[], [source("   ")]])
def test_nothing_found_says_so(sources: list[Source]) -> None:
    reply = render_context(sources, 500)
    assert reply.sources == ()
    assert "say nothing" in reply.markdown


@given(SOURCES, st.integers(100, 2_000))
def test_the_budget_holds_and_the_same_input_gives_the_same_bytes(sources: list[Source], budget: int) -> None:
    reply = render_context(sources, budget)
    assert reply == render_context(list(sources), budget)
    assert reply.tokens == estimated_tokens(reply.markdown) <= budget


@given(SOURCES)
def test_a_note_can_t_write_a_line_of_ours(sources: list[Source]) -> None:
    lines = render_context(sources, 20_000).markdown.split("\n")
    headings = [line for line in lines if line.startswith("#")]
    places = [line for line in lines if line.startswith("[#")]
    assert len(headings) - 1 == len(places) <= len(sources)
