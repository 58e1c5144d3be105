"""The links of all notes, resolved: what finders of links share."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

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

    def __init__(
        self, notes: Mapping[str, Iterable[StoredNote]], links: StoredLinks, names: Sequence[NoteName]
    ) -> None:
        """notes: by vault. names: of all notes and files."""
        self._notes = notes
        self._links = links
        self.names: Mapping[int, NoteName] = {name.id: name for name in names}
        self.resolver = Resolver(names)
        self._target_ids = array("q", (_NOWHERE,)) * len(links)  # of each link, the note or file that it leads to
        self._by_alias: set[int] = set()  # links that lead to their notes by aliases alone
        for note_id, number in self._numbers(chain.from_iterable(notes.values())):
            target, source = link_path(links.target(number)), self.names[note_id]
            target_id = self.resolver.by_path(target, source)
            if target_id is None and (target_id := self.resolver.by_alias(target, source)) is not None:
                self._by_alias.add(number)
            self._target_ids[number] = _NOWHERE if target_id is None else target_id

    def links(self, notes: Iterable[StoredNote]) -> Iterator[FollowedLink]:
        """All links in the texts of these notes, by note, in the order of the lines. Made each time."""
        return (self._followed(*each) for each in self._numbers(notes))

    def in_doubt(self, notes: Iterable[StoredNote]) -> Iterator[FollowedLink]:
        """Of `links`, those that lead nowhere, or to a note by one of its aliases."""
        for note_id, number in self._numbers(notes):
            if self._target_ids[number] == _NOWHERE or number in self._by_alias:
                yield self._followed(note_id, number)

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
        styles: dict[str, LinkStyle] = {
            vault: style_of(
                (self.names[each.note_id], each.link, self.names[each.target_id])
                for each in self.links(notes)
                if each.target_id is not None
            )
            for vault, notes in self._notes.items()
        }
        return LinkWriter(self.names, self.resolver, styles)

    def _numbers(self, notes: Iterable[StoredNote]) -> Iterator[tuple[int, int]]:
        """The links of these notes by number, each with its note's id; none of notes that came after the graph."""
        return (
            (note.note_id, number)
            for note in notes
            if note.note_id in self.names
            for number in self._links.of(note.note_id)
        )

    def _followed(self, note_id: int, number: int) -> FollowedLink:
        target_id = self._target_ids[number]
        return FollowedLink(note_id, self._links.row(number), None if target_id == _NOWHERE else target_id)
