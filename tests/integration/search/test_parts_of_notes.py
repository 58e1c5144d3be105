"""Operators that look into lines, paragraphs, sections and tasks, as Obsidian's own search has them."""

from collections.abc import Iterator

import pytest

from scrubjay.daemon.search.searcher import Searcher
from scrubjay.daemon.search.types import SearchRequest
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.indexed_vault import index_vault

NOTES = {
    "Plan.md": "# Plan\n\n- [ ] order the peat rods\n- [x] call Gwen about the rods\n- [/] paint the gate\n",
    "Log.md": "# Log\n\nThe heron stood at the weir.\nA curlew called.\n\nNothing more that day.\n\n"
    "## Evening\n\nOwls, and the curlew again.\n",
    "Code.md": "# Code\n\nSet MaxDepth to 12 and maxdepth to nothing.\n\nRun abc-123 and abd-77.\n",
    "Long.md": "# Long\n\n"
    + "".join(f"## Part {n}\n\n" + f"Filler number {n} about reeds. " * 40 + "\n\n" for n in range(6))
    + "## Last\n\nThe bittern booms.\n\nThe otter swims.\n",
    "水.md": "# 水\n\n数据 结构。\n\n算法 导论。\n",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("parts")
    (folder / "vault").mkdir()
    for path, text in NOTES.items():
        (folder / "vault" / path).write_text(text, encoding="utf-8")
    store = Store.open(folder / "index.sqlite3")
    index_vault(store, folder / "vault", HashEncoder())
    made = Searcher(lambda: {"p": store}, HashEncoder())
    yield made
    made.close()
    store.close()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("task:rods", ["Plan"]),
        ("task-todo:rods", ["Plan"]),
        ("task-todo:(order rods)", ["Plan"]),
        ("task-todo:(call rods)", []),
        ("task-done:gwen", ["Plan"]),
        ("task-done:peat", []),
        ('task-todo:""', ["Plan"]),
        ("line:(heron weir)", ["Log"]),
        ("line:(heron curlew)", []),
        ("block:(heron curlew)", ["Log"]),
        ("block:(heron nothing)", []),
        ("section:(heron nothing)", ["Log"]),
        ("section:(heron owls)", []),
        ("section:(evening curlew)", ["Log"]),
        ("section:(bittern otter)", ["Long"]),
        ("section:(filler otter)", []),
        ('line:("curlew called")', ["Log"]),
        ('line:("called curlew")', []),
        ("line:herons", ["Log"]),
        ("line:/ab[cd]-\\d{3}/", ["Code"]),
        ("line:(/abd-\\d+/ run)", ["Code"]),
        ("line:/ABC-\\d+/", ["Code"]),
        ("match-case:MaxDepth", ["Code"]),
        ("match-case:Maxdepth", []),
        ("line:(match-case:MaxDepth 12)", ["Code"]),
        ("line:数据", ["水"]),
        ("line:(数据 算法)", []),
        ("-line:(heron weir) path:Log", []),
        ("-line:(heron curlew) path:Log", ["Log"]),
        ("line:(heron weir) OR task:gate", ["Log", "Plan"]),
    ],
)
def test_a_part_of_the_note_must_hold_it_all(searcher: Searcher, query: str, expected: list[str]) -> None:
    for mode in ("lexical", "hybrid"):
        answer = searcher.search(SearchRequest(query, mode=mode))
        assert sorted(result.title for result in answer.results) == expected, mode
        assert (answer.total_notes, answer.warnings) == (len(expected), ())


@pytest.mark.parametrize("query", ["line:/a(b/", "line:(/(?=a)b/)"])
def test_what_is_no_pattern_is_told(searcher: Searcher, query: str) -> None:
    assert [warning.code for warning in searcher.search(SearchRequest(query)).warnings] == ["bad-regex"]


def test_a_pattern_takes_no_longer_than_its_text(searcher: Searcher) -> None:
    assert searcher.search(SearchRequest("line:/(a+)+(e+)+(r+)+$/", mode="lexical")).warnings == ()


def test_the_words_of_a_part_are_marked(searcher: Searcher) -> None:
    [result] = searcher.search(SearchRequest("line:(heron weir)", mode="lexical")).results
    assert {result.snippet[start:end] for start, end in result.highlights} == {"heron", "weir"}
