"""What `scrubjay search` says to somebody who looks whether a password of theirs can be found."""

from pathlib import Path

from tests.helpers.installation import Installation

WIFI = "hunter2" + "Xyz1"


def test_a_password_that_was_taken_out_is_found_nowhere_and_it_is_said_why(tmp_path: Path) -> None:
    place = Installation(tmp_path)
    place.write({"Home.md": f"my wifi password: {WIFI}\n\n1. The router.", "Boat.md": "Boat 1 of 2."})
    place.create_profile("notes")
    place.run("index")
    done = place.run("search", WIFI, check=False)
    said = " ".join(f"{done.stdout} {done.stderr}".split())
    assert f'No note says "{WIFI}"; if it was a password, it was taken out before indexing.' in said
    assert "high" not in done.stdout
    assert not done.stdout or "0 of 0 notes with these words" in said
