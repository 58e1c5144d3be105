"""What becomes of a note that was indexed and then can't be read or prepared: each of the failures."""

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from errno import EACCES, EIO, ELOOP, ENOENT, ENXIO
from pathlib import Path
from typing import TypeAlias

import pytest

from scrubjay.daemon.failures import FailureReason
from scrubjay.daemon.indexing import watched_preparer
from scrubjay.daemon.indexing.prepare import PrepareContext, Prepared, prepare_many
from scrubjay.daemon.indexing.watched_preparer import WatchedPreparer
from scrubjay.daemon.vault import read
from scrubjay.daemon.vault.read import RawNote, ReadLimits
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.store import Store
from tests.integration.indexing.test_indexer import CONTEXT, House

Damage: TypeAlias = Callable[[House, pytest.MonkeyPatch], None]


@pytest.fixture
def house(tmp_path: Path, store: Store) -> House:
    (tmp_path / "vault").mkdir()
    return House(tmp_path / "vault", store)


def _refused(code: int) -> Damage:
    """The system refuses to open a.md."""

    def damage(_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        opens = os.open

        def refuse(path: str | Path, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
            if Path(path).name == "a.md":
                raise OSError(code, os.strerror(code), str(path))
            return opens(path, flags, mode, dir_fd=dir_fd)

        monkeypatch.setattr(os, "open", refuse)

    return damage


def _written(data: bytes) -> Damage:
    def damage(house: House, _monkeypatch: pytest.MonkeyPatch) -> None:
        (house.root / "a.md").write_bytes(data)

    return damage


def _in_the_cloud(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    away = (house.root / "a.md").stat().st_ino

    def is_placeholder(stats: os.stat_result) -> bool:
        return stats.st_ino == away

    monkeypatch.setattr(read, "is_placeholder", is_placeholder)


def _too_large(house: House, _monkeypatch: pytest.MonkeyPatch) -> None:
    house.limits = ReadLimits(max_bytes=(house.root / "a.md").stat().st_size - 1)


def _secret_in_name(house: House, _monkeypatch: pytest.MonkeyPatch) -> None:
    token = "ghp" + "_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6"
    (house.root / "a.md").rename(house.root / f"{token}.md")


@dataclass(frozen=True, slots=True)
class Ends:
    """Counts tokens, unless there is an otter in the text: its process is then killed, or works for ever."""

    for_ever: bool

    def __call__(self, texts: list[str]) -> list[int]:
        if any("otter" in text for text in texts):
            while self.for_ever:
                sum(range(1000))
            os.kill(os.getpid(), signal.SIGKILL)
        return [len(text.split()) for text in texts]


def _prepared_apart(*, for_ever: bool) -> Damage:
    """The process that prepares is ended over a.md, or does not come to an end."""

    def damage(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(watched_preparer, "_SMALL_CHARACTERS", 0)
        monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))  # the process is given a class of this module

        def prepare(raws: Sequence[RawNote], _context: PrepareContext) -> Prepared:
            with closing(WatchedPreparer(lambda: 0.5 if for_ever else 60.0)) as preparer:
                return preparer.prepare(raws, replace(CONTEXT, count_many=Ends(for_ever)))

        house.prepare = prepare

    return damage


def _stumbling(house: House, _monkeypatch: pytest.MonkeyPatch) -> None:
    def prepare(raws: Sequence[RawNote], context: PrepareContext) -> Prepared:
        if any("otter" in raw.text for raw in raws):
            raise RuntimeError("a bug")
        return prepare_many(raws, context)

    house.write("c.md", text="A third note, so that not all that is read fails.")
    house.prepare = prepare


# How each comes about over a note that is indexed. Those of files beside notes are in tests/integration/files.
OF_NOTES: dict[FailureReason, Damage] = {
    FailureReason.GONE: _refused(ENOENT),
    FailureReason.IS_LINK: _refused(ELOOP),
    FailureReason.NO_PERMISSION: _refused(EACCES),
    FailureReason.NOT_A_FILE: _refused(ENXIO),
    FailureReason.NOT_DOWNLOADED: _in_the_cloud,
    FailureReason.READ_ERROR: _refused(EIO),
    FailureReason.TOO_LARGE: _too_large,
    FailureReason.BINARY: _written(b"\0\1\xff"),
    FailureReason.NOT_UTF8: _written(b"caf\xe9 otter"),
    FailureReason.SECRET_IN_NAME: _secret_in_name,
    FailureReason.OPTED_OUT: _written(b"---\nscrubjay: false\n---\nAn otter."),
    FailureReason.TOO_SLOW: _prepared_apart(for_ever=True),
    FailureReason.PROCESS_ENDED: _prepared_apart(for_ever=False),
    FailureReason.UNEXPECTED: _stumbling,
}


def found(house: House, word: str) -> set[str]:
    hits = house.store.lexical(LexicalQuery((Term(word),)), where=None, limit=10).hits
    return {view.path for view in house.store.read(reads.chunks, [hit.chunk_id for hit in hits]).values()}


@pytest.mark.skipif(os.name == "nt", reason="signals, and errors of POSIX")
@pytest.mark.parametrize("failure", OF_NOTES, ids=str)
def test_a_failure_that_passes_leaves_what_was_found_and_any_other_takes_it_out(
    house: House, failure: FailureReason, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.write("a.md", "b.md")
    house.look()
    assert found(house, "heron") == {"a.md", "b.md"}
    with monkeypatch.context() as damaged:
        house.write("a.md", text="An otter swam by.")
        OF_NOTES[failure](house, damaged)
        house.look()
        assert found(house, "heron") == ({"a.md", "b.md"} if failure.passes else {"b.md"})
        assert found(house, "otter") == set()
        told = {code for _, code in house.problems()}
        assert told == ({failure} if failure is not FailureReason.GONE else set())  # the next look says that it is gone
    house.prepare, house.limits = prepare_many, ReadLimits()
    if not failure.passes:
        for path in house.root.iterdir():
            path.unlink()
        house.write("b.md")
        house.write("a.md", text="An otter swam by again.")
    house.look()
    assert (found(house, "heron"), found(house, "otter"), house.problems()) == ({"b.md"}, {"a.md"}, set())


@pytest.mark.parametrize(
    ("failure", "text"),
    [
        (FailureReason.BROKEN_FRONTMATTER, "---\n: [broken\n---\nAn otter swam by."),
        (FailureReason.TOO_MANY_PASSAGES, "An otter swam by. " + "And by, and by. " * 200),
    ],
)
def test_a_flaw_leaves_the_rest_of_a_note_found(house: House, failure: FailureReason, text: str) -> None:
    house.write("a.md", "b.md")
    house.look()
    house.prepare = lambda raws, context: prepare_many(raws, replace(context, max_chunks=3))
    house.write("a.md", text=text)
    house.look()
    assert (found(house, "heron"), found(house, "otter"), house.problems()) == ({"b.md"}, {"a.md"}, {("a.md", failure)})
    house.write("a.md", text="An otter again.")
    house.look()
    assert (found(house, "otter"), house.problems()) == ({"a.md"}, set())
