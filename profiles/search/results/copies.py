"""Copies and near copies among results: each is shown once, and names the notes that it stands for."""

from collections import Counter
from collections.abc import Mapping

from scrubjay.profiles.search.types import Place
from scrubjay.profiles.store.rows import ChunkView
from scrubjay.profiles.store.store import Store

_SHARED = 0.8  # of two notes' passages, for one to be a copy of the other


class Folded:
    """The notes that results stand for beside their own, by the number of the result; `most` of each are named."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._named: dict[int, list[Place]] = {}
        self._counts: Counter[int] = Counter()

    def add(self, result: int, place: Place) -> None:
        """A result stands for one more."""
        self._counts[result] += 1
        if self._counts[result] <= self._most:
            self._named.setdefault(result, []).append(place)

    def named(self, result: int) -> tuple[Place, ...]:
        """The first of them."""
        return tuple(self._named.get(result, ()))

    def count(self, result: int) -> int:
        """How many there are."""
        return self._counts[result]


class Copies:
    """Which results stand for copies.

    The same passage in another profile, or in a note of the same title, is a copy. Inside one profile two notes of
    different titles that share a passage (a template, say) are copies only if nearly all their passages are shared.
    """

    def __init__(self) -> None:
        self._first: dict[str, list[tuple[int, str, ChunkView]]] = {}  # by text: digests of profiles may differ by key
        self._digests: dict[tuple[str, int], frozenset[bytes]] = {}

    def add(self, place: int, profile: str, view: ChunkView) -> None:
        """Result number `place` shows this passage."""
        self._first.setdefault(view.text, []).append((place, profile, view))

    def original(self, profile: str, view: ChunkView, store: Store) -> int | None:
        """Which result this passage is a copy of, if of any. store: that of the profile."""
        for place, other_profile, other in self._first.get(view.text, ()):
            if other_profile == profile and other.note_id == view.note_id:
                return None
            if other_profile != profile or other.title == view.title or self._alike(profile, store, view, other):
                return place
        return None

    def _alike(self, profile: str, store: Store, one: ChunkView, other: ChunkView) -> bool:
        left, right = (self._all_digests(profile, store, view.note_id) for view in (one, other))
        return len(left & right) >= _SHARED * len(left | right)

    def _all_digests(self, profile: str, store: Store, note_id: int) -> frozenset[bytes]:
        known = self._digests.get((profile, note_id))
        if known is None:
            known = self._digests[profile, note_id] = store.note_digests(note_id)
        return known


class NearCopies:
    """Which results notes say nearly the same as. stores: those whose near copies count."""

    def __init__(self, stores: Mapping[str, Store]) -> None:
        self._stores = stores
        self._near: dict[str, Mapping[int, tuple[int, ...]]] = {}
        self._first: dict[tuple[str, int], int] = {}

    def add(self, place: int, profile: str, note_id: int) -> None:
        """Result number `place` shows this note."""
        if profile not in self._near:
            self._near[profile] = self._stores[profile].near_copies() if profile in self._stores else {}
        for other in self._near[profile].get(note_id, ()):
            self._first.setdefault((profile, other), place)

    def original(self, profile: str, note_id: int) -> int | None:
        """Which result this note says nearly the same as, if any."""
        return self._first.get((profile, note_id))
