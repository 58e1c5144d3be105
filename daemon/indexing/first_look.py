"""Whether a whole vault was ever looked at: where nothing of it is in the index, it may be empty, or not read yet."""

from scrubjay.profiles.store import reads
from scrubjay.profiles.store.store import Store


def was_looked_at(store: Store, vault: str) -> bool:
    """Whether a look at the vault with this id has come to its end, in this process or before. Raises StoreError."""
    return store.read(reads.has_notes_of, vault) or store.own_meta(_name(vault)) is not None


def keep_looked_at(store: Store, vault: str) -> None:
    """Remember that a look at the vault has come to its end. Raises StoreError."""
    if not was_looked_at(store, vault):
        store.set_own_meta(_name(vault), "")


def _name(vault: str) -> str:
    return f"looked at:{vault}"
