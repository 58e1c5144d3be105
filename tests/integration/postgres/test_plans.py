"""Policies cost a question for each statement, and no index: what members ask is planned as without them."""

from collections.abc import Generator
from typing import Any

import psycopg
import pytest

from tests.helpers.team_server import TeamDatabase, TeamServer, fresh_database

DIMENSIONS = 8
NOTE = """
INSERT INTO note (vault, path, path_key, file_key, stem_key, title, title_tokens, mtime_ns, size, digest, fingerprint,
    lang, aliases, tags, properties, redactions)
SELECT 'v', 'p' || n, 'p' || n, 'f' || n, 's' || n, 't', 1, n, 1, '', '', 'en', '', '', '', 0
FROM generate_series(1, 5000) AS n
"""
POSTING = """
INSERT INTO posting (term, term_key, begin_key, field, shard, entries)
SELECT 't' || n % 100, n % 100, n % 50, 0, n, '' FROM generate_series(1, 5000) AS n
"""
EMBEDDING = f"""
INSERT INTO embedding (model_id, digest, vector, near)
SELECT 1, int8send(n), '', (
    SELECT array_agg(hashint8(n * 31 + place) / 2147483648.0)
    FROM generate_series(1, {DIMENSIONS}) AS place)::vector::halfvec
FROM generate_series(1, 12000) AS n
"""


NEAREST = (
    f"SELECT id FROM embedding WHERE model_id = 1 ORDER BY near::halfvec({DIMENSIONS}) <=>"
    f" '[{','.join(['1'] * DIMENSIONS)}]'::halfvec({DIMENSIONS}) LIMIT 10"
)


@pytest.fixture(scope="module")
def filled(team_server: TeamServer) -> Generator[TeamDatabase]:
    with fresh_database(team_server) as database:
        database.add_member("anna", 1)
        with database.as_member("anna") as anna, anna.transaction():
            anna.execute("SET LOCAL scrubjay.generation = '1'")
            anna.execute("INSERT INTO model (id, fingerprint) VALUES (1, 'm')")
            for fill in (NOTE, POSTING, EMBEDDING):
                anna.execute(fill.encode())
        with database.as_owner() as owner:
            owner.execute("ANALYZE")
        yield database


USED = {
    "SELECT id FROM note WHERE vault = 'v' AND path = 'p77'": "note_vault_path_key",
    "SELECT id FROM note WHERE id = 77": "note_pkey",
    "SELECT id FROM note WHERE id = ANY('{7,77,777}')": "note_pkey",
    "SELECT id FROM note WHERE stem_key = 's77'": "note_stem",
    "SELECT id FROM note WHERE version > 7": "note_version",
    "SELECT id FROM note WHERE vault = 'v' AND path_key >= 'p77' AND path_key < 'p78'": "note_place",
    "SELECT path FROM note ORDER BY mtime_ns DESC, file_key LIMIT 10": "note_newest",
    "SELECT entries FROM posting WHERE term_key = ANY('{7,77}')": "posting_key",
    "SELECT term FROM posting WHERE begin_key = 7 AND shard = 77": "posting_begin",
    "SELECT entries FROM posting WHERE shard = 77 AND term = 't77' AND field = 0": "posting_pkey",
    "SELECT id FROM embedding WHERE digest = int8send(77) AND model_id = 1": "embedding_digest_model_id_key",
    "SELECT note.path FROM carray('{7,77}') JOIN note ON note.id = value": "note_pkey",
    "UPDATE note SET title = 'u' WHERE id = 77": "note_pkey",
    "DELETE FROM posting WHERE shard = 77 AND term = 't77'": "posting_pkey",
}


def test_an_index_is_used_as_without_policies(filled: TeamDatabase) -> None:
    with filled.as_member("anna") as anna, filled.as_operator() as operator:
        operator.execute("SET search_path = scrubjay_p1, scrubjay, public")
        plans = {query: _plan(anna, query) for query in USED}
        assert {query: index for query, index in USED.items() if index in plans[query]} == USED
        assert {query: index for query, index in USED.items() if index in _plan(operator, query)} == USED
    # Asked before the first row; asked for each row, it would stand in the filter by its name.
    assert [plan for plan in plans.values() if "InitPlan" not in plan or "may_use" in plan] == []


@pytest.mark.slow
def test_the_nearest_vectors_come_from_an_index_that_a_member_had_built(filled: TeamDatabase) -> None:
    build = f"SELECT scrubjay.build_vector_index(1, 1, {DIMENSIONS})"
    with filled.as_member("anna") as anna:
        exact = anna.execute(NEAREST.encode()).fetchall()
        assert "embedding_near_1" not in _plan(anna, NEAREST)
        anna.execute("SET statement_timeout = 0")  # as whoever builds it does
        assert anna.execute(build.encode()).fetchall() == [(True,)]
        assert anna.execute(build.encode()).fetchall() == [(False,)]
        assert "embedding_near_1" in _plan(anna, NEAREST)
        assert len(set(anna.execute(NEAREST.encode()).fetchall()) & set(exact)) >= 9
        defined = anna.execute("SELECT pg_get_indexdef('scrubjay_p1.embedding_near_1'::regclass)").fetchall()
        for part in ("hnsw", "halfvec_cosine_ops", "m='16'", "ef_construction='128'", "WHERE (model_id = 1)"):
            assert part in str(defined)


def test_no_other_index_can_be_had(database: TeamDatabase) -> None:
    denied, wrong = psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidParameterValue
    with database.as_member("anna") as anna:
        anna.execute("INSERT INTO model (id, fingerprint) VALUES (1, 'm')")
        anna.execute(EMBEDDING.encode())
        for error, arguments in (
            (denied, ("2, 1, 8", "NULL, 1, 8")),
            (wrong, ("1, 2, 8", "1, 1, 9", "1, 1, NULL", "1, NULL, 8", "1, 2, NULL")),
        ):
            for each in arguments:
                with pytest.raises(error):
                    anna.execute(f"SELECT scrubjay.build_vector_index({each})".encode())


def test_languages_are_counted_as_notes_come_change_and_go(filled: TeamDatabase) -> None:
    counts = "SELECT code, notes FROM stemmed_language WHERE notes <> 0 ORDER BY code"
    with filled.as_member("anna") as anna, anna.transaction(force_rollback=True):
        anna.execute("SET LOCAL scrubjay.generation = '3'")
        assert anna.execute(counts).fetchall() == [("", 5000)]
        anna.execute("UPDATE note SET stemmed = CASE WHEN id % 10 < 3 THEN 'de' ELSE 'fr' END WHERE id <= 1000")
        anna.execute("UPDATE note SET stemmed = 'fr', title = 'same' WHERE id <= 10")
        anna.execute("DELETE FROM note WHERE id BETWEEN 101 AND 200")
        assert anna.execute(counts).fetchall() == [("", 4000), ("de", 267), ("fr", 633)]


def _plan(connection: psycopg.Connection[Any], query: str) -> str:
    connection.execute("SET enable_seqscan = off")
    try:
        return "\n".join(line for (line,) in connection.execute(f"EXPLAIN {query}".encode()).fetchall())
    finally:
        connection.execute("RESET enable_seqscan")
