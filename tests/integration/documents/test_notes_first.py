"""Notes come first: neither many files nor slow ones delay a note that was saved."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.daemon.documents.extracted import DocumentPart, Extracted, Kind
from scrubjay.daemon.documents.sandbox.box import Box
from tests.helpers.waiting import until
from tests.integration.engine.living import Living, living


class SlowBox:
    """Takes for ever over each file, until it is told to go on."""

    def __init__(self) -> None:
        self.goes_on = threading.Event()
        self.begun = threading.Event()
        self.read: list[str] = []

    def extract(self, extension: str, data: object, size: int) -> Extracted:
        self.begun.set()
        self.goes_on.wait(60)
        self.read.append(extension)
        return Extracted(Kind.TEXT, parts=(DocumentPart("1", "", f"The {size} bytes of a ferry."),))

    def close(self) -> None:
        self.goes_on.set()


@pytest.fixture
def box(monkeypatch: pytest.MonkeyPatch) -> SlowBox:
    made = SlowBox()
    for name in ("extract", "close"):
        monkeypatch.setattr(Box, name, staticmethod(getattr(made, name)))
    return made


@pytest.fixture
def alive(tmp_path: Path, box: SlowBox) -> Iterator[Living]:
    (tmp_path / "vault").mkdir()
    for number in range(50):
        (tmp_path / f"vault/log {number}.txt").write_text("x" * number, encoding="utf-8")
    with living(tmp_path) as engine:
        engine.engine.files.start()
        yield engine
        box.close()


def test_a_note_that_is_saved_while_files_are_read_is_found_at_once(alive: Living, box: SlowBox) -> None:
    assert box.begun.wait(60)
    alive.write("otter.md", "An otter swam by.")
    until(lambda: alive.found("otter") == {"otter.md"})
    assert box.read == []
    assert alive.engine.files.waiting(alive.engine.open_profiles.named("notes").profile.id) == 50
    box.goes_on.set()
    until(lambda: len(alive.paths()) == 51)


def test_no_file_is_begun_while_a_note_waits_to_be_read(tmp_path: Path, box: SlowBox) -> None:
    box.goes_on.set()
    with living(tmp_path) as engine:
        profile = engine.engine.open_profiles.named("notes").profile
        reading, let_go = threading.Event(), threading.Event()
        store = engine.store

        def slow_arrays(*_: object) -> None:
            reading.set()
            let_go.wait(60)

        store.load_arrays = slow_arrays  # type: ignore[method-assign]  # what reading all notes begins with
        engine.engine.supervisor.request(profile.id)
        assert reading.wait(60)
        engine.write("log.txt", "x")
        engine.engine.files.start()
        assert not box.begun.wait(1.5)
        let_go.set()
        assert box.begun.wait(60)


def test_the_texts_of_notes_are_embedded_before_those_of_newer_files(tmp_path: Path, box: SlowBox) -> None:
    box.goes_on.set()
    with living(tmp_path) as engine:
        engine.engine.supervisor.pause(profile.profile.id for profile in engine.engine.open_profiles.open())
        engine.write("log.txt", "newer")
        indexer = engine.engine.preparation.file_indexer(engine.engine.open_profiles.named("notes"))
        indexer.reconcile(threading.Event())
        engine.write("otter.md", "An otter swam by.")
        os.utime(engine.vault / "otter.md", (0, 0))
        engine.engine.preparation.indexer(engine.engine.open_profiles.named("notes")).reconcile(threading.Event())
        waiting = engine.store.pending_embeddings(engine.encoder.spec.fingerprint, 10)
        assert [chunk.title for chunk in waiting] == ["otter", "log.txt"]


def test_a_paused_profile_reads_no_files(tmp_path: Path, box: SlowBox) -> None:
    box.goes_on.set()
    with living(tmp_path) as engine:
        profile = engine.engine.open_profiles.named("notes").profile
        engine.engine.supervisor.pause([profile.id])
        engine.write("log.txt", "x")
        engine.engine.files.start()
        assert not box.begun.wait(1.5)
        engine.engine.supervisor.resume([profile.id])
        assert box.begun.wait(60)
