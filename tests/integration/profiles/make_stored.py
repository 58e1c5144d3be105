"""Write a small database as the code that runs this writes it: `python -m tests.integration.profiles.make_stored FILE`.

Run once at every change of schema, at the commit before it; the file then stays in `stored/` for good, so that
`test_migrations.py` opens what people have on their disks.
"""

import gzip
import sys
import tempfile
from pathlib import Path

import numpy as np

from scrubjay.profiles.journal.search_event import SearchEvent
from scrubjay.profiles.journal.searches import History
from scrubjay.profiles.search.words.analysis import ANALYSIS_VERSION
from scrubjay.profiles.store.decisions import decide
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import LinkRow, RedactionRow
from scrubjay.profiles.store.store import Store
from tests.integration.profiles.notes import VAULT, bundle, vector

NOTES = {
    "Birds/Heron.md": ("The heron waits at the weir.", "It hides nothing and forgets nothing."),
    "Birds/Scrub-jay.md": ("The scrub-jay hides thousands of seeds.", "It remembers where each one is."),
    "日記.md": ("今日は川へ行った。",),
}
MODEL = "model-of-version-1"
SEARCHED = SearchEvent(1_700_000_000 * 10**9, "heron weir", "hybrid", 1, 12.5, ("Birds/Heron.md",))
"""In the histories of databases from version 5 on."""
DECIDED = "0123456789abcdef"
"""A digest that is done with in `Birds/Heron.md`, in databases from version 6 on."""


def fill(store: Store) -> None:
    """Notes with all that notes can have, embedded but for the last, and a search that was made."""
    with store.writing() as writer:
        for path, texts in NOTES.items():
            writer.put_note(
                bundle(
                    path,
                    *texts,
                    headings=("Habits",),
                    tags=("bird", "field/note"),
                    aliases=("Ardea",),
                    properties={"status": "done", "seen": ("2026", "2025")},
                    links=[LinkRow(target="Scrub-jay", kind="wiki", line=3, text="the jay")],
                    redactions=[RedactionRow("github-token", 4, 1, 40)],
                    lang="en",
                )
            )
        writer.refresh_anchors()
        writer.set_meta("analysis", str(ANALYSIS_VERSION))
    waiting = store.pending_embeddings(MODEL, 3)
    with store.writing() as writer:
        rows = np.stack([vector(one.text) for one in waiting])
        writer.put_embeddings(MODEL, [one.digest for one in waiting], rows)
    History(store).record([SEARCHED])
    decide(store, VAULT, "Birds/Heron.md", (DECIDED,), "done", ())


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.sqlite3"
        store = FileStore.open(path)
        fill(store)
        store.close()
        Path(sys.argv[1]).write_bytes(gzip.compress(path.read_bytes(), mtime=0))


if __name__ == "__main__":
    main()
