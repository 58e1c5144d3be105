"""Questions drafted from names of notes, and asked of a copy of the index that lacks these names."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from scrubjay.daemon.cli.notes.evaluate import copy_of, draft, searching_hidden
from scrubjay.profiles.search.evaluation import GoldenQuery
from scrubjay.profiles.search.meaning.vectors import vectors_of
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import LinkRow, NoteBundle
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.integration.search.conftest import MakeStore, encoder, make_store, note

__all__ = ["encoder", "make_store"]


def heron() -> NoteBundle:
    bundle = note("Heron.md", "stands still and catches eels", "nests in tall trees")
    chunks = (bundle.chunks[0], msgspec.structs.replace(bundle.chunks[1], headings=("Where it breeds",)))
    return replace(bundle, note=replace(bundle.note, aliases=("zephyr gangler", "Heron")), chunks=chunks)


def log() -> NoteBundle:
    links = (LinkRow("Heron", "wiki", 1, text="our old fisher"), LinkRow("Heron", "wiki", 2, text="Heron"))
    return replace(note("Log.md", "saw it again"), links=links)


def noise() -> list[NoteBundle]:
    return [note(f"{n}.md", f"water level {n} at the weir") for n in range(8)]


@pytest.fixture
def store(make_store: MakeStore) -> Store:
    made = make_store(heron(), log(), *noise())
    with made.writing() as writer:
        writer.refresh_anchors()
    return made


def found(store: Store, encoder: HashEncoder, query: str) -> list[str]:
    searcher = Searcher(lambda: {"p": store}, encoder)
    results = searcher.search(SearchRequest(query, mode="lexical")).results
    searcher.close()
    return [result.path for result in results]


def test_each_note_is_asked_for_by_what_it_alone_is_called_beside_its_title(make_store: MakeStore) -> None:
    secret = replace(note("S.md", "x"), note=replace(note("S.md", "x").note, aliases=("[REDACTED:api-key] of ours",)))
    twins = [
        replace(note(f"T{n}.md", "x"), note=replace(note(f"T{n}.md", "x").note, aliases=("twin one",))) for n in "12"
    ]
    made = make_store(heron(), secret, *twins)
    assert [(each.query, each.kind, each.notes, each.hidden) for each in draft(made, 9)] == [
        ("zephyr gangler", "alias", ("Heron.md",), True)
    ]


@pytest.mark.parametrize("store_kind", ["file"])  # it is files that are copied
@pytest.mark.parametrize("kind", ["alias", "link", "heading"])
def test_a_name_that_is_hidden_finds_nothing_in_the_copy_which_goes_and_stays_in_the_index(
    store: Store, encoder: HashEncoder, kind: str
) -> None:
    asked = {"alias": "zephyr gangler", "link": "our old fisher", "heading": "Where it breeds"}[kind]
    question = GoldenQuery(asked, ("Heron.md",), kind, hidden=True)
    assert found(store, encoder, asked)[:1] == ["Heron.md"]
    left = store.path.with_name(f"{store.path.name}.evaluation")
    left.write_bytes(b"of a crash")
    with copy_of(store.path, None) as copy:
        assert copy.path == left
        with searching_hidden(copy, [question], encoder, "lexical", 10) as search:
            assert search(asked) == []
            assert search("catches eels") == ["Heron.md"]
        assert copy.pending_count(encoder.spec.fingerprint) == 0
        assert len(copy.read(vectors_of, tuple(copy.note_digests(1)))) == 2
    assert list(left.parent.glob("*.evaluation*")) == []
    assert found(store, encoder, asked)[:1] == ["Heron.md"]


def test_an_encrypted_index_is_copied_under_its_key(tmp_path: Path) -> None:
    key = bytes(range(32))
    store = FileStore.open(tmp_path / "index.sqlite3", key=key)
    with store.writing() as writer:
        writer.put_note(heron())
    with copy_of(store.path, key) as copy:
        assert copy.path.read_bytes()[:15] != b"SQLite format 3"
        assert [each.query for each in draft(copy, 5)] == ["zephyr gangler"]
    store.close()
