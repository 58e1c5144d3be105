"""Where nothing was read yet, no list says that there is nothing."""

import pytest

from tests.helpers.installation import Installation

NOTE = f"A heron.\n\nPassword: {'kestrel'.title()}#{4 * 1021}\n"
REASSURING = ("No credentials found", "No notes on these days", "No note says", "Nothing waits")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("unread"))
    made.write({"Heron.md": NOTE})
    made.create_profile("birds")
    return made


@pytest.mark.parametrize(
    "command",
    [
        ("credentials",),
        ("recent",),
        ("timeline",),
        ("stats",),
        ("review",),
        ("search", "heron", "--mode", "lexical"),
    ],
    ids=lambda command: command[0],
)
def test_a_list_says_that_nothing_was_read(place: Installation, command: tuple[str, ...]) -> None:
    said = place.run(*command, check=False).stderr
    assert "been read yet" in said
    for words in REASSURING:
        assert words not in said


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
