"""What completes a filter that somebody types: tags, folders, properties, names of files."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nsmallest
from pathlib import PurePosixPath
from typing import Literal, TypeAlias

from scrubjay.daemon.server.endpoints.notes import Suggestion
from scrubjay.profiles.names import fold
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.snapshots import quick
from scrubjay.profiles.store.statements import Connection
from scrubjay.profiles.store.store import Store

_WORD = re.compile(r"[^\W_]+")
_BEGINNING = 4  # letters from which on the beginning of a word stands for it
_Read: TypeAlias = Callable[[Connection], dict[str, int]]
_Keyed: TypeAlias = tuple[tuple[str, str, int], ...]
"""Of each value what it is compared by, a slash before each of its parts; the value; and how many notes have it."""


def _keyed(read: _Read) -> Callable[[Connection], _Keyed]:
    """As a read that a store keeps until it is written to: folding tens of thousands of values takes a while."""

    @quick
    def keyed(connection: Connection) -> _Keyed:
        return tuple((f"/{fold(value)}", value, notes) for value, notes in read(connection).items())

    return keyed


_COUNTED = {"tag": _keyed(reads.tags), "folder": _keyed(reads.folders), "property": _keyed(reads.properties)}


def completions(
    stores: Mapping[str, Store],
    profiles: Sequence[Profile],
    kind: Literal["tag", "folder", "property"],
    prefix: str,
    limit: int,
) -> tuple[Suggestion, ...]:
    """Tags, folders or properties that begin with `prefix`, or of which a part does; most used first.

    Compared as filters do: without case and accents.
    """
    wanted = f"/{fold(prefix).removeprefix('#')}"
    counts: Counter[str] = Counter()
    begin: set[str] = set()
    for store in _stores(stores, profiles):
        for key, value, notes in store.derived(_COUNTED[kind]):
            if wanted in key:
                counts[value] += notes
                if key.startswith(wanted):
                    begin.add(value)
    best = nsmallest(limit, counts, key=lambda value: (value not in begin, -counts[value], value))
    return tuple(Suggestion(value=value, notes=counts[value]) for value in best)


def named_folders(
    stores: Mapping[str, Store], profiles: Sequence[Profile], name: str, limit: int
) -> tuple[Suggestion, ...]:
    """Folders that `name` names: each of its words is a word of the folder's path, or begins one with four letters or
    more, and one of them stands in the folder's own name. Those with the fewest other words first, then those with the
    most notes.
    """
    wanted = _WORD.findall(fold(name))
    counts: Counter[str] = Counter()
    for store in _stores(stores, profiles):
        counts.update({folder: notes for _, folder, notes in store.derived(_COUNTED["folder"])})

    def others(folder: str) -> int | None:
        words = _WORD.findall(fold(folder))
        own = _WORD.findall(fold(PurePosixPath(folder).name))
        is_named = all(_names(each, words) for each in wanted) and any(_names(each, own) for each in wanted)
        return len(words) - len(wanted) if is_named else None

    ranked = sorted((rest, -notes, folder) for folder, notes in counts.items() if (rest := others(folder)) is not None)
    return tuple(Suggestion(value=folder, notes=-notes) for _, notes, folder in ranked[:limit])


def _names(word: str, words: Sequence[str]) -> bool:
    return word in words or (len(word) >= _BEGINNING and any(each.startswith(word) for each in words))


def _stores(stores: Mapping[str, Store], profiles: Sequence[Profile]) -> list[Store]:
    """Those of the profiles that are open."""
    return [stores[profile.name] for profile in profiles if profile.name in stores]


def file_names(paths: Iterable[str], prefix: str, limit: int) -> tuple[Suggestion, ...]:
    """Names for `file:` of notes at these paths, without their ending: those that begin with `prefix`, then those of
    which a word does, then the others; within each in the order given.
    """
    wanted = fold(prefix)
    counts = Counter(PurePosixPath(path).stem for path in paths)

    def standing(name: str) -> int:
        key = fold(name)
        if key.startswith(wanted):
            return 0
        return 1 if any(word.startswith(wanted) for word in _WORD.findall(key)) else 2

    best = sorted(counts, key=standing)
    return tuple(Suggestion(value=name, notes=counts[name]) for name in best[:limit])
