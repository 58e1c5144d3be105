"""Where nothing was read yet, or a profile is locked, no list says that there is nothing."""

import re
from pathlib import Path

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


def place(root: Path, profile: str, text: str = NOTE) -> Installation:
    made = Installation(root)
    made.write({"Heron.md": text})
    made.create_profile(profile)
    return made


def say_so(made: Installation, pattern: str) -> None:
    """That every list says this, and nothing that reassures."""
    for command in LISTS:
        done = made.run(*command, check=False)
        assert re.search(pattern, done.stderr), command
        assert [words for words in REASSURING if words in f"{done.stdout}{done.stderr}"] == [], command
    for options in ((), ("--json",)):
        assert made.run("credentials", *options, check=False).returncode == 1, "there may be some"


def test_a_list_says_that_nothing_was_read_until_it_was(tmp_path: Path) -> None:
    made = place(tmp_path, "birds", "An egret.")
    say_so(made, "been read yet")
    made.run("index")
    done = made.run("credentials")
    assert (done.returncode, "No credentials found." in done.stderr, "read yet" in done.stderr) == (0, True, False)


def test_a_list_names_the_locked_profile_whose_notes_are_missing(tmp_path: Path) -> None:
    made = place(tmp_path, "birds")
    made.run("index")
    assert made.run("credentials", check=False).stdout.startswith("birds: Heron.md:3")
    made.run("lock", "birds")
    say_so(made, r"birds (did not answer|was not asked|is locked)")
    assert "Profile birds did not answer. " in made.run("search", "heron", "--mode", "lexical", check=False).stderr


def test_a_look_at_all_profiles_names_every_one_that_is_not_read(tmp_path: Path) -> None:
    made = place(tmp_path, "birds")
    for name in ("crows", "ducks"):
        made.create_profile(name)
    made.run("lock", "birds")
    with made.daemon():
        begun = made.run("index", check=False)
        assert (begun.returncode, begun.stdout) == (1, "Re-indexing crows, ducks.\n")
        assert "Not all of birds is read: " in begun.stderr
        made.run("pause", "--profile", "ducks")
        waited = made.run("index", "--wait", check=False)
        named = re.findall(r"Not all of (\w+) is read: ", waited.stderr)
        assert (waited.returncode, sorted(named)) == (1, ["birds", "ducks"])
        assert "ducks: files beside notes are being looked for" not in made.run("status").stdout


def test_without_a_profile_the_way_to_one_is_named(tmp_path: Path) -> None:
    assert "scrubjay setup`" in Installation(tmp_path).run("search", "heron", check=False).stderr


def test_what_an_edit_brought_is_shown_and_counted(tmp_path: Path) -> None:
    kept = "# Heron\n\n## Spring\n\n" + "It stands at the weir. " * 40
    made = place(tmp_path, "birds", kept)
    made.run("index")
    made.write({"Heron.md": f"{kept}\n\n## Autumn\n\nIt left for the estuary."})
    made.run("index")
    done = made.run("changes", "Heron.md", "--since", "today")
    assert "It left for the estuary." in done.stdout
    assert "stands at the weir" not in done.stdout
    assert "1 passage new or edited" in done.stderr


def test_a_password_that_was_taken_out_is_found_nowhere_and_it_is_said_why(tmp_path: Path) -> None:
    wifi = "hunter2" + "Xyz1"
    made = place(tmp_path, "notes", f"my wifi password: {wifi}\n\n1. The router.")
    made.write({"Boat.md": "Boat 1 of 2."})
    made.run("index")
    done = made.run("search", wifi, check=False)
    said = " ".join(f"{done.stdout} {done.stderr}".split())
    assert f'No note says "{wifi}"; if it was a password, it was taken out before indexing.' in said
    assert "high" not in done.stdout
    assert not done.stdout or "0 of 0 notes with these words" in said
