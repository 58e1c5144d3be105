"""The map of links of each store that is asked for one: made in the background, the last one told meanwhile."""

import contextlib
import threading
import time
from dataclasses import dataclass
from itertools import islice
from weakref import WeakKeyDictionary

import numpy as np

from scrubjay.daemon.processes.scheduler import Job
from scrubjay.daemon.review.link_map import LinkMap, without_the_gone
from scrubjay.daemon.review.looker import PATIENCE, Looker
from scrubjay.daemon.review.steps import MapWanted
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.number_sets import are_among
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.columns import Ids
from scrubjay.profiles.store.statements import Connection
from scrubjay.profiles.store.store import Store

_KEPT_SECONDS = 86_400.0  # since it was last asked for, that a map is made again


@dataclass(frozen=True, slots=True)
class _Stamps:
    """As `reads.stamps`; note ids ascending."""

    ids: Ids
    stamps: Ids


@dataclass(frozen=True, slots=True)
class _Made:
    limit: int
    of: _Stamps
    map: LinkMap
    serves_until: float  # time.monotonic()


class LinkMaps:
    """Thread-safe. `renew` is to be called at rest, too."""

    def __init__(self, looker: Looker) -> None:
        self._looker = looker
        self._soon = Job("maps", "Making maps of links", self.renew, every=0.0, takes="minutes", once=True)
        self._changed = threading.Condition()  # guards all below
        self._asked: WeakKeyDictionary[Store, tuple[int, float]] = WeakKeyDictionary()  # limit, time.monotonic()
        self._made: WeakKeyDictionary[Store, _Made] = WeakKeyDictionary()

    def of(self, store: Store, limit: int, seconds: float | None) -> tuple[LinkMap, int]:
        """The map of a store's notes as it was last made, and how many have changed since or came; 0: it is current.

        limit: as of `link_map`. A current one is waited for for so many seconds (None: it is made here).
        """
        with self._changed:
            self._asked[store] = limit, time.monotonic()
            made = self._made.get(store)
            now = store.derived(_stamps)
            if not _is_of(made, limit, now):
                if seconds is None:
                    made = self._make(store, limit)
                elif made is None or made.limit != limit or time.monotonic() > made.serves_until:
                    self._looker.scheduler.add(self._soon)
                    self._changed.wait_for(lambda: _is_of(self._made.get(store), limit, now), seconds)
                    made = self._made.get(store)
        if made is None or made.limit != limit:
            return LinkMap((), (), (), 0), max(1, len(now.ids))
        found = made.map
        if not are_among(made.of.ids, now.ids).all():
            there: list[int] = now.ids.tolist()
            found = without_the_gone(found, frozenset(there))
        return found, _changed(made.of, now)

    def renew(self) -> None:
        """Make the maps that were asked for lately, and are of notes that have changed since."""
        with self._changed:
            asked = [(store, *wanted, self._made.get(store)) for store, wanted in self._asked.items()]
        for store, limit, at, made in asked:
            with contextlib.suppress(ProfileError):  # closed meanwhile
                is_current = _is_of(made, limit, store.derived(_stamps))
                if time.monotonic() - at < _KEPT_SECONDS and not is_current:
                    self._make(store, limit)

    def _make(self, store: Store, limit: int) -> _Made:
        began, of = time.monotonic(), store.derived(_stamps)
        with self._looker.look(store, MapWanted(limit), 0) as steps:
            (found,) = (step for step in islice(steps, 1) if isinstance(step, LinkMap))
        now = time.monotonic()
        made = _Made(limit, of, found, now + PATIENCE * (now - began))
        with self._changed:
            self._made[store] = made
            self._changed.notify_all()
        return made


def _stamps(connection: Connection) -> _Stamps:
    found = np.array(sorted(reads.stamps(connection).items()), np.int64).reshape(-1, 2)
    return _Stamps(found[:, 0], found[:, 1])


def _is_of(made: _Made | None, limit: int, now: _Stamps) -> bool:
    return made is not None and made.limit == limit and _changed(made.of, now) == 0


def _changed(before: _Stamps, now: _Stamps) -> int:
    """How many notes have come, gone or changed."""
    if np.array_equal(before.ids, now.ids):
        return int((before.stamps != now.stamps).sum())
    stayed = are_among(before.ids, now.ids)
    places = np.searchsorted(now.ids, before.ids[stayed])
    other = int((before.stamps[stayed] != now.stamps[places]).sum())
    return other + len(before.ids) + len(now.ids) - 2 * len(places)
