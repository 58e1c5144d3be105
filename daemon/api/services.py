"""What the API needs of the rest, as narrow as it can be said. `daemon/runtime` brings it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from litestar.di import NamedDependency

from daemon.api.events import EventHub
from daemon.api.schemas import Status
from daemon.api.upkeep import Upkeep
from daemon.clients.identity import Identity
from daemon.clients.pairing import PairingDesk
from daemon.clients.registry import ClientRegistry
from daemon.clients.sessions import Sessions
from daemon.graph.excerpt import Excerpt
from daemon.graph.related import RelatedNote
from daemon.graph.traverse import Walk
from daemon.journal.journals import Memory
from daemon.search.types import NoteExplanation, SearchRequest, SearchResponse
from daemon.settings import Limits
from profiles.registry import Profile, VaultFolder
from profiles.store import Store


class Searching(Protocol):
    """Answers searches; called from several threads at once."""

    def search(self, request: SearchRequest) -> SearchResponse:
        """Answer one search over the profiles that it names; raises ScrubjayError."""
        ...

    def explain(self, request: SearchRequest, path: str, *, vault: str | None = None) -> NoteExplanation:
        """Why the note at a path is, or is not, among the results; raises ScrubjayError."""
        ...


class Profiles(Protocol):
    """The profiles of this installation. A change here also opens, closes or re-reads what it concerns,
    and tells those who listen.

    Every method may raise ProfileError (not found, exists, invalid).
    """

    def list(self) -> tuple[Profile, ...]:
        """All profiles."""
        ...

    def create(self, name: str, *, vaults: tuple[VaultFolder, ...], colour: str | None) -> Profile:
        """A new profile, whose indexing begins."""
        ...

    def update(self, profile: Profile) -> Profile:
        """Take over new folders, colour or options of the profile with this id."""
        ...

    def rename(self, name: str, new_name: str) -> Profile:
        """Another name; the index stays."""
        ...

    def remove(self, name: str) -> None:
        """Forget the profile and delete its index; notes are not touched."""
        ...

    def lock(self, profile: Profile) -> Profile:
        """Close the profile until it is unlocked."""
        ...

    def unlock(self, profile: Profile, passphrase: str | None) -> Profile:
        """Open a locked profile. Raises StoreLocked."""
        ...

    def refresh(self) -> None:
        """Look at the registry now."""
        ...


class Indexing(Protocol):
    """The background work."""

    def request_index(self, profile: Profile, *, full: bool) -> None:
        """Look at the profile's vaults again soon; `full` reads every note anew. Raises ProfileError."""
        ...


class Relating(Protocol):
    """What is related to a note, and what links lead to. Raises ProfileError where the profile is not open."""

    def related(self, profile: Profile, note_id: int, limit: int, line: int | None = None) -> tuple[RelatedNote, ...]:
        """Best first; none for a note that is not known. line: 1-based; alike in meaning to its section, not to all."""
        ...

    def walk(self, profile: Profile, note_id: int, query: str | None, *, hops: int, deep: bool) -> Walk:
        """A walk along links from a note; about the query, or (None) about the note itself. deep: nothing is dropped.

        Raises EmbedderFailed where the query can't be compared with notes.
        """
        ...

    def excerpt(self, profile: Profile, text: str, query: str) -> Excerpt:
        """The best sentences of a passage of this profile for a query."""
        ...


class StatusSource(Protocol):
    """How the daemon does."""

    def status(self, profiles: Sequence[Profile]) -> Status:
        """The state now, of these profiles and no others."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that the routes call."""

    identity: Identity
    clients: ClientRegistry
    sessions: Sessions
    pairing: PairingDesk
    events: EventHub
    searcher: Searching
    profiles: Profiles
    indexing: Indexing
    status: StatusSource
    stores: Callable[[Sequence[Profile]], Mapping[str, Store]]  # of these profiles, the open ones, by name
    memory: Memory
    limits_now: Callable[[], Limits]
    relating: Relating
    upkeep: Upkeep

    @property
    def limits(self) -> Limits:
        """The bounds in force; they change when the user changes the settings."""
        return self.limits_now()


InjectedServices: TypeAlias = NamedDependency[Services]
