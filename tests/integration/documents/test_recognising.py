"""Pictures and scans are read after everything else, a page at a time, once: a real engine, with a stub that reads."""

import contextlib
import threading
from collections.abc import Generator
from pathlib import Path
from typing import cast

import msgspec
import pytest

from scrubjay.daemon.documents.extracted import DocumentPart, Extracted, Kind, Reason, unreadable
from scrubjay.daemon.documents.sandbox.box import Recogniser
from scrubjay.profiles.store import reads
from tests.helpers.made_files.pdf import Pdf
from tests.helpers.waiting import PATIENCE_SECONDS, until
from tests.integration.engine.living import Living, living

PASSWORD = "xK9#vQ2!" + "mZ7p"
PAGES = ["the first heron", "the second heron", "the password:", PASSWORD, "the last heron"]
SCAN = Pdf(["x"] * len(PAGES), drawn_only=True).bytes()


class Reader:
    """Reads the pages of SCAN, and a picture; `stop_at`: a page that it never gets to the end of."""

    def __init__(self) -> None:
        self.read: list[tuple[str, int]] = []
        self.stop_at = 0
        self.stopped = threading.Event()
        self.closed = threading.Event()
        self.reason: Reason | None = None

    def recognise(self, extension: str, _data: object, _size: int, page: int) -> Extracted:
        if page == self.stop_at:
            self.stopped.set()
            self.closed.wait(60)
            raise OSError
        self.read.append((extension, page))
        if self.reason is not None:
            return Extracted(Kind.PDF, unreadable=unreadable(self.reason))
        text = PAGES[page - 1] if extension == ".pdf" else "a sign at the weir"
        return Extracted(Kind.PDF, parts=(DocumentPart(str(page), "", text),))

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    made = Reader()
    for name in ("recognise", "close"):
        monkeypatch.setattr(Recogniser, name, staticmethod(getattr(made, name)))
    return made


@contextlib.contextmanager
def recognising(root: Path) -> Generator[Living]:
    with living(root) as alive:
        switch(alive, on=True)
        alive.engine.files.start()
        yield alive


def switch(alive: Living, *, on: bool) -> None:
    profile = alive.engine.registry.get("notes")
    alive.engine.registry.change(
        profile.id, lambda now: msgspec.structs.replace(now, files=msgspec.structs.replace(profile.files, ocr=on))
    )
    alive.engine.profile_sync.sync()


def write(root: Path, name: str, data: bytes) -> None:
    (root / "vault").mkdir(exist_ok=True)
    (root / "vault" / name).write_bytes(data)


def kept(alive: Living) -> int:
    with alive.store.reading() as connection:
        return cast("int", connection.execute("SELECT count(*) FROM recognised").get)


def test_the_text_of_a_scan_is_found_at_its_page_and_that_of_a_picture_too(tmp_path: Path, reader: Reader) -> None:
    write(tmp_path, "scan.pdf", SCAN)
    write(tmp_path, "sign.png", b"\x89PNG\r\n\x1a\n")
    with recognising(tmp_path) as alive:
        until(lambda: alive.found("last") == {"scan.pdf"} and alive.found("weir") == {"sign.png"})
        until(lambda: sum(each.scans for each in alive.store.read(reads.kind_counts)) == 0)
        assert alive.problems() == set()
        note = alive.store.read(reads.note_by_path, next(iter(alive.store.read(reads.vaults))), "scan.pdf")
        assert note is not None
        chunks = alive.store.read(reads.note_chunks, note.note_id)
        assert [(chunk.place, chunk.text) for chunk in chunks if "heron" in chunk.text] == [
            ("1", PAGES[0]),
            ("2", PAGES[1]),
            ("5", PAGES[4]),
        ]
        assert sorted(reader.read) == [*((".pdf", page) for page in range(1, 6)), (".png", 1)]


