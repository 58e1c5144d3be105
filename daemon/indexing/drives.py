"""Scanning with a memory for drives: an unmounted one leaves a folder that looks emptied."""

from collections.abc import Collection

import msgspec

from scrubjay.daemon.vault.scan import ScanResult, scan
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.store.store import Store


def scan_with_drives(vault: VaultFolder, store: Store, *, only: Collection[str] | None = None) -> ScanResult:
    """See `scan`. The drives that a scan of the whole vault meets are kept in the store. Raises StoreError."""
    name = f"drives:{vault.id}"
    kept = store.meta(name)
    before = msgspec.json.decode(kept, type=tuple[str, ...]) if kept else ()
    found = scan(vault, only=only, drives=before)
    if only is None and found.drives != before:
        store.set_meta(name, msgspec.json.encode(found.drives).decode())
    return found
