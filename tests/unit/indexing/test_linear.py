"""No regex that takes a note apart can take long over any text: shown by structure."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import cast

import pytest

import scrubjay.daemon.indexing
import scrubjay.daemon.vault
from scrubjay.credential_filter.rules.linear_regex import why_not_linear

REFERRING_BACK = {"_VECTOR_PATH", "_RULE"}
"""Those that refer back, to one character: no repeat of theirs can share out what it matched."""


def regexes() -> Iterator[object]:
    for package in (scrubjay.daemon.vault, scrubjay.daemon.indexing):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, re.Pattern) and name not in REFERRING_BACK:
                    regex = cast("re.Pattern[str]", value)
                    verbose = "(?x)" if regex.flags & re.VERBOSE else ""
                    yield pytest.param(verbose + regex.pattern, id=f"{module.name}.{name}")


@pytest.mark.parametrize("regex", list(regexes()))
def test_every_regex_that_takes_a_note_apart_is_linear_by_its_structure(regex: str) -> None:
    assert why_not_linear(regex) is None
