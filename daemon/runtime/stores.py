"""Opening a profile's database, with what may have to happen first."""

from dataclasses import dataclass
from pathlib import Path

from profiles import lifecycle
from profiles.analysis import ANALYSIS_VERSION
from profiles.custody import Custody, held
from profiles.errors import StoreCorrupt
from profiles.integrity import rebuild_words
from profiles.journal import analyse_anew
from profiles.registry import Profile, Registry
from profiles.store import Store

_OPEN_SECONDS = 2.0  # that another process may take to open the same profile
_ANALYSIS = "analysis"  # the meta value that says how the words in the index were analysed


@dataclass(frozen=True, slots=True)
class Opened:
    """An open store, and where the file went that was too damaged to open, if there was one."""

    store: Store
    set_aside: Path | None
    profile: Profile  # as it is now: an interrupted change of key may have been settled


def open_store(profile: Profile, registry: Registry, custody: Custody, *, anew: bool = False) -> Opened:
    """Open the database of a profile; `anew`: set it aside, as one that was found damaged, and begin another.

    What an interrupted change of key left behind is settled first. A file that SQLite can't read is set aside and a new
    one begun: what derives from notes comes back from the vault, the rest is carried over as far as it can be read.
    Words analysed by an older version are analysed anew.
    Raises StoreHeld while a command is at work on it, StoreLocked, StoreTooNew, StoreBusy.
    """
    path = registry.store_path(profile)
    with held(registry.folder_of(profile), wait=_OPEN_SECONDS):
        profile = custody.settle(profile)
        key = custody.key(profile)
        aside = lifecycle.set_aside(path) if anew else None
        try:
            store = Store.open(path, key=key)
        except StoreCorrupt:
            aside = lifecycle.set_aside(path)
            store = Store.open(path, key=key)
        if aside is not None:
            lifecycle.salvage(aside, key, store)
    _bring_words_up_to_date(store)
    return Opened(store, aside, profile)


def _bring_words_up_to_date(store: Store) -> None:
    if store.meta(_ANALYSIS) == str(ANALYSIS_VERSION):
        return
    with store.writing() as writer:
        if store.meta(_ANALYSIS) is not None:
            rebuild_words(writer.connection)
            analyse_anew(writer.connection)
        writer.set_meta(_ANALYSIS, str(ANALYSIS_VERSION))
    store.forget_arrays()
