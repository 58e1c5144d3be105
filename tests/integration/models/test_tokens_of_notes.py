"""Counting by the word, over whole vaults and collections."""

import os
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.token_counter import TokenCounter

EVAL = os.environ.get("SCRUBJAY_EVAL") or None
FOLDERS = sorted(path for path in Path(EVAL).iterdir() if path.is_dir()) if EVAL else []
CHARACTERS_A_FOLDER = 1_000_000


def texts(folder: Path) -> list[str]:
    """Paragraphs of notes and lines of collections, from all over the folder."""
    files = sorted(file for kind in ("*.md", "*.jsonl") for file in folder.rglob(kind))
    step = max(1, sum(file.stat().st_size for file in files) // CHARACTERS_A_FOLDER)
    found: list[str] = []
    left = CHARACTERS_A_FOLDER
    for file in files[:: min(step, len(files) // 10 + 1)]:
        for piece in file.read_text(encoding="utf-8", errors="replace").split("\n\n" if file.suffix == ".md" else "\n"):
            left -= len(piece)
            if left < 0:
                return found
            found.append(piece)
    return found


@pytest.mark.slow
@pytest.mark.skipif(not EVAL, reason="SCRUBJAY_EVAL names no folder of evaluation data")
@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_notes_are_counted_as_the_tokenizer_counts_them(folder: Path) -> None:
    tokenizer = Tokenizer.from_file(str((BUNDLED.path or Path()) / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    pieces = texts(folder)
    assert pieces
    expected = [len(found.ids) for found in tokenizer.encode_batch_fast(pieces, add_special_tokens=False)]
    assert TokenCounter(BUNDLED).count_many(pieces) == expected
