"""Broken files and those that mean harm end as text or as a reason, and the box reads on."""

from collections.abc import Iterable, Iterator
from itertools import islice

import pytest

from scrubjay.daemon.documents.extracted import Reason
from scrubjay.daemon.documents.sandbox.box import Box
from tests.helpers.made_files.hostile import Hostile, broken_files, hostile_files

NOTE_SECONDS = 20.0
ALL = [*broken_files(), *hostile_files()]


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    made = Box(lambda: NOTE_SECONDS)
    yield made
    made.close()


def named(files: Iterable[Hostile]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("file", list(files), ids=lambda file: file.name)


def check(box: Box, file: Hostile) -> None:
    found = box.extract(file.extension, file.make())
    reason = found.unreadable.reason if found.unreadable else None
    assert reason is not Reason.TOO_SLOW
    assert bool(found.parts) is (reason is None)
    assert file.said is None or reason in file.said


def test_there_are_two_hundred_of_them() -> None:
    assert len({file.name for file in ALL}) >= 200


@named(islice(hostile_files(), 0, None, 6))
def test_a_file_that_means_harm_is_named(box: Box, file: Hostile) -> None:
    check(box, file)


@named(islice(broken_files(), 0, None, 24))
def test_a_broken_file_is_read_as_far_as_it_goes_or_named(box: Box, file: Hostile) -> None:
    check(box, file)


@pytest.mark.slow
@named(ALL)
def test_every_file_is_read_as_far_as_it_goes_or_named(box: Box, file: Hostile) -> None:
    check(box, file)
