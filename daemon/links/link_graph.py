"""What links to what in one profile: kept up to date note by note, and as it is at one moment, in arrays."""

import threading
import time
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from sys import getsizeof, intern
from typing import TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon.links.link_resolver import Key, NoteName, Resolver, link_path, name_key, names_of
from scrubjay.profiles.names import fold
from scrubjay.profiles.search.results.plain_text import target_alone
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import NoteView
from scrubjay.profiles.store.statements import generation_of
from scrubjay.profiles.store.store import Store

Rows: TypeAlias = NDArray[np.int64]
Weights: TypeAlias = NDArray[np.float64]  # shape (n,)


@dataclass(frozen=True, slots=True)
class Csr:
    """Compressed sparse rows: the neighbours of row i are `columns[starts[i]:starts[i + 1]]`, ascending, each once."""

    starts: Rows  # shape (n + 1,)
    columns: Rows  # shape (edges,)

    @property
    def degrees(self) -> Rows:
        """How many neighbours each row has, shape (n,)."""
        return np.diff(self.starts)

    @property
    def rows(self) -> Rows:
        """The row of each edge, shape (edges,), to go with `columns`."""
        return np.repeat(np.arange(len(self.starts) - 1), self.degrees)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return self.starts.nbytes + self.columns.nbytes

    def of(self, row: int) -> Rows:
        """The neighbours of one row."""
        return self.columns[self.starts[row] : self.starts[row + 1]]

    def of_all(self, rows: Rows) -> tuple[Rows, Rows]:
        """All edges of `rows`: for each, the index into `rows` of its row, and its column. Linear in their number."""
        counts = self.starts[rows + 1] - self.starts[rows]
        owner = np.repeat(np.arange(len(rows)), counts)
        offsets = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        return owner, self.columns[self.starts[rows][owner] + offsets]


@dataclass(frozen=True, slots=True)
class FrozenGraph:
    """Links and tags of all notes at one moment."""

    ids: Rows  # note id of each row, ascending
    row_of: Mapping[int, int]  # note id -> row
    names: tuple[NoteName, ...]  # of each row
    out: Csr  # note -> notes that it links to
    into: Csr  # note -> notes that link to it
    both: Csr  # note -> either
    tags: Csr  # note -> tags, numbered as in `tag_names`
    tagged: Csr  # tag -> notes
    tag_names: tuple[str, ...]  # folded, without "#"

    @property
    def nbytes(self) -> int:
        """Bytes of it, names and all, to a tenth or so."""
        arrays = sum(each.nbytes for each in (self.out, self.into, self.both, self.tags, self.tagged))
        names = sum(getsizeof(name) + getsizeof(name.path) + getsizeof(name.aliases) for name in self.names)
        return self.ids.nbytes + getsizeof(self.row_of) + arrays + names + sum(map(getsizeof, self.tag_names))


