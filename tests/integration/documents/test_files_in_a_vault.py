"""Files beside notes, from the disk to what a search finds: a real engine, real files, the real box."""

import json
import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from scrubjay.profiles.search.types import SearchRequest, SearchResult
from scrubjay.profiles.store import reads
from tests.helpers.made_files.pdf import Pdf
from tests.helpers.waiting import until
from tests.integration.engine.living import Living, living

CANVAS = {
    "nodes": [
        {"id": "a1", "type": "text", "text": "The lock keeper opens the sluice at dawn.", "x": 0, "y": 0},
        {"id": "b2", "type": "file", "file": "birds/heron.md", "x": 0, "y": 0},
    ],
    "edges": [{"id": "e", "fromNode": "a1", "toNode": "b2", "label": "wakes"}],
}


@contextmanager
def furnished(root: Path) -> Generator[Living]:
    with living(root) as engine:
        engine.write("birds/heron.md", "# Heron\n\nThe plan is drawn in ![[weir.canvas]] and ![[pier.png]].\n")
        engine.write("weir.canvas", json.dumps(CANVAS))
        engine.write("log.txt", "Day one: the ferry ran aground.\n")
        engine.write("pier.png", b"\x89PNG\r\n\x1a\n")
        engine.write("build/tool.py", "def ferry():\n    return 'aground'\n")
        engine.engine.files.start()
        until(lambda: engine.paths() == {"birds/heron.md", "weir.canvas", "log.txt", "pier.png"})
        engine.files_settled()
        yield engine


@pytest.fixture
def alive(tmp_path: Path) -> Iterator[Living]:
    with furnished(tmp_path) as engine:
        yield engine


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    """The same for all tests that change nothing of what is in the index."""
    with furnished(tmp_path_factory.mktemp("read")) as engine:
        yield engine


def results(alive: Living, query: str) -> dict[str, SearchResult]:
    return {each.path: each for each in alive.engine.searcher.search(SearchRequest(query, mode="lexical")).results}


def test_the_text_of_a_file_is_found_with_its_kind_and_its_place(read: Living) -> None:
    [found] = results(read, "sluice").values()
    assert (found.path, found.title, found.kind, found.place) == ("weir.canvas", "weir.canvas", "canvas", "a1")


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("pier kind:image", {"pier.png"}),  # by its name
        ("kind:text", {"log.txt"}),
        ("ext:canvas", {"weir.canvas"}),
        ("-kind:note -kind:image", {"log.txt", "weir.canvas"}),
    ],
)
def test_files_pass_filters_as_notes_do(read: Living, query: str, paths: set[str]) -> None:
    assert set(results(read, query)) == paths


def test_an_embedded_file_has_its_note_as_a_backlink_and_a_canvas_links_to_its_cards(read: Living) -> None:
    graph = read.engine.graphs.current(read.store)
    ids = {note.path: note.note_id for note in read.store.read(reads.recent)}
    rows = {path: graph.row_of[ids[path]] for path in ids}
    assert rows["weir.canvas"] in graph.out.of(rows["birds/heron.md"])
    assert rows["pier.png"] in graph.out.of(rows["birds/heron.md"])
    assert rows["birds/heron.md"] in graph.out.of(rows["weir.canvas"])


def test_a_file_that_is_deleted_or_renamed_leaves_nothing_under_its_old_name(alive: Living) -> None:
    (alive.vault / "log.txt").rename(alive.vault / "birds/log.txt")
    until(lambda: "birds/log.txt" in alive.paths() and "log.txt" not in alive.paths())
    assert set(results(alive, "aground")) == {"birds/log.txt"}
    (alive.vault / "birds/log.txt").unlink()
    (alive.vault / "weir.canvas").rename(alive.vault / "sluice plan.canvas")
    until(lambda: alive.paths() == {"birds/heron.md", "sluice plan.canvas", "pier.png"})
    assert results(alive, "aground") == {}
    assert set(results(alive, "keeper")) == {"sluice plan.canvas"}


def test_a_file_that_can_not_be_read_is_found_by_its_name_and_told_with_the_reason(alive: Living) -> None:
    alive.write("broken plan.canvas", "{ no canvas")
    until(lambda: "broken plan.canvas" in alive.paths())
    assert ("broken plan.canvas", "damaged") in alive.problems()
    assert set(results(alive, "broken plan")) >= {"broken plan.canvas"}
    alive.engine.supervisor.request()
    alive.settled()
    assert ("broken plan.canvas", "damaged") in alive.problems()  # a look at the notes says nothing about it
    alive.write("broken plan.canvas", json.dumps(CANVAS))
    until(lambda: "broken plan.canvas" not in {path for path, _ in alive.problems()})


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX names")
def test_a_file_with_a_credential_in_its_name_is_not_indexed(read: Living) -> None:
    name = "password=" + "Tr0ub4dor&" + "3x.txt"
    read.write(name, "nothing")
    until(lambda: "secret-in-name" in {code for _, code in read.problems()})
    assert not any("Tr0ub" in path for path in read.paths() | {path for path, _ in read.problems()})
    (read.vault / name).unlink()
    until(lambda: "secret-in-name" not in {code for _, code in read.problems()})


def test_an_index_of_before_gets_its_files_without_reading_its_notes_again(tmp_path: Path) -> None:
    with living(tmp_path) as alive:
        alive.write("otter.md", "An otter swam by.")
        alive.write("log.txt", "The ferry ran aground.")
        until(lambda: alive.paths() == {"otter.md"})
        alive.settled()
    with living(tmp_path) as alive:
        alive.engine.files.start()
        until(lambda: alive.paths() == {"otter.md", "log.txt"})
        alive.files_settled()
        assert alive.encoder.passages == 1  # of the file alone
        assert alive.engine.supervisor.reports()[alive.engine.open_profiles.named("notes").profile.id].read == 0


def stored(alive: Living) -> str:
    with alive.store.reading() as connection:
        rows = connection.execute("SELECT unpacked(packed) FROM chunk UNION SELECT path FROM note")
        return " ".join(str(row[0]) for row in rows)


def test_an_exclusion_takes_the_files_in_it_out_of_the_index(alive: Living) -> None:
    alive.write("private/plan.canvas", json.dumps(CANVAS).replace("sluice", "drawbridge"))
    until(lambda: "drawbridge" in stored(alive))
    profile = alive.engine.registry.get("notes")
    [vault] = profile.vaults
    excluding = msgspec.structs.replace(vault, exclude=("private",))
    alive.engine.registry.change(profile.id, lambda now: msgspec.structs.replace(now, vaults=(excluding,)))
    alive.engine.profile_sync.sync()
    until(lambda: "drawbridge" not in stored(alive))
    assert "private" not in stored(alive)


def test_a_file_says_itself_that_it_is_not_to_be_read_a_pdf_by_its_keywords(alive: Living) -> None:
    alive.write("log.txt", "---\nscrubjay: false\n---\nDay one: the ferry ran aground.\n")
    until(lambda: ("log.txt", "opted-out") in alive.problems())
    assert "log.txt" not in alive.paths()
    assert "aground" not in stored(alive), "nothing is left of what was read before"
    alive.write("own.pdf", Pdf(["The drawbridge is down."], metadata={"Keywords": "birds, scrubjay:no"}).bytes())
    until(lambda: ("own.pdf", "opted-out") in alive.problems())
    assert "drawbridge" not in stored(alive)
    alive.write("own.pdf", Pdf(["The drawbridge is down."], metadata={"Keywords": "birds"}).bytes())
    until(lambda: "drawbridge" in stored(alive))
    assert "own.pdf" not in {path for path, _ in alive.problems()}
