"""Facts that changed: of two entries that contradict each other the newer is recalled first."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.engine.journals import Author, Journals, Replaces
from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store.file_store import FileStore

PAIRS = [json.loads(line) for line in Path(__file__).with_name("contradictions.jsonl").read_text("utf-8").splitlines()]
PROFILE = Profile(id="0" * 12, name="work", colour="#000000")
ME = Author("me", "c1")
LEAST = 16


@pytest.fixture
def journals(tmp_path: Path, embedder: InProcessEmbedder) -> Iterator[Journals]:
    store = FileStore.open(tmp_path / "index.sqlite3")
    clock = iter(range(1, 10_000))
    yield Journals(embedder, lambda _: store, lambda _: BUILT_IN, lambda: next(clock))
    store.close()


def newer_first(journals: Journals) -> int:
    found = [journals.recall((PROFILE,), pair["query"], 1)[0].entry.text for pair in PAIRS]
    return sum(text == pair["newer"] for text, pair in zip(found, PAIRS, strict=True))


def test_without_being_told_the_newer_of_two_contradicting_entries_mostly_comes_first(journals: Journals) -> None:
    for age in ("older", "newer"):
        for pair in PAIRS:
            journals.save(PROFILE, ME, pair[age])
    assert newer_first(journals) >= LEAST


def test_what_was_replaced_is_never_recalled_and_stays_in_the_log(journals: Journals) -> None:
    older = [journals.save(PROFILE, ME, pair["older"]).entry.key for pair in PAIRS]
    for pair, key in zip(PAIRS, older, strict=True):
        journals.save(PROFILE, ME, pair["newer"], replaces=Replaces(key, ME.client))
    assert newer_first(journals) == len(PAIRS)
    assert {entry.key for _, entry in journals.log((PROFILE,), 100) if entry.replaced_by} == set(older)


def test_saving_the_same_again_is_no_second_entry_and_what_is_alike_is_named(journals: Journals) -> None:
    first = journals.save(PROFILE, ME, PAIRS[0]["older"])
    again = journals.save(PROFILE, ME, PAIRS[0]["older"])
    assert (again.refreshed, again.entry.key, len(journals.log((PROFILE,), 9))) == (True, first.entry.key, 1)
    assert again.entry.at_ns > first.entry.at_ns
    newer = journals.save(PROFILE, ME, PAIRS[0]["newer"])
    assert [entry.key for entry in newer.alike] == [first.entry.key]
