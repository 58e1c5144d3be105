"""A home that an earlier version made opens in this one and keeps what is in it; one of a later version is left alone.

`made_homes/` has small homes, each made by the commit that it is called after: three notes, a search, a saved thought.
"""

import hashlib
import json
import tarfile
from pathlib import Path

import pytest

from scrubjay.daemon.api.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.api.endpoints.status import STATUS
from scrubjay.profiles.database.connection import connect
from scrubjay.profiles.database.migrations import scripts
from tests.helpers.installation import Installation, wait_until_indexed
from tests.integration.runtime.living import until

MADE = Path(__file__).parent / "made_homes"
EARLIEST, LATER = MADE / "ae65547.tar.xz", MADE / "4a26c06.tar.xz"
MADE_AT = "/tmp/made-home"


def unpacked(made: Path, folder: Path) -> Installation:
    """The home, moved to `folder` with its vault."""
    with tarfile.open(made) as archive:
        archive.extractall(folder, filter="data")
    (settings,) = folder.glob("home/data/profiles/*/profile.toml")
    assert MADE_AT in settings.read_text()
    settings.write_text(settings.read_text().replace(MADE_AT, str(folder)))
    return Installation(folder)


def index_of(installation: Installation) -> Path:
    (found,) = installation.home.profiles.glob("*/index.sqlite3")
    return found


def set_version(index: Path, version: int) -> int:
    """Have a database say that it is of another schema; what it said before."""
    connection = connect(index, None, "writer")
    try:
        before = int(connection.pragma("user_version"))
        connection.pragma("user_version", version)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        connection.close()
    return before


@pytest.mark.parametrize("made", [EARLIEST, pytest.param(LATER, marks=pytest.mark.slow)], ids=lambda path: path.name)
def test_a_home_of_an_earlier_version_is_searched_and_keeps_what_was_saved(made: Path, tmp_path: Path) -> None:
    installation = unpacked(made, tmp_path)
    with installation.daemon() as client:
        wait_until_indexed(client)
        asked = SearchAsk(query="a bird that hunts fish", mode="semantic")
        until(lambda: client.ask(SEARCH, asked).semantic == "used")  # its model is loaded for the first to ask
        found = client.ask(SEARCH, asked).results
        assert {result.path for result in found} == {"Birds/Heron.md", "Reiher.md", "Weir.md"}
        assert [hit.path for hit in client.ask(SEARCH, SearchAsk(query="sluice")).results][:1] == ["Weir.md"]
        assert "Tuesday" in installation.run("journal", "recall", "heron came back").stdout
        assert "heron wait" in installation.run("history").stdout
    assert json.loads(installation.run("profile", "list", "--json").stdout)[0]["name"] == "birds"
    assert set_version(index_of(installation), len(scripts())) == len(scripts())


def test_a_home_of_a_later_version_is_refused_with_what_to_do_and_stays_as_it_is(tmp_path: Path) -> None:
    installation = unpacked(EARLIEST, tmp_path)
    index = index_of(installation)
    set_version(index, len(scripts()) + 1)
    before = hashlib.sha256(index.read_bytes()).hexdigest()
    with installation.daemon() as client:
        assert "`scrubjay doctor` says why" in installation.run("search", "heron", check=False).stderr
        for command in ("status", "doctor"):
            assert "newer Scrubjay" in installation.run(command, check=False).stdout
        (profile,) = client.ask(STATUS).profiles
        assert (profile.state, "newer Scrubjay" in profile.reason) == ("failed", True)
    assert hashlib.sha256(index.read_bytes()).hexdigest() == before
    assert [file.name for file in index.parent.glob("index*")] == ["index.sqlite3"]
