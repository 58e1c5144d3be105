"""The links of a profile's notes as a map: clusters, what each is about, and the notes that hold them together."""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scrubjay.daemon.links.link_graph import Csr, FrozenGraph, Rows, from_edges

if TYPE_CHECKING:
    from numpy.random import Generator  # which numpy loads when it is first used, 2 MB of it

_SEED = 20_080_727
_ROUNDS, _LEVELS = 20, 12
_FEW = 0.002  # share of the nodes that want to move, from which down the others are left where they are
_LEAST_GAIN = 1e-9


@dataclass(frozen=True, slots=True)
class Articulation:
    """A node whose removal parts its component."""

    row: int
    parts: int  # into how many pieces


def communities(both: Csr) -> Rows:
    """The community of each row, shape (n,): the largest is 0; equal ones in the order of their first rows.

    both: the neighbours of each row, either way. A row without neighbours is a community by itself.
    """
    count = len(both.starts) - 1
    label = np.arange(count)
    tails, heads, weights = both.rows, both.columns, np.ones(len(both.columns), dtype=np.float64)
    loops = np.zeros(count)  # twice the weight within each node, once nodes are communities
    rng = np.random.default_rng(_SEED)
    for _ in range(_LEVELS):
        moved = _moved(tails, heads, weights, loops, rng)
        names, moved = np.unique(moved, return_inverse=True)
        label = moved[label]
        if len(names) == len(loops):
            break
        tails, heads, weights, loops = _joined(moved, tails, heads, weights, loops)
    return _by_size(label)


def _moved(
    tails: Rows, heads: Rows, weights: NDArray[np.float64], loops: NDArray[np.float64], rng: "Generator"
) -> Rows:
    """The community that each node ends up in, named after one of its nodes."""
    count = len(loops)
    strength = np.bincount(tails, weights=weights, minlength=count) + loops
    whole = strength.sum()
    label = np.arange(count)
    if not len(tails):
        return label
    for turn in range(_ROUNDS):
        size = np.bincount(label, weights=strength, minlength=count)
        keys = tails * count + label[heads]  # (node, neighbouring community)
        order = np.argsort(keys, kind="stable")
        starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
        linked = np.add.reduceat(weights[order], starts)
        node, target = np.divmod(keys[order][starts], count)
        here = target == label[node]
        gain = linked - strength[node] * (size[target] - np.where(here, strength[node], 0.0)) / whole
        stay = np.zeros(count)  # of its own community without it
        stay -= strength * (size[label] - strength) / whole
        stay[node[here]] = gain[here]
        best, value = _best_of_each(node, gain, target, count)
        better = (best != label) & (value > stay + _LEAST_GAIN)
        wanting = int(better.sum())
        if turn + 1 < _ROUNDS:
            better &= rng.random(count) < 0.5
        label = np.where(better, best, label)
        if wanting <= count * _FEW:
            break
    return label


def _best_of_each(node: Rows, gain: NDArray[np.float64], target: Rows, count: int) -> tuple[Rows, NDArray[np.float64]]:
    """Of each node the community with the greatest gain, of equal ones the first, and that gain; no gain: -inf.

    node: ascending, and target within each.
    """
    firsts = np.flatnonzero(np.diff(node, prepend=-1))
    value = np.full(count, -np.inf)
    value[node[firsts]] = np.maximum.reduceat(gain, firsts)
    at_best = np.flatnonzero(gain == value[node])
    owners, where = np.unique(node[at_best], return_index=True)
    best = np.arange(count)
    best[owners] = target[at_best[where]]
    return best, value


def _joined(
    label: Rows, tails: Rows, heads: Rows, weights: NDArray[np.float64], loops: NDArray[np.float64]
) -> tuple[Rows, Rows, NDArray[np.float64], NDArray[np.float64]]:
    """The graph whose nodes are the communities."""
    count = int(label.max()) + 1
    inside = np.bincount(label, weights=loops, minlength=count).astype(np.float64)
    one, other = label[tails], label[heads]
    same = one == other
    inside += np.bincount(one[same], weights=weights[same], minlength=count)
    keys, where = np.unique(one[~same] * count + other[~same], return_inverse=True)
    joined = np.bincount(where, weights=weights[~same], minlength=len(keys)).astype(np.float64)
    tails, heads = np.divmod(keys, count)
    return tails, heads, joined, inside


def _by_size(label: Rows) -> Rows:
    names, first, inverse, sizes = np.unique(label, return_index=True, return_inverse=True, return_counts=True)
    order = np.lexsort((first, -sizes))
    number = np.empty(len(names), dtype=np.int64)
    number[order] = np.arange(len(names))
    return number[inverse]