def from_edges(sources: Rows, targets: Rows, size: int, width: int) -> Csr:
    """Rows of `size` sources with their targets (each in 0..width-1), in any order and with repeats."""
    edges = np.sort(sources * width + targets)  # np.unique takes several times as long
    edges = edges[np.flatnonzero(np.diff(edges, prepend=-1))]
    rows, columns = np.divmod(edges, max(width, 1))
    starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=size))))
    return Csr(starts, columns)


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
    """The links of a profile's notes. Not thread-safe; what `frozen` gives may go anywhere."""

    def __init__(self, notes: Iterable[NoteLinks] = ()) -> None:
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

    @property
    def nbytes(self) -> int:
        """Bytes of the links as they are kept for changes; what they are resolved by is not counted."""
        return sum(
            getsizeof(each) + getsizeof(each.leads_to) + getsizeof(each.targets) + sum(map(getsizeof, each.leads_to))
            for each in self._notes.values()
        )

    def put(self, note: NoteLinks) -> None:
        """Add a note, or replace what was known of the one with this id (renamed or not)."""
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
        changed: set[Key] = set()
        for note_id in note_ids:
            changed |= self._leave(note_id)
        if changed:
            self._resolve_users(changed)
            self._frozen = None

    def unresolved(self) -> Mapping[str, tuple[int, ...]]:
        """Folded names that links use and no note has -> ids of the notes with such links, ascending."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for note_id in sorted(self._notes):
            for link, target in self._notes[note_id].leads_to.items():
                if target is None:
                    found[link].append(note_id)
        return {name: tuple(ids) for name, ids in found.items()}

    def frozen(self) -> FrozenGraph:
        """The graph as it is now. The same object until something changes."""
        if self._frozen is None:
            self._frozen = self._freeze()
        return self._frozen

    def _enter(self, note: NoteLinks) -> _GraphNode:
        links = dict.fromkeys(map(intern, map(link_path, note.links)))
        entry = _GraphNode(note.name, note.tags, _with_parents(note.tags), links)
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
        entries = [self._notes[note_id] for note_id in sorted(self._notes)]
        return _frozen(
            [entry.name for entry in entries],
            [entry.name.id for entry in entries for _ in entry.targets],
            [target for entry in entries for target in entry.targets],
            [entry.all_tags for entry in entries],
        )


def _frozen(
    names: Sequence[NoteName], sources: Sequence[int], targets: Sequence[int], all_tags: Sequence[Sequence[str]]
) -> FrozenGraph:
    """The graph of notes.

    names: by their ids. sources, targets: of each link, the notes' ids; repeats do no harm. all_tags: of each note,
    folded, with those that they are nested in.
    """
    ids = np.array([name.id for name in names], dtype=np.int64)
    count = len(ids)
    tail, head = (np.searchsorted(ids, np.array(ends, dtype=np.int64)) for ends in (sources, targets))
    note_rows = np.repeat(np.arange(count), np.array([len(tags) for tags in all_tags], dtype=np.int64))
    tags = list(chain.from_iterable(all_tags))
    numbers = {tag: number for number, tag in enumerate(dict.fromkeys(tags))}
    tag_rows = np.array([numbers[tag] for tag in tags], dtype=np.int64)
    return FrozenGraph(
        ids=ids,
        row_of=dict(zip(ids.tolist(), range(count), strict=True)),
        names=tuple(names),
        out=from_edges(tail, head, count, count),
        into=from_edges(head, tail, count, count),
        both=from_edges(np.concatenate((tail, head)), np.concatenate((head, tail)), count, count),
        tags=from_edges(note_rows, tag_rows, count, len(numbers)),
        tagged=from_edges(tag_rows, note_rows, len(numbers), count),
        tag_names=tuple(numbers),
    )


def property_links(properties: Mapping[str, str | tuple[str, ...]]) -> tuple[str, ...]:
    """The links in a note's frontmatter. As in Obsidian, a value is one if it is nothing but "[[a link]]"."""
    values = (text for value in properties.values() for text in ((value,) if isinstance(value, str) else value))
    return tuple(target for target in map(target_alone, values) if target is not None)


