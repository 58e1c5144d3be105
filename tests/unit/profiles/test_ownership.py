"""Who writes a note that several machines have: the rules one by one, and machines that live by them for a while."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.profiles.team.leases import (
    LOST_SECONDS,
    OVER_SECONDS,
    Holder,
    Lease,
    Tombstone,
    dated,
    may_forget,
    may_take,
    may_write,
    next_clock,
)

NEW, OLD = b"new", b"old"


@pytest.mark.parametrize(
    ("stored", "holder", "digest", "mtime", "writes"),
    [
        pytest.param(None, None, NEW, 1, True, id="a note that nobody has"),
        pytest.param(OLD, None, NEW, 1, True, id="a note that nobody looks after"),
        pytest.param(OLD, "ours", NEW, 1, True, id="one's own, whatever the date"),
        pytest.param(OLD, "ours", OLD, 1, True, id="one's own, prepared anew"),
        pytest.param(OLD, "theirs", OLD, 200, False, id="the same bytes, however new"),
        pytest.param(OLD, "theirs", NEW, 200, True, id="newer, and other bytes"),
        pytest.param(OLD, "theirs", NEW, 100, False, id="just as new"),
        pytest.param(OLD, "theirs", NEW, 50, False, id="older"),
        pytest.param(OLD, "over", OLD, 50, True, id="away: the same bytes"),
        pytest.param(OLD, "over", NEW, 200, True, id="away: newer"),
        pytest.param(OLD, "over", NEW, 50, False, id="away: older"),
        pytest.param(OLD, "lost", NEW, 50, True, id="not waited for: older"),
    ],
)
def test_who_may_write_a_note(
    stored: bytes | None, holder: Holder | None, digest: bytes, mtime: int, writes: bool
) -> None:
    assert may_write(digest, mtime, stored, None if holder is None else Lease(holder, 100), None) is writes


@pytest.mark.parametrize(
    ("stored", "holder", "writes"),
    [
        pytest.param(OLD, "theirs", False, id="a look at an older branch"),
        pytest.param(OLD, "over", False, id="the same while its holder is away"),
        pytest.param(OLD, "ours", True, id="one's own, put back"),
        pytest.param(OLD, "lost", True, id="not waited for"),
        pytest.param(None, "theirs", False, id="of a note that is deleted"),
        pytest.param(None, "ours", True, id="put back where it was deleted"),
    ],
)
def test_bytes_that_were_replaced_do_not_win_by_a_new_date(stored: bytes | None, holder: Holder, writes: bool) -> None:
    lease, tombstone = (Lease(holder, 100), None) if stored else (None, Tombstone(OLD, 100, holder))
    assert may_write(NEW, 200, stored, lease, tombstone, {NEW}) is writes


@pytest.mark.parametrize(
    ("holder", "digest", "mtime", "writes"),
    [
        pytest.param("theirs", OLD, 200, False, id="the very bytes that were deleted"),
        pytest.param("lost", OLD, 200, False, id="these, long after"),
        pytest.param("theirs", NEW, 200, True, id="an edit"),
        pytest.param("theirs", NEW, 50, False, id="an older version"),
        pytest.param("lost", NEW, 50, True, id="an older one, where nobody is left to say more"),
        pytest.param("ours", OLD, 100, True, id="put back where it was deleted"),
    ],
)
def test_what_brings_a_deleted_note_back(holder: Holder, digest: bytes, mtime: int, writes: bool) -> None:
    assert may_write(digest, mtime, None, None, Tombstone(OLD, 100, holder)) is writes


@pytest.mark.parametrize(
    ("holder", "asked", "forgets"),
    [
        ("ours", False, True),
        ("theirs", True, False),
        ("over", False, False),
        ("over", True, True),
        ("lost", False, False),
        (None, True, False),
    ],
)
def test_who_may_forget_a_note(holder: Holder | None, asked: bool, forgets: bool) -> None:
    assert may_forget(Lease(holder, 1) if holder else None, asked=asked) is forgets


@pytest.mark.parametrize(
    ("digest", "mtime", "clock"), [(OLD, 500, 100), (NEW, 500, 500), (NEW, 50, 101)], ids=["same", "newer", "older"]
)
def test_the_clock_never_goes_back(digest: bytes, mtime: int, clock: int) -> None:
    assert next_clock(digest, mtime, OLD, Lease("ours", 100), None) == clock
    assert next_clock(NEW, 50, None, None, Tombstone(OLD, 100, "ours")) == 101


# Machines that edit, delete, copy from one another, look, and go away, in a world of one note.

NS = 10**9
MACHINES = 4


@dataclass(slots=True)
class File:
    version: int  # which edit or deletion it comes from; the later is the larger
    digest: bytes | None  # None: deleted, or never there
    mtime_ns: int = 0


@dataclass(slots=True)
class World:
    """The team's profile, and the machines' disks and clocks. The server's clock is right."""

    skews: list[int]
    disks: list[File] = field(default_factory=lambda: [File(0, None) for _ in range(MACHINES)])
    alive: list[bool] = field(default_factory=lambda: [True] * MACHINES)
    now: int = 10**9  # seconds
    edits: int = 0
    stored: bytes | None = None
    owner: int | None = None
    clock_ns: int = 0
    tombstone: tuple[bytes, int, int] | None = None
    replaced: set[bytes] = field(default_factory=set[bytes])
    seen: dict[int, int] = field(default_factory=dict[int, int])
    writes: list[tuple[int, bytes | None]] = field(default_factory=list[tuple[int, bytes | None]])
    losses: int = 0

    def holder(self, of: int, for_whom: int) -> Holder:
        ago = self.now - self.seen[of]
        return (
            "ours" if of == for_whom else "theirs" if ago < OVER_SECONDS else "over" if ago < LOST_SECONDS else "lost"
        )

    def edit(self, who: int) -> None:
        self.edits += 1
        self.disks[who] = File(self.edits, b"%d" % self.edits, (self.now + self.skews[who]) * NS)

    def delete(self, who: int) -> None:
        if self.disks[who].digest is not None:
            self.edits += 1
            self.disks[who] = File(self.edits, None)

    def copy(self, source: int, target: int, keeps_date: bool = True) -> None:
        found = self.disks[source]
        if found.version > self.disks[target].version:
            mtime = found.mtime_ns if keeps_date else (self.now + self.skews[target]) * NS
            self.disks[target] = File(found.version, found.digest, mtime)

    def touch(self, who: int) -> None:
        """As a checkout or a restored backup does: old bytes with a new date."""
        self.disks[who].mtime_ns = (self.now + self.skews[who]) * NS

    def look(self, who: int, *, asked: bool = False) -> None:
        if not self.alive[who]:
            return
        self.seen[who] = self.now
        file = self.disks[who]
        lease = None if self.owner is None else Lease(self.holder(self.owner, who), self.clock_ns)
        buried = None
        if self.tombstone is not None:
            digest, clock, machine = self.tombstone
            buried = Tombstone(digest, clock, self.holder(machine, who))
        if file.digest is None:
            if self.stored is not None and may_forget(lease, asked=asked) and self.owner is not None:
                self.tombstone = (self.stored, self.clock_ns, who)
                self.stored, self.owner = None, None
                self.writes.append((who, None))
        elif file.digest == self.stored:
            if may_take(file.digest, self.stored, lease):
                self.owner = who
        elif may_write(
            file.digest, at := dated(file.mtime_ns, self.now * NS), self.stored, lease, buried, self.replaced
        ):
            self.losses += lease is not None and lease.holder == "lost"
            self.losses += buried is not None and buried.holder == "lost"
            self.clock_ns = next_clock(file.digest, at, self.stored, lease, buried)
            self.replaced |= {each for each in (self.stored, buried and buried.digest) if each}
            self.replaced.discard(file.digest)
            self.stored, self.owner, self.tombstone = file.digest, who, None
            self.writes.append((who, file.digest))

    def away(self, who: int) -> None:
        self.alive[who] = False

    def back(self, who: int) -> None:
        self.alive[who] = True

    def wait(self, seconds: int) -> None:
        self.now += seconds

    def all_look(self, times: int, *, every: int, asked: bool = False) -> None:
        """Each machine looks, so many times, after so many seconds each time."""
        for _ in range(times):
            self.now += every
            for each in range(MACHINES):
                self.look(each, asked=asked)


