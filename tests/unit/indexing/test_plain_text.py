"""What the model reads of Markdown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.daemon.indexing.outline import plain_text


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("[text](https://example.org/a_(b)?c=d#e) after", "text after"),
        ('[text](<a b.md>) and [t](x.md "title")', "text and t"),
        ("[[Note]] [[Note#Part|alias]]", "Note alias"),
        ("**bold** __init__ `code` ```", "bold __init__ code "),
        ("| a |\n|:-----|\n| -------- |", "| a |\n|:---|\n| --- |"),
        ("=======\n_____", "===\n___"),
        ("Win32\\_Foo", "Win32_Foo"),
        ("a - b -- c --- d", "a - b -- c --- d"),
        ("not [a] link (at all)", "not [a] link (at all)"),
        ("[two\nlines](x.md)", "[two\nlines](x.md)"),
        ("", ""),
    ],
)
def test_marks_go_and_words_stay(markdown: str, plain: str) -> None:
    assert plain_text(markdown) == plain


@given(st.text())
def test_lines_stay_apart(text: str) -> None:
    assert plain_text(text).count("\n") == text.count("\n")


@pytest.mark.parametrize("text", ["[[" * 100_000, "[a](" * 60_000, "-" * 300_000, "[[a|" * 60_000])
def test_hostile_text_ends(text: str) -> None:
    """Quadratic time would take minutes here."""
    assert len(plain_text(text)) <= len(text)
