"""A damaged index is set aside and built anew; the other profiles answer meanwhile."""

from pathlib import Path

from daemon.api.schemas import SearchAsk
from profiles.registry import Registry
from tests.helpers.installation import Installation, wait_until_indexed


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
        status = client.status()
        found = {hit.profile for hit in client.search(SearchAsk(query="heron", profiles=("first",))).results}
    assert found == {"first"}
    assert [profile.notes for profile in status.profiles] == [1, 1]
    assert any("set aside" in warning and damaged.name in warning for warning in status.warnings)
    assert list(damaged.parent.glob(f"{damaged.name}.damaged-*"))
