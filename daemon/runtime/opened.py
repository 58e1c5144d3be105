"""Which profiles are open at the moment, and why the others are not."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.runtime.models import Model
from scrubjay.profiles.errors import ProfileError, ProfileNotFound
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store.store import Store


@dataclass(frozen=True, slots=True)
class OpenProfile:
    """A profile whose database answers."""

    profile: Profile
    store: Store
    progress: Progress
    model: Model


class OpenProfiles:
    """Every profile is in here once, open or closed, by id. Thread-safe; nothing in here waits for anything."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards both dictionaries
        self._open: dict[str, OpenProfile] = {}
        self._closed: dict[str, tuple[Profile, ProfileError]] = {}

    def put(self, opened: OpenProfile) -> OpenProfile | None:
        """Take in an open profile; what it was before, if it was open."""
        with self._lock:
            before = self._open.get(opened.profile.id)
            self._open[opened.profile.id] = opened
            self._closed.pop(opened.profile.id, None)
            return before

    def put_closed(self, profile: Profile, error: ProfileError) -> OpenProfile | None:
        """Take in a profile that is closed from now on, and why; what it was before, if it was open."""
        with self._lock:
            self._closed[profile.id] = (profile, error)
            return self._open.pop(profile.id, None)

    def forget(self, profile_id: str) -> OpenProfile | None:
        """Drop a profile from the table; returns it if it was open."""
        with self._lock:
            self._closed.pop(profile_id, None)
            return self._open.pop(profile_id, None)

    def ids(self) -> set[str]:
        """Of all of them."""
        with self._lock:
            return {*self._open, *self._closed}

    def get(self, profile_id: str) -> OpenProfile | None:
        """The open profile with this id, or None."""
        with self._lock:
            return self._open.get(profile_id)

    def get_closed(self, profile_id: str) -> tuple[Profile, ProfileError] | None:
        """The closed profile with this id, as it was when it was tried last, and the reason; or None."""
        with self._lock:
            return self._closed.get(profile_id)

    def named(self, name: str) -> OpenProfile:
        """The open profile of this name, case aside.

        Raises ProfileNotFound, or, for one that could not be opened, the error that says why.
        """
        with self._lock:
            for found in self._open.values():
                if found.profile.name.casefold() == name.casefold():
                    return found
            for profile, error in self._closed.values():
                if profile.name.casefold() == name.casefold():
                    raise error
        raise ProfileNotFound(f"There is no profile named {name}. `scrubjay profile list` names them all.")

    def stores(self, names: Mapping[str, str] | None = None) -> dict[str, Store]:
        """The open stores by profile name; names: of these ids alone, by the names that the ids are given."""
        if names is None:
            return {each.profile.name: each.store for each in self.open()}
        return {names[each.profile.id]: each.store for each in self.open() if each.profile.id in names}

    def same(self, profile: Profile) -> OpenProfile:
        """The open profile with the id of this one. Raises as `named`."""
        with self._lock:
            if found := self._open.get(profile.id):
                return found
            if closed := self._closed.get(profile.id):
                raise closed[1]
        raise ProfileNotFound(f"The profile {profile.name} is not there any more.")

    def open(self) -> tuple[OpenProfile, ...]:
        """Those that are open, by name."""
        with self._lock:
            return tuple(sorted(self._open.values(), key=lambda opened: opened.profile.name))

    def closed(self) -> dict[str, str]:
        """The names of those that are closed, with the reason."""
        with self._lock:
            return {profile.name: str(error) for profile, error in self._closed.values()}

    def all(self) -> tuple[Profile, ...]:
        """Every profile, by name."""
        with self._lock:
            found = [opened.profile for opened in self._open.values()] + [kept[0] for kept in self._closed.values()]
        return tuple(sorted(found, key=lambda profile: profile.name))
