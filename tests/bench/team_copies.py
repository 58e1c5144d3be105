"""Making a team's profile ten or a hundred times as large, by its server's operator, without indexing it all.

Each copy has every passage, word and link of what is there, with new ids; texts count as new (their digests are), and
vectors are made up anew, as `million.py` makes them. Ids move by whole shards, so that postings are copied as they are.
"""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import psycopg

from scrubjay.profiles.search.meaning.vectors import quantized
from scrubjay.profiles.search.words.postings import SHARD_BITS
from scrubjay.profiles.team.server import schema_of
from tests.bench.million import made_up_centres, made_up_vectors

_SHARD = 1 << SHARD_BITS
_CHUNK_FIELDS = "(0, 1)"
_AT_ONCE = 20_000

# For each table, the columns that a copy changes; {n} and {c} are how far ids of notes and of chunks move.
_NOTE = {"note_id": "note_id + {n}"}
_CHANGED = {
    "note": {"id": "id + {n}", "path": "'{k}/' || path", "path_key": "'{k}/' || path_key"},
    "note_alias": _NOTE,
    "note_tag": _NOTE,
    "note_property": _NOTE,
    "link": _NOTE | {"id": "nextval('link_id')"},
    "redaction": _NOTE,
    "note_words": _NOTE,
    "chunk": _NOTE | {"id": "id + {c}", "digest": "substring(sha256(digest || convert_to('{k}', 'UTF8')) FOR 16)"},
    "chunk_words": {"chunk_id": "chunk_id + {c}"},
    "posting": {"shard": "shard + CASE WHEN field IN " + _CHUNK_FIELDS + " THEN {c} ELSE {n} END / " + str(_SHARD)},
}


def multiply(operator: psycopg.Connection[Any], profile: int, times: int) -> None:
    """Have `times` as much in a profile. operator: whom no policy holds, and who may switch triggers off."""
    operator.execute(f"SET search_path = {schema_of(profile)}, scrubjay, public".encode())
    operator.execute("SET session_replication_role = replica")
    notes, chunks = (_moved(operator, table) for table in ("note", "chunk"))
    model = _one(operator, "SELECT model_id FROM embedding LIMIT 1")
    centres, rng = made_up_centres(), np.random.default_rng(2)
    first = {table: f"id <= {_one(operator, f'SELECT max(id) FROM {table}')}" for table in ("note", "chunk", "link")}
    bounds = {table: f"note_{first['note']}" for table, change in _CHANGED.items() if "note_id" in change}
    bounds["chunk_words"] = f"chunk_{first['chunk']}"
    bounds["posting"] = f"shard * {_SHARD} < CASE WHEN field IN {_CHUNK_FIELDS} THEN {chunks} ELSE {notes} END"
    for copy in range(1, times):
        for table, change in _CHANGED.items():
            changed = {name: text.format(n=copy * notes, c=copy * chunks, k=copy) for name, text in change.items()}
            columns = _columns(operator, profile, table)
            values = ", ".join(changed.get(name, f'"{name}"') for name in columns)
            names = ", ".join(f'"{name}"' for name in columns)
            of_first = bounds.get(table, first.get(table, "TRUE"))
            operator.execute(f"INSERT INTO {table} ({names}) SELECT {values} FROM {table} WHERE {of_first}".encode())
        digests = operator.execute(
            "SELECT DISTINCT digest FROM chunk WHERE id > %s AND id <= %s", (copy * chunks, (copy + 1) * chunks)
        ).fetchall()
        _put_vectors(operator, profile, model, [bytes(row[0]) for row in digests], (centres, rng))
        print(f"copy {copy + 1} of {times}", end="\r", flush=True)
    _complete(operator)


def _put_vectors(
    operator: psycopg.Connection[Any],
    profile: int,
    model: int,
    digests: list[bytes],
    made_of: tuple[Any, np.random.Generator],
) -> None:
    centres, rng = made_of
    top = _one(operator, "SELECT max(id) FROM embedding")
    with (
        operator.cursor() as cursor,
        cursor.copy("COPY embedding (profile, id, model_id, digest, vector, near) FROM STDIN (FORMAT BINARY)") as rows,
    ):
        rows.set_types(["int4", "int8", "int8", "bytea", "bytea"])
        rows.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
        for some in _batches(digests):
            vectors = made_up_vectors(centres, len(some), rng)
            halves = vectors.astype(">f2")
            for digest, stored, half in zip(some, quantized(vectors), halves, strict=True):
                top += 1
                near = np.array([len(half), 0], ">i2").tobytes() + half.tobytes()
                rows.write(
                    b"\0\6"
                    + _field(profile, 4)
                    + _field(top, 8)
                    + _field(model, 8)
                    + _bytes(digest)
                    + _bytes(stored)
                    + _bytes(near)
                )
        rows.write(b"\xff\xff")


def _field(value: int, size: int) -> bytes:
    return _bytes(value.to_bytes(size, "big"))


def _bytes(value: bytes) -> bytes:
    return len(value).to_bytes(4, "big") + value


def _batches(digests: list[bytes]) -> Iterator[list[bytes]]:
    for start in itertools.count(0, _AT_ONCE):
        if start >= len(digests):
            return
        yield digests[start : start + _AT_ONCE]


def _complete(operator: psycopg.Connection[Any]) -> None:
    """Counters and sequences that say what is there now, and what the planner knows."""
    counts = {"chunks": "count(*)", "tokens": "coalesce(sum(tokens), 0)", "last_chunk": "max(id)"}
    for name, count in counts.items():
        operator.execute(f"UPDATE meta SET value = (SELECT {count} FROM chunk)::text WHERE name = '{name}'".encode())
    operator.execute("UPDATE meta SET value = (value::bigint + 1)::text WHERE name = 'generation'")
    operator.execute("UPDATE stemmed_language SET notes = (SELECT count(*) FROM note WHERE stemmed = code)")
    for table in ("note", "embedding"):
        operator.execute(f"SELECT setval('{table}_id', (SELECT max(id) FROM {table}))".encode())
    operator.execute("VACUUM ANALYZE note, chunk, posting, embedding, chunk_words, note_words, link")


def _moved(operator: psycopg.Connection[Any], table: str) -> int:
    """How far the ids of one copy lie from those of the last: whole shards."""
    return (int(_one(operator, f"SELECT max(id) FROM {table}")) // _SHARD + 1) * _SHARD


def _columns(operator: psycopg.Connection[Any], profile: int, table: str) -> list[str]:
    rows = operator.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped",
        (f"{schema_of(profile)}.{table}",),
    )
    return [str(row[0]) for row in rows]


def _one(operator: psycopg.Connection[Any], query: str) -> Any:
    row = operator.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]
