"""One search over a profile of one's own and a team's, whose digests have different keys."""

import os
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.indexing.embedding_pass import embed_pending
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.indexing.prepare import PrepareContext
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.vault.read import ReadLimits
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest, SearchResponse
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder

OWN, TEAM = b"o" * 32, b"t" * 32
ENCODER = HashEncoder()
WORDS = st.lists(
    st.sampled_from(["heron", "otter", "reed", "pond", "fish", "bank", "stood", "slept"]), min_size=3, max_size=9
)
NOTES = st.lists(WORDS.map(" ".join), min_size=1, max_size=8, unique=True)
CONTEXT = PrepareContext(OWN, BUILT_IN, lambda texts: [len(text.split()) for text in texts], 100)


def indexed(folder: Path, name: str, notes: Mapping[str, str], key: bytes) -> Store:
    """A store of some notes; with the team's key it is taken for a team's."""
    root = folder / name
    root.mkdir()
    for path, text in notes.items():
        (root / path).write_text(text)
        os.utime(root / path, (1, 1))
    store = FileStore.open(folder / f"{name}.sqlite3")
    vault = VaultFolder(id=name.ljust(8, "0"), root=str(root), name=name, allow=(".",))
    indexer = Indexer([vault], store, replace(CONTEXT, key=key), Progress(), ReadLimits())
    indexer.reconcile(threading.Event())
    embed_pending(store, ENCODER, Progress(), threading.Event(), lambda: None)
    store.digest_scope = "team" if key == TEAM else ""
    return store


def answer(query: str, **stores: Store) -> SearchResponse:
    searcher = Searcher(lambda: stores, ENCODER)
    try:
        return searcher.search(SearchRequest(query, limit=20))
    finally:
        searcher.close()


@given(NOTES, NOTES, st.sampled_from(["heron", "otter pond", "fish slept bank", "reed"]))
@settings(max_examples=15, deadline=None)
def test_a_search_over_both_answers_as_if_they_had_one_key(own: list[str], shared: list[str], query: str) -> None:
    mine = {f"own {number}.md": text for number, text in enumerate([*own, *shared[::2]])}
    theirs = {f"team {number}.md": text for number, text in enumerate(shared)}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        stores = [indexed(folder, "own", mine, OWN), indexed(folder, "team", theirs, TEAM)]
        stores.append(indexed(folder, "same", theirs, OWN))
        two_keys = answer(query, own=stores[0], team=stores[1])
        one_key = answer(query, own=stores[0], team=stores[2])
        for store in stores:
            store.close()
    assert two_keys.unanswered == one_key.unanswered == ()
    scores = [round(each.score, 9) for each in two_keys.results]
    assert scores == [round(each.score, 9) for each in one_key.results]
    found = {(each.path, round(each.score, 9)) for each in two_keys.results}
    assert {text(each.path, mine | theirs) for each in two_keys.results} == {
        text(each.path, mine | theirs) for each in one_key.results
    }
    assert len({text(path, mine | theirs) for path, _ in found}) == len(found)


def text(path: str, notes: Mapping[str, str]) -> str:
    return notes[path]


def test_a_note_that_both_have_is_found_once_and_says_where_else_it_is(tmp_path: Path) -> None:
    own = indexed(tmp_path, "own", {"Heron.md": "A heron stood in the reed.", "Otter.md": "An otter slept."}, OWN)
    team = indexed(tmp_path, "team", {"Bird.md": "A heron stood in the reed.", "Fish.md": "Fish in the pond."}, TEAM)
    response = answer("heron reed", own=own, team=team)
    found = [each for each in response.results if each.snippet.startswith("A heron")]
    assert len(found) == 1
    places = {(found[0].profile, found[0].path), *((place.profile, place.path) for place in found[0].also_in)}
    assert places == {("own", "Heron.md"), ("team", "Bird.md")}
    own.close()
    team.close()


def test_a_store_that_fails_to_give_its_texts_keeps_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = indexed(tmp_path, "own", {"Heron.md": "A heron stood in the reed."}, OWN)
    team = indexed(tmp_path, "team", {"Bird.md": "Two herons."}, TEAM)
    expected = {each.path for each in answer("heron", own=own, team=team).results}

    read = team.read

    def no_texts(function: Callable[..., object], *arguments: object) -> object:
        return {} if function is reads.texts else read(function, *arguments)

    monkeypatch.setattr(team, "read", no_texts)
    assert {each.path for each in answer("heron", own=own, team=team).results} == expected == {"Heron.md", "Bird.md"}
    own.close()
    team.close()
