"""The state of the daemon, profile by profile."""

import time
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from scrubjay.daemon import __version__
from scrubjay.daemon.answers.model_server import other_at, server_of
from scrubjay.daemon.documents.extracted import Reason, unreadable
from scrubjay.daemon.documents.sandbox.box import can_recognise
from scrubjay.daemon.documents.sandbox.confinement import missing
from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.open_profiles import OpenProfile
from scrubjay.daemon.indexing.progress import DiskCount
from scrubjay.daemon.models.suggestion import SuggestedModel
from scrubjay.daemon.processes.memory import resident_bytes
from scrubjay.daemon.server.endpoints.status import (
    BoxStatus,
    Failure,
    KindStatus,
    ModelSuggestion,
    OnDisk,
    ProfileStatus,
    Recognising,
    Status,
    TakenPort,
)
from scrubjay.daemon.settings import Llm
from scrubjay.profiles.errors import ProfileError, StoreAway, StoreInUse, StoreLocked, UsageError
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import FailureRow
from scrubjay.profiles.store.store import Store

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
        memory_bytes=resident_bytes(),
        pending_embeddings=sum(status.pending_embeddings for status in each),
        profiles=each,
        warnings=engine.warnings({profile.id for profile in profiles}),
        box=_box(engine),
        taken_port=_taken_port(engine.settings.llm),
    )


def _taken_port(named: Llm) -> TakenPort | None:
    if not named.url:
        return None
    try:
        server = server_of(named)
    except UsageError:  # `scrubjay ask` says what is wrong with the address
        return None
    other = other_at(server)
    return None if other is None else TakenPort(address=server.address, user=other)


def _box(engine: Engine) -> BoxStatus | None:
    measures = engine.preparation.boxes.measures()
    if measures is None:
        return None
    return BoxStatus(measures=measures, missing=missing(measures), required=engine.settings.require_box)


def _profile(engine: Engine, profile: Profile) -> ProfileStatus:
    opened = next((found for found in engine.open_profiles.open() if found.profile.id == profile.id), None)
    if opened is None:
        return _closed(profile, engine.closed_error(profile.id))
    if opened.store.away is not None:
        return _closed(profile, opened.store.away)
    try:
        return _open(engine, opened)
    except ProfileError as error:  # damaged, or closed meanwhile: the others have a state all the same
        return _closed(profile, error)


def _open(engine: Engine, opened: OpenProfile) -> ProfileStatus:
    profile, state, report = opened.profile, engine.supervisor.state(opened.profile.id), opened.progress.report()
    counts = opened.store.counts()
    if state == "embedding" and report.phase != state and not counts.pending_embeddings:
        state = "idle"  # it is looked whether a text waits for its vector, and none does
    reading = report.phase == "reading"
    failures = sorted(opened.store.read(reads.failures), key=lambda row: bool(row.kind))  # first what concerns notes
    last_error = _last_error(engine, profile.id)
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
            for row in failures[:_MOST_FAILURES]
        ),
        reason=last_error or engine.supervisor.pause_reason or str(opened.store.read_only or ""),
        progress=report,
        on_disk=_on_disk(opened.progress.disk() or _of_empty_vaults(opened, counts.notes)),
        redactions_done=counts.redactions_done,
        payloads=counts.payloads,
        kinds=_kinds(opened.store, failures),
        files_waiting=engine.files.waiting(profile.id),
        recognising=_recognising(engine, opened) if profile.files.ocr else None,
        suggestion=suggestion_of(profile, engine.suggestions.of(opened, counts.chunks)),
    )


def _of_empty_vaults(opened: OpenProfile, notes: int) -> DiskCount | None:
    """What a look before this process found: nothing, where that is known; None where it is not."""
    return None if notes or not opened.profile.vaults or opened.awaits_first_look() else DiskCount()


def suggestion_of(profile: Profile, found: SuggestedModel | None) -> ModelSuggestion | None:
    """What is suggested for a profile, in words too."""
    if found is None:
        return None
    command = f"scrubjay model suggest --take {profile.argument}"
    model = found.model
    takes = "" if found.seconds is None else f", {_duration(found.seconds)} here to read all passages anew"
    costs = f"{model.megabytes} MB {'on this computer' if found.is_here else 'to download'}, {model.licence}"
    text = (
        f"{found.share:.0%} of the passages of {profile.name} are in languages that its model reads badly"
        f" ({', '.join(found.languages)}): they are found by their words, hardly by meaning. {model.name} reads these:"
        f" {costs}, {model.memory} MB of memory while it works{takes}. `{command}`"
    )
    return ModelSuggestion(
        languages=found.languages,
        share=found.share,
        model=model.name,
        megabytes=model.megabytes,
        memory=model.memory,
        licence=model.licence,
        seconds=found.seconds,
        is_here=found.is_here,
        command=command,
        text=text,
    )


def _duration(seconds: float) -> str:
    for size, unit in ((3600, "hours"), (60, "minutes")):
        if seconds >= 1.5 * size:
            return f"some {seconds / size:.0f} {unit}"
    return f"some {seconds:.0f} seconds"


def _last_error(engine: Engine, profile_id: str) -> str:
    errors = (engine.supervisor.last_errors().get(profile_id, ""), engine.files.last_errors().get(profile_id, ""))
    return " ".join(dict.fromkeys(filter(None, errors)))


def _recognising(engine: Engine, opened: OpenProfile) -> Recognising:
    left = sum(each.scans for each in opened.store.read(reads.kind_counts))
    if not can_recognise():
        return Recognising(left=left, problem=unreadable(Reason.NO_OCR).sentence)
    speed = engine.files.pages_per_hour(opened.profile.id)
    return Recognising(left=left, pages_per_hour=speed, eta_seconds=3_600 * left / speed if speed else None)


def _kinds(store: Store, failures: Sequence[FailureRow]) -> tuple[KindStatus, ...]:
    unread = Counter(row.kind for row in failures if row.kind)
    return tuple(
        KindStatus(
            kind=each.kind,
            files=each.files,
            parts=each.parts,
            passages=each.passages,
            bytes=each.size,
            unread=unread[each.kind],
            scans=each.scans,
        )
        for each in store.read(reads.kind_counts)
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
        differing=len(count.differing),
        differing_paths=count.differing[:_MOST_MISSING],
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


def _closed_state(error: ProfileError | None) -> Literal["locked", "paused", "failed", "away"]:
    if isinstance(error, StoreLocked):
        return "locked"
    if isinstance(error, StoreAway):
        return "away"
    return "paused" if error is None or isinstance(error, StoreInUse) else "failed"
