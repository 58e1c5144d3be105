"""Within the box, where nothing can be opened any more, all formats are read as they are outside."""

from collections.abc import Iterator

import pytest

from scrubjay.daemon.documents.extract import extract
from scrubjay.daemon.documents.sandbox.box import Box
from tests.helpers.made_files.corpus import Made, made_files

SHAPES = ("-0", "-1", "-2", "-3")  # all encodings, all ways to pack
FILES = [
    pytest.param(file, id=file.name, marks=() if file.name.endswith("-0") else pytest.mark.slow)
    for file in made_files()
    if file.name.endswith(SHAPES)
]


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    made = Box(lambda: 20.0)
    yield made
    made.close()


@pytest.mark.parametrize("file", FILES)
def test_a_file_is_read_in_the_box_as_it_is_outside(box: Box, file: Made) -> None:
    assert box.extract(file.extension, file.data) == extract(file.extension, file.data)
