"""Texts of notes in Markdown that Scrubjay writes: drawn by whatever program, they load and run nothing."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from scrubjay.daemon.vault.markdown.quoted import inert, quoted

PIECES = [
    *("![", "!", "[", "]", "(", ")", "\\", "`", "```", "~~~", "<", ">", "\n", " ", "    ", "\0", "\u200b"),
    *("&", "&#33;", "&lt;"),
    *("a", "http://x.example/i.png", "[r]: http://x.example/i.png", "img src=http://x.example", "/div", "!--", "?php"),
    *("dataviewjs", "mermaid", "![[", "]]", "<svg/onload=x>", "<!DOCTYPE", "- ", "1. ", "# ", "| ", "'", '"'),
]


def live(markdown: str) -> list[Token]:
    """What a renderer would load or run."""

    def within(tokens: list[Token]) -> list[Token]:
        return [each for token in tokens for each in (token, *within(token.children or []))]

    tokens = within(MarkdownIt("commonmark", {"html": True}).enable("table").parse(markdown))
    loading = ("image", "html_inline", "html_block")
    return [each for each in tokens if each.type in loading or (each.type == "fence" and each.info.strip())]


@pytest.mark.parametrize(
    "text",
    [
        "![i](http://x.example/i.png)",
        "\\![i](http://x.example/i.png) \\\\![i](http://x.example/i.png)",
        "!\0[i](http://x.example/i.png)",
        "![i]\n\n[i]: http://x.example/i.png",
        "<img src=http://x.example/i.png> <IMG\nSRC=x>",
        "```dataviewjs\nx\n```",
        "~~~ dataviewjs `x`\nx\n~~~",
        "<!-- a --><?php ?>",
    ],
)
def test_disguises_load_nothing(text: str) -> None:
    assert live(text.replace("\0", "")), "the test tells nothing of this one"
    assert live(inert(quoted(text))) == []


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example("```dataviewjs ~~~`\nx\n```")  # which is no fence as it stands, and was made one
def test_whatever_a_note_says_loads_nothing(text: str) -> None:
    written = inert(quoted(text))
    assert live(written) == []
    assert "![[" not in written


def test_what_loads_nothing_stays() -> None:
    text = "> a < b && [c](http://x.example) `d` ~~~ *e!*\n> ```\n> f\n> ```"
    assert inert(text) == text
