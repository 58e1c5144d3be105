"""What one machine writes, another one's searches find, and what it costs them."""

import shutil
import subprocess
import traceback
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.review_answers import SuggestionRow, put_suggestion, suggestions
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.team import team_store as module
from scrubjay.profiles.team.team_store import TeamStore
from tests.helpers.stores import team_store
from tests.helpers.team_server import TeamDatabase, TeamServer
from tests.integration.profiles.notes import bundle


@pytest.fixture
def machines(team_database: TeamDatabase, tmp_path: Path) -> Iterator[tuple[TeamStore, TeamStore]]:
    owner = (team_database.owner, team_database.owner_password, team_database.profile)
    one, other = (TeamStore.open(tmp_path / name, *owner) for name in ("one", "other"))
    yield one, other
    one.close()
    other.close()


def found(store: Store, word: str) -> list[str]:
    hits = store.lexical(LexicalQuery((Term(word),)), where=None, limit=10).hits
    views = store.read(reads.chunks, [hit.chunk_id for hit in hits])
    return sorted(views[hit.chunk_id].path for hit in hits)


def put(store: Store, path: str, text: str) -> int:
    with store.writing() as writer:
        return writer.put_note(bundle(path, text))


def test_a_suggestion_waits_for_its_note_on_a_server_too(machines: tuple[TeamStore, TeamStore]) -> None:
    here, there = machines
    with here.writing() as writer:
        note = writer.put_note(bundle("Heron.md", "The heron waits."))
    assert put_suggestion(here, SuggestionRow("k", note, "agent", "Agent", 1, "why", b"[]"), most=5)
    with here.writing() as writer:
        writer.forget_notes([note])
    assert suggestions(there) == ()
    with here.writing() as writer:
        again = writer.put_note(bundle("Heron.md", "The heron waits for longer."))
    assert [(row.key, row.note_id) for row in suggestions(there)] == [("k", again)]
    with here.writing() as writer:
        writer.forget_notes([again], "excluded")
        writer.put_note(bundle("Heron.md", "The heron waits for longer."))
    assert suggestions(there) == ()


def test_a_machine_that_was_away_for_long_finds_what_is_there(
    machines: tuple[TeamStore, TeamStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GENERATIONS_KEPT", 3)
    monkeypatch.setattr(module, "_DROP_EVERY", 2)
    one, other = machines
    gone = put(one, "gone.md", "A heron that goes.")
    assert found(other, "heron") == ["gone.md"]
    with one.writing() as writer:
        writer.forget_notes([gone])
    for number in range(8):
        put(one, f"{number}.md", f"Otter {number}.")
    with one.reading() as connection:
        assert connection.execute("SELECT count(*) FROM gone WHERE version < 6").get == 0
    assert found(other, "heron") == []
    assert len(found(other, "otter")) == 8


def test_what_a_restored_server_no_longer_has_is_not_found_and_what_came_since_is(
    own_server: TeamServer, own_database: TeamDatabase, tmp_path: Path
) -> None:
    with closing(team_store(tmp_path / "one", own_database)) as store:
        restore_under(store, own_server, tmp_path / "backup")


def restore_under(store: TeamStore, server: TeamServer, backup: Path) -> None:
    """Have a store find what is there, and nothing else, after its server has lost what came last."""
    put(store, "a.md", "A heron.")
    server.stop()
    _copy(server.folder, backup)
    server.start()
    put(store, "lost.md", "A kestrel.")
    assert found(store, "kestrel") == ["lost.md"]
    server.stop()
    shutil.rmtree(server.folder)
    _copy(backup, server.folder)
    server.start()
    put(store, "b.md", "An otter.")
    assert [found(store, word) for word in ("heron", "kestrel", "otter")] == [["a.md"], [], ["b.md"]]


def _copy(folder: Path, to: Path) -> None:
    """With their owner, who may be a user of the server's alone."""
    subprocess.run(["cp", "-a", str(folder), str(to)], check=True)


def test_what_a_server_quotes_of_a_note_is_in_no_traceback(machines: tuple[TeamStore, TeamStore]) -> None:
    one, _ = machines
    put(one, "a-path-that-is-nobody-else-s.md", "A heron.")
    with pytest.raises(StoreError) as failure, one.reading() as connection:
        connection.execute("SELECT CAST(path AS bigint) FROM note").fetchall()
    told = "".join(traceback.format_exception(failure.value))
    assert "StoreError" in told
    assert "a-path-that" not in told