def articulations(both: Csr) -> list[Articulation]:
    """The nodes whose removal parts their component, by row. Tarjan (1972), without recursion; linear."""
    count = len(both.starts) - 1
    starts: list[int] = both.starts.tolist()
    columns: list[int] = both.columns.tolist()
    found, low, at = [0] * count, [0] * count, starts[:count]
    parts = [0] * count  # subtrees that hang on each node alone
    clock = 0
    for root in range(count):
        if found[root]:
            continue
        clock += 1
        found[root] = low[root] = clock
        path = [root]
        parts[root] = -1  # a root parts what hangs on it only if that is two subtrees at least
        while path:
            node = path[-1]
            if at[node] < starts[node + 1]:
                other = columns[at[node]]
                at[node] += 1
                if not found[other]:
                    clock += 1
                    found[other] = low[other] = clock
                    path.append(other)
                elif len(path) < 2 or other != path[-2]:
                    low[node] = min(low[node], found[other])
                continue
            path.pop()
            if path:
                above = path[-1]
                low[above] = min(low[above], low[node])
                parts[above] += low[node] >= found[above]
    return [Articulation(row, hanging + 1) for row, hanging in enumerate(parts) if hanging > 0]


LEAST_SIZE = 3
"""Notes of a cluster that is shown."""
_NOTES = 10  # shown of each cluster
_MOST_BRIDGES = 50
_OF_FOLDER, _OF_TAG = 0.6, 0.4  # share of a cluster's notes that are in the folder, or have the tag, that names it
_LIFT = 1.5  # how many times as usual that must be there as elsewhere


@dataclass(frozen=True, slots=True)
class MappedNote:
    """A note on the map."""

    note_id: int
    vault: str  # id
    path: str
    title: str
    links: int  # notes that it is linked with, either way


@dataclass(frozen=True, slots=True)
class NoteCluster:
    """Notes that link to each other more than to others."""

    number: int  # 0 is the largest
    name: str  # a folder, a tag ("#…") or a title
    size: int
    notes: tuple[MappedNote, ...]  # the best linked


@dataclass(frozen=True, slots=True)
class BridgeNote:
    """A note without which parts of the map would not hang together."""

    note: MappedNote
    parts: int  # into how many pieces what it holds together would fall
    joins: tuple[int, ...]  # numbers of the clusters shown that it links with


@dataclass(frozen=True, slots=True)
class LinkMap:
    """The map of one profile."""

    clusters: tuple[NoteCluster, ...]  # the largest first
    links: tuple[tuple[int, int, int], ...]  # clusters shown, the lower number first, and the links between them
    bridges: tuple[BridgeNote, ...]  # those that join most first
    unlinked: int  # notes without any link


def link_map(graph: FrozenGraph, titles: Mapping[int, str], limit: int) -> LinkMap:
    """The map of a graph. titles: of its Markdown notes, by id; other files are left out. limit: most clusters.

    Always the same for the same notes and links, in whatever order the notes came. Two seconds for 100,000 notes.
    """
    known = (row for row, note_id in enumerate(graph.ids.tolist()) if note_id in titles)
    by_place = sorted(known, key=lambda row: (graph.names[row].vault, graph.names[row].path))
    rows = np.array(by_place, dtype=np.int64)  # clusters depend on the order of rows, and ids on that of their notes
    both = _among(graph.both, rows)
    label = communities(both)
    sizes = np.bincount(label, minlength=1) if len(label) else np.zeros(0, dtype=np.int64)
    shown = [number for number in range(min(len(sizes), limit)) if sizes[number] >= LEAST_SIZE]
    degrees: list[int] = both.degrees.tolist()
    kept: list[int] = rows.tolist()
    paths = [graph.names[row].path for row in kept]

    def note(row: int) -> MappedNote:
        name = graph.names[kept[row]]
        return MappedNote(name.id, name.vault, name.path, titles[name.id], degrees[row])

    naming = _Naming(graph, titles, rows)
    clusters: list[NoteCluster] = []
    for number in shown:
        members: list[int] = np.flatnonzero(label == number).tolist()
        members.sort(key=lambda row: (-degrees[row], paths[row]))
        clusters.append(NoteCluster(number, naming.name(members), len(members), tuple(map(note, members[:_NOTES]))))
    between = _between(both, label, len(shown))
    bridges = tuple(
        BridgeNote(note(cut.row), cut.parts, joins) for cut, joins in _bridges(both, label, degrees, len(shown))
    )
    return LinkMap(tuple(clusters), between, bridges, degrees.count(0))


