"""`python -m tests.bench.near_copies VAULT…`: near copies planted in real vaults and found, and what is found beside.

Each vault is indexed by words alone into a store of its own; 100 of its notes get an edited copy: 1 to 10 % of the
words replaced, left out or added, and for half of them the paragraphs in another order. Times are processor time.
"""

import argparse
import random
import re
import shutil
import tempfile
import time
from pathlib import Path

from scrubjay.daemon.review.finders import near_copy
from scrubjay.daemon.review.finders.shingles import words
from scrubjay.profiles.store import near_copies as kept
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from tests.bench.running import print_figures
from tests.helpers.indexed_vault import VAULT_ID, index_vault

_PLANTED = 100
_LEAST_WORDS = 100  # of a note that gets a copy
_COPIES = "planted copies"
_FRONTMATTER = re.compile(r"---\n.*?\n---\n", re.DOTALL)
_NEW = ("maple", "quartz", "seldom", "prism", "vortex", "ember", "lantern", "harbour", "unlike", "eleven")


def edited(text: str, rng: random.Random) -> str:
    """A copy with 1 to 10 % of its words changed and, half of the time, its paragraphs shuffled.

    The frontmatter stays as it is.
    """
    front = _FRONTMATTER.match(text)
    head, text = (front[0], text[front.end() :]) if front else ("", text)
    paragraphs = re.split(r"\n\s*\n", text)
    if rng.random() < 0.5:
        rng.shuffle(paragraphs)
    parts = re.split(r"(\s+)", "\n\n".join(paragraphs))
    places = [place for place, part in enumerate(parts) if part.strip()]
    for place in rng.sample(places, max(1, int(len(places) * rng.uniform(0.01, 0.1)))):
        way = rng.random()
        parts[place] = rng.choice(_NEW) if way < 0.5 else "" if way < 0.75 else f"{parts[place]} {rng.choice(_NEW)}"
    return head + "".join(parts)


def plant(vault: Path, rng: random.Random) -> dict[str, str]:
    """Write the copies; the path of each with that of its original."""
    (vault / _COPIES).mkdir()
    notes = [path for path in sorted(vault.rglob("*.md")) if path.is_file()]
    long = [path for path in notes if len(words(path.read_text(encoding="utf-8", errors="replace"))) >= _LEAST_WORDS]
    copies: dict[str, str] = {}
    for number, note in enumerate(rng.sample(long, _PLANTED)):
        copy = vault / _COPIES / f"{number}.md"
        copy.write_text(edited(note.read_text(encoding="utf-8", errors="replace"), rng), encoding="utf-8")
        copies[copy.relative_to(vault).as_posix()] = note.relative_to(vault).as_posix()
    return copies


def figures(vault: Path, *, shown: int) -> dict[str, object]:
    """What is found in a copy of the vault, and how long it takes; prints the pairs beside the planted ones."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(vault, Path(folder) / "vault", ignore=shutil.ignore_patterns(".*"))
        copies = plant(Path(folder) / "vault", random.Random(1))
        store = FileStore.open(Path(folder) / "index.sqlite3")
        index_vault(store, Path(folder) / "vault")
        began = time.process_time()
        _compare(store)
        whole = time.process_time() - began
        notes = {note.note_id: note.path for note in store.read(reads.recent)}
        pairs = {(notes[pair.note_id], notes[pair.other_id]): pair.likeness for pair in kept.near_copies(store)}
        found = sum((copy, original) in pairs or (original, copy) in pairs for copy, original in copies.items())
        beside = {pair: likeness for pair, likeness in pairs.items() if not any(_COPIES in path for path in pair)}
        for (one, other), likeness in sorted(beside.items(), key=lambda each: -each[1])[:shown]:
            print(f"    {likeness:.2f}  {one}  |  {other}")
        edit = _edit(store, next(iter(copies.values())))
        store.close()
    return {
        "notes": len(notes),
        f"found of {_PLANTED} planted": found,
        "pairs beside, for 1,000 notes": round(1_000 * len(beside) / len(notes), 2),
        "all compared, s": round(whole, 2),
        "an edited note, ms": round(1_000 * edit, 1),
    }


def _compare(store: Store) -> None:
    for made in near_copy.compare(store):
        with store.writing() as writer:
            made.put(writer.connection)


def _edit(store: Store, path: str) -> float:
    """Processor seconds to take in one edited note."""
    note = store.read(reads.note_by_path, VAULT_ID, path)
    assert note is not None
    with store.writing() as writer:
        writer.connection.execute("UPDATE note SET digest = randomblob(16) WHERE id = ?", (note.note_id,))
    began = time.process_time()
    _compare(store)
    return time.process_time() - began


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=0, help="how many of the pairs beside to print")
    arguments = parser.parse_args()
    for each in arguments.vaults:
        print_figures(each.name, figures(each, shown=arguments.show))
