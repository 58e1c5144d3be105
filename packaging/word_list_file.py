"""Writes the lists of words that `profiles/search/words/word_lists.py` reads."""

import lzma
from collections.abc import Sequence
from pathlib import Path


def write(folder: Path, name: str, lines: Sequence[str]) -> None:
    """Write one, and say how large it is. lines: in the order of their first words."""
    text = ("".join(f"\n{line}" for line in lines) + "\n").encode()
    data = lzma.compress(text, preset=9 | lzma.PRESET_EXTREME)
    (folder / f"{name}.txt.xz").write_bytes(data)
    print(f"{name}: {len(lines):,} lines, {len(data) / 1024:.0f} of {len(text) / 1024:.0f} KiB")
