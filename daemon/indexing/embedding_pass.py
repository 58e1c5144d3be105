"""Giving chunks their vectors, a batch a transaction: notes just found first, then small vaults, then the newest."""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from scrubjay.daemon.indexing.model_input import embedding_input
from scrubjay.daemon.indexing.notes_found import NotesFound
from scrubjay.daemon.indexing.progress import Progress, Stopwatch
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import PendingChunk, Vectors
from scrubjay.profiles.store.store import Store

BATCH = 64  # chunks a transaction: a second of work that a kill may lose
AT_ONCE = 2  # batches with the model at a time: it goes on with one while another is stored
SMALL_VAULT = 2_000
"""Notes: vaults up to this size are embedded before a larger one of the same profile, in a minute or so."""


def embed_pending(
    store: Store,
    embedder: Embedder,
    progress: Progress,
    stop: threading.Event,
    wait_turn: Callable[[], None],
    *,
    has_turn: Callable[[], bool] = lambda: True,
    found: NotesFound | None = None,
) -> int:
    """Embed what waits in `store` until nothing does or `stop` is set. Returns how many chunks it embedded.

    What the similarities of another model than the bundled say is measured on the first vectors, and again on more.
    Once nothing waits, the vectors of the model that was in use before go, and many on a server get their index.
    `wait_turn` is called before each batch and may block (searches go first, the user may have paused); `has_turn`
    after it, and what is begun then is the last where it says no: the rest is for another time.
    found: what searches have just found, which is embedded first.
    Raises what the embedder raises; the batches before it are stored.
    """
    if store.read_only is not None:
        return 0
    model = embedder.spec.fingerprint
    line = _Line(store, model, found or NotesFound())
    under_way: deque[tuple[list[PendingChunk], Future[Vectors]]] = deque()
    done, goes_on = 0, True
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="embed") as pool:
        while not stop.is_set():
            wait_turn()
            watch = Stopwatch()
            if not embedder.spec.is_usual:
                store.calibrate(model)
            goes_on = goes_on and has_turn()
            while goes_on and len(under_way) < AT_ONCE and (chunks := line.next_batch(under_way)):
                texts = [embedding_input(chunk.title, chunk.headings, chunk.text) for chunk in chunks]
                under_way.append((chunks, pool.submit(embedder.embed_passages, texts)))
            if stop.is_set() or not (under_way or goes_on):
                break
            if not under_way:
                if done:
                    with store.writing() as writer:
                        writer.forget_other_models(model)
                        writer.changes.beside_notes = True
                store.index_vectors(model, lambda left: progress.to_index(left) and not stop.is_set())
                break
            chunks, embedded = under_way.popleft()
            vectors = embedded.result()
            with store.writing() as writer:
                writer.put_embeddings(model, [chunk.digest for chunk in chunks], vectors)
                writer.changes.beside_notes = True
            done += len(chunks)
            progress.embedded(len(chunks), waiting=store.pending_count(model), seconds=watch.seconds)
    return done


class _Line:
    """What waits in a store for its vectors from a model, in the order of one pass."""

    def __init__(self, store: Store, model: str, found: NotesFound) -> None:
        self._store, self._model, self._found = store, model, found
        sizes = sorted((notes, vault) for vault, notes in store.read(reads.notes_by_vault).items())
        self._small_vaults = [vault for notes, vault in sizes[:-1] if notes <= SMALL_VAULT]  # of which something waits

    def next_batch(self, under_way: Iterable[tuple[Sequence[PendingChunk], object]]) -> list[PendingChunk]:
        """The first chunks that are not with the model already."""
        taken = {chunk.digest for chunks, _ in under_way for chunk in chunks}
        limit = BATCH + len(taken)
        batch: list[PendingChunk] = []
        if paths := self._found.paths():
            batch = self._store.pending_of_notes(self._model, paths, limit)
            if not batch:
                self._found.embedded(paths)
        while not batch and self._small_vaults:
            batch = self._store.pending_of_vault(self._model, self._small_vaults[0], limit)
            if not batch:
                del self._small_vaults[0]
        if len(batch) < limit:
            known = {chunk.digest for chunk in batch}
            newest = self._store.pending_embeddings(self._model, limit + len(known))
            batch += [chunk for chunk in newest if chunk.digest not in known]
        return [chunk for chunk in batch if chunk.digest not in taken][:BATCH]
