"""Giving chunks their vectors: newest notes first, a batch a transaction."""

import threading
from collections.abc import Callable

from daemon.embedding.protocol import Embedder
from daemon.indexing.progress import Progress, Stopwatch
from profiles.rows import PendingChunk
from profiles.store import Store

BATCH = 128  # chunks a transaction: a second or two of work that a kill may lose


def embedding_input(chunk: PendingChunk) -> str:
    """What the model reads: where the passage stands, then the passage.

    Measured in docs/retrieval.md: a passage alone often lacks the words that say what it is about.
    """
    context = " › ".join((chunk.title, *chunk.headings))
    return f"{context}\n{chunk.text}" if context else chunk.text


def embed_pending(
    store: Store, embedder: Embedder, progress: Progress, stop: threading.Event, wait_turn: Callable[[], None]
) -> int:
    """Embed what waits in `store` until nothing does or `stop` is set. Returns how many chunks it embedded.

    `wait_turn` is called before each batch and may block (searches go first, the user may have paused).
    Raises what the embedder raises; the batches before it are stored.
    """
    model = embedder.spec.fingerprint
    done = 0
    while not stop.is_set():
        wait_turn()
        if stop.is_set():
            break
        pending = store.pending_embeddings(model, BATCH)
        if not pending:
            break
        watch = Stopwatch()
        vectors = embedder.embed_passages([embedding_input(chunk) for chunk in pending])
        with store.writing() as writer:
            writer.put_embeddings(model, [chunk.digest for chunk in pending], vectors)
        done += len(pending)
        progress.embedded(len(pending), waiting=store.pending_count(model), seconds=watch.seconds)
    return done
