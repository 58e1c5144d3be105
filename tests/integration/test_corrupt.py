"""A damaged index is set aside and built anew; the other profiles answer meanwhile."""

from pathlib import Path

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.status import STATUS
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.store.sqlite import PAGE_SIZE
from tests.helpers.installation import Installation, wait_until_indexed
from tests.helpers.waiting import until


def test_a_damaged_index_is_set_aside_named_and_rebuilt(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    installation.write({"Heron.md": "The heron waits at the weir."})
    installation.create_profile("first")
    installation.create_profile("second")
    installation.run("index")
    registry = Registry(installation.home.profiles)
    damaged = registry.store_path(registry.get("first"))
    damaged.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 64)
    with installation.daemon() as client:
        wait_until_indexed(client)
        status = client.ask(STATUS)
        found = {hit.profile for hit in client.ask(SEARCH, SearchAsk(query="heron", profiles=("first",))).results}
    assert found == {"first"}
    assert [profile.notes for profile in status.profiles] == [1, 1]
    assert any("set aside" in warning and damaged.name in warning for warning in status.warnings)
    assert list(damaged.parent.glob(f"{damaged.name}.damaged-*"))


def test_a_command_without_a_daemon_tells_of_damage_and_leaves_it_to_the_repair(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    installation.write({"Heron.md": "The heron waits at the weir."})
    installation.create_profile("first")
    installation.run("index")
    registry = Registry(installation.home.profiles)
    damaged = registry.store_path(registry.get("first"))
    damaged.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 64)
    before = damaged.read_bytes()
    for command in ("check", "search heron"):
        done = installation.run(*command.split(), check=False)
        assert (done.returncode, damaged.read_bytes() == before) == (1, True)
    assert "--repair" in installation.run("check", check=False).stdout
    assert "set aside" in installation.run("check", "--repair").stdout
    assert "Heron.md" in installation.run("search", "heron").stdout


def test_an_index_that_is_damaged_under_a_running_daemon_is_rebuilt_while_the_others_answer(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    installation.write({f"Heron {number}.md": "The heron waits at the weir. " * 40 for number in range(40)})
    installation.create_profile("first")
    installation.create_profile("second")
    registry = Registry(installation.home.profiles)
    damaged = registry.store_path(registry.get("first"))
    with installation.daemon() as client:
        wait_until_indexed(client)
        overwrite(damaged)
        overwrite(damaged.with_name(f"{damaged.name}-wal"))
        installation.write({"Heron 41.md": "Another heron."})
        until(lambda: is_whole(client), lambda: client.ask(STATUS))
        assert any("set aside" in warning and "first" in warning for warning in client.ask(STATUS).warnings)
    assert list(damaged.parent.glob(f"{damaged.name}.damaged-1"))


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
