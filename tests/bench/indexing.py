"""How fast a vault becomes searchable, and how close embedding comes to the model's own speed."""

import time
from dataclasses import dataclass

import numpy as np

from scrubjay.daemon.home import Home
from scrubjay.daemon.indexing.model_input import SPECIAL_TOKENS, embedding_input
from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.token_counter import TokenCounter
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.daemon.vault.markdown.payloads import without_payloads
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from tests.bench.running import Daemon, wait_for

_HOURS = 4 * 3600
_SAMPLE_CHUNKS = 512


@dataclass(frozen=True, slots=True)
class IndexFigures:
    """One index from nothing."""

    notes: int
    chunks: int
    bytes_on_disk: int
    keyword_seconds: float  # from the daemon's start until every note is found by keyword
    embedded_seconds: float  # until every chunk has its vector, made-up ones included
    embedding_rate: float  # chunks a second, from the first vector to the last
    peak_bytes: int  # of daemon and model's process together


def index_from_nothing(daemon: Daemon, embed_seconds: float | None) -> IndexFigures:
    """Wait until the daemon that was just started has read and embedded its vault.

    After `embed_seconds` of embedding, if given, the rest gets made-up vectors: the rate is measured by then, and the
    searches that follow find an index of full size.
    """
    peak = 0

    def reached(*states: str) -> bool:
        nonlocal peak
        peak = max(peak, daemon.resident_bytes())
        return daemon.client.ask(STATUS).profiles[0].state in states

    wait_for(lambda: reached("embedding", "idle"), seconds=_HOURS, every=0.2)
    keyword = time.monotonic()
    rate = None
    if embed_seconds is not None:
        time.sleep(embed_seconds)
        reached()
        rate = daemon.client.ask(STATUS).profiles[0].done / (time.monotonic() - keyword)
        make_up_vectors(daemon.home)
    wait_for(lambda: reached("idle"), seconds=_HOURS, every=1.0)
    end = time.monotonic()
    profile = daemon.client.ask(STATUS).profiles[0]
    return IndexFigures(
        notes=profile.notes,
        chunks=profile.chunks,
        bytes_on_disk=profile.bytes_on_disk,
        keyword_seconds=keyword - daemon.started,
        embedded_seconds=end - daemon.started,
        embedding_rate=rate or profile.done / (end - keyword),
        peak_bytes=peak,
    )


def make_up_vectors(home: Home) -> None:
    """Give every text that waits for its vector a random one of length 1."""
    registry = Registry(home.profiles)
    store = FileStore.open(registry.store_path(registry.list()[0]))
    model, rng = BUNDLED.fingerprint, np.random.default_rng(1)
    while pending := store.pending_embeddings(model, 4_096):
        vectors = rng.standard_normal((len(pending), BUNDLED.dim), dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        with store.writing() as writer:
            writer.put_embeddings(model, [chunk.digest for chunk in pending], vectors)
    store.close()


def unfit_chunks(daemon: Daemon) -> tuple[int, int]:
    """How many chunks are longer than the model's window, and hold a run of more characters than any word has."""
    registry = Registry(daemon.home.profiles)
    store, count_many = FileStore.open(registry.store_path(registry.list()[0])), TokenCounter(BUNDLED).count_many
    over = runs = 0
    for note in store.read(reads.recent):
        chunks = store.read(reads.note_chunks, note.note_id)
        counts = count_many([embedding_input(chunk.title, chunk.headings, chunk.text) for chunk in chunks])
        over += sum(count + SPECIAL_TOKENS > BUNDLED.max_tokens for count in counts)
        runs += sum(without_payloads(chunk.text).left_out > 0 for chunk in chunks)
    store.close()
    return over, runs


def raw_model_rate(daemon: Daemon) -> float:
    """Chunks a second of the bare model on chunks of this very index, in this process, with nothing else to do."""
    registry = Registry(daemon.home.profiles)
    store = FileStore.open(registry.store_path(registry.list()[0]))
    texts: list[str] = []
    step = max(1, store.counts().chunks // _SAMPLE_CHUNKS)
    for chunk in store.read(reads.chunks, range(1, store.counts().chunks + 1, step)).values():
        texts.append(embedding_input(chunk.title, chunk.headings, chunk.text))  # noqa: PERF401
    store.close()
    embedder = InProcessEmbedder(BUNDLED)
    embedder.embed_passages(texts[:32])
    start = time.perf_counter()
    embedder.embed_passages(texts)
    rate = len(texts) / (time.perf_counter() - start)
    embedder.close()
    return rate
