"""Words are asked for by hashes under the team's key; what was written otherwise is made ready."""

import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path
from secrets import token_hex
from threading import Event
from typing import cast

import psycopg
import pytest

from scrubjay.daemon.indexing.embedding_pass import embed_pending
from scrubjay.daemon.indexing.notes_found import NotesFound
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.vault.read import redact_path
from scrubjay.profiles.errors import KeyChanged, StoreBusy, StoreError
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.search.words.analysis import phrase_terms
from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.team import team_schema, word_hashing
from scrubjay.profiles.team.connection import ProfileConnection
from scrubjay.profiles.team.hashed_words import HashedWords
from scrubjay.profiles.team.members import change, change_words_key
from scrubjay.profiles.team.team_key import TeamKeys
from scrubjay.profiles.team.team_schema import create_profile, prepare, versions
from scrubjay.profiles.team.team_store import TeamStore
from scrubjay.profiles.team.word_positions import phrase_query
from tests.helpers.forked import CAN_FORK, forked
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.indexed_vault import index_vault
from tests.helpers.team_server import PROFILE_NAME, TeamDatabase, TeamServer, empty_database
from tests.helpers.waiting import until

KEY, OTHER_KEY = bytes(range(32)), bytes(range(1, 33))
ENCODER = HashEncoder()
FOUND = ("heron", "hero", '"stood there for long"', '"seen at the"', "pond", "鹭")
"""Words, the beginning of one, phrases of a passage and of a heading, a name, and a script without spaces."""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    for place in ("reed", "pond"):
        (folder / f"{place}.md").write_text(f"# Seen at the {place}\n\nA heron 鹭鸟 stood there for long.")
    return folder


def opened(
    folder: Path,
    database: TeamDatabase,
    key: bytes = b"",
    keys: TeamKeys | None = None,
    stays: Callable[[str], bool] = lambda _text: False,
) -> TeamStore:
    password = database.server.passwords["anna"]
    address = database.server.address("anna", database.name)
    return TeamStore.open(folder / "x", address, password, database.profile, stays=stays, keys=keys or TeamKeys(key))


def unfound(store: TeamStore) -> Sequence[str]:
    """The queries that find nothing."""
    searcher = Searcher(lambda: {"team": store}, ENCODER)
    try:
        asked = {query: SearchRequest(query, typing=True, mode="lexical") for query in FOUND}
        return [query for query, request in asked.items() if not searcher.search(request).results]
    finally:
        searcher.close()


def test_a_phrase_is_found_whatever_the_hashes_of_its_words_look_like(
    database: TeamDatabase, vault: Path, tmp_path: Path
) -> None:
    terms = phrase_terms(FOUND[2].strip('"'))
    every = (TeamKeys(number.to_bytes(32, "big")) for number in count())
    keys = next(each for each in every if holds(phrase_query(terms, HashedWords(each).lexeme)))  # one in a hundred
    with closing(opened(tmp_path, database, keys=keys, stays=holds)) as store:
        index_vault(store, vault, ENCODER)
        assert unfound(store) == []


def holds(text: str) -> bool:
    """Whether the filter finds a credential in a text, as a daemon has it for what it sends."""
    return bool(redact_path(text)[1])


def test_the_notes_that_a_search_has_found_are_embedded_without_being_named_to_the_server(
    database: TeamDatabase, vault: Path, tmp_path: Path
) -> None:
    with closing(opened(tmp_path, database, KEY)) as store:
        index_vault(store, vault)
        found = NotesFound()
        found.put(("pond.md",))
        before = len(database.server.log)
        assert embed_pending(store, ENCODER, Progress(), Event(), lambda: None, found=found)
        said = database.server.log[before:]
    assert "pending_embedding" in said
    assert "pond.md" not in said


def let_wait(database: TeamDatabase) -> None:
    """As a new version, or a new key, leaves the words."""
    with database.as_owner(database.profile) as owner:
        owner.execute("INSERT INTO meta (name, value) VALUES (%s, '')", (word_hashing.WAIT,))


@pytest.fixture
def written(database: TeamDatabase, vault: Path, tmp_path: Path) -> TeamDatabase:
    """Notes under the first key."""
    store = opened(tmp_path, database, KEY)
    index_vault(store, vault, ENCODER)
    assert unfound(store) == []
    store.close()
    return database


def test_without_the_key_no_word_is_asked_for_and_a_check_sees_words_that_nobody_would_find(
    written: TeamDatabase, tmp_path: Path
) -> None:
    with closing(opened(tmp_path, written, OTHER_KEY)) as store:
        assert unfound(store) == list(FOUND)
        assert {problem.code for problem in store.phrase_problems()} == {"postings", "fts"}


