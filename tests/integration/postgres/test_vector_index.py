"""Candidates by meaning from an index: built by a member when vectors are many, used by searches that can use it."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from scrubjay.profiles.store.filters import PathHas
from scrubjay.profiles.team import vector_index
from scrubjay.profiles.team.connection import ProfileConnection, ServerRows
from scrubjay.profiles.team.team_store import TeamStore
from tests.helpers.stores import team_store
from tests.helpers.team_server import TeamDatabase
from tests.integration.profiles.notes import bundle, digest, vector

_NOTES = 120
_INDEX = "embedding_near_1"


@pytest.fixture
def store(team_database: TeamDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TeamStore]:
    """A member's store, in which a hundred vectors are many."""
    monkeypatch.setattr(vector_index, "INDEXED_FROM", 100)
    opened = team_store(tmp_path / "x", team_database)
    _put(opened, 0, _NOTES)
    yield opened
    opened.close()


def _put(store: TeamStore, first: int, until: int) -> None:
    texts = [f"text {number}" for number in range(first, until)]
    with store.writing() as writer:
        writer.use_model("m")
        writer.put_notes([bundle(f"{n % 10}/{n}.md", text) for n, text in enumerate(texts, first)])
    with store.writing() as writer:
        writer.put_embeddings("m", [digest(text) for text in texts], np.stack([vector(text) for text in texts]))


def _plan_of_nearest(store: TeamStore, monkeypatch: pytest.MonkeyPatch, where: PathHas | None = None) -> str:
    """How the server finds candidates where going through all rows costs more than an index, as it does with many."""
    plans = list[str]()
    run = ProfileConnection.execute

    def explained(self: ProfileConnection, statements: str, bindings: object = None, /) -> ServerRows:
        if statements.startswith("WITH texts"):
            run(self, "SELECT set_config('enable_seqscan', 'off', TRUE), set_config('enable_sort', 'off', TRUE)")
            for _ in range(8):  # from the sixth on, the plan is one for all values
                run(self, statements, bindings).fetchall()  # pyright: ignore[reportArgumentType]
            plans.extend(str(row[0]) for row in run(self, f"EXPLAIN {statements}", bindings))  # pyright: ignore[reportArgumentType]
        return run(self, statements, bindings)  # pyright: ignore[reportArgumentType]

    with monkeypatch.context() as patched:
        patched.setattr(ProfileConnection, "execute", explained)
        store.semantic("m", vector("text 7"), where=where, limit=5)
    return "\n".join(plans)


def test_the_index_is_built_once_of_many_vectors_and_searches_use_it(
    store: TeamStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = [hit.chunk_id for hit in store.semantic("m", vector("text 7"), where=None, limit=5)]
    with monkeypatch.context() as few:
        few.setattr(vector_index, "INDEXED_FROM", 1_000)
        store.index_vectors("m", lambda _left: pytest.fail("too few"))
    assert _INDEX not in _plan_of_nearest(store, monkeypatch)
    store.index_vectors("m", lambda _left: True)
    store.index_vectors("m", lambda _left: pytest.fail("it is there"))
    assert _INDEX in _plan_of_nearest(store, monkeypatch)
    assert [hit.chunk_id for hit in store.semantic("m", vector("text 7"), where=None, limit=5)] == before
    _put(store, _NOTES, _NOTES + 5)
    [hit] = store.semantic("m", vector(f"text {_NOTES + 3}"), where=None, limit=1)
    assert hit.digest == digest(f"text {_NOTES + 3}")


def test_few_that_pass_a_filter_are_compared_one_by_one_and_many_come_from_the_index(
    store: TeamStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.index_vectors("m", lambda _left: True)
    where = PathHas("3/")
    assert _INDEX not in _plan_of_nearest(store, monkeypatch, where)
    hits = store.semantic("m", vector("text 3"), where=where, limit=50)
    assert (hits[0].digest, len(hits)) == (digest("text 3"), _NOTES // 10)
    monkeypatch.setattr(vector_index, "FEW_PASSING", 3)
    [hit] = store.semantic("m", vector("text 13"), where=where, limit=1)
    assert hit.digest == digest("text 13")
