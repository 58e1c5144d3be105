"""Which note a link points to, as Obsidian decides it.

A link names a file, not a title. In this order, compared without regard to case and to how a letter is composed:

1. nothing before "#": the note that holds the link;
2. "./" or "../": that path, seen from the folder of the note that holds the link;
3. the whole path from the vault's root, with or without a leading "/"; with it, nothing else is tried;
4. notes whose path ends with what the link says: first those in or below the folder of the note that holds the link,
   then the others; among each the shortest path, then the first in the alphabet;
5. an alias. Obsidian itself writes such a link as [[Note|Alias]] and leaves a bare [[Alias]] unresolved; who typed it
   meant the note. Order among several notes as in 4.

A note's ".md" may be left out. A link never leads into another vault.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from scrubjay.profiles.names import link_key

_LONGEST = 4_096
"""Code points of a link's path; no file system has longer ones, so the rest of a longer link can't matter."""

NAMESAKES_FROM = 16
"""Notes of one file name (`index`, say) from which they are found by index, not by looking at each."""

Key: TypeAlias = tuple[str, str]  # vault id, folded file name or alias
Places: TypeAlias = dict[
    str, tuple[int, ...]
]  # folded path -> note ids; several only where case alone tells them apart


@dataclass(frozen=True, slots=True)
class NoteName:
    """What a note is called."""

    id: int
    vault: str  # vault id
    path: str  # vault-relative, "/"-separated, NFC
    aliases: tuple[str, ...] = ()


class Resolver:
    """The names of all notes of a profile, and what links make of them. Not for several threads while it changes."""

    def __init__(self, notes: Iterable[NoteName] = ()) -> None:
        self._by_name = _Named()
        self._by_alias = _Named()
        self._namesakes: dict[Key, _Namesakes] = {}  # made when first needed
        for note in notes:
            self.add(note)

    def add(self, note: NoteName) -> None:
        """Make a note known. Its id must not be known already."""
        path = link_key(note.path)
        self._namesakes.pop((note.vault, _last(path)), None)
        for named, key in self._keys(note):
            named.put(key, path, (*named.get(key).get(path, ()), note.id))

    def remove(self, note: NoteName) -> None:
        """Forget a note that was added with the same names."""
        path = link_key(note.path)
        self._namesakes.pop((note.vault, _last(path)), None)
        for named, key in self._keys(note):
            named.put(key, path, tuple(known for known in named.get(key).get(path, ()) if known != note.id))

    def resolve(self, link: str, source: NoteName) -> int | None:
        """The id of the note that `link`, standing in `source`, points to; None where there is no such note.

        link: as in LinkRow.target: percent-decoded, "#heading" and "#^block" taken off or not.
        """
        return self.follow(link_path(link), source)

    def follow(self, target: str, source: NoteName) -> int | None:
        """As `resolve`, for a link that is a `link_path` already."""
        found = self.by_path(target, source)
        return self.by_alias(target, source) if found is None else found

    def by_path(self, target: str, source: NoteName) -> int | None:
        """As `follow`, by the names and paths of files alone."""
        if not target:
            return source.id
        folder = link_key(source.path).rpartition("/")[0]
        for path in _spellings(target):
            found = self._chosen((source.vault, _last(path)), path, folder)
            if found is not None:
                return found
        return None

    def by_alias(self, target: str, source: NoteName) -> int | None:
        """As `follow`, by aliases alone."""
        aliased = self._by_alias.get((source.vault, target))
        return _nearest(aliased, link_key(source.path).rpartition("/")[0]) if aliased else None

    def _chosen(self, name: Key, path: str, folder: str) -> int | None:
        """The note meant by `path`, seen from `folder`, among those of its file name."""
        named = self._by_name.get(name)
        if not named:
            return None
        rooted = path.startswith("/")
        path = _absolute(path, folder) if path.startswith(("./", "../")) else path.removeprefix("/")
        beside = f"{folder}/{path}"  # of all paths below `folder` that end with `path`, this is the shortest
        if path in named:
            return min(named[path])
        if rooted:
            return None
        if beside in named:
            return min(named[beside])
        if len(named) >= NAMESAKES_FROM:
            if name not in self._namesakes:
                self._namesakes[name] = _Namesakes(named)
            found = self._namesakes[name].nearest(path, folder)
            return min(named[found]) if found else None
        ending = f"/{path}"
        return _nearest({known: ids for known, ids in named.items() if known.endswith(ending)}, folder)

    def _keys(self, note: NoteName) -> list[tuple["_Named", Key]]:
        """Where a note is kept: under its file's name and under each alias."""
        aliases = {link_key(alias.strip()) for alias in note.aliases}
        file = self._by_name, (note.vault, _last(link_key(note.path)))
        return [file, *((self._by_alias, (note.vault, alias)) for alias in aliases)]


