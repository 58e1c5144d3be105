"""What a look at a store is for, and what it gives, step by step. All of it can go from one process to another."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon import __version__
from scrubjay.daemon.review.link_map import LinkMap
from scrubjay.daemon.review.proposal import Kind
from scrubjay.profiles.search.meaning.query_matrix import Learned
from scrubjay.profiles.store.near_copies import FoundPairs, Ids, MadeSketches, Stamp
from scrubjay.profiles.store.proposals import ProposalRow
from scrubjay.profiles.store.review_memos import MadeMemos
from scrubjay.profiles.store.store import StoreFile

AT_ONCE = 500
"""Rows that are given at once, and kept in one transaction."""


@dataclass(frozen=True, slots=True)
class Vaults:
    """What finders know of a profile beside its store."""

    names: Mapping[str, str]  # by id
    inboxes: Mapping[str, str]  # folder by vault id

    @property
    def digest(self) -> str:
        """A digest of all that proposals depend on beside the notes, this program's version included."""
        return blake2b(msgspec.json.encode((__version__, self), order="sorted"), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Begun:
    """The notes that are looked at are read now, of a store of this generation, or later. left: as of `Found`."""

    generation: int
    left: int


@dataclass(frozen=True, slots=True)
class Found:
    """Some of what a finder found, each with the notes that it names: digest and fingerprint by id."""

    finder: int
    rows: Sequence[tuple[ProposalRow, Mapping[int, Stamp]]]
    is_first: bool  # of that finder's steps
    is_last: bool
    left: int  # notes that are yet to be looked at


@dataclass(frozen=True, slots=True)
class Harmed:
    """A finder failed in a way that nobody foresaw. error: the name of the exception's type."""

    kind: Kind
    error: str


@dataclass(frozen=True, slots=True)
class Unharmed:
    """All went well with a finder."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class MapWanted:
    """The map of a store's links is to be made. clusters: how many at most."""

    clusters: int


@dataclass(frozen=True, slots=True)
class LearningWanted:
    """Names of notes are to be learned from: the arguments of `learn_from`."""

    model: str
    notes: Ids
    stored: bytes


class Learnt(NamedTuple):
    """What names taught. matrix: None where that is not good enough to be used."""

    learned: Learned
    matrix: NDArray[np.float32] | None


LEAST_PAIRS = 1_000
"""Names with their notes; fewer teach nothing that can be told from chance."""


def nothing_learnt(pairs: int) -> Learnt:
    """What so few names teach."""
    return Learnt(Learned(pairs, 0.0, 0.0, 0.0, 0.0, 0.0), None)


Step: TypeAlias = Begun | Found | Harmed | Unharmed | MadeMemos | MadeSketches | FoundPairs | LinkMap | Learnt
Wanted: TypeAlias = Vaults | MapWanted | LearningWanted | None
"""What a look is for: all proposals of these vaults; the map of links alone; what names teach alone; None: notes are to
be compared alone."""
Steps: TypeAlias = Generator[Step, bool, None]
"""Each step is kept before the next is asked for, by saying whether nobody else has written what a proposal depends on
since the last `Begun`."""


@dataclass(frozen=True, slots=True)
class Errand:
    """What another process is to look at: the arguments of `look`."""

    file: StoreFile
    wanted: Wanted
    now_ns: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """The store can't be read any more, another process says. code: of the error; the rest: see `Store`."""

    code: str
    damaged: bool
    suspect: bool
