"""`check --repair` of a damaged index says what people decided is kept and what is not, and never that all is well."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.store.sqlite import PAGE_SIZE, connect
from tests.helpers.installation import Installation

ENTRIES, DECISIONS = 3, 200


def noise(path: Path, pages: range) -> None:
    with path.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * PAGE_SIZE)
            file.write(b"\xa5" * PAGE_SIZE)


def over_text(path: Path) -> None:
    """Pages that hold texts of notes, and the root of their table."""
    connection = connect(path, None, "reader")
    root = int(str(connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'chunk'").get))
    connection.close()
    noise(path, range(root, root + 1))


def over_the_first_pages(path: Path) -> None:
    noise(path, range(1, 4))


def over_the_schema(path: Path) -> None:
    """The file opens, and SQLite finds no table in it."""
    content = path.read_bytes()
    # The first page's b-tree of the schema begins behind the file's header: as an empty leaf (fileformat2, 1.6).
    header = b"\x0d\0\0\0\0" + PAGE_SIZE.to_bytes(2, "big") + b"\0"
    path.write_bytes(content[:100] + header + bytes(PAGE_SIZE - 100 - len(header)) + content[PAGE_SIZE:])


def over_answers(path: Path) -> None:
    """A page in the middle of the answers; an index that counts them is whole."""
    connection = connect(path, None, "writer")
    row = "INSERT INTO review_answer VALUES (?, 'stale', 'v', ?, x'00', x'00', zeroblob(400), 'no', '[]', 1)"
    connection.executemany(row, ((f"{number:04}", f"{number}.md") for number in range(DECISIONS)))
    root = int(str(connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'review_answer'").get))
    connection.pragma("wal_checkpoint(TRUNCATE)")
    connection.close()
    content = path.read_bytes()[(root - 1) * PAGE_SIZE : root * PAGE_SIZE]
    cells = int.from_bytes(content[3:5], "big")
    assert content[0] == 2 and cells > 6, "not an inner page of an index b-tree"
    places = [int.from_bytes(content[12 + 2 * cell : 14 + 2 * cell], "big") for cell in range(cells)]
    children = [int.from_bytes(content[place : place + 4], "big") for place in places]
    noise(path, range(children[3], children[3] + 1))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Five notes, indexed, and entries of the journal, for each case to copy."""
    made = Installation(tmp_path_factory.mktemp("whole"))
    made.write({f"Heron {number}.md": f"Heron {number} waits at the weir. " * 200 for number in range(5)})
    made.create_profile("first")
    made.run("index")
    for number in range(ENTRIES):
        made.run("journal", "add", f"decision {number}")
    return made


@pytest.mark.parametrize(
    ("damage", "kept", "lost"),
    [
        (over_text, f"Kept of it: {ENTRIES} journal entries", None),
        (over_the_first_pages, None, "an unknown number of journal entries"),
        (over_the_schema, None, "an unknown number of journal entries"),
        (over_answers, r"1\d\d answers in the review", r"\d+ answers in the review"),
    ],
)
def test_a_repair_says_what_is_kept_and_what_is_not(
    tmp_path: Path, whole: Installation, damage: Callable[[Path], None], kept: str | None, lost: str | None
) -> None:
    installation = Installation(tmp_path)
    shutil.copytree(whole.root / "home", tmp_path / "home")
    registry = Registry(installation.home.profiles)
    damage(registry.store_path(registry.get("first")))
    said = " ".join(installation.run("check", "--repair").stdout.split())
    assert "all is well" not in said
    assert "first: mended" in said
    told, _, missed = said.partition("Not kept")
    assert kept is None or re.search(kept, told)
    assert bool(missed) == (lost is not None)
    assert lost is None or re.search(lost, missed)
    assert "Heron 3.md" in installation.run("search", "heron").stdout
