import ast

import pytest

from tests.bench.house import cycles, lines_of_code, made, repeated_names


def test_a_name_counts_once_it_stands_in_two_folders_that_are_no_family() -> None:
    files = [
        "daemon/cli/notes/related.py",
        "daemon/links/related.py",
        "daemon/server/handlers/related.py",
        "daemon/links/__init__.py",
        "daemon/vault/__init__.py",
        "daemon/vault/words.py",
        "profiles/search/words.py",
    ]
    assert repeated_names(files) == {"words.py": ["daemon/vault", "profiles/search"]}


def test_empty_lines_and_comments_are_no_code() -> None:
    assert lines_of_code("/** What\n * it is. */\n\nconst a = 1; // one\n// two\n/* three */\nconst b = '/*';\n") == 2


@pytest.mark.parametrize(
    ("imported", "found"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set[str]()}, list[set[str]]()),
        ({"a": {"b"}, "b": {"a"}, "c": {"d", "a"}, "d": {"c"}}, [{"a", "b"}, {"c", "d"}]),
    ],
    ids=["none", "two"],
)
def test_cycles(imported: dict[str, set[str]], found: list[set[str]]) -> None:
    assert cycles(imported) == found


def test_what_is_made_is_counted_by_its_full_name() -> None:
    module = """
import threading
from threading import Lock as Key
from ours import Event
one, two, three = threading.Lock(), Key(), Event()
four = field(default_factory=threading.Event)
five = threading.Event
"""
    found = made(ast.parse(module))
    assert (found["threading.Lock"], found["threading.Event"], found["ours.Event"]) == (2, 1, 1)
