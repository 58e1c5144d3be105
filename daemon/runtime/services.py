"""What the API needs, brought by an engine."""

import time
from collections.abc import Mapping, Sequence
from typing import Literal

import psutil

from daemon import __version__
from daemon.api.schemas import Failure, ProfileStatus, Status
from daemon.api.upkeep import Upkeep
from daemon.runtime.engine import Engine
from daemon.runtime.opened import OpenProfile
from daemon.search.types import NoteExplanation, SearchRequest, SearchResponse
from profiles.errors import ProfileError, StoreHeld, StoreLocked
from profiles.registry import Profile, VaultFolder
from profiles.store import Store

_MOST_FAILURES = 200  # named in a status; the counts are always whole


class SearchService:
    """Searches, tells the background work that somebody is waiting, and has searches counted and remembered."""

    def __init__(self, engine: Engine, upkeep: Upkeep) -> None:
        self._engine = engine
        self._upkeep = upkeep

    def search(self, request: SearchRequest) -> SearchResponse:
        """Answer one search."""
        self._engine.supervisor.searched()
        response = self._engine.searcher.search(request, self._stores(request))
        self._upkeep.metrics.searched(request, response)
        self._upkeep.searches.searched(request, response)
        return response

    def explain(self, request: SearchRequest, path: str, *, vault: str | None = None) -> NoteExplanation:
        """Why a note is, or is not, among the results."""
        return self._engine.searcher.explain(request, path, vault=vault, stores=self._stores(request))

    def _stores(self, request: SearchRequest) -> Mapping[str, Store]:
        """Those that rights were granted for; none of another profile that has taken one of the names since."""
        return self._engine.stores_named(dict(zip(request.ids, request.profiles or (), strict=True)))


class ProfileService:
    """The registry, with the engine kept in step."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def list(self) -> tuple[Profile, ...]:
        """All profiles, as they were at the last look at the registry: searches ask this each time."""
        return self._engine.all_profiles()

    def create(self, name: str, *, vaults: tuple[VaultFolder, ...], colour: str | None) -> Profile:
        """A new profile, whose indexing begins."""
        return self._changed(self._engine.registry.create(name, vaults=vaults, colour=colour))

    def update(self, profile: Profile) -> Profile:
        """Take over what changed of the profile with this id."""
        self._engine.registry.update(profile)
        return self._changed(profile)

    def rename(self, name: str, new_name: str) -> Profile:
        """Another name; the index stays."""
        return self._changed(self._engine.registry.rename(name, new_name))

    def remove(self, name: str) -> None:
        """Close the profile and delete its index."""
        self._engine.forget(name)

    def lock(self, profile: Profile) -> Profile:
        """Close a profile until it is unlocked."""
        return self._changed(self._engine.custody.lock(profile))

    def unlock(self, profile: Profile, passphrase: str | None) -> Profile:
        """Open a locked profile."""
        unlocked = self._engine.custody.unlock(profile, passphrase)
        self._engine.sync(retry=profile.id)
        self._engine.opened(unlocked.name)  # raises what keeps it closed
        return self._changed(unlocked)

    def refresh(self) -> None:
        """Take over now what a command has changed, or let go of what it holds."""
        self._engine.sync()

    def _changed(self, profile: Profile) -> Profile:
        self._engine.sync()
        return profile


class IndexingService:
    """Requests to the background work."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def request_index(self, profile: Profile, *, full: bool) -> None:
        """Look at the profile's vaults again soon."""
        self._engine.supervisor.request(self._engine.opened_as(profile).profile.id, full=full)


class StatusService:
    """The state of the daemon, profile by profile."""

    def __init__(self, engine: Engine, instance: str) -> None:
        self._engine = engine
        self._instance = instance
        self._started = time.monotonic()
        self._process = psutil.Process()

    def status(self, profiles: Sequence[Profile]) -> Status:
        """The state now, of these profiles and no others."""
        each = tuple(self._profile(profile) for profile in profiles)
        models = {self._engine.model_of(profile.name).embedder.spec.name for profile in profiles}
        return Status(
            version=__version__,
            instance=self._instance,
            model=", ".join(sorted(models or {self._engine.embedder.spec.name})),
            uptime_seconds=time.monotonic() - self._started,
            memory_bytes=self._process.memory_info().rss,
            pending_embeddings=sum(status.pending_embeddings for status in each),
            profiles=each,
            warnings=self._engine.warnings({profile.id for profile in profiles}),
        )

    def _profile(self, profile: Profile) -> ProfileStatus:
        opened = next((found for found in self._engine.profiles() if found.profile.id == profile.id), None)
        if opened is None:
            return self._closed(profile, self._engine.closed_error(profile.id))
        try:
            return self._open(opened)
        except ProfileError as error:  # damaged, or closed meanwhile: the others have a state all the same
            return self._closed(profile, error)

    def _open(self, opened: OpenProfile) -> ProfileStatus:
        profile, counts, report = opened.profile, opened.store.counts(), opened.progress.report()
        reading = report.phase == "reading"
        trouble = self._engine.supervisor.trouble().get(profile.id, "")
        state = self._engine.supervisor.state(profile.id)
        return ProfileStatus(
            id=profile.id,
            name=profile.name,
            colour=profile.colour,
            vaults=tuple(folder.name for folder in profile.vaults),
            state="failed" if trouble and state == "idle" else state,
            done=report.read if reading else report.embedded,
            total=report.to_read if reading else report.embedded + report.to_embed,
            eta_seconds=report.eta_seconds,
            notes=counts.notes,
            chunks=counts.chunks,
            pending_embeddings=counts.pending_embeddings,
            redactions=counts.redactions,
            bytes_on_disk=counts.bytes_on_disk,
            failures=tuple(
                Failure(vault=row.vault, path=row.path, code=row.code, reason=row.reason)
                for row in opened.store.failures()[:_MOST_FAILURES]
            ),
            reason=trouble or self._engine.supervisor.held(profile.id),
            progress=report,
        )

    def _closed(self, profile: Profile, error: ProfileError | None) -> ProfileStatus:
        return ProfileStatus(
            id=profile.id,
            name=profile.name,
            colour=profile.colour,
            vaults=tuple(folder.name for folder in profile.vaults),
            state=_closed_state(error),
            done=0,
            total=0,
            eta_seconds=None,
            notes=0,
            chunks=0,
            pending_embeddings=0,
            redactions=0,
            bytes_on_disk=0,
            failures=(),
            reason=str(error) if error else "It is being opened.",
        )


def _closed_state(error: ProfileError | None) -> Literal["locked", "paused", "failed"]:
    if isinstance(error, StoreLocked):
        return "locked"
    return "paused" if error is None or isinstance(error, StoreHeld) else "failed"