def without_the_gone(found: LinkMap, there: Container[int]) -> LinkMap:
    """What may still be told of a map since notes went. there: ids of those that are left.

    A cluster is named after a note that is there: a folder or a tag may have gone with its notes.
    """
    left = ((each, tuple(note for note in each.notes if note.note_id in there)) for each in found.clusters)
    clusters = [NoteCluster(each.number, notes[0].title, each.size, notes) for each, notes in left if notes]
    kept = {cluster.number for cluster in clusters}
    return LinkMap(
        tuple(clusters),
        tuple(link for link in found.links if kept.issuperset(link[:2])),
        tuple(
            BridgeNote(each.note, each.parts, tuple(number for number in each.joins if number in kept))
            for each in found.bridges
            if each.note.note_id in there
        ),
        found.unlinked,
    )


def _among(both: Csr, rows: Rows) -> Csr:
    """The graph of some of the rows, numbered anew."""
    number = np.full(len(both.starts) - 1, -1, dtype=np.int64)
    number[rows] = np.arange(len(rows))
    tails, heads = number[both.rows], number[both.columns]
    kept = (tails >= 0) & (heads >= 0)
    return from_edges(tails[kept], heads[kept], len(rows), len(rows))


def _between(both: Csr, label: Rows, shown: int) -> tuple[tuple[int, int, int], ...]:
    one, other = label[both.rows], label[both.columns]
    kept = (one < other) & (other < shown)
    pairs, counts = np.unique(one[kept] * max(shown, 1) + other[kept], return_counts=True)
    first, second = np.divmod(pairs, max(shown, 1))
    return tuple(zip(first.tolist(), second.tolist(), counts.tolist(), strict=True))


def _bridges(both: Csr, label: Rows, degrees: Sequence[int], shown: int) -> list[tuple[Articulation, tuple[int, ...]]]:
    """Those that are shown, with the clusters that each joins."""
    found: list[tuple[Articulation, tuple[int, ...]]] = []
    for cut in articulations(both):
        near: set[int] = set(label[both.of(cut.row)].tolist())
        joins = tuple(sorted(number for number in {int(label[cut.row]), *near} if number < shown))
        found.append((cut, joins))
    found.sort(key=lambda each: (-len(each[1]), -each[0].parts, -degrees[each[0].row], each[0].row))
    return found[:_MOST_BRIDGES]


class _Naming:
    """Names clusters, each otherwise: by what its notes have in common and others have not, else by the best linked."""

    def __init__(self, graph: FrozenGraph, titles: Mapping[int, str], rows: Rows) -> None:
        self._graph = graph
        self._titles = titles
        self._rows: list[int] = rows.tolist()
        self._taken: set[str] = set()
        self._folders = Counter(folder for row in self._rows for folder in self._folders_of(row))
        self._tags = Counter(tag for row in self._rows for tag in self._tags_of(row))

    def name(self, members: Sequence[int]) -> str:
        """A name for a cluster; members: indices into the rows, the best linked first."""
        rows = [self._rows[member] for member in members]
        folders = Counter(folder for row in rows for folder in self._folders_of(row))
        tags = Counter(tag for row in rows for tag in self._tags_of(row))
        telling = [
            *self._telling(folders, self._folders, len(rows), _OF_FOLDER),
            *(f"#{tag}" for tag in self._telling(tags, self._tags, len(rows), _OF_TAG)),
        ]
        usual = [self._titles[int(self._graph.ids[row])] for row in rows[:_NOTES]]
        name = next((each for each in (*telling, *usual) if each not in self._taken), usual[0])
        self._taken.add(name)
        return name

    def _telling(self, here: Counter[str], everywhere: Counter[str], size: int, least: float) -> list[str]:
        """What is usual here and not elsewhere, the most telling first."""
        share = {each: count / size for each, count in here.items() if count >= least * size}
        lift = {each: share[each] * len(self._rows) / everywhere[each] for each in share}
        return sorted((each for each in share if lift[each] >= _LIFT), key=lambda each: (-lift[each], -len(each), each))

    def _folders_of(self, row: int) -> list[str]:
        """The folder of a note and those around it, without the vault's root."""
        parts = self._graph.names[row].path.split("/")[:-1]
        return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]

    def _tags_of(self, row: int) -> list[str]:
        return [self._graph.tag_names[tag] for tag in self._graph.tags.of(row).tolist()]
