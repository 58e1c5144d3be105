"""How fast a team's store is written, beside a file's: batch by batch in turn, so that both meet one load."""

import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.profiles.store.rows import NoteBundle, Vectors
from scrubjay.profiles.store.store import Store
from tests.bench.million import fill_batch, made_up_centres, made_up_vectors, templates


@dataclass(slots=True)
class _Taken:
    """Seconds by the clock, and of processor time in this process and on the server."""

    notes: float = 0.0
    vectors: float = 0.0
    here: float = 0.0
    server: float = 0.0


def written_in_turn(
    stores: Mapping[str, Store], vault: Path, passages: int, server_seconds: Callable[[], float]
) -> dict[str, object]:
    """Figures of `file` and `team`. server_seconds: the processor time that the server has used."""
    centres, rng = made_up_centres(), np.random.default_rng(1)
    taken = {name: _Taken() for name in stores}
    notes = itertools.cycle(templates(vault))
    for store in stores.values():
        with store.writing() as writer:
            writer.use_model(BUNDLED.fingerprint)
    written = 0
    while written < passages:
        batch = fill_batch(notes)
        digests = list({chunk.digest: None for bundle in batch for chunk in bundle.chunks})
        vectors = made_up_vectors(centres, len(digests), rng)
        for name, store in stores.items():
            _write(store, batch, digests, vectors, taken[name], server_seconds)
        written += sum(len(bundle.chunks) for bundle in batch)
    figures: dict[str, object] = {"passages": written}
    for name, each in taken.items():
        figures[name] = (
            f"{written / each.notes:,.0f} a second by words, {written / each.vectors:,.0f} vectors;"
            f" processor time a passage {1000 * each.here / written:.3f} ms here, "
            f"{1000 * each.server / written:.3f} there"
        )
    file, team = taken["file"], taken["team"]
    figures["ratio by words (at least .85)"] = round(file.notes / team.notes, 2)
    figures["ratio of vectors"] = round(file.vectors / team.vectors, 2)
    figures["ratio of both"] = round((file.notes + file.vectors) / (team.notes + team.vectors), 2)
    return figures


def _write(
    store: Store,
    batch: list[NoteBundle],
    digests: list[bytes],
    vectors: Vectors,
    taken: _Taken,
    server_seconds: Callable[[], float],
) -> None:
    there, used, began = server_seconds(), time.process_time(), time.perf_counter()
    with store.writing() as writer:
        writer.put_notes(batch)
    half = time.perf_counter()
    with store.writing() as writer:
        writer.put_embeddings(BUNDLED.fingerprint, digests, vectors)
    taken.notes += half - began
    taken.vectors += time.perf_counter() - half
    taken.here += time.process_time() - used
    taken.server += server_seconds() - there