class _Named:
    """The places of each name. Most names have one, which has no dict of its own: that would double the memory."""

    def __init__(self) -> None:
        self._held: dict[Key, Places | tuple[str, tuple[int, ...]]] = {}

    def get(self, key: Key) -> Places:
        """The places of a name; not to be changed."""
        held = self._held.get(key)
        return {} if held is None else dict((held,)) if isinstance(held, tuple) else held

    def put(self, key: Key, path: str, note_ids: tuple[int, ...]) -> None:
        """Have these notes at a path of a name; none: the path goes."""
        places = self.get(key)
        if note_ids:
            places[path] = note_ids
        else:
            places.pop(path, None)
        if places:
            self._held[key] = next(iter(places.items())) if len(places) == 1 else places
        else:
            self._held.pop(key, None)


def link_path(link: str) -> str:
    """The folded path that a link names, without heading, block and shown text; "" for a link into the same note."""
    return link_key(link.partition("|")[0].partition("#")[0].strip()[:_LONGEST])


def names_of(note: NoteName) -> frozenset[Key]:
    """The keys under which links may find this note: only a link with one of them can lead to it."""
    return frozenset(name_key(link_key(name.strip()), note.vault) for name in (note.path, *note.aliases))


def name_key(path: str, vault: str) -> Key:
    """What of a folded path decides which notes a link may mean: its last part, without ".md"."""
    name = _last(path)
    end = len(name)
    while name.endswith(".md", 0, end):
        end -= 3
    return vault, name[:end]


def _spellings(target: str) -> tuple[str, ...]:
    """The paths that a link may mean: as it is where it has an extension, and with a note's extension."""
    return (target, f"{target}.md") if "." in _last(target) else (f"{target}.md",)


class _Namesakes:
    """Many notes of one file name: for each ending and each folder, those that a link may mean."""

    def __init__(self, named: Iterable[str]) -> None:
        self._endings: defaultdict[str, list[str]] = defaultdict(list)  # last folder and name -> paths
        self._below: dict[str, str] = {}  # folder -> the first of the paths in or below it; "" is the whole vault
        for path in sorted(named, key=lambda path: (len(path), path)):
            self._endings[_last_two(path)].append(path)
            folder = path
            while folder:
                folder = folder.rpartition("/")[0]
                self._below.setdefault(folder, path)

    def nearest(self, path: str, folder: str) -> str | None:
        """The path that a link to `path` from `folder` means, of those that end with it; None where none does."""
        if "/" not in path:
            return self._below.get(folder) or self._below.get("")
        ending, inside = f"/{path}", f"{folder}/"
        found = [known for known in self._endings.get(_last_two(path), ()) if known.endswith(ending)]
        return next((known for known in found if folder and known.startswith(inside)), found[0] if found else None)


def _nearest(candidates: Places, folder: str) -> int | None:
    def order(path: str) -> tuple[bool, int, str]:
        return (bool(folder) and not path.startswith(f"{folder}/"), len(path), path)

    if len(candidates) == 1:
        return min(next(iter(candidates.values())))
    return min(candidates[min(candidates, key=order)]) if candidates else None


def _absolute(path: str, folder: str) -> str:
    """A relative path seen from `folder`. Steps above the vault's root stay at the root, as in Obsidian."""
    parts = folder.split("/") if folder else []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _last_two(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{_last(folder)}/{name}"


def _last(path: str) -> str:
    return path.rpartition("/")[2]
