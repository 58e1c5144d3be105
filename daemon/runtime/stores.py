"""Opening a profile's database, with what may have to happen first."""

import logging
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from scrubjay.profiles.errors import StoreCorrupt, StoreError
from scrubjay.profiles.journal.entries import analyse_anew
from scrubjay.profiles.registry.custody import Custody, work_lock
from scrubjay.profiles.registry.registry import Profile, Registry
from scrubjay.profiles.store import lifecycle
from scrubjay.profiles.store.integrity import rebuild_words
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.text.analysis import ANALYSIS_VERSION

_MOST_SET_ASIDE = 3  # of one profile in the life of one process: a failing disk would go on for ever, and fill up
_OPEN_SECONDS = 2.0  # that another process may take to open the same profile
_ANALYSIS = "analysis"  # the meta value that says how the words in the index were analysed


_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenedStore:
    """An open store, and where the file went that was too damaged to open, if there was one."""

    store: Store
    set_aside: Path | None
    profile: Profile  # as it is now: an interrupted change of key may have been settled


class Opener:
    """Opens the databases of one registry's profiles, and remembers what had to be set aside.

    replaces: whether a database that can't be read is set aside at all; if not, its profile stays closed.
    """

    def __init__(self, registry: Registry, custody: Custody, *, replaces: bool = True) -> None:
        self.registry = registry
        self.custody = custody
        self._replaces = replaces
        self._aside: list[tuple[str, str]] = []  # a profile's id, and what to say to its owner

    def open(self, profile: Profile, *, anew: bool = False) -> OpenedStore:
        """As `open_store`.

        Raises, too, StoreCorrupt for a profile whose index is damaged again and again, and StoreError where its folder
        can't be read or written.
        """
        if anew and len(self.notices((profile.id,))) >= _MOST_SET_ASIDE:
            raise StoreCorrupt(
                f"The index of {profile.name} was damaged {_MOST_SET_ASIDE + 1} times since Scrubjay started. The disk"
                " may be failing: have it checked, then `scrubjay check --repair`."
            )
        try:
            found = open_store(profile, self.registry, self.custody, anew=anew, replaces=self._replaces)
        except OSError as error:
            what = f"{self.registry.folder_of(profile)} can't be read or written: {error.strerror}"
            raise StoreError(f"{what}. Mend that, then `scrubjay unlock {profile.argument}`.") from error
        if found.set_aside is not None:
            _log.error("a corrupt index was set aside and is built anew", extra={"profile": profile.id})
            aside = f"It was set aside as {found.set_aside}, and is built anew."
            self._aside.append((profile.id, f"The index of {profile.name} could not be read. {aside}"))
        return found

    def notices(self, profiles: Collection[str] | None = None) -> tuple[str, ...]:
        """What was set aside of these profiles (ids; None: of all), and where it is now."""
        return tuple(text for profile, text in self._aside if profiles is None or profile in profiles)


def open_store(
    profile: Profile, registry: Registry, custody: Custody, *, anew: bool = False, replaces: bool = True
) -> OpenedStore:
    """Open the database of a profile; `anew`: set it aside, as one that was found damaged, and begin another.

    What an interrupted change of key left behind is settled first. A file that SQLite can't read is set aside and a new
    one begun: what derives from notes is rebuilt from the vault, the rest is copied as far as it can be read.
    Words analysed by an older version are analysed anew.
    Raises StoreInUse while a command is at work on it, StoreLocked, StoreTooNew, StoreBusy; StoreCorrupt unless it
    `replaces` such a file.
    """
    path = registry.store_path(profile)
    with work_lock(registry.folder_of(profile), wait=_OPEN_SECONDS):
        profile = custody.finish_change(profile)
        key = custody.key(profile)
        aside = lifecycle.set_aside(path) if anew else None
        try:
            store = _opened(path, key)
        except StoreCorrupt:
            if not replaces:
                raise
            aside = lifecycle.set_aside(path)
            store = _opened(path, key)
        if aside is not None:
            lifecycle.recover_journal(aside, key, store)
    return OpenedStore(store, aside, profile)


def _opened(path: Path, key: bytes | None) -> Store:
    store = Store.open(path, key=key)
    try:
        _bring_words_up_to_date(store)
    except BaseException:
        store.close()
        raise
    return store


def _bring_words_up_to_date(store: Store) -> None:
    if store.meta(_ANALYSIS) == str(ANALYSIS_VERSION):
        return
    with store.writing() as writer:
        if store.meta(_ANALYSIS) is not None:
            rebuild_words(writer.connection)
            analyse_anew(writer.connection)
        writer.set_meta(_ANALYSIS, str(ANALYSIS_VERSION))
    store.forget_arrays()
