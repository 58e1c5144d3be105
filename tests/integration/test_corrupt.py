"""A damaged index is set aside and built anew; the other profiles answer meanwhile."""

from pathlib import Path

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.store.sqlite import PAGE_SIZE
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.waiting import until


def damaged(installation: Installation) -> Path:
    """The index of the profile `first`, which is none any more."""
    registry = Registry(installation.home.profiles)
    file = registry.store_path(registry.get("first"))
    file.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 64)
    return file


def test_a_damaged_index_is_left_to_the_repair_by_commands_and_set_aside_named_and_rebuilt_by_a_daemon(
    tmp_path: Path,
) -> None:
    installation = Installation(tmp_path)
    installation.write({"Heron.md": "The heron waits at the weir."})
    for name in ("first", "second"):
        installation.create_profile(name)
    installation.run("index")
    file = damaged(installation)
    before = file.read_bytes()
    for command in (("check",), ("search", "heron", "--profile", "first")):
        done = installation.run(*command, check=False)
        assert (done.returncode, file.read_bytes() == before) == (1, True)
    assert "--repair" in installation.run("check", check=False).stdout
    assert "set aside" in installation.run("check", "--repair").stdout
    assert "Heron.md" in installation.run("search", "heron", "--profile", "first").stdout
    file = damaged(installation)
    with installation.daemon() as client:
        wait_until_indexed(client)
        status = client.ask(STATUS)
        found = {hit.profile for hit in client.ask(SEARCH, SearchAsk(query="heron", profiles=("first",))).results}
    assert (found, [profile.notes for profile in status.profiles]) == ({"first"}, [1, 1])
    assert any("set aside" in warning and file.name in warning for warning in status.warnings)
    assert len(list(file.parent.glob(f"{file.name}.damaged-*"))) == 2


def test_an_index_that_is_damaged_under_a_running_daemon_is_rebuilt_while_the_others_answer(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    installation.write({f"Heron {number}.md": "The heron waits at the weir. " * 40 for number in range(40)})
    installation.create_profile("first")
    installation.create_profile("second")
    registry = Registry(installation.home.profiles)
    file = registry.store_path(registry.get("first"))
    with installation.daemon() as client:
        wait_until_indexed(client)
        overwrite(file)
        overwrite(file.with_name(f"{file.name}-wal"))
        installation.write({"Heron 41.md": "Another heron."})
        until(lambda: is_whole(client), lambda: client.ask(STATUS))
        assert any("set aside" in warning and "first" in warning for warning in client.ask(STATUS).warnings)
    assert list(file.parent.glob(f"{file.name}.damaged-1"))


def overwrite(file: Path) -> None:
    """Noise over all but the first page, as a failing disk would leave it."""
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(PAGE_SIZE)
        opened.write(b"\xa5" * max(0, size - PAGE_SIZE))


def is_whole(client: ScrubjayClient) -> bool:
    """Whether the damage was found and all notes are back; the other profile has to answer all the while."""
    found = client.ask(SEARCH, SearchAsk(query="heron", profiles=("first", "second"), limit=100, mode="lexical"))
    answering = {place.profile for hit in found.results for place in (hit, *hit.also_in)}
    assert "second" in answering
    status = client.ask(STATUS)
    return (
        bool(status.warnings)
        and "first" in answering
        and {(each.state, each.notes) for each in status.profiles} == {("idle", 41)}
    )
