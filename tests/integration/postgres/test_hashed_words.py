"""Words are asked for by hashes under the team's key; what was written otherwise is made ready."""

from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex

import psycopg
import pytest

from scrubjay.profiles.errors import StoreBusy, StoreError
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.team import team_schema, word_hashing
from scrubjay.profiles.team.connection import ProfileConnection
from scrubjay.profiles.team.hashed_words import HashedWords
from scrubjay.profiles.team.members import change
from scrubjay.profiles.team.team_schema import create_profile, prepare, versions
from scrubjay.profiles.team.team_store import TeamStore
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.indexed_vault import index_vault
from tests.helpers.team_server import PROFILE_NAME, TeamDatabase, TeamServer, empty_database

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


def opened(folder: Path, database: TeamDatabase, key: bytes, member: str = "anna") -> TeamStore:
    password = database.server.passwords[member]
    address = database.server.address(member, database.name)
    return TeamStore.open(folder / "x", address, password, database.profile, key=key)


def unfound(store: TeamStore) -> Sequence[str]:
    """The queries that find nothing."""
    searcher = Searcher(lambda: {"team": store}, ENCODER)
    try:
        asked = {query: SearchRequest(query, typing=True, mode="lexical") for query in FOUND}
        return [query for query, request in asked.items() if not searcher.search(request).results]
    finally:
        searcher.close()


def let_wait(database: TeamDatabase) -> None:
    """As a new version, or a new key, leaves the words."""
    with database.as_owner(database.profile) as owner:
        owner.execute("INSERT INTO meta (name, value) VALUES (%s, '')", (word_hashing.WAIT,))


@pytest.fixture
def written(team_database: TeamDatabase, vault: Path, tmp_path: Path) -> TeamDatabase:
    """Notes under the first key."""
    team_database.add_member("anna", team_database.profile)
    store = opened(tmp_path, team_database, KEY)
    index_vault(store, vault, ENCODER)
    assert unfound(store) == []
    store.close()
    return team_database


def test_without_the_key_no_word_is_asked_for(written: TeamDatabase, tmp_path: Path) -> None:
    store = opened(tmp_path, written, OTHER_KEY)
    assert unfound(store) == list(FOUND)
    store.close()


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
    store = opened(tmp_path, written, OTHER_KEY)
    assert unfound(store) == []
    assert list(store.phrase_problems()) == []
    store.close()


def test_a_reader_is_told_who_makes_the_words_ready(written: TeamDatabase, tmp_path: Path) -> None:
    with written.as_owner() as owner:
        change(owner, written.profile, "anna", writes=False)
    let_wait(written)
    with pytest.raises(StoreError, match="`scrubjay team upgrade`"):
        opened(tmp_path, written, KEY)


def test_a_check_sees_words_that_nobody_would_find(written: TeamDatabase, tmp_path: Path) -> None:
    store = opened(tmp_path, written, OTHER_KEY)
    assert {problem.code for problem in store.phrase_problems()} == {"postings", "fts"}
    store.close()


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
        TeamStore.open(tmp_path / "x", database.owner, database.owner_password, database.profile, key=KEY).close()
        rows = owner.execute("SELECT term, term_key, begin_key FROM posting").fetchall()
        assert rows == [("heron", *HashedWords(KEY).keys("heron"))]
        assert owner.execute("SELECT FROM meta WHERE name = %s", (word_hashing.WAIT,)).rowcount == 0
