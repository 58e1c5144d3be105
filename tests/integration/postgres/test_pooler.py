"""A pooler before the server: PgBouncer in the modes that the documentation allows."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.store import reads
from scrubjay.profiles.team.administration import connected, keys_for
from scrubjay.profiles.team.connection import ProfileConnection
from scrubjay.profiles.team.hashed_words import HashedWords
from scrubjay.profiles.team.known_notes import KnownNotes
from scrubjay.profiles.team.members import grant, put_key
from scrubjay.profiles.team.team_key import NO_KEYS, Invitation, TeamKeys, new_key, new_secret, wrap
from scrubjay.profiles.team.team_schema import create_profile, give_grants
from scrubjay.profiles.team.team_store import TeamStore
from tests.faults.team_worker import bring_in
from tests.helpers.pooler import POOLER_PORT, POOLER_PROGRAM, pooler
from tests.helpers.team_server import TeamDatabase, fresh_database, prepare_template, running_server
from tests.integration.postgres.test_keeping_up import restore_under

pytestmark = [pytest.mark.slow, pytest.mark.skipif(POOLER_PROGRAM is None, reason="PgBouncer is not installed")]


def opened(database: TeamDatabase, folder: Path, home: Path, member: str, profile: int = 1) -> TeamStore:
    """The profile as a member who comes in by the pooler."""
    address = replace(database.server.address(member, database.name), host=str(folder), port=POOLER_PORT)
    return TeamStore.open(home, address, database.server.passwords[member], profile)


def with_second(database: TeamDatabase) -> int:
    """The number of another profile that Anna may use, too."""
    with database.as_owner() as owner:
        second = create_profile(owner, "second")
    database.add_member("anna", database.profile, second)
    return second


def by_psql(database: TeamDatabase, folder: Path) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection by the pooler as Anna, with nothing set up."""
    password = database.server.passwords["anna"]
    return psycopg.connect(
        host=str(folder), port=POOLER_PORT, user="anna", dbname=database.name, password=password, autocommit=True
    )


@pytest.mark.parametrize("mode", ["session", "transaction"])
def test_through_a_pooler_notes_are_written_and_read(team_database: TeamDatabase, mode: str, tmp_path: Path) -> None:
    team_database.add_member("anna", team_database.profile)
    (tmp_path / "Birds.md").write_text("A kittiwake.")
    with pooler(team_database, mode, ["anna"]) as folder:
        store = opened(team_database, folder, tmp_path / "x", "anna")
        bring_in(store, tmp_path)
        for _ in range(10):  # after five, psycopg would have a statement prepared
            assert [note.path for note in store.read(reads.recent)] == ["Birds.md"]
        store.say_seen()
        store.close()


def test_no_session_keeps_what_was_set_for_another(team_database: TeamDatabase, tmp_path: Path) -> None:
    """One session of the server serves two profiles in turn, and then somebody who says nothing of any."""
    second = with_second(team_database)
    with pooler(team_database, "transaction", ["anna"], settings="default_pool_size = 1\n") as folder:
        stores = [opened(team_database, folder, tmp_path / f"x{number}", "anna", number) for number in (1, second)]
        for store, name in zip(stores, ("Birds.md", "Fish.md"), strict=True):
            vault = tmp_path / name.removesuffix(".md")
            vault.mkdir()
            (vault / name).write_text("A kittiwake.")
            bring_in(store, vault)
        for _ in range(5):
            assert [[note.path for note in store.read(reads.recent)] for store in stores] == [["Birds.md"], ["Fish.md"]]
        with by_psql(team_database, folder) as other:
            said = "SELECT coalesce(current_setting('scrubjay.profile', TRUE), ''), current_setting('search_path')"
            assert other.execute(said).fetchall() == [("", '"$user", public')]
            assert other.execute("SELECT count(*) FROM scrubjay_p1.note").fetchall() == [(0,)]
        for store in stores:
            store.close()


