"""What links to what in one profile, kept up to date note by note.

A changed note costs its own links, and those links elsewhere that its name decides: of notes that name it, or named
it before. Nothing else is resolved again.
"""

import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

import numpy as np

from scrubjay.daemon.graph.csr import FrozenGraph, Rows, from_edges
from scrubjay.daemon.graph.resolve import Key, NoteName, Resolver, link_path, name_key, names_of
from scrubjay.daemon.markdown.links import target_alone
from scrubjay.profiles.names import fold


@dataclass(frozen=True, slots=True)
class NoteLinks:
    """One note in the graph."""

    name: NoteName
    links: tuple[str, ...] = ()  # targets as written, see LinkRow.target; repeats do no harm
    tags: tuple[str, ...] = ()  # without "#"


@dataclass(slots=True)
class _GraphNode:
    name: NoteName
    tags: tuple[str, ...]  # as given
    all_tags: tuple[str, ...]  # folded, with those they are nested in
    leads_to: dict[str, int | None]  # each link_path of the note -> id of the note that it finds
    targets: tuple[int, ...] = ()  # the notes that it finds


class LinkGraph:
    """The links of a profile's notes. Changes and `frozen` may come from several threads; readers use what it gives."""

    def __init__(self, notes: Iterable[NoteLinks] = ()) -> None:
        self._lock = threading.Lock()
        self._resolver = Resolver()
        self._notes: dict[int, _GraphNode] = {}
        self._users: defaultdict[Key, set[int]] = defaultdict(set)  # name -> notes with a link of that name
        self._frozen: FrozenGraph | None = None
        for note in notes:
            self._enter(note)
        for entry in self._notes.values():
            self._resolve(entry, entry.leads_to)

    def __len__(self) -> int:
        return len(self._notes)

    def put(self, note: NoteLinks) -> None:
        """Add a note, or replace what was known of the one with this id (renamed or not)."""
        with self._lock:
            known = self._notes.get(note.name.id)
            changed: frozenset[Key] = frozenset()
            if known is None or known.name != note.name:
                changed = names_of(note.name) | self._leave(note.name.id)
            elif (known.tags, set(known.leads_to)) == (note.tags, set(map(link_path, note.links))):
                return
            else:
                self._leave(note.name.id)
            entry = self._enter(note)
            self._resolve(entry, entry.leads_to)
            self._resolve_users(changed)
            self._frozen = None

    def forget(self, note_ids: Iterable[int]) -> None:
        """Remove notes; unknown ids are passed over."""
        with self._lock:
            changed: set[Key] = set()
            for note_id in note_ids:
                changed |= self._leave(note_id)
            if changed:
                self._resolve_users(changed)
                self._frozen = None

    def unresolved(self) -> Mapping[str, tuple[int, ...]]:
        """Folded names that links use and no note has -> ids of the notes with such links, ascending."""
        with self._lock:
            found: defaultdict[str, list[int]] = defaultdict(list)
            for note_id in sorted(self._notes):
                for link, target in self._notes[note_id].leads_to.items():
                    if target is None:
                        found[link].append(note_id)
            return {name: tuple(ids) for name, ids in found.items()}

    def frozen(self) -> FrozenGraph:
        """The graph as it is now. The same object until something changes."""
        with self._lock:
            if self._frozen is None:
                self._frozen = self._freeze()
            return self._frozen

    def _enter(self, note: NoteLinks) -> _GraphNode:
        tags = tuple(dict.fromkeys(tag for written in note.tags for tag in _with_parents(fold(written))))
        entry = _GraphNode(note.name, note.tags, tags, dict.fromkeys(map(link_path, note.links)))
        self._notes[note.name.id] = entry
        self._resolver.add(note.name)
        for link in entry.leads_to:
            self._users[name_key(link, note.name.vault)].add(note.name.id)
        return entry

    def _leave(self, note_id: int) -> frozenset[Key]:
        """Take a note out; the names by which links may have found it. No names where it was not there."""
        entry = self._notes.pop(note_id, None)
        if entry is None:
            return frozenset()
        self._resolver.remove(entry.name)
        for key in {name_key(link, entry.name.vault) for link in entry.leads_to}:
            users = self._users[key]
            users.discard(note_id)
            if not users:
                del self._users[key]
        return names_of(entry.name)

    def _resolve(self, entry: _GraphNode, links: Iterable[str]) -> None:
        for link in links:
            entry.leads_to[link] = self._resolver.follow(link, entry.name)
        entry.targets = tuple({target for target in entry.leads_to.values() if target not in (None, entry.name.id)})

    def _resolve_users(self, names: Iterable[Key]) -> None:
        """Resolve again what these names may decide."""
        for vault, name in names:
            for note_id in self._users.get((vault, name), ()):
                entry = self._notes[note_id]
                self._resolve(entry, [link for link in entry.leads_to if name_key(link, vault)[1] == name])

    def _freeze(self) -> FrozenGraph:
        ids = np.array(sorted(self._notes), dtype=np.int64)
        count = len(ids)
        entries = [self._notes[note_id] for note_id in ids.tolist()]
        tail, heads = _flat([entry.targets for entry in entries])
        head = np.searchsorted(ids, np.array(heads, dtype=np.int64))
        note_rows, tags = _flat([entry.all_tags for entry in entries])
        numbers = {tag: number for number, tag in enumerate(dict.fromkeys(tags))}
        tag_rows = np.array([numbers[tag] for tag in tags], dtype=np.int64)
        return FrozenGraph(
            ids=ids,
            row_of=dict(zip(ids.tolist(), range(count), strict=True)),
            names=tuple(entry.name for entry in entries),
            out=from_edges(tail, head, count, count),
            into=from_edges(head, tail, count, count),
            both=from_edges(np.concatenate((tail, head)), np.concatenate((head, tail)), count, count),
            tags=from_edges(note_rows, tag_rows, count, len(numbers)),
            tagged=from_edges(tag_rows, note_rows, len(numbers), count),
            tag_names=tuple(numbers),
        )


_Item = TypeVar("_Item")


def _flat(lists: Sequence[Sequence[_Item]]) -> tuple[Rows, list[_Item]]:
    """All items of the lists in order, and the number of the list that each is from."""
    counts = np.array([len(each) for each in lists], dtype=np.int64)
    return np.repeat(np.arange(len(lists)), counts), list(chain.from_iterable(lists))


def property_links(properties: Mapping[str, str | tuple[str, ...]]) -> tuple[str, ...]:
    """The links in a note's frontmatter. As in Obsidian, a value is one if it is nothing but "[[a link]]"."""
    values = (text for value in properties.values() for text in ((value,) if isinstance(value, str) else value))
    return tuple(target for target in map(target_alone, values) if target is not None)


def _with_parents(tag: str) -> list[str]:
    parts = tag.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