def test_without_the_switch_nothing_is_recognised_and_the_reason_is_told(tmp_path: Path, reader: Reader) -> None:
    write(tmp_path, "scan.pdf", SCAN)
    with living(tmp_path) as alive:
        alive.engine.files.start()
        until(lambda: alive.problems() == {("scan.pdf", "no-text")})
        [row] = alive.store.read(reads.failures)
        assert "--ocr" in row.reason
        assert [each.scans for each in alive.store.read(reads.kind_counts)] == [5]
        assert alive.engine.files.wait_until_idle(PATIENCE_SECONDS)
    assert reader.read == []


def test_no_credential_on_a_scan_is_stored_though_the_page_before_announces_it(tmp_path: Path, reader: Reader) -> None:
    write(tmp_path, "scan.pdf", SCAN)
    with recognising(tmp_path) as alive:
        until(lambda: alive.found("last") == {"scan.pdf"})
        with alive.store.reading() as connection:
            texts = [
                str(row[0])
                for table in ("recognised", "chunk")
                for row in connection.execute(f"SELECT unpacked(packed) FROM {table}")
            ]
        assert any("heron" in text for text in texts)
        assert not any(PASSWORD in text for text in texts)


def test_it_goes_on_after_a_restart_where_it_was(tmp_path: Path, reader: Reader) -> None:
    write(tmp_path, "scan.pdf", SCAN)
    reader.stop_at = 3
    with recognising(tmp_path):
        assert reader.stopped.wait(60)
    assert reader.read == [(".pdf", 1), (".pdf", 2)]
    reader.stop_at = 0
    with recognising(tmp_path) as alive:
        until(lambda: alive.found("last") == {"scan.pdf"})
    assert reader.read == [(".pdf", page) for page in range(1, 6)]


@pytest.mark.slow
def test_another_name_or_folder_costs_no_reading(tmp_path: Path, reader: Reader) -> None:
    write(tmp_path, "scan.pdf", SCAN)
    with recognising(tmp_path) as alive:
        until(lambda: alive.found("last") == {"scan.pdf"})
        (alive.vault / "scan.pdf").rename(alive.vault / "harbour.pdf")
        until(lambda: alive.paths() == {"harbour.pdf"} and alive.found("last") == {"harbour.pdf"})
    assert len(reader.read) == 5


@pytest.mark.slow
def test_what_was_recognised_goes_with_the_file_and_with_the_switch(tmp_path: Path, reader: Reader) -> None:
    write(tmp_path, "scan.pdf", SCAN)
    write(tmp_path, "sign.png", b"\x89PNG\r\n\x1a\n")
    with recognising(tmp_path) as alive:
        until(lambda: alive.found("last") == {"scan.pdf"} and alive.found("weir") == {"sign.png"})
        (alive.vault / "scan.pdf").unlink()
        until(lambda: alive.paths() == {"sign.png"})
        until(lambda: kept(alive) == 1)
        switch(alive, on=False)
        until(lambda: alive.found("weir") == set())
        assert alive.paths() == {"sign.png"}


@pytest.mark.slow
def test_a_page_without_words_is_read_once_and_the_file_is_told_to_have_no_text(tmp_path: Path, reader: Reader) -> None:
    reader.reason = Reason.NO_TEXT
    write(tmp_path, "scan.pdf", SCAN)
    with recognising(tmp_path) as alive:
        until(
            lambda: sum(each.scans for each in alive.store.read(reads.kind_counts)) == 0 and "scan.pdf" in alive.paths()
        )
        assert alive.problems() == {("scan.pdf", "no-text")}
        alive.engine.files.request(alive.engine.open_profiles.named("notes").profile.id)
        assert alive.engine.files.wait_until_idle(PATIENCE_SECONDS)
    assert len(reader.read) == 5


def test_where_nothing_that_recognises_is_installed_it_is_left_for_later(tmp_path: Path, reader: Reader) -> None:
    reader.reason = Reason.NO_OCR
    write(tmp_path, "scan.pdf", SCAN)
    with recognising(tmp_path) as alive:
        until(lambda: len(reader.read) == 1)
        assert alive.engine.files.wait_until_idle(PATIENCE_SECONDS)
        assert [each.scans for each in alive.store.read(reads.kind_counts)] == [5]
    assert len(reader.read) == 1
