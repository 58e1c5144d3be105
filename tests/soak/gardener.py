"""Somebody who writes, edits, moves and deletes notes at random, the same way for the same seed."""

import random
import re
import shutil
from pathlib import Path

WORDS = re.findall(
    r"\w+",
    "heron weir eel reed otter willow mill ford bridge lock barge heath fen dyke sluice punt pike marsh rush sedge"
    " curlew plover snipe teal alder poplar towpath culvert meadow brook estuary salt tide creek shingle",
)
_FOLDERS = 20


class Gardener:
    """Changes the notes below `vault`."""

    def __init__(self, vault: Path, seed: int) -> None:
        self._vault = vault
        self._rng = random.Random(seed)
        self._paths: list[Path] = []
        self._made = 0

    def plant(self, count: int) -> None:
        """Write so many new notes."""
        for _ in range(count):
            self._create()

    def change(self) -> None:
        """One random change."""
        steps = (
            self._edit,
            self._create,
            self._delete,
            self._rename,
            self._move,
            self._move_folder,
            self._save_atomically,
        )
        self._rng.choices(steps, weights=(40, 20, 12, 8, 12, 1, 7))[0]()

    def query(self) -> str:
        """Something to search for."""
        return " ".join(self._rng.sample(WORDS, self._rng.randint(1, 4)))

    def _text(self) -> str:
        body = "\n\n".join(" ".join(self._rng.choices(WORDS, k=30)) for _ in range(self._rng.randint(1, 3)))
        linked = self._rng.choice(self._paths).stem if self._paths else "nowhere"
        return f"# {self._rng.choice(WORDS)}\n\n{body}\n\nSee [[{linked}]] #{self._rng.choice(WORDS)}\n"

    def _create(self) -> None:
        self._made += 1
        path = self._vault / f"folder {self._rng.randrange(_FOLDERS)}" / f"note {self._made}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self._text(), encoding="utf-8")
        self._paths.append(path)

    def _any(self) -> int:
        if not self._paths:
            self._create()
        return self._rng.randrange(len(self._paths))

    def _edit(self) -> None:
        self._paths[self._any()].write_text(self._text(), encoding="utf-8")

    def _save_atomically(self) -> None:
        path = self._paths[self._any()]
        temporary = path.with_name(f".{path.name}.tmp")
        temporary.write_text(self._text(), encoding="utf-8")
        temporary.replace(path)

    def _delete(self) -> None:
        self._paths.pop(self._any()).unlink()

    def _rename(self) -> None:
        number = self._any()
        self._made += 1
        self._paths[number] = self._paths[number].rename(self._paths[number].with_name(f"renamed {self._made}.md"))

    def _move(self) -> None:
        number = self._any()
        path = self._paths[number]
        folder = self._vault / f"folder {self._rng.randrange(_FOLDERS)}"
        folder.mkdir(exist_ok=True)
        self._paths[number] = path.rename(folder / path.name)

    def _move_folder(self) -> None:
        """A folder takes another name, and the notes in it with it."""
        folder = self._paths[self._any()].parent
        target = self._vault / f"folder {self._rng.randrange(_FOLDERS)}"
        if folder != target:
            target.mkdir(exist_ok=True)
            for entry in list(folder.iterdir()):
                shutil.move(entry, target / entry.name)
            self._paths = [target / path.name if path.parent == folder else path for path in self._paths]
            folder.rmdir()
