"""Works on a store until it is killed: puts, replaces, forgets and embeds notes, over and over.

Usage: python -m tests.faults.store_worker DATABASE SEED [HEX KEY]
"""

import random
import sys
from pathlib import Path

import numpy as np

from profiles.store import Store
from tests.integration.profiles.notes import bundle, vector


def work(store: Store, rng: random.Random) -> None:
    with store.writing() as writer:
        for _ in range(rng.randint(1, 12)):
            number = rng.randint(0, 60)
            texts = [f"passage {rng.randint(0, 400)} walrus" for _ in range(rng.randint(0, 5))]
            note_id = writer.put_note(bundle(f"{number}.md", *texts))
            if rng.random() < 0.3:
                writer.forget_notes([note_id])
        writer.refresh_anchors()
    waiting = store.pending_embeddings("m", rng.randint(1, 20))
    if waiting:
        rows = np.stack([vector(one.text) for one in waiting])
        with store.writing() as writer:
            writer.put_embeddings("m", [one.digest for one in waiting], rows)


def main() -> None:
    path, seed = Path(sys.argv[1]), int(sys.argv[2])
    key = bytes.fromhex(sys.argv[3]) if len(sys.argv) > 3 else None
    store = Store.open(path, key=key)
    rng = random.Random(seed)
    print("ready", flush=True)
    while True:
        work(store, rng)


if __name__ == "__main__":
    main()
