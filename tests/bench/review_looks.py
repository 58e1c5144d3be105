"""`python -m tests.bench.review_looks [--notes N]`: processor time of one look of the review after the other.

At a generated vault of so many notes: the first look; one for which nothing has changed but the day; one after a
paragraph was added to a note; one after a note with a new name came. Vectors are made up. Printed are seconds of all
processes, and proposals.
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from scrubjay.daemon.links.link_graph import GraphCache
from scrubjay.daemon.review.look import Vaults
from scrubjay.daemon.review.looker import Looker
from scrubjay.daemon.review.proposals_found import Reviews
from scrubjay.profiles.store import proposals
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from tests.bench.generated_vault import Extent, write_vault
from tests.bench.running import print_figures
from tests.helpers.indexed_vault import VAULT_ID, index_vault

NOTES = 5_000
_VAULTS = Vaults({VAULT_ID: "Notes"}, {})


def _processor() -> float:
    used = (getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def look(store: Store) -> str:
    """Look once, whatever has changed: what it took, and found."""
    with store.writing() as writer:
        proposals.forget_state(writer.connection, store.machine, _VAULTS.digest)
    with closing(Reviews(Looker(GraphCache()))) as reviews:
        began = _processor()
        reviews.look(store, _VAULTS, seconds=None)
    took = _processor() - began
    with store.reading() as connection:
        return f"{took:.1f} s, {connection.execute('SELECT count(*) FROM proposal').get} proposals"


@contextmanager
def opened(index: Path | None, notes: int) -> Generator[Store]:
    """A store of a generated vault; index: one that was made before, of which a copy is taken."""
    with tempfile.TemporaryDirectory(prefix="scrubjay-bench-") as folder:
        path, vault = Path(folder) / "index.sqlite3", Path(folder) / "vault"
        if index:
            shutil.copy(index, path)
        with closing(FileStore.open(path)) as store:
            if not index:
                write_vault(vault, Extent(notes))
                index_vault(store, vault)
            yield store


def put(store: Store, path: str, text: str) -> None:
    """Put one note into a store."""
    with tempfile.TemporaryDirectory(prefix="scrubjay-bench-") as folder:
        file = Path(folder) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        index_vault(store, Path(folder))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=NOTES)
    parser.add_argument("--index", type=Path, help="a database of such a vault that was made before")
    asked = parser.parse_args()
    edited = "The heron stands at the weir below the mill, where eels come up at dusk."
    with opened(asked.index, asked.notes) as store:
        print_figures("review", {"first look": look(store), "nothing changed but the day": look(store)})
        put(store, "Edited.md", edited)
        print_figures("review", {"after a note with a new name": look(store)})
        put(store, "Edited.md", f"{edited}\n\nThe otter came at {time.time_ns()}.")
        print_figures("review", {"after a note was edited": look(store)})


if __name__ == "__main__":
    main()
