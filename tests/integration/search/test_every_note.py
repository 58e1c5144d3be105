"""Nothing that was found is lost: reading on to the end gives the notes that grep finds, and the count says how many.

`test_real_vaults.py` does the same of real vaults.
"""

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.profiles.names import fold
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import FacetValue, Mode, SearchRequest, SearchResponse, Sort
from scrubjay.profiles.store.file_store import FileStore
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.indexed_vault import index_vault
from tests.helpers.stores import NewStore
from tests.integration.search.conftest import fill, note

EVAL = os.environ.get("SCRUBJAY_EVAL") or None
NOTES = 120
COMMON = ("amber", "basalt", "cobalt", "dolomite", "emerald")


def write_vault(folder: Path) -> None:
    """A hundred and twenty notes, of which a few say a word hundreds of times, and most once."""
    chance = random.Random(7)
    for number in range(NOTES):
        said = [word for place, word in enumerate(COMMON) if number % (place + 2) == 0]
        lines = [f"Entry {number} of the {chance.choice(('blue', 'red'))} book."]
        for word in said:
            lines += [
                f"## Part {part}\n\nParagraph {number} about {word}. " * (60 if number % 40 == 0 else 1)
                for part in (1, 2)
            ]
        tags = f"tags: [stone/{'hard' if number % 2 else 'soft'}, year/{2000 + number % 7}]\n"
        front = f"---\n{tags}status: {'open' if number % 3 else 'done'}\n---\n"
        path = folder / ("Stones" if number % 4 else "Ores/Deep") / f"Note {number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(front + "\n\n".join(lines), encoding="utf-8")
        os.utime(path, (1_700_000_000 + number * 86_400, 1_700_000_000 + number * 86_400))
    (folder / "Café.md").write_text("Un café, s'il vous plaît. 算法导论", encoding="utf-8")
    (folder / "cobalt.md").write_text("", encoding="utf-8")


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vault")
    write_vault(folder)
    return folder


@pytest.fixture(scope="module")
def searcher(vault: Path, new_module_store: NewStore) -> Iterator[Searcher]:
    store = new_module_store()
    index_vault(store, vault, HashEncoder())
    made = Searcher(lambda: {"p": store}, HashEncoder())
    yield made
    made.close()


def grep(vault: Path, word: str) -> set[str]:
    """The notes whose file, or its path, says the whole word, whatever its case and accents."""
    whole = re.compile(rf"(?<![^\W_]){re.escape(fold(word))}(?![^\W_])") if word.isascii() else re.compile(fold(word))
    return {
        name
        for path in vault.rglob("*.md")
        for name in [path.relative_to(vault).as_posix()]
        if whole.search(fold(name.removesuffix(".md")))
        or whole.search(fold(path.read_text(encoding="utf-8", errors="replace")))
    }


def pages(searcher: Searcher, request: SearchRequest) -> Iterator[SearchResponse]:
    """Every page, from the first to the last."""
    offset: int | None = 0
    while offset is not None:
        options = {name: getattr(request, name) for name in ("query", "mode", "limit", "sort", "mend")}
        answer = searcher.search(SearchRequest(**options, offset=offset))
        assert answer.next_offset is None or answer.next_offset > offset
        yield answer
        offset = answer.next_offset


def paths(answer: SearchResponse, *, by_words: bool = True) -> list[str]:
    """The notes of a page that hold a word themselves (or all), with those that are named as copies."""
    shown = [result for result in answer.results if not by_words or result.found_by == "words"]
    return [path for result in shown for path in (result.path, *(place.path for place in result.also_in))]


WORDS = (*COMMON, "book", "BLUE", "cafe", "算法", "2003", "soft", "ores", '"red book"', "note 119", "cobalt amber")


@pytest.mark.parametrize(
    ("query", "mode"), [*((query, "lexical") for query in WORDS), *((query, "hybrid") for query in WORDS[4:10])]
)
def test_reading_on_to_the_end_gives_what_grep_finds(vault: Path, searcher: Searcher, query: str, mode: Mode) -> None:
    found = [path for page in pages(searcher, SearchRequest(query, mode=mode, limit=20)) for path in paths(page)]
    whole = [query.strip('"')] if query.startswith('"') else query.split()
    expected = {path for word in whole for path in grep(vault, word)}
    assert (sorted(found), searcher.search(SearchRequest(query, mode=mode)).total_notes) == (
        sorted(expected),
        len(expected),
    )


@pytest.mark.parametrize("query", ["amber stones", "tag:stone/soft"])
@pytest.mark.parametrize("sort", ["relevance", "-modified", "title", "-path"])
def test_pages_of_any_size_are_parts_of_one_order(searcher: Searcher, query: str, sort: Sort) -> None:
    orders = [
        [
            path
            for page in pages(searcher, SearchRequest(query, limit=limit, sort=sort))
            for path in paths(page, by_words=False)
        ]
        for limit in (7, 1000)
    ]
    assert orders[0] == orders[1]
    assert len(set(orders[0])) == len(orders[0])


def test_each_profile_counts_its_own_notes_encrypted_or_not(tmp_path: Path) -> None:
    names = [f"{number}.md" for number in range(3)]
    plain, locked = FileStore.open(tmp_path / "a.sqlite3"), FileStore.open(tmp_path / "b.sqlite3", key=bytes(range(32)))
    for store in (plain, locked):
        fill(store, [*(note(name, f"cobalt {name}") for name in names), note("Other.md", "amber")], HashEncoder())
    both = Searcher(lambda: {"plain": plain, "locked": locked}, HashEncoder())
    found = [path for page in pages(both, SearchRequest("cobalt", limit=2)) for path in paths(page)]
    assert sorted(found) == sorted([*names, *names])
    assert both.search(SearchRequest("cobalt")).total_notes == 6
    alone = both.search(SearchRequest("cobalt", profiles=("locked",), facets=("profile",)))
    assert (alone.total_notes, alone.facets[0].values) == (3, (FacetValue("locked", 3),))
    for each in (both, plain, locked):
        each.close()
