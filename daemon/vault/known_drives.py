"""Scanning with a memory for drives: an unmounted one leaves a folder that looks emptied."""

from collections.abc import Collection

import msgspec

from scrubjay.daemon.vault.scan import ScanResult, scan
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store.store import Store


def scan_with_drives(
    vault: VaultFolder, store: Store, *, only: Collection[str] | None = None, empty_is_away: bool = True
) -> ScanResult:
    """See `scan`. The drives that a scan of the whole vault meets are kept in the store. Raises StoreError."""
    before = known_drives(vault, store)
    found = scan(vault, only=only, drives=before, empty_is_away=empty_is_away)
    if only is None and found.drives != before:
        store.set_own_meta(_name(vault), msgspec.json.encode(found.drives).decode())
    return found


def known_drives(vault: VaultFolder, store: Store) -> tuple[str, ...]:
    """Where drives were mounted within a vault at the last look at the whole of it. Raises StoreError."""
    kept = store.own_meta(_name(vault))
    return msgspec.json.decode(kept, type=tuple[str, ...]) if kept else ()


def _name(vault: VaultFolder) -> str:
    return f"drives:{vault.id}"
