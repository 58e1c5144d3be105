"""What an engine has in memory, named by what holds it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import psutil

from scrubjay.daemon.documents.sandbox.box import BOX_ARGUMENT, RECOGNISER_ARGUMENT
from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.indexing.watched_preparer import PREPARE_ARGUMENT
from scrubjay.daemon.models.worker_embedder import WORKER_ARGUMENT
from scrubjay.daemon.processes.memory import resident_bytes
from scrubjay.daemon.review.looker import REVIEW_ARGUMENT
from scrubjay.profiles.store.sqlite import pages_in_memory

_HELPERS = {
    "the model": (WORKER_ARGUMENT, "models.model_worker"),
    "reading notes": (PREPARE_ARGUMENT, "indexing.prepare_worker"),
    "looking for what could be tidied": (REVIEW_ARGUMENT, "review.review_worker"),
    "recognising pictures": (RECOGNISER_ARGUMENT, "sandbox.recognising"),
    "reading files": (BOX_ARGUMENT, "sandbox.process"),
}
"""What a process does for the daemon, by how its command ends: of a frozen program, and of a module."""


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes in memory, and what holds them. profile: whose they are; "" where they are no profile's."""

    what: str
    bytes: int
    profile: str = ""


def held_memory(engine: Engine, ids: Collection[str]) -> tuple[Held, ...]:
    """What holds the memory of this process; its sum is what the process has. ids: of the profiles that are named.

    The last is the rest: the program itself, above all.
    """
    held = tuple(_held(engine, ids))
    rest = max(0, resident_bytes() - sum(each.bytes for each in held))
    return (*held, Held("the program, and what it works with", rest))


def helpers_memory() -> tuple[Held, ...]:
    """What each process that works for this one has in memory."""
    found: list[Held] = []
    for process in psutil.Process().children(recursive=True):
        try:
            found.append(Held(_work_of(process.cmdline()), resident_bytes(process.pid)))
        except psutil.Error:  # it has just ended
            continue
    return tuple(found)


def _work_of(command: list[str]) -> str:
    last = command[-1] if command else ""
    return next((what for what, endings in _HELPERS.items() if last.endswith(endings)), "another process")


def _held(engine: Engine, ids: Collection[str]) -> Iterator[Held]:
    for opened in engine.open_profiles.open():
        if opened.profile.id in ids:
            profile, sizes = opened.profile.name, opened.store.array_sizes()
            yield Held("what searches need of each passage", sizes.columns, profile)
            yield Held("signs of vectors, to search by meaning", sizes.sketches, profile)
            yield Held("words that mistyped ones are near to", sizes.words, profile)
            yield Held("links between notes", engine.graphs.bytes_of(opened.store), profile)
    yield Held("pages of the databases", pages_in_memory())
