"""Works on a store until it is killed: puts, replaces, forgets and embeds notes, and keeps a journal, over and over.

Usage: python -m tests.faults.store_worker DATABASE SEED [HEX KEY]. Prints "ready", then the key of each journal entry
once it is saved.
"""

import random
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from scrubjay.profiles.journal.entries import Journal, JournalEntry
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from tests.integration.profiles.notes import bundle, vector


def work(store: Store, rng: random.Random, saved: Callable[[str], None] = lambda _key: None) -> None:
    """One round: some notes, a journal entry, some vectors. `saved` is told of an entry once it is committed."""
    with store.writing() as writer:
        for _ in range(rng.randint(1, 12)):
            number = rng.randint(0, 60)
            texts = [f"passage {rng.randint(0, 400)} walrus" for _ in range(rng.randint(0, 5))]
            note_id = writer.put_note(bundle(f"{number}.md", *texts))
            if rng.random() < 0.3:
                writer.forget_notes([note_id])
        writer.refresh_anchors()
    key = f"{rng.getrandbits(48):012x}"
    Journal(store).append(JournalEntry(key, 1, "worker", "w", (), f"a walrus was seen, {key}"))
    saved(key)
    waiting = store.pending_embeddings("m", rng.randint(1, 20))
    if waiting:
        rows = np.stack([vector(one.text) for one in waiting])
        with store.writing() as writer:
            writer.put_embeddings("m", [one.digest for one in waiting], rows)


def main() -> None:
    path, seed = Path(sys.argv[1]), int(sys.argv[2])
    key = bytes.fromhex(sys.argv[3]) if len(sys.argv) > 3 else None
    store = FileStore.open(path, key=key)
    rng = random.Random(seed)
    print("ready", flush=True)
    while True:
        work(store, rng, lambda saved: print(saved, flush=True))


if __name__ == "__main__":
    main()
