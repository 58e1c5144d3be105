"""A question finds the note that says it in one place before one that holds its words here and there."""

import pytest

from tests.integration.search.conftest import Over, note, paths

ITEMS = ("messaging library, messaging", "a broker, the broker", "distributed")
LIST = "\n".join(f"- [{item}](https://example.org)" for item in ITEMS)
TABLE = "| what | where |\n| --- | --- |\n" + "\n".join(f"| {item} | here |" for item in ITEMS)
ANSWER = "Kestrel is a messaging library that needs no broker.\n\nIt was written in a winter and has many users."


@pytest.mark.parametrize("elsewhere", [LIST, TABLE], ids=["list", "table"])
def test_words_of_several_items_or_rows_do_not_make_an_answer(over: Over, elsewhere: str) -> None:
    others = (note(f"Other {number}.md", f"Something else about day {number}.") for number in range(20))
    searcher = over(note("Elsewhere.md", elsewhere), note("Kestrel.md", ANSWER), *others)
    assert paths(searcher, "messaging library broker", mode="lexical") == ["Kestrel.md", "Elsewhere.md"]
