"""Opening a profile's database, with what may have to happen first."""

from dataclasses import dataclass
from pathlib import Path

from profiles import encryption, lifecycle
from profiles.analysis import ANALYSIS_VERSION
from profiles.errors import StoreCorrupt, StoreLocked
from profiles.integrity import rebuild_words
from profiles.keys import KeyStore
from profiles.registry import Profile
from profiles.store import Store

_ANALYSIS = "analysis"  # the meta value that says how the words in the index were analysed


@dataclass(frozen=True, slots=True)
class Opened:
    """An open store, and where the file went that was too damaged to open, if there was one."""

    store: Store
    set_aside: Path | None = None


def open_store(profile: Profile, path: Path, keys: KeyStore) -> Opened:
    """Open the database of a profile, at `path`.

    What an interrupted change of key left behind is swept up. A file that SQLite can't read is set aside and a new one
    begun: all in it comes back from the vault. Words analysed by an older version are analysed anew.
    Raises StoreLocked when the key is missing or wrong, StoreTooNew, StoreBusy.
    """
    encryption.sweep(path)
    key = key_of(profile, keys) if profile.encrypted else None
    aside = None
    try:
        store = Store.open(path, key=key)
    except StoreCorrupt:
        aside = lifecycle.set_aside(path)
        store = Store.open(path, key=key)
    _bring_words_up_to_date(store)
    return Opened(store, aside)


def key_of(profile: Profile, keys: KeyStore) -> bytes:
    """The key of an encrypted profile. Raises StoreLocked when it is not to be had."""
    key = keys.get(profile.id)
    if key is None:
        raise StoreLocked(f"Profile {profile.name} is encrypted, and its key is not in the keyring of this computer.")
    return key


def _bring_words_up_to_date(store: Store) -> None:
    if store.meta(_ANALYSIS) == str(ANALYSIS_VERSION):
        return
    with store.writing() as writer:
        if store.meta(_ANALYSIS) is not None:
            rebuild_words(writer.connection)
        writer.set_meta(_ANALYSIS, str(ANALYSIS_VERSION))
    store.forget_arrays()
