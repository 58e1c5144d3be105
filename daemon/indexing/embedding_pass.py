"""Giving chunks their vectors: newest notes first, a batch a transaction."""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from scrubjay.daemon.indexing.model_input import embedding_input
from scrubjay.daemon.indexing.progress import Progress, Stopwatch
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.store.rows import PendingChunk, Vectors
from scrubjay.profiles.store.store import Store

BATCH = 64  # chunks a transaction: a second of work that a kill may lose
AT_ONCE = 2  # batches with the model at a time: it goes on with one while another is stored


def embed_pending(
    store: Store, embedder: Embedder, progress: Progress, stop: threading.Event, wait_turn: Callable[[], None]
) -> int:
    """Embed what waits in `store` until nothing does or `stop` is set. Returns how many chunks it embedded.

    What the similarities of another model than the bundled say is measured on the first vectors, and again on more.
    Once nothing waits, the vectors of the model that was in use before go, and many on a server get their index.
    `wait_turn` is called before each batch and may block (searches go first, the user may have paused).
    Raises what the embedder raises; the batches before it are stored.
    """
    model = embedder.spec.fingerprint
    under_way: deque[tuple[list[PendingChunk], Future[Vectors]]] = deque()
    done = 0
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="embed") as pool:
        while not stop.is_set():
            wait_turn()
            watch = Stopwatch()
            if not embedder.spec.is_usual:
                store.calibrate(model)
            while len(under_way) < AT_ONCE and (chunks := _next_batch(store, model, under_way)):
                texts = [embedding_input(chunk.title, chunk.headings, chunk.text) for chunk in chunks]
                under_way.append((chunks, pool.submit(embedder.embed_passages, texts)))
            if stop.is_set():
                break
            if not under_way:
                if done:
                    with store.writing() as writer:
                        writer.forget_other_models(model)
                store.index_vectors(model, lambda left: progress.to_index(left) and not stop.is_set())
                break
            chunks, embedded = under_way.popleft()
            vectors = embedded.result()
            with store.writing() as writer:
                writer.put_embeddings(model, [chunk.digest for chunk in chunks], vectors)
            done += len(chunks)
            progress.embedded(len(chunks), waiting=store.pending_count(model), seconds=watch.seconds)
    return done


def _next_batch(
    store: Store, model: str, under_way: Iterable[tuple[Sequence[PendingChunk], object]]
) -> list[PendingChunk]:
    """The chunks of the newest notes that are not with the model already."""
    taken = {chunk.digest for chunks, _ in under_way for chunk in chunks}
    pending = store.pending_embeddings(model, BATCH + len(taken))
    return [chunk for chunk in pending if chunk.digest not in taken][:BATCH]