def _with_parents(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags, folded, and those that they are nested in."""
    all_parts = (fold(tag).split("/") for tag in tags)
    found = ("/".join(parts[:depth]) for parts in all_parts for depth in range(1, len(parts) + 1))
    return tuple(dict.fromkeys(map(intern, found)))


PATIENCE = 20
"""A graph serves for this many times what its last renewal took, so that renewing takes a twentieth of the time."""
_REBUILD_SHARE = 0.2  # share of changed notes from which building anew is cheaper


def note_links(notes: Iterable[NoteView], targets: Mapping[int, Sequence[str]]) -> Iterator[NoteLinks]:
    """The input of the graph for each note: its names, its tags, the links in its text and its frontmatter."""
    for note in notes:
        links = (*targets.get(note.note_id, ()), *property_links(note.properties))
        yield NoteLinks(NoteName(note.note_id, note.vault, note.path, note.aliases), links, note.tags)


def load_graph(store: Store) -> LinkGraph:
    """The graph of all notes of a store."""
    return LinkGraph(note_links(store.read(reads.recent), store.read(reads.link_targets)))


def read_graph(store: Store) -> FrozenGraph:
    """The graph of all notes of a store for who takes no changes in, made in a third of the memory."""
    names: dict[int, NoteName] = {}
    tags: list[tuple[str, ...]] = []
    in_properties: list[tuple[int, str]] = []
    sources, targets = array("q"), array("q")
    with store.reading() as connection:
        for view in reads.each_note(connection):
            names[view.note_id] = NoteName(view.note_id, view.vault, view.path, view.aliases)
            tags.append(_with_parents(view.tags))
            in_properties += ((view.note_id, link) for link in property_links(view.properties))
        resolver = Resolver(names.values())
        for note_id, link in chain(reads.each_link_target(connection), in_properties):
            target = resolver.resolve(link, names[note_id])
            if target not in (None, note_id):
                sources.append(note_id)
                targets.append(target)
    return _frozen(list(names.values()), sources, targets, tags)


class CachedGraph:
    """The graph of one store. Thread-safe; one renewal at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._graph = LinkGraph()
        self._frozen = self._graph.frozen()
        self._used = 0.0  # time.monotonic()
        self._stamps: dict[int, int] = {}  # as the store gave them at the last renewal; none once the graph is let go
        self._generation: int | None = None  # of the store at the last renewal
        self._serves_until = 0.0  # time.monotonic()

    def recent(self, store: Store) -> FrozenGraph:
        """The graph of the store's notes, a moment old at most."""
        with self._lock:
            if time.monotonic() > self._serves_until:
                self._renew(store)
            self._used = time.monotonic()
            return self._frozen

    def current(self, store: Store) -> FrozenGraph:
        """The graph of the store's notes as they are."""
        with self._lock:
            self._renew(store)
            self._used = time.monotonic()
            return self._frozen

    def _renew(self, store: Store) -> None:
        began, generation = time.monotonic(), store.read(generation_of)
        if generation != self._generation:
            self._take_in(store)
            self._frozen = self._graph.frozen()
            self._generation = generation
            self._serves_until = (1 + PATIENCE) * time.monotonic() - PATIENCE * began

    @property
    def nbytes(self) -> int:
        """Bytes of all of it."""
        with self._lock:
            return self._graph.nbytes + self._frozen.nbytes

    def let_go(self, unused_seconds: float) -> bool:
        """Let go of what only changes are taken in by, once nobody has asked for so long; whether there was any.

        It is several times as large as the graph that is given out, which stays.
        """
        with self._lock:
            if not self._stamps or time.monotonic() - self._used < unused_seconds:
                return False
            self._graph, self._stamps = LinkGraph(), {}
            return True

    def _take_in(self, store: Store) -> None:
        stamps = store.read(reads.stamps)
        changed = [note_id for note_id, stamp in stamps.items() if self._stamps.get(note_id) != stamp]
        if len(changed) > _REBUILD_SHARE * len(stamps):
            self._graph = load_graph(store)
        else:
            self._graph.forget(self._stamps.keys() - stamps.keys())
            for note in note_links(store.read(reads.notes, changed).values(), store.read(reads.link_targets, changed)):
                self._graph.put(note)
        self._stamps = stamps


class GraphCache:
    """The graphs of all stores that were asked about, cached for as long as these are open."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards what is below
        self._cached: WeakKeyDictionary[Store, CachedGraph] = WeakKeyDictionary()

    def recent(self, store: Store) -> FrozenGraph:
        """The graph of a store's notes, a moment old at most; built now if it is not cached."""
        return self._of(store).recent(store)

    def current(self, store: Store) -> FrozenGraph:
        """The graph of a store's notes as they are: what is found by it counts as found in them."""
        return self._of(store).current(store)

    def _of(self, store: Store) -> CachedGraph:
        with self._lock:
            return self._cached.setdefault(store, CachedGraph())

    def bytes_of(self, store: Store) -> int:
        """What a store's graph takes now; 0 where it is not cached."""
        with self._lock:
            cached = self._cached.get(store)
        return cached.nbytes if cached else 0

    def let_go(self, unused_seconds: float) -> bool:
        """As `CachedGraph.let_go`, of all stores."""
        with self._lock:
            cached = list(self._cached.values())
        return sum(each.let_go(unused_seconds) for each in cached) > 0