def test_words_under_another_key_are_hashed_anew_also_after_that_was_interrupted(
    written: TeamDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_wait(written)
    hash_next = word_hashing.hash_next
    goes_well = iter([True, False, True, True, False])  # of six steps, those that go well are not done again

    def stops(connection: ProfileConnection) -> None:
        hash_next(connection)
        if not next(goes_well):
            raise StoreBusy("pulled out")

    with monkeypatch.context() as stopped:
        stopped.setattr(word_hashing, "hash_next", stops)
        for _ in range(2):
            with pytest.raises(StoreBusy):
                opened(tmp_path, written, OTHER_KEY)
    assert finds_all(opened(tmp_path, written, OTHER_KEY))


def finds_all(store: TeamStore) -> bool:
    with closing(store):
        return not unfound(store) and not list(store.phrase_problems())


def turn(database: TeamDatabase, key: bytes) -> TeamKeys:
    """As `scrubjay team new-key` leaves a profile on the server."""
    keys = TeamKeys(KEY, key)
    with database.as_owner() as owner:
        change_words_key(owner, database.profile, keys.words_name, {}, {})
    return keys


def of_words(database: TeamDatabase, keys: TeamKeys) -> set[bool]:
    """Whether the terms of the database have the hashes of these keys."""
    words = HashedWords(keys)
    with database.as_member("anna") as anna:
        rows = anna.execute("SELECT term, term_key, begin_key FROM posting").fetchall()
    return {tuple(hashes) == words.keys(term) for term, *hashes in rows}


def test_who_has_the_key_from_before_reads_and_writes_nothing(written: TeamDatabase, tmp_path: Path) -> None:
    with closing(opened(tmp_path, written, KEY)) as store:
        turn(written, OTHER_KEY)
        assert unfound(store) == list(FOUND)
        assert isinstance(store.away, KeyChanged)
        with pytest.raises(KeyChanged, match="`scrubjay team join`"), store.writing():
            pytest.fail("writing began")
    with pytest.raises(KeyChanged):
        opened(tmp_path, written, KEY)


def test_a_key_that_is_changed_while_somebody_writes_waits_for_that_and_leaves_no_older_hash(
    written: TeamDatabase, tmp_path: Path
) -> None:
    store = opened(tmp_path, written, KEY)
    with ThreadPoolExecutor(1) as pool:
        with store.writing() as writer:
            turning = pool.submit(turn, written, OTHER_KEY)
            waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            with written.as_operator() as operator:
                until(lambda: operator.execute(waits).rowcount > 0)
            connection = cast("ProfileConnection", writer.connection)
            connection.execute(
                "INSERT INTO posting (term, field, shard, entries, term_key, begin_key) VALUES (?, 0, 0, ?, ?, ?)",
                ("plover", b"\x11\x00", *connection.words.keys("plover")),
            )
        keys = turning.result()
    store.close()
    assert of_words(written, TeamKeys(KEY)) == {True}
    opened(tmp_path, written, keys=keys).close()
    assert of_words(written, keys) == {True}


def test_the_server_refuses_what_an_older_program_hashed(written: TeamDatabase) -> None:
    again = [f"UPDATE {table} SET profile = profile".encode() for table in ("posting", "chunk_words", "note_words")]
    with written.as_member("anna") as anna:
        for each in again:
            anna.execute(each)
        keys = turn(written, OTHER_KEY)
        for each in again:
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="update Scrubjay, and join again"):
                anna.execute(each)
        anna.execute("SELECT set_config('scrubjay.words_key', %s, FALSE)", (keys.words_name,))
        for each in again:
            anna.execute(each)


def dies_hashing(folder: Path, address: ServerAddress, password: str, keys: TeamKeys, steps: int) -> None:
    """A program that is killed in the transaction of a step."""
    hash_next, done = word_hashing.hash_next, count(1)

    def dies(connection: ProfileConnection) -> None:
        hash_next(connection)
        if next(done) == steps:
            connection.execute("SELECT 1").fetchall()  # what was sent is done
            os.kill(os.getpid(), signal.SIGKILL)

    word_hashing.hash_next = dies
    TeamStore.open(folder / "x", address, password, 1, keys=keys)


@pytest.mark.skipif(not CAN_FORK, reason="forks")
def test_who_is_killed_while_words_are_hashed_by_another_key_costs_nothing(
    written: TeamDatabase, tmp_path: Path
) -> None:
    keys = turn(written, OTHER_KEY)
    address, password = written.server.address("anna", written.name), written.server.passwords["anna"]
    for steps in (1, 2, 3):
        killed = forked(dies_hashing, tmp_path, address, password, keys, steps)
        killed.join()
        assert killed.exitcode == -signal.SIGKILL
    keys = turn(written, KEY[::-1])  # another laptop is lost meanwhile
    killed = forked(dies_hashing, tmp_path, address, password, keys, 2)
    killed.join()
    assert finds_all(opened(tmp_path, written, keys=keys))
    assert of_words(written, keys) == {True}


def test_a_reader_is_told_who_makes_the_words_ready(written: TeamDatabase, tmp_path: Path) -> None:
    with written.as_owner() as owner:
        change(owner, written.profile, "anna", writes=False)
    let_wait(written)
    with pytest.raises(StoreError, match="`scrubjay team upgrade`"):
        opened(tmp_path, written, KEY)


_OLD_INSERT = "INSERT INTO posting (term, field, shard, entries) VALUES (%s, 0, 0, '\\x1100')"


def test_words_of_the_version_before_are_made_ready_and_a_program_of_it_adds_none(
    team_server: TeamServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"old_{token_hex(4)}"
    empty_database(team_server, name)
    database = TeamDatabase(team_server, name)
    before = versions()[:10]
    with monkeypatch.context() as old, database.as_owner() as owner:
        old.setattr(team_schema, "versions", lambda: before)
        prepare(owner)
        assert create_profile(owner, PROFILE_NAME) == database.profile
    with database.as_owner(database.profile) as owner:
        owner.execute(_OLD_INSERT, ("heron",))
        prepare(owner)
    with database.as_owner(database.profile) as owner:
        with pytest.raises(psycopg.errors.CheckViolation):
            owner.execute(_OLD_INSERT, ("plover",))
        TeamStore.open(
            tmp_path / "x", database.owner, database.owner_password, database.profile, keys=TeamKeys(KEY)
        ).close()
        rows = owner.execute("SELECT term, term_key, begin_key FROM posting").fetchall()
        assert rows == [("heron", *HashedWords(TeamKeys(KEY)).keys("heron"))]
        assert owner.execute("SELECT FROM meta WHERE name = %s", (word_hashing.WAIT,)).rowcount == 0
