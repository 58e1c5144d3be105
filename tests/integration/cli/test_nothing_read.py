"""Where nothing was read yet, no list says that there is nothing."""

import pytest

from tests.helpers.installation import Installation

NOTE = f"A heron.\n\nPassword: {'kestrel'.title()}#{4 * 1021}\n"
REASSURING = (
    "No credentials found",
    "No notes on these days",
    "No note says",
    "Nothing waits",
    "No sentence in your notes",
    "notes say nothing",
)
LISTS = (
    ("credentials",),
    ("recent",),
    ("timeline",),
    ("changes",),
    ("stats",),
    ("review",),
    ("search", "heron", "--mode", "lexical"),
    ("ask", "--extract", "where did the heron stand?"),
    ("context", "where did the heron stand?"),
    ("related", "Heron.md"),
    ("traverse", "Heron.md"),
    ("traverse", "--query", "heron"),
    ("get", "Heron.md"),
    ("verify", "A heron", "--note", "Heron.md"),
)
"""All that tell what notes say, each as somebody types it."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("unread"))
    made.write({"Heron.md": NOTE})
    made.create_profile("birds")
    return made


@pytest.mark.parametrize("command", LISTS, ids=" ".join)
def test_a_list_says_that_nothing_was_read(place: Installation, command: tuple[str, ...]) -> None:
    done = place.run(*command, check=False)
    assert "been read yet" in done.stderr
    for words in REASSURING:
        assert words not in f"{done.stdout}{done.stderr}"


def test_credentials_of_which_nothing_is_known_leave_with_status_1(place: Installation) -> None:
    assert place.run("credentials", check=False).returncode == 1


def test_once_read_a_list_is_taken_at_its_word(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = Installation(tmp_path_factory.mktemp("read"))
    made.write({"Egret.md": "An egret."})
    made.create_profile("egrets")
    made.run("index")
    done = made.run("credentials")
    assert (done.returncode, "No credentials found." in done.stderr, "read yet" in done.stderr) == (0, True, False)


def test_without_a_profile_the_way_to_one_is_named(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = Installation(tmp_path_factory.mktemp("none"))
    assert "scrubjay setup`" in made.run("search", "heron", check=False).stderr


def test_what_an_edit_brought_is_shown_and_counted(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = Installation(tmp_path_factory.mktemp("edited"))
    kept = "# Heron\n\n## Spring\n\n" + "It stands at the weir. " * 40
    made.write({"Heron.md": kept})
    made.create_profile("birds")
    made.run("index")
    made.write({"Heron.md": f"{kept}\n\n## Autumn\n\nIt left for the estuary."})
    made.run("index")
    done = made.run("changes", "Heron.md", "--since", "today")
    assert "It left for the estuary." in done.stdout
    assert "stands at the weir" not in done.stdout
    assert "1 passage new or edited" in done.stderr
