"""The state of the daemon, profile by profile."""

import time
from collections.abc import Sequence
from typing import Literal

import psutil

from scrubjay.daemon import __version__
from scrubjay.daemon.api.endpoints.status import Failure, OnDisk, ProfileStatus, Status
from scrubjay.daemon.indexing.counting import DiskCount
from scrubjay.daemon.runtime.engine import Engine
from scrubjay.daemon.runtime.opened import OpenProfile
from scrubjay.profiles.errors import ProfileError, StoreInUse, StoreLocked
from scrubjay.profiles.registry.registry import Profile

_MOST_MISSING = 20  # named in a status
_MOST_FAILURES = 200  # named in a status; the counts are always whole


def status_of(engine: Engine, profiles: Sequence[Profile], *, instance: str, started: float) -> Status:
    """The state now, of these profiles and no others. started: `time.monotonic()` when the daemon began."""
    each = tuple(_profile(engine, profile) for profile in profiles)
    models = {engine.model_of(profile.name).embedder.spec.name for profile in profiles}
    return Status(
        version=__version__,
        instance=instance,
        model=", ".join(sorted(models or {engine.embedder.spec.name})),
        uptime_seconds=time.monotonic() - started,
        memory_bytes=psutil.Process().memory_info().rss,
        pending_embeddings=sum(status.pending_embeddings for status in each),
        profiles=each,
        warnings=engine.warnings({profile.id for profile in profiles}),
    )


def _profile(engine: Engine, profile: Profile) -> ProfileStatus:
    opened = next((found for found in engine.open_profiles.open() if found.profile.id == profile.id), None)
    if opened is None:
        return _closed(profile, engine.closed_error(profile.id))
    try:
        return _open(engine, opened)
    except ProfileError as error:  # damaged, or closed meanwhile: the others have a state all the same
        return _closed(profile, error)


def _open(engine: Engine, opened: OpenProfile) -> ProfileStatus:
    profile, counts, report = opened.profile, opened.store.counts(), opened.progress.report()
    reading = report.phase == "reading"
    last_error = engine.supervisor.last_errors().get(profile.id, "")
    state = engine.supervisor.state(profile.id)
    return ProfileStatus(
        id=profile.id,
        name=profile.name,
        colour=profile.colour,
        vaults=tuple(folder.name for folder in profile.vaults),
        state="failed" if last_error and state == "idle" else state,
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
        reason=last_error or engine.supervisor.pause_reason(profile.id),
        progress=report,
        on_disk=_on_disk(opened.progress.disk()),
        redactions_done=counts.redactions_done,
        payloads=counts.payloads,
    )


def _on_disk(count: DiskCount | None) -> OnDisk | None:
    if count is None:
        return None
    return OnDisk(
        notes=count.on_disk,
        indexed=count.indexed,
        left_out=count.left_out,
        missing=len(count.missing),
        missing_paths=count.missing[:_MOST_MISSING],
    )


def _closed(profile: Profile, error: ProfileError | None) -> ProfileStatus:
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
    return "paused" if error is None or isinstance(error, StoreInUse) else "failed"