def test_what_an_older_program_left_in_a_session_changes_nothing(team_database: TeamDatabase, tmp_path: Path) -> None:
    """Older versions set their profile for the whole session, which a pooler then gives to somebody else."""
    with_second(team_database)
    (tmp_path / "Birds.md").write_text("A kittiwake.")
    with pooler(team_database, "transaction", ["anna"], settings="default_pool_size = 1\n") as folder:
        store = opened(team_database, folder, tmp_path / "x", "anna")
        with by_psql(team_database, folder) as older:
            older.execute("SELECT set_config('search_path', 'scrubjay_p2, scrubjay', FALSE)")
            older.execute("SELECT set_config('scrubjay.profile', '2', FALSE)")
            bring_in(store, tmp_path)
            assert [note.path for note in store.read(reads.recent)] == ["Birds.md"]
            assert older.execute("SELECT count(*) FROM scrubjay_p2.note").fetchall() == [(0,)]
        store.close()


def test_a_transaction_that_ends_in_the_session_of_another_profile_is_refused(team_database: TeamDatabase) -> None:
    second = with_second(team_database)
    anna, words = team_database.as_member("anna", None), HashedWords(NO_KEYS)
    with closing(ProfileConnection(anna, team_database.profile, words, KnownNotes())) as connection:
        with connection:
            connection.execute("INSERT INTO meta (name, value) VALUES ('a', 'first')")
        with pytest.raises(StoreError, match="another profile"), connection:
            connection.execute("UPDATE meta SET value = 'second' WHERE name = 'a'")
            # What a pooler does that gives the rest of a transaction to another session.
            connection.execute("SELECT set_config('scrubjay.profile', ?, TRUE)", (str(second),))
        connection.begin_snapshot()
        assert connection.execute("SELECT value FROM meta WHERE name = 'a'").get == "first"
        connection.end_snapshot()


def test_who_is_invited_joins_through_a_pooler(team_database: TeamDatabase) -> None:
    keys, secret = TeamKeys(new_key()), new_secret()
    with team_database.as_owner() as owner:
        team_database.server.passwords["anna"] = "a" * 12
        grant(owner, team_database.profile, "anna", "a" * 12)
        put_key(owner, team_database.profile, "anna", wrap(keys, secret))
    with pooler(team_database, "transaction", ["anna"], settings="default_pool_size = 1\n") as folder:
        address = replace(team_database.server.address("anna", team_database.name), host=str(folder), port=POOLER_PORT)
        invitation = Invitation(address, team_database.profile, "team", "", secret)
        for _ in range(3):
            with connected(address, "a" * 12, profile=team_database.profile, seconds=15) as connection:
                assert keys_for(connection, invitation) == keys


def test_after_the_server_was_restored_behind_a_pooler_all_is_read_again(tmp_path: Path) -> None:
    """Its clients stay connected, and the server comes back from a backup that is older than what they know."""
    with running_server() as server:
        prepare_template(server)
        with fresh_database(server) as database:
            database.add_member("anna", database.profile)
            with pooler(database, "transaction", ["anna"]) as folder:
                store = opened(database, folder, tmp_path / "x", "anna")
                restore_under(store, server, tmp_path / "backup")
                store.close()


def test_two_hundred_people_search_by_forty_sessions_of_the_server(team_database: TeamDatabase, tmp_path: Path) -> None:
    names = [f"m{number}" for number in range(200)]
    with team_database.as_owner() as owner, owner.transaction():
        for name in names:
            team_database.server.passwords[name] = "p" * 12
            owner.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{'p' * 12}'".encode())
            owner.execute("INSERT INTO scrubjay.team_member (member, made_here) VALUES (%s, TRUE)", (name,))
            owner.execute("INSERT INTO scrubjay.team_grant (profile, member) VALUES (1, %s)", (name,))
        give_grants(owner, team_database.profile)
    (tmp_path / "Birds.md").write_text("A kittiwake.")
    limits = "max_db_connections = 40\nmax_client_conn = 2000\n"
    with pooler(team_database, "transaction", names, settings=limits) as folder, ThreadPoolExecutor() as people:
        stores = [opened(team_database, folder, tmp_path / name, name) for name in names]
        bring_in(stores[0], tmp_path)

        def search(store: TeamStore) -> list[str]:
            return [next(note.path for note in store.read(reads.recent)) for _ in range(5)]

        assert list(people.map(search, stores)) == [["Birds.md"] * 5] * len(names)
        with team_database.as_operator() as operator:
            used = (
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            ((sessions,),) = operator.execute(used).fetchall()
            assert sessions <= 40
        list(people.map(TeamStore.close, stores))
