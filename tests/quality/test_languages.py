"""Small vaults in many languages: their words are found in every form and spelling, and nothing absent is high."""

from pathlib import Path

import pytest

from scrubjay.daemon.models.in_process import InProcessEmbedder
from scrubjay.daemon.models.installed import packaged, resolve
from tests.quality.languages import languages, measure, opened, paraphrased, read

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


MULTILINGUAL = "multilingual-e5-small"


@pytest.mark.skipif(MULTILINGUAL not in packaged(), reason="`make multilingual`, and install what it makes")
def test_other_words_find_notes_by_a_model_for_many_languages(tmp_path: Path) -> None:
    embedder, ranks = InProcessEmbedder(resolve(MULTILINGUAL, tmp_path)), dict[str, float]()
    for language in languages("paraphrases"):
        vault = paraphrased(language)
        (tmp_path / language).mkdir()
        with opened(vault, tmp_path / language, embedder) as searcher:
            ranks[language] = measure(searcher, vault, "hybrid").rank
    embedder.close()
    assert len(ranks) >= 18
    assert sum(ranks.values()) / len(ranks) >= 0.8, ranks
    assert min(ranks.values()) >= 0.65, ranks
