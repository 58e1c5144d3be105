"""What a member may bring is counted over all the member's machines, and what waits is not prepared at each look."""

import threading
from collections.abc import Sequence
from unittest.mock import patch

from scrubjay.daemon.indexing.source import NoteSource
from scrubjay.daemon.vault.read import RawNote
from scrubjay.profiles.store import reads
from scrubjay.profiles.team.quotas import Quota, quota_of, set_quota
from tests.helpers.team_server import OWNER
from tests.integration.indexing.test_machines import Machine, machines

__all__ = ["machines"]


def may_bring(machine: Machine, most: int | None) -> Quota:
    """As its member's quota is afterwards."""
    with machine.database.as_owner(machine.database.profile) as owner:
        set_quota(owner, machine.database.profile, OWNER, most)
        return quota_of(owner, machine.database.profile, OWNER)


def waiting(machine: Machine) -> set[str]:
    return {row.path for row in machine.store.read(reads.failures) if row.code == "over-quota"}


def test_the_machines_of_a_member_share_what_the_member_may_bring(machines: tuple[Machine, Machine]) -> None:
    anna, ben = machines
    assert may_bring(anna, 2) == Quota(0, 2)
    anna.write("a.md", "A heron.", 100)
    anna.look()
    ben.write("b.md", "An otter.", 100)
    ben.write("c.md", "A weir.", 90)
    ben.look()
    assert anna.texts().keys() == {"a.md", "b.md"}
    assert (waiting(anna), waiting(ben)) == (set(), {"c.md"})
    ben.write("a.md", "Two herons.", 200)  # taken over: it was counted for the same member before
    ben.look()
    assert ben.owners() == {"a.md": "ben", "b.md": "ben"}
    assert may_bring(ben, 3) == Quota(2, 3)
    ben.look()
    assert (ben.texts().keys(), waiting(ben)) == ({"a.md", "b.md", "c.md"}, set())


def test_what_waits_is_prepared_again_only_once_there_is_room_or_it_has_changed(
    machines: tuple[Machine, Machine],
) -> None:
    anna, _ = machines
    may_bring(anna, 1)
    for place, name in enumerate(("a", "b", "c", "d")):
        anna.write(f"{name}.md", f"Heron {name}.", 100 - place)
    anna.look()
    assert waiting(anna) == {"b.md", "c.md", "d.md"}
    assert prepared(anna) == []
    anna.write("d.md", "An otter.", 200)
    assert prepared(anna) == ["d.md"]
    may_bring(anna, 2)
    assert prepared(anna) == ["d.md"]
    assert waiting(anna) == {"b.md", "c.md"}
    may_bring(anna, None)
    assert prepared(anna) == ["b.md", "c.md"]
    assert waiting(anna) == set()


def prepared(machine: Machine) -> Sequence[str]:
    """The notes that a look prepares."""
    indexer, seen = machine.indexer(), list[str]()
    prepare = indexer.source.prepare

    def seeing(_source: NoteSource, raws: Sequence[RawNote]) -> object:
        seen.extend(raw.path for raw in raws)
        return prepare(raws)

    with patch.object(NoteSource, "prepare", seeing):
        indexer.reconcile(threading.Event())
    return sorted(seen)
