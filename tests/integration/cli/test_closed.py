"""A locked profile is not mistaken for an empty one: what lists notes says whose are missing."""

import re
from pathlib import Path

import pytest

from tests.helpers.installation import Installation
from tests.integration.cli.test_nothing_read import LISTS, REASSURING


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(Path(tmp_path_factory.mktemp("closed")))
    made.write({"Heron.md": f"A heron.\n\nPassword: {'kestrel'.title()}#{4 * 1021}\n"})
    made.create_profile("birds")
    made.run("index")
    assert made.run("credentials", check=False).stdout.startswith("birds: Heron.md:3")
    made.run("lock", "birds")
    return made


@pytest.mark.parametrize("command", LISTS, ids=" ".join)
def test_a_list_names_the_profile_whose_notes_are_missing(place: Installation, command: tuple[str, ...]) -> None:
    done = place.run(*command, check=False)
    assert re.search(r"birds (did not answer|was not asked|is locked)", done.stderr)
    for words in REASSURING:
        assert words not in f"{done.stdout}{done.stderr}"


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_credentials_that_may_be_there_leave_with_status_1(place: Installation, options: tuple[str, ...]) -> None:
    assert place.run("credentials", *options, check=False).returncode == 1


def test_a_word_that_a_locked_profile_may_have_is_not_said_to_be_in_no_note(place: Installation) -> None:
    done = place.run("search", "heron", "--mode", "lexical", check=False)
    assert "Profile birds did not answer. " in done.stderr
    assert "No note says" not in f"{done.stdout}{done.stderr}"


def test_a_look_at_all_profiles_names_every_one_that_is_not_read(tmp_path: Path) -> None:
    made = Installation(tmp_path)
    made.write({"Heron.md": "A heron.\n"})
    for name in ("birds", "crows", "ducks"):
        made.create_profile(name)
    made.run("lock", "birds")
    with made.daemon():
        begun = made.run("index", check=False)
        assert (begun.returncode, begun.stdout) == (1, "Re-indexing crows, ducks.\n")
        assert "Not all of birds is read: " in begun.stderr
        made.run("pause", "--profile", "ducks")
        waited = made.run("index", "--wait", check=False)
        assert waited.returncode == 1
        for name in ("birds", "ducks"):
            assert f"Not all of {name} is read: " in waited.stderr
        assert "Not all of crows" not in waited.stderr
        assert "ducks: files beside notes are being looked for" not in made.run("status").stdout
