"""A home that an earlier version made opens in this one and keeps what is in it; one of a later version is left alone.

`made_homes/README.md` says what each holds.
"""

import json
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.access.client_registry import ClientRegistry
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.store.migrations import scripts
from scrubjay.profiles.store.sqlite import connect
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.waiting import until

FOLDER = Path(__file__).parent / "made_homes"
MADE_AT = "/tmp/made-home"
KEYS = f"# Keys\n\nThe camera at the weir: {'_'.join(('ghp', 'kQ7vX2mR9tB4' * 3))}\n"
"""The note whose credential people decided about in homes from schema 6 on."""


@dataclass(frozen=True, slots=True)
class Made:
    """A home as a commit made it. plain: one with three notes alone."""

    commit: str
    schema: int
    plain: bool = False

    @property
    def archive(self) -> Path:
        return FOLDER / f"{self.commit}.tar.xz"


EARLIEST, LATEST = Made("960a5118", 1), Made("4f2f2cdc", 16)
ALL = (
    EARLIEST,
    Made("ae65547", 3, plain=True),
    Made("4a26c06", 3, plain=True),
    Made("88759b54", 5),
    Made("326cc166", 6),
    Made("bf1a4088", 12),
    LATEST,
)


def unpacked(made: Made, folder: Path) -> Installation:
    """The home, moved to `folder` with its vault."""
    with tarfile.open(made.archive) as archive:
        archive.extractall(folder, filter="data")
    (settings,) = folder.glob("home/data/profiles/*/profile.toml")
    assert MADE_AT in settings.read_text()
    settings.write_text(settings.read_text().replace(MADE_AT, str(folder)))
    installation = Installation(folder)
    if not made.plain:
        installation.write({"Keys.md": KEYS})
    return installation


def index_of(installation: Installation) -> Path:
    (found,) = installation.home.profiles.glob("*/index.sqlite3")
    return found


def version_of(index: Path) -> int:
    connection = connect(index, None, "reader")
    try:
        return int(connection.pragma("user_version"))
    finally:
        connection.close()


def set_version(index: Path, version: int) -> None:
    """Have a database say that it is of another schema."""
    connection = connect(index, None, "writer")
    try:
        connection.pragma("user_version", version)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        connection.close()


def saved(installation: Installation) -> dict[str, bytes]:
    """The bytes of all that must be kept, by path, and of clients who has which token.

    What a daemon notes of itself is left out: state, locks, when a client was last seen, and the command line's token.
    """
    home = installation.home
    files = [path for folder in (home.config, home.data) for path in folder.rglob("*") if path.is_file()]
    kept = {str(path): path.read_bytes() for path in files if path.suffix != ".lock" and "clients" not in path.name}
    for each in json.loads(home.clients.read_bytes())["clients"]:
        if not each["client"]["own"]:
            kept[each["client"]["name"]] = json.dumps(each | {"client": each["client"] | {"last_seen": None}}).encode()
    return kept


def said(installation: Installation, *arguments: str) -> Any:
    return json.loads(installation.run(*arguments, "--json", check=False).stdout)


@pytest.mark.parametrize(
    "made",
    [each if each in (EARLIEST, LATEST) else pytest.param(each, marks=pytest.mark.slow) for each in ALL],
    ids=lambda made: f"{made.schema}-{made.commit}",
)
def test_a_home_of_an_earlier_version_is_searched_and_keeps_what_was_saved(made: Made, tmp_path: Path) -> None:
    installation = unpacked(made, tmp_path)
    settings = installation.home.settings.read_bytes()
    (before,) = installation.home.profiles.glob("*/profile.toml")
    set_by_user = before.read_bytes()
    assert version_of(index_of(installation)) == made.schema
    with installation.daemon() as client:
        wait_until_indexed(client)
        keeps_what_was_saved(installation, client, made)
        assert "all is well" in installation.run("check").stdout
    assert (installation.home.settings.read_bytes(), before.read_bytes()) == (settings, set_by_user)
    assert version_of(index_of(installation)) == len(scripts())


def keeps_what_was_saved(installation: Installation, client: ScrubjayClient, made: Made) -> None:
    """The home is searched, and what people set, decided, remembered and forbade is as it was."""
    if made.schema >= 3:
        assert "heron" in installation.run("history").stdout

    def found() -> set[str]:
        ask = SearchAsk(query="a bird that hunts fish", mode="semantic")
        return {each.path for each in client.ask(SEARCH, ask).results}

    until(lambda: found() >= {"Birds/Heron.md", "Reiher.md", "Weir.md"})  # what is prepared anew is embedded after that
    assert [hit.path for hit in client.ask(SEARCH, SearchAsk(query="sluice")).results][:1] == ["Weir.md"]
    (profile,) = said(installation, "profile", "list")
    assert profile["name"] == "birds"
    if made.schema >= 2:
        assert "Tuesday" in installation.run("journal", "recall", "heron came back").stdout
    if made.plain:
        return
    assert client.ask(SEARCH, SearchAsk(query="kingfisher", mode="lexical")).results == ()
    assert client.ask(STATUS).profiles[0].notes == 4
    (vault,) = profile["vaults"]
    assert (vault["allow"], vault["exclude"]) == (["."], ["Private"])
    decided = [(each["path"], each["line"]) for each in said(installation, "credentials", "--decided")]
    assert decided == ([("Keys.md", 3)] if made.schema >= 6 else [])
    with ScrubjayClient(client.url, (installation.root / "token").read_text()) as agent:
        assert agent.ask(SEARCH, SearchAsk(query="sluice")).results
    (known,) = [each for each in ClientRegistry(installation.home.clients).list() if each.name == "agent"]
    assert known.scopes == ("search",)
    assert known.profiles == (index_of(installation).parent.name,)
    if made.schema >= 16:
        answers = {
            answer: [
                (each["kind"], each["path"]) for each in said(installation, "review", "--answer", answer)["proposals"]
            ]
            for answer in ("open", "later", "no")
        }
        assert ("suggested", "Reiher.md") in answers["open"]
        assert answers["later"] == [("suggested", "Weir.md")]
        assert answers["no"] == [("broken-link", "Weir.md")]


def test_a_home_of_a_later_version_is_refused_with_what_to_do_and_stays_as_it_is(tmp_path: Path) -> None:
    installation = unpacked(LATEST, tmp_path)
    index = index_of(installation)
    set_version(index, len(scripts()) + 1)
    before = saved(installation)
    with installation.daemon() as client:
        assert "scrubjay doctor` says why" in installation.run("search", "heron", check=False).stderr
        for command in ("status", "doctor"):
            assert "newer Scrubjay" in installation.run(command, check=False).stdout
        (profile,) = client.ask(STATUS).profiles
        assert (profile.state, "newer Scrubjay" in profile.reason) == ("failed", True)
    for command in ("check", "index", "search heron", "journal log", "credentials"):
        refused = installation.run(*command.split(), check=False)
        told = refused.stdout + refused.stderr
        assert "newer Scrubjay" in told or "scrubjay doctor` says why" in told, command
    assert saved(installation) == before
