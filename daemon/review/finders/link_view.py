"""The links of all notes, resolved: what finders of links share."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from scrubjay.daemon.links.link_resolver import NoteName, Resolver
from scrubjay.daemon.review.finders.link_style import LinkStyle, LinkWriter, style_of
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.profiles.store.rows import LinkRow


@dataclass(frozen=True, slots=True)
class FollowedLink:
    """A link of a note, and the note or file that it leads to."""

    note_id: int
    link: LinkRow
    target_id: int | None  # None: it leads nowhere


class LinkView:
    """The resolved links of a view's notes. For one thread."""

    def __init__(self, notes: ReviewNotes) -> None:
        self._notes = notes
        self.names: Mapping[int, NoteName] = {name.id: name for name in notes.graph.names}
        self.resolver = Resolver(notes.graph.names)

    @cached_property
    def links(self) -> tuple[FollowedLink, ...]:
        """All links in the texts of notes, by note, in the order of the lines."""
        return tuple(self._followed())

    @cached_property
    def writer(self) -> LinkWriter:
        """Writes links in each vault's own style."""
        followed = [
            (self.names[each.note_id], each.link, self.names[each.target_id])
            for each in self.links
            if each.target_id is not None
        ]
        vaults = {source.vault for source, _, _ in followed}
        styles: dict[str, LinkStyle] = {
            vault: style_of(each for each in followed if each[0].vault == vault) for vault in vaults
        }
        return LinkWriter(self.names, self.resolver, styles)

    def _followed(self) -> Iterator[FollowedLink]:
        for note in self._notes.notes:
            name = self.names.get(note.note_id)
            if name is None:
                continue  # it came after the graph
            for link in self._notes.links.get(note.note_id, ()):
                yield FollowedLink(note.note_id, link, self.resolver.resolve(link.target, name))
