"""What a moved note does to links: those that meant it follow, and no other comes to mean another note."""

import posixpath
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from scrubjay.daemon.links.link_resolver import NoteName, Resolver, link_path, name_key
from scrubjay.daemon.review.changes.note_text import NoteText, TextEdit
from scrubjay.daemon.review.changes.refusal import ChangeRefused
from scrubjay.daemon.vault.frontmatter import read_frontmatter
from scrubjay.daemon.vault.markdown.markup import LinkPlace, link_places
from scrubjay.daemon.vault.read import is_note, stem_of, with_line_feeds
from scrubjay.profiles.names import link_key

_NOT_IN_LINKS = frozenset("[]#^|\\\n\r")
_IN_PROPERTY = re.compile(r"""(?<=["'])\[\[([^\[\]|#\n]+)(?=[\]|#])""")


@dataclass(frozen=True, slots=True)
class _Link:
    source: int  # index of the note that holds it
    place: LinkPlace  # offsets in the note's own text
    means: int | None


def follow(
    paths: Iterable[str], old: str, new: str, text_of: Callable[[str], NoteText | None]
) -> Mapping[str, tuple[TextEdit, ...]]:
    """The edits, by the notes' present paths, that keep every link's meaning when the note at `old` goes to `new`.

    paths: all files of the vault that links can mean. text_of: a note's text; None where it has no link that matters,
    see `may_matter`. Headings, blocks, shown texts and code stay as they are.
    Raises ChangeRefused where no link could lead to the new path.
    """
    if _NOT_IN_LINKS & set(new):
        raise ChangeRefused(
            "unlinkable", "The new name has one of the characters []#^|\\, and no link could lead there."
        )
    files = [NoteName(number, "", path) for number, path in enumerate(dict.fromkeys((old, *paths)))]
    moved = NoteName(0, "", new)
    resolver = Resolver(files)
    concerned = {_name(link_key(old)), _name(link_key(new))}
    links: list[_Link] = []
    habits = _Habits()
    for file in files:
        text = text_of(file.path) if is_note(file.path) else None
        if text is None:
            continue
        for place in _places(text.text):
            is_concerned = file.id == 0 or _name(link_path(place.path)) in concerned
            if not is_concerned and place.form == "wiki":
                continue
            means = resolver.resolve(place.path, file)
            if means is not None and place.form != "wiki":
                habits.see(place.path, file.path, files[means].path)
            if is_concerned:
                links.append(_Link(file.id, place, means))
    resolver.remove(files[0])
    resolver.add(moved)
    now = [moved, *files[1:]]
    edits: dict[str, list[TextEdit]] = {}
    for link in links:
        written = _rewritten(link, now, files, resolver, habits)
        if written is not None:
            edits.setdefault(files[link.source].path, []).append(TextEdit(link.place.start, link.place.stop, written))
    return {path: tuple(found) for path, found in edits.items()}


def may_matter(data: bytes, old: str, new: str) -> bool:
    """Whether a note with these bytes may hold a link that a move from `old` to `new` touches. Quick; errs on yes."""
    if b"[" not in data:
        return False
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    text = data.decode("utf-8", "replace")
    text = (unquote(text) if "%" in text else text).lower()
    if not unicodedata.is_normalized("NFC", text):
        return True
    text = text.replace("\u00a0", " ").replace("\u202f", " ")  # as `link_key`, which is slow for whole texts
    return link_key(stem_of(old)) in text or link_key(stem_of(new)) in text


class _Habits:
    """What the Markdown links of a vault are seen from, told by those that can be read in one way only."""

    def __init__(self) -> None:
        self._relative = self._by_name = self._from_root = 0

    def see(self, path: str, source: str, target: str) -> None:
        """Count a link to `target` that stands in `source`. All paths from the vault's root."""
        if path.startswith("/"):
            return
        if not _leads_beside(path, source, target):
            self._from_root += "/" in path
            self._by_name += "/" not in path
        elif path.startswith(("./", "../")) or ("/" in path and "/" in source):
            self._relative += 1

    def is_relative(self, path: str, source: str, target: str) -> bool:
        """Whether such a link is seen from its note's folder, as everything but Obsidian reads it.

        One that may be that or the note's name, or its path from the root, is what most of the others are.
        """
        if path.startswith(("./", "../")):
            return True
        others = self._from_root if "/" in path else self._by_name
        is_either = "/" not in path or "/" not in source
        return _leads_beside(path, source, target) and (not is_either or self._relative >= others)


