"""What one edit of many notes says of the places that it would change."""

import pytest

from scrubjay.daemon.review.changes.result_edit import ResultEdit

FERRY = ResultEdit(action="replace", find="ferry", after="boat")


@pytest.mark.parametrize(
    ("text", "in_links"),
    [
        pytest.param("[[ferry]]", 1, id="a note"),
        pytest.param("[[Coast#The ferry|ferry]]", 1, id="a heading, and not what is shown"),
        pytest.param("[[#ferry]] and ![[Coast#^ferry]]", 2, id="a heading of this note, a block"),
        pytest.param("| [[Coast\\|ferry]] |", 0, id="what is shown in a table"),
        pytest.param("[ferry](../Coast.md#ferry)", 1, id="a heading behind a path"),
        pytest.param("[ferry](https://a.example/ferry)", 1, id="an address"),
        pytest.param("[c]: <the ferry.md>", 1, id="a definition"),
        pytest.param("<https://a.example/ferry> <mailto:ferry@a.example>", 2, id="addresses in angles"),
        pytest.param("See https://ferry.example/ferry?to=ferry, ferry.", 3, id="an address in the text"),
        pytest.param("(obsidian://open?file=ferry)", 1, id="an address of Obsidian"),
        pytest.param('<a title="ferry" href="ferry.html">ferry</a> <img SRC = \'ferry.png\'>', 2, id="HTML"),
        pytest.param("`[[ferry]]` `https://a.example/ferry`\n\n    <https://ferry.example>\n", 0, id="code"),
        pytest.param("A ferry: //, <ferry>, [ferry], ferry.", 0, id="no link"),
    ],
)
def test_it_counts_where_a_link_leads_elsewhere_then(text: str, in_links: int) -> None:
    assert FERRY.asides(text, str) == (in_links, 0)
