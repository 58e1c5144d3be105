"""What completes a filter that somebody types: tags, folders, properties, names of files."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Literal

from scrubjay.daemon.server.endpoints.notes import Suggestion
from scrubjay.profiles.names import fold
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.store import Store

_WORD = re.compile(r"[^\W_]+")
_BEGINNING = 4  # letters from which on the beginning of a word stands for it
_COUNTED = {"tag": reads.tags, "folder": reads.folders, "property": reads.properties}


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
    wanted = fold(prefix).removeprefix("#")
    counts = _counts(stores, profiles, kind)
    folded = {value: fold(value) for value in counts}
    fitting = [
        value
        for value, key in folded.items()
        if key.startswith(wanted) or any(part.startswith(wanted) for part in key.split("/"))
    ]
    best = sorted(fitting, key=lambda value: (not folded[value].startswith(wanted), -counts[value], value))
    return tuple(Suggestion(value=value, notes=counts[value]) for value in best[:limit])


def named_folders(
    stores: Mapping[str, Store], profiles: Sequence[Profile], name: str, limit: int
) -> tuple[Suggestion, ...]:
    """Folders that `name` names: each of its words is a word of the folder's path, or begins one with four letters or
    more, and one of them stands in the folder's own name. Those with the fewest other words first, then those with the
    most notes.
    """
    wanted = _WORD.findall(fold(name))
    counts = _counts(stores, profiles, "folder")

    def others(folder: str) -> int | None:
        words = _WORD.findall(fold(folder))
        own = _WORD.findall(fold(PurePosixPath(folder).name))
        is_named = all(_names(each, words) for each in wanted) and any(_names(each, own) for each in wanted)
        return len(words) - len(wanted) if is_named else None

    ranked = sorted((rest, -notes, folder) for folder, notes in counts.items() if (rest := others(folder)) is not None)
    return tuple(Suggestion(value=folder, notes=-notes) for _, notes, folder in ranked[:limit])


def _names(word: str, words: Sequence[str]) -> bool:
    return word in words or (len(word) >= _BEGINNING and any(each.startswith(word) for each in words))


def _counts(
    stores: Mapping[str, Store], profiles: Sequence[Profile], kind: Literal["tag", "folder", "property"]
) -> Counter[str]:
    counts: Counter[str] = Counter()
    for profile in profiles:
        if store := stores.get(profile.name):
            counts.update(store.derived(_COUNTED[kind]))
    return counts


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