def _leads_beside(path: str, source: str, target: str) -> bool:
    """Whether a path, seen from the folder of the note at `source`, is that of `target`."""
    seen = link_key(posixpath.normpath(posixpath.join(posixpath.dirname(source), path)))
    return link_key(target) in (seen, f"{seen}.md")


def _rewritten(
    link: _Link, now: list[NoteName], before: list[NoteName], resolver: Resolver, habits: _Habits
) -> str | None:
    """The path that the link must name from now on, as it is written there; None where it is right as it is."""
    source = now[link.source]
    path = link.place.path
    if link.means is None:
        if not (path.startswith(("./", "../")) and link.source == 0):
            return None
        target = posixpath.normpath(posixpath.join(posixpath.dirname(before[0].path), path))  # no note, or none known
        return None if target.startswith("..") else _as_written(_relative(target, source.path, path), link.place)
    target = now[link.means].path
    if link.place.form == "wiki":
        relative = path.startswith(("./", "../"))
    else:
        relative = habits.is_relative(path, before[link.source].path, before[link.means].path)
    is_right = not relative or _leads_beside(path, source.path, target)
    if is_right and resolver.resolve(path, source) == link.means:
        return None
    ways: list[str] = []
    if relative:
        beside = _relative(target, source.path, path)
        ways = [beside] if path.startswith(("./", "../")) else [beside.removeprefix("./"), beside]
    elif "/" not in path:
        ways = [target.rpartition("/")[2]]
    for way in (*ways, target, f"/{target}"):
        if way is target and path.startswith("/"):
            continue
        shown = way if _has_ending(path) or not way.endswith(".md") else way[: -len(".md")]
        if resolver.resolve(shown, source) == link.means:
            return _as_written(shown, link.place)
    raise ChangeRefused("unlinkable", "No link could lead to the note at its new place; choose another name.")


def _relative(target: str, source: str, as_before: str) -> str:
    found = posixpath.relpath(f"/{target}", f"/{posixpath.dirname(source)}")
    found = found if found.startswith("../") else f"./{found}"
    return found if _has_ending(as_before) or not found.endswith(".md") else found[: -len(".md")]


def _as_written(path: str, place: LinkPlace) -> str:
    if place.form == "address":
        return quote(path, safe="/!$&'*+,;=:@~-._" + "".join(c for c in path if not c.isascii()))
    if place.form == "angle":
        return path.replace("%", "%25").replace("<", "%3C").replace(">", "%3E")
    return path


def _has_ending(path: str) -> bool:
    return path.lower().endswith((".md", ".markdown"))


def _name(path: str) -> str:
    """What of a folded path decides which notes it may mean."""
    return name_key(path, "")[1]


def _places(text: str) -> Iterable[LinkPlace]:
    """The links of a note, its frontmatter's too, in terms of the text as it is."""
    plain, places = _plain(text)
    front = read_frontmatter(plain)
    if not front.problem:
        for match in _IN_PROPERTY.finditer(plain, 0, front.length):
            if not set(match[1]) & set("\"'\\"):
                yield LinkPlace(places(match.start(1)), places(match.end(1)), match[1].strip(), "wiki")
    for link in link_places(plain[front.length :]):
        start, stop = places(front.length + link.start), places(front.length + link.stop)
        yield LinkPlace(start, stop, link.path, link.form)


def _plain(text: str) -> tuple[str, Callable[[int], int]]:
    """The text with "\\n" for line ends, and where in the original an offset of it is."""
    if "\r" not in text:
        return text, lambda offset: offset
    plain = with_line_feeds(text)
    dropped: list[int] = []  # offsets in the plain text of line ends that were two characters
    for count, match in enumerate(re.finditer("\r\n", text)):
        dropped.append(match.start() - count)
    return plain, lambda offset: offset + bisect_right(dropped, offset - 1)
