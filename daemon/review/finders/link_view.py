"""The links of all notes, resolved: what finders of links share."""

from array import array
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scrubjay.daemon.links.link_resolver import NoteName, Resolver, link_path
from scrubjay.daemon.review.finders.link_style import LinkStyle, LinkWriter, style_of
from scrubjay.profiles.store.note_texts import StoredLinks, StoredNote
from scrubjay.profiles.store.rows import LinkRow

_NOWHERE = -1


@dataclass(frozen=True, slots=True)
class FollowedLink:
    """A link of a note, and the note or file that it leads to."""

    note_id: int
    link: LinkRow
    target_id: int | None  # None: it leads nowhere


class LinkView:
    """The resolved links of a view's notes. For one thread."""

    def __init__(self, notes: Sequence[StoredNote], links: StoredLinks, names: Sequence[NoteName]) -> None:
        """names: of all notes and files."""
        self._notes = notes
        self._links = links
        self.names: Mapping[int, NoteName] = {name.id: name for name in names}
        self.resolver = Resolver(names)

    def links(self, notes: Iterable[StoredNote]) -> Iterator[FollowedLink]:
        """All links in the texts of these notes, by note, in the order of the lines. Made each time."""
        for note in notes:
            for number in self._links.of(note.note_id) if note.note_id in self.names else ():
                yield self._followed(note, number)

    def in_doubt(self, notes: Iterable[StoredNote]) -> Iterator[FollowedLink]:
        """Of `links`, those that lead nowhere, or to a note by one of its aliases."""
        targets, by_alias = self._target_ids, self._by_alias
        for note in notes:
            for number in self._links.of(note.note_id) if note.note_id in self.names else ():
                if targets[number] < 0 or number in by_alias:
                    yield self._followed(note, number)

    def targets(self, note_id: int) -> frozenset[int]:
        """The notes and files that a note's links lead to."""
        return frozenset(self._target_ids[number] for number in self._links.of(note_id)) - {_NOWHERE}

    @cached_property
    def linked(self) -> frozenset[int]:
        """The notes and files that any link leads to."""
        return frozenset(self._target_ids) - {_NOWHERE}

    @cached_property
    def writer(self) -> LinkWriter:
        """Writes links in each vault's own style."""
        members: defaultdict[str, list[StoredNote]] = defaultdict(list)
        for note in self._notes:
            members[note.vault].append(note)
        styles: dict[str, LinkStyle] = {
            vault: style_of(
                (self.names[each.note_id], each.link, self.names[each.target_id])
                for each in self.links(notes)
                if each.target_id is not None
            )
            for vault, notes in members.items()
        }
        return LinkWriter(self.names, self.resolver, styles)

    def _followed(self, note: StoredNote, number: int) -> FollowedLink:
        target_id = self._target_ids[number]
        return FollowedLink(note.note_id, self._links.row(number), None if target_id < 0 else target_id)

    @property
    def _target_ids(self) -> "array[int]":
        """Of each link the note or file that it leads to, or `_NOWHERE`, as of notes that came after the graph."""
        return self._resolved[0]

    @property
    def _by_alias(self) -> Container[int]:
        """The links that lead to their notes by aliases alone."""
        return self._resolved[1]

    @cached_property
    def _resolved(self) -> tuple["array[int]", set[int]]:
        found, by_alias = array("q", (_NOWHERE,)) * len(self._links), set[int]()
        for note in self._notes:
            if name := self.names.get(note.note_id):
                for number in self._links.of(note.note_id):
                    target = link_path(self._links.target(number))
                    target_id = self.resolver.follow(target, name, by_alias=False)
                    if target_id is None and (target_id := self.resolver.follow(target, name)) is not None:
                        by_alias.add(number)
                    found[number] = _NOWHERE if target_id is None else target_id
        return found, by_alias
