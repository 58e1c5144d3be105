"""Files of all formats yield their text, each phrase at its place."""

from collections import Counter, defaultdict

import pytest

from scrubjay.daemon.documents.extract import extract
from scrubjay.daemon.documents.extracted import Extracted
from tests.helpers.made_files.corpus import Expected, made_files

FILES = made_files()


def found(extracted: Extracted, expected: Expected) -> bool:
    return any(
        expected.phrase in " ".join(part.text.split())
        and expected.place in (None, part.place)
        and expected.label in (None, part.label)
        for part in extracted.parts
    )


def test_the_corpus_has_files_and_phrases_enough() -> None:
    formats = Counter(file.extension for file in FILES)
    assert len(FILES) >= 250
    assert min(formats.values()) >= 10
    assert all(len({each.phrase for each in file.expected}) >= 20 for file in FILES if file.name.endswith("-0"))


@pytest.mark.parametrize("extension", sorted({file.extension for file in FILES}))
def test_each_phrase_is_found_at_its_place(extension: str) -> None:
    lost: dict[str, list[str]] = defaultdict(list)
    for file in FILES:
        if file.extension == extension:
            extracted = extract(extension, file.data)
            lost[file.name] += [each.phrase for each in file.expected if not found(extracted, each)]
    assert {name: phrases for name, phrases in lost.items() if phrases} == {}
