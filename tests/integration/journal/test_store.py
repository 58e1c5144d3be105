"""The journal's tables in a real store: appended, found, forgotten, and left alone by everything else."""

import secrets
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.journal.entries import EntryFilter, Journal, JournalEntry, analyse_anew
from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.store import integrity_check as integrity
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.migrations import scripts
from scrubjay.profiles.store.sqlite import connect
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.stores import NewStore, either_kind

__all__ = ["either_kind"]

ENCODER = HashEncoder()
MODEL = ENCODER.spec.fingerprint


def entry(number: int, text: str, *tags: str) -> JournalEntry:
    return JournalEntry(f"{number:012x}", number * 1_000, "agent", "c1", tags, text)


def filled(store: Store) -> Journal:
    journal = Journal(store)
    for number, text in enumerate(
        ("The ferry leaves at nine", "Ada prefers tabs", "日本語の研究ノート", "Ferries are late")
    ):
        journal.append(entry(number, text, "travel/sea" if "erry" in text else "habit"))
    journal.put_vectors(MODEL, {each.key: ENCODER.embed_query(each.text) for each in journal.log(10)})
    return journal


def texts(found: list[JournalEntry]) -> list[str]:
    return [each.text for each in found]


def test_the_log_is_newest_first_and_bounded_by_time(store: Store) -> None:
    journal = filled(store)
    assert texts(journal.log(2)) == ["Ferries are late", "日本語の研究ノート"]
    assert texts(journal.log(10, since_ns=1_000, until_ns=3_000)) == ["日本語の研究ノート", "Ada prefers tabs"]


def test_words_find_entries_and_are_never_syntax(store: Store) -> None:
    ferry, ada, japanese, ferries = (
        "The ferry leaves at nine",
        "Ada prefers tabs",
        "日本語の研究ノート",
        "Ferries are late",
    )
    said = {
        "ferry": {ferry, ferries},
        "FERRIES nine": {ferry, ferries},
        "研究": {japanese},
        "habit": {ada, japanese, ferries},
        '" OR terms:': set[str](),
        "": set[str](),
        "the of": {ferry},
    }
    journal = filled(store)
    assert {query: set(texts([hit.entry for hit in journal.by_words(query, 10)])) for query in said} == said


def test_meaning_finds_the_nearest_first_and_only_in_its_own_model(store: Store) -> None:
    journal = filled(store)
    hits = journal.by_meaning(MODEL, ENCODER.embed_query("prefers tabs Ada"), 2)
    assert hits[0].entry.text == "Ada prefers tabs"
    assert hits[0].score == pytest.approx(1.0, abs=1e-5)
    assert journal.by_meaning("another", ENCODER.embed_query("Ada"), 2) == []
    assert len(journal.without_vector("another", 10)) == 4
    assert journal.without_vector(MODEL, 10) == []


def test_what_is_forgotten_is_found_by_nothing_and_its_bytes_are_gone(store: Store) -> None:
    journal = filled(store)
    assert journal.forget([entry(1, "").key, "f" * 12]) == 1
    assert journal.get(entry(1, "").key) is None
    assert journal.by_words("tabs", 10) == []
    near = journal.by_meaning(MODEL, ENCODER.embed_query("Ada prefers tabs"), 10)
    assert "Ada prefers tabs" not in texts([hit.entry for hit in near])
    assert journal.prune(3_000) == 2
    assert texts(journal.log(10)) == ["Ferries are late"]


def test_what_is_forgotten_leaves_no_byte_in_the_file(file_store: FileStore) -> None:
    journal = filled(file_store)
    assert journal.forget([entry(1, "").key]) == 1
    file_store.close()
    assert b"tabs" not in file_store.path.read_bytes()


def test_an_entry_never_changes(store: Store) -> None:
    filled(store)
    with (
        pytest.raises((apsw.ConstraintError, StoreError), match=r"never changes|RaiseException"),
        store.writing() as writer,
    ):
        writer.connection.execute("UPDATE journal SET text = 'other'").fetchall()
    with pytest.raises(ValueError, match="taken"):
        Journal(store).append(entry(1, "again"))


def test_check_and_repair_leave_the_journal_alone(store: Store) -> None:
    journal = filled(store)
    before = journal.log(10)
    with store.writing() as writer:
        writer.connection.execute("UPDATE meta SET value = '7' WHERE name = 'chunks'")
    assert integrity.check(store) != ()
    assert integrity.repair(store) == ()
    with store.writing() as writer:
        analyse_anew(writer.connection)
        writer.forget_notes([1, 2, 3])
    assert integrity.check(store) == ()
    assert journal.log(10) == before
    assert [hit.entry.text for hit in journal.by_words("tabs", 10)] == ["Ada prefers tabs"]


def test_a_store_of_the_first_version_gets_a_journal_and_keeps_what_it_had(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    old = connect(path, None, "writer")
    old.execute(scripts()[0]).fetchall()
    old.pragma("application_id", 0x53634A79)
    old.pragma("user_version", 1)
    old.execute("INSERT INTO meta VALUES ('mine', 'kept')")
    old.close()
    store = FileStore.open(path)
    assert store.read(reads.meta, "mine") == "kept"
    assert len(filled(store)) == 4
    store.close()


@pytest.fixture(scope="module")
def shared(new_module_store: NewStore) -> Journal:
    return Journal(new_module_store())


@settings(deadline=None, max_examples=50)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200), st.text(max_size=60))
def test_any_text_is_saved_as_it_is_found_by_its_words_and_any_query_is_answered(
    shared: Journal, module_store_kind: str, text: str, query: str
) -> None:
    if module_store_kind == "team":
        text = text.replace("\0", "\ufffd")  # PostgreSQL has no text for it
    saved = JournalEntry(secrets.token_hex(6), 5, "agent", "c1", (), text)
    shared.append(saved)
    assert shared.get(saved.key) == saved
    shared.by_words(query, 10)
    if analysis.query_terms(text):
        assert saved in [hit.entry for hit in shared.by_words(text, 1_000)]
    shared.forget([saved.key])


def test_what_held_at_a_time_is_told_by_its_beginning_its_end_and_what_replaced_it(store: Store) -> None:
    journal = Journal(store)
    journal.append(replace(entry(1, "the spot is 12"), valid_to_ns=9_000))
    journal.append(entry(2, "the spot is 30"))
    journal.append(replace(entry(3, "the spot is 47"), valid_from_ns=8_000), entry(2, "").key)

    def held(at_ns: int, *, begun: bool = True) -> list[str]:
        hits = journal.by_words("spot", 10, EntryFilter(at_ns=at_ns, begun=begun))
        return sorted(hit.entry.text.removeprefix("the spot is ") for hit in hits)

    assert [held(at) for at in (500, 1_000, 7_999, 8_000, 9_000)] == [[], ["12"], ["12", "30"], ["12", "47"], ["47"]]
    assert held(7_000, begun=False) == ["12", "30", "47"]
    assert [hit.entry.text for hit in journal.by_words("spot", 10)] == ["the spot is 47"]


def test_the_same_words_of_another_time_are_another_entry(store: Store) -> None:
    journal = Journal(store)
    said = replace(entry(1, "the spot is 12"), valid_from_ns=5, valid_to_ns=9)
    journal.append(said)
    assert journal.said_before(replace(said, key="f" * 12)) == said
    assert journal.said_before(replace(said, valid_to_ns=None)) is None
