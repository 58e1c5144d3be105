"""Finds the note that a path or the end of one names."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scrubjay.profiles.database.filters import AllOf, AnyOf, InVault, NoteFilter, PathHas
from scrubjay.profiles.database.rows import NoteView
from scrubjay.profiles.database.where import matching_notes
from scrubjay.profiles.names import fold
from scrubjay.profiles.store.store import Store

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Expected:
    """The note that a search was expected to find."""

    profile: str
    vault: str  # as results name it
    store: Store
    note: NoteView

    def is_at(self, profile: str, vault: str, path: str) -> bool:
        """Whether this is the note at a place, as results name it."""
        return (profile, vault, path) == (self.profile, self.vault, self.note.path)

    def meets(self, condition: NoteFilter) -> bool:
        """Whether the note meets a condition."""
        return bool(self.store.notes([self.note.note_id], condition))

    @property
    def is_embedded(self) -> bool:
        """Whether any of its passages can be found by meaning."""
        return bool(self.store.vectors_of(tuple(self.store.note_digests(self.note.note_id))))

    def with_title(self, query: str) -> str:
        """The query with those words of the note's title that it lacks."""
        known = {word.casefold() for word in _WORD.findall(query)}
        lacking = [word for word in _WORD.findall(self.note.title) if word.casefold() not in known]
        return f"{query} {' '.join(lacking)}".strip()


def find_note(stores: Mapping[str, Store], vaults: Mapping[str, str], path: str, vault: str | None) -> Expected | None:
    """The note at `path`, or else the only one whose path ends so, whatever the case; None where there is none.

    vaults: what vault ids are called. vault: a name or id, where several have such a path.
    """
    wanted = [found for found, name in vaults.items() if vault is None or vault.casefold() in (found, name.casefold())]
    wanted = wanted or ([] if vault is None else [vault])
    path = unicodedata.normalize("NFC", path.replace("\\", "/")).strip().removeprefix("./").strip("/")
    for name, store in stores.items():
        for vault_id in wanted:
            if note := store.note_by_path(vault_id, path):
                return Expected(name, vaults.get(vault_id, vault_id), store, note)
    alike = [
        Expected(name, vaults.get(note.vault, note.vault), store, note)
        for name, store in stores.items()
        for note in _ending_so(store, wanted, path)
    ]
    return alike[0] if len(alike) == 1 else None


def _ending_so(store: Store, vaults: list[str], path: str) -> Iterator[NoteView]:
    """Notes whose path is, or ends with, these folders and this file, whose ending may be left out."""
    key = fold(path)
    if not key:
        return
    where = AllOf((AnyOf(tuple(InVault(vault) for vault in vaults)), PathHas(path)))
    with store.reading() as connection:
        ids = matching_notes(connection, where)
    for note in store.notes(ids).values():
        full = fold(note.path)
        if full.endswith((f"/{key}", f"/{key}.md")) or full in (key, f"{key}.md"):
            yield note
