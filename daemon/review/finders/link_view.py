"""The links of all notes, resolved: what finders of links share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scrubjay.daemon.links.link_resolver import NoteName, Resolver
from scrubjay.daemon.review.finders.link_style import LinkStyle, LinkWriter, style_of
from scrubjay.profiles.store.note_texts import StoredNote
from scrubjay.profiles.store.rows import LinkRow


@dataclass(frozen=True, slots=True)
class FollowedLink:
    """A link of a note, and the note or file that it leads to."""

    note_id: int
    link: LinkRow
    target_id: int | None  # None: it leads nowhere


class LinkView:
    """The resolved links of a view's notes. For one thread."""

    def __init__(
        self, notes: Sequence[StoredNote], links: Mapping[int, Sequence[LinkRow]], names: Sequence[NoteName]
    ) -> None:
        """links: by note id. names: of all notes and files."""
        self._notes = notes
        self._links = links
        self.names: Mapping[int, NoteName] = {name.id: name for name in names}
        self.resolver = Resolver(names)

    @cached_property
    def links(self) -> tuple[FollowedLink, ...]:
        """All links in the texts of notes, by note, in the order of the lines."""
        return tuple(self._followed())

    def is_by_alias(self, followed: FollowedLink) -> bool:
        """Whether a link leads to its note by one of the note's aliases."""
        has_alias = followed.target_id is not None and self.names[followed.target_id].aliases
        source = self.names[followed.note_id]
        return bool(has_alias) and self._without_aliases.resolve(followed.link.target, source) is None

    @cached_property
    def _without_aliases(self) -> Resolver:
        return Resolver(NoteName(name.id, name.vault, name.path) for name in self.names.values())

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
        for note in self._notes:
            name = self.names.get(note.note_id)
            if name is None:
                continue  # it came after the graph
            for link in self._links.get(note.note_id, ()):
                yield FollowedLink(note.note_id, link, self.resolver.resolve(link.target, name))
