"""Operators that look into lines, paragraphs, sections and tasks, as Obsidian's own search has them."""

from collections.abc import Iterator, Sequence

import pytest

from scrubjay.profiles import cancellation
from scrubjay.profiles.cancellation import RightOfWay, ending_with
from scrubjay.profiles.search.rank.retrieval import USUAL_LIMITS, TimeLimits
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import Mode, SearchRequest, SearchResponse
from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.search.words.note_parts import CutPassage, NoteText
from scrubjay.profiles.store import filter_sql
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.indexed_vault import index_vault
from tests.helpers.stores import NewStore, another
from tests.integration.profiles.notes import bundle

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
def searcher(new_module_store: NewStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("parts")
    (folder / "vault").mkdir()
    for path, text in NOTES.items():
        (folder / "vault" / path).write_text(text, encoding="utf-8")
    store = new_module_store()
    index_vault(store, folder / "vault", HashEncoder())
    made = Searcher(lambda: {"p": store}, HashEncoder())
    yield made
    made.close()


HOLDS = {
    "Plan": 'task:rods; task-todo:(order rods); task-done:gwen; task-todo:""',
    "Log": """line:(heron weir); block:(heron curlew); section:(heron nothing); section:(evening curlew)
line:("curlew called"); line:herons; -line:(heron curlew) path:Log""",
    "Code": r"""line:/ab[cd]-\d{3}/; line:(/abd-\d+/ run); line:/ABC-\d+/; match-case:MaxDepth
line:(match-case:MaxDepth 12)""",
    "Long": "section:(bittern otter)",
    "水": "line:数据",
    "Log Plan": "line:(heron weir) OR task:gate",
    "": """task-todo:(call rods); task-done:peat; line:(heron curlew); block:(heron nothing); section:(heron owls)
section:(filler otter); line:("called curlew"); match-case:Maxdepth; line:(数据 算法); -line:(heron weir) path:Log""",
}


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
@pytest.mark.parametrize("titles", HOLDS)
def test_a_part_of_the_note_must_hold_it_all(searcher: Searcher, titles: str, mode: Mode) -> None:
    for query in HOLDS[titles].replace("\n", "; ").split("; "):
        answer = searcher.search(SearchRequest(query, mode=mode))
        assert sorted(result.title for result in answer.results) == titles.split(), query
        assert (answer.total_notes, answer.warnings) == (len(titles.split()), ())


def test_what_is_no_pattern_is_told_and_one_takes_no_longer_than_its_text(searcher: Searcher) -> None:
    asked = {"line:/a(b/": ["bad-regex"], "line:(/(?=a)b/)": ["bad-regex"], "line:/(a+)+(e+)+(r+)+$/": []}
    warnings = {query: searcher.search(SearchRequest(query, mode="lexical")).warnings for query in asked}
    assert {query: [each.code for each in told] for query, told in warnings.items()} == asked


def test_the_words_of_a_part_are_marked(searcher: Searcher) -> None:
    [result] = searcher.search(SearchRequest("line:(heron weir)", mode="lexical")).results
    assert {result.snippet[start:end] for start, end in result.highlights} == {"heron", "weir"}


@pytest.fixture(scope="module")
def large(new_module_store: NewStore) -> Store:
    """500 notes, of which each second one says heron and weir in one line."""
    store = new_module_store()
    with store.writing() as writer:
        for number in range(500):
            text = f"The heron stood at the weir {number}." if number % 2 else f"A heron.\n\nThe weir {number}."
            writer.put_note(bundle(f"{number}.md", text, mtime_ns=number + 1))
    return store


class Watch:
    """A clock that stands still, but for the seconds that each look at it takes."""

    def __init__(self, seconds_a_look: float) -> None:
        self.now = 0.0
        self.step = seconds_a_look

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def searched(store: Store, query: str, seconds_a_look: float) -> SearchResponse:
    store.release_memory()  # nothing is known of an earlier search
    searcher = Searcher(lambda: {"p": store}, HashEncoder(), limits=TimeLimits(seconds=Watch(seconds_a_look)))
    try:
        return searcher.search(SearchRequest(query, mode="lexical", limit=500))
    finally:
        searcher.close()


@pytest.mark.parametrize("query", ["line:(heron weir)", "line:(heron weir) heron", "-line:(heron weir) path:.md"])
def test_operators_that_read_texts_stop_in_time_and_say_how_far_they_came(large: Store, query: str) -> None:
    whole, stopped = searched(large, query, 0.0), searched(large, query, USUAL_LIMITS.parts / 2)
    assert (whole.total_notes, whole.notices) == (250, ())
    [notice] = stopped.notices
    assert notice.code == "unfinished"
    assert "Stopped after 2 seconds; 16 of 500 notes were looked at" in notice.text
    assert stopped.total_notes == 8
    assert {hit.path for hit in stopped.results} < {hit.path for hit in whole.results}
    assert min(int(hit.path.removesuffix(".md")) for hit in stopped.results) >= 484  # the newest were looked at first


def test_the_time_is_that_of_all_profiles_together(large: Store) -> None:
    large.release_memory()
    other = another(large)
    searcher = Searcher(
        lambda: {"p": large, "q": other}, HashEncoder(), limits=TimeLimits(seconds=Watch(USUAL_LIMITS.parts / 64))
    )
    [notice] = searcher.search(SearchRequest("line:heron", mode="lexical")).notices
    searcher.close()
    other.close()
    assert "996 of 1,000 notes" in notice.text


@pytest.mark.parametrize("query", ["line:(heron weir)", "line:(heron weir) heron"])
def test_later_pages_are_of_the_notes_that_the_first_looked_at(large: Store, query: str) -> None:
    large.release_memory()
    seconds = Watch(USUAL_LIMITS.parts / 16)
    searcher = Searcher(lambda: {"p": large}, HashEncoder(), limits=TimeLimits(seconds=seconds))
    first = searcher.search(SearchRequest(query, mode="lexical", limit=40))
    pages, later = [first], iter([0.0, USUAL_LIMITS.parts])  # one has time for all, one for none
    while (offset := pages[-1].next_offset) is not None:
        seconds.step = next(later)
        pages.append(searcher.search(SearchRequest(query, mode="lexical", limit=40, offset=offset)))
    paths = [hit.path for page in pages for hit in page.results]
    assert [page.total_notes for page in pages] == [120] * 3
    assert len(paths) == len(set(paths)) == 120
    seconds.step = USUAL_LIMITS.parts / 16
    assert searcher.search(SearchRequest(query, mode="lexical")).total_notes == 240  # asked anew, it goes on
    searcher.close()


def test_what_other_filters_leave_out_is_not_looked_at(large: Store) -> None:
    stopped = searched(large, "line:(heron weir) path:49", USUAL_LIMITS.parts / 2)
    assert (stopped.notices, stopped.total_notes) == ((), 10)


def characters_tokenised(store: Store, query: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How much of the notes one search tokenises."""
    counted = 0
    tokenize = analysis.tokenize

    def counting(text: str) -> list[str]:
        nonlocal counted
        counted += len(text) if "heron" in text else 0
        return tokenize(text)

    with monkeypatch.context() as patch:
        patch.setattr(analysis, "tokenize", counting)
        assert searched(store, query, 0.0).warnings == ()
    return counted


@pytest.mark.parametrize(("operator", "between"), [("line", " "), ("line", " OR "), ("section", " ")])
def test_texts_are_tokenised_once_however_many_operators_look_into_them(
    large: Store, operator: str, between: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = ("heron weir", "weir heron", "heron weir the", "the heron weir", "weir the heron")  # all in half the notes
    asked = [f"{operator}:({words})" for words in wanted]
    one = characters_tokenised(large, asked[0], monkeypatch)
    assert one > 0
    assert characters_tokenised(large, between.join(asked), monkeypatch) < 1.5 * one


class Steps(RightOfWay):
    """Counts what is done between two questions whether other work has the right of way."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0
        self.most = 0
        self.all = 0

    def add(self, size: int) -> None:
        self.now += size
        self.all += size
        self.most = max(self.most, self.now)

    def give(self) -> None:
        self.now = 0


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[Steps]:
    monkeypatch.setattr(cancellation, "_LEAST_WORK", 0.0)
    steps = Steps()
    with ending_with(None, gives=steps):
        yield steps


def test_between_two_pauses_the_texts_of_few_notes_are_read(
    large: Store, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    def counted(passages: Sequence[CutPassage]) -> NoteText:
        steps.add(1)
        return NoteText(passages)

    monkeypatch.setattr(filter_sql, "NoteText", counted)
    assert searched(large, "line:(heron weir)", 0.0).total_notes == 250
    assert steps.all == 500
    assert steps.most <= 20


@pytest.fixture(scope="module")
def long_section(new_module_store: NewStore) -> Store:
    """One note that says curlew and weir at its beginning, and heron at its end, 290,000 characters later."""
    store = new_module_store()
    lines = ["The curlew at the weir.", *["A line of reeds and of readReeds, of no account."] * 6_000, "A heron."]
    passages = ["\n".join(lines[start : start + 60]) for start in range(0, len(lines), 60)]
    with store.writing() as writer:
        writer.put_note(bundle("Long.md", *passages))
    return store


@pytest.mark.parametrize(
    ("words", "all_of_it"),
    [("curlew weir", False), ("curlew heron", False), ('"the curlew" weir', False), ('"the curlew" heron', True)],
)
def test_between_two_pauses_little_text_is_tokenised_and_none_after_what_was_sought(
    long_section: Store, words: str, all_of_it: bool, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenize = analysis.tokenize

    def counted(text: str) -> list[str]:
        steps.add(len(text) if "\n" in text else 0)
        return tokenize(text)

    monkeypatch.setattr(analysis, "tokenize", counted)
    assert searched(long_section, f"section:({words})", 0.0).total_notes == 1
    assert 0 < steps.most < 10_000
    assert (steps.all > 290_000) == all_of_it
    assert all_of_it or steps.all < 10_000