who = st.integers(0, MACHINES - 1)
action = st.one_of(
    st.tuples(st.sampled_from([World.edit, World.delete, World.touch, World.look, World.away, World.back]), who),
    st.tuples(st.just(World.copy), who, who, st.booleans()),
    st.tuples(st.just(World.wait), st.sampled_from([1, 60, 600, OVER_SECONDS, 86_400, LOST_SECONDS])),
)
skews = st.lists(st.integers(-600, 86_400), min_size=MACHINES, max_size=MACHINES)


def live(world: World, history: list[tuple[Any, ...]]) -> None:
    for act, *values in history:
        act(world, *values)


@given(skews, st.lists(action, max_size=60), who)
@settings(max_examples=400)
def test_once_all_copies_are_the_same_so_is_what_is_stored(
    of: list[int], history: list[tuple[Any, ...]], survivor: int
) -> None:
    world = World(of)
    live(world, history)
    newest = max(range(MACHINES), key=lambda each: world.disks[each].version)
    for each in range(MACHINES):
        world.copy(newest, each)
    world.alive[survivor] = True
    world.all_look(3, every=1 + LOST_SECONDS, asked=True)
    assert world.stored == world.disks[newest].digest
    before = len(world.writes)
    world.all_look(3, every=900)
    assert len(world.writes) == before


@given(skews, st.lists(action, max_size=60))
@settings(max_examples=400)
def test_new_dates_change_nothing(of: list[int], history: list[tuple[Any, ...]]) -> None:
    world = World(of)
    live(world, history)
    world.alive = [True] * MACHINES  # nobody is given up meanwhile
    world.all_look(20, every=60)  # a file that a fast clock has dated counts as of now
    before = len(world.writes)
    for _ in range(3):
        world.now += 60
        for each in range(MACHINES):
            if world.disks[each].digest in world.replaced:
                world.touch(each)
        for each in range(MACHINES):
            world.look(each)
    assert len(world.writes) == before


@given(skews, st.lists(action, max_size=60))
@settings(max_examples=400)
def test_machines_with_different_copies_never_write_in_turns(of: list[int], history: list[tuple[Any, ...]]) -> None:
    world = World(of)
    live(world, history)
    before, losses = len(world.writes), world.losses
    world.all_look(20, every=900)
    # Each one's file can get in once, and what gets in is newer each time.
    again = world.writes[before:]
    assert len(again) == len(set(again)) <= MACHINES + world.losses - losses
    last = len(world.writes)
    world.all_look(5, every=900)
    assert len(world.writes) == last
