"""Small vaults in many languages: their words are found in every form and spelling, and nothing absent is high."""

from pathlib import Path

import pytest

from scrubjay.daemon.models.in_process import InProcessEmbedder
from tests.quality.languages import languages, measure, opened, read

FLOORS = {"ja": 0.91}
"""What is less than elsewhere: a word in kana does not find it in Chinese characters."""


@pytest.mark.parametrize("language", languages())
def test_words_are_found_and_nothing_absent_is_high(language: str, tmp_path: Path, embedder: InProcessEmbedder) -> None:
    vault = read(language)
    with opened(vault, tmp_path, embedder) as searcher:
        found = measure(searcher, vault, "lexical")
    assert found.queries >= 20
    assert found.rank >= FLOORS.get(language, 0.95), found.missed
    assert found.high == ()
