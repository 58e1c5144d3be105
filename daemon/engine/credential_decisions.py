"""Deciding about credentials that stand in notes: whether they are let stand, seen to, or neither."""

import threading
from collections.abc import Collection
from dataclasses import dataclass, replace

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.standing_values import with_standing, without_standing
from scrubjay.daemon.vault.file_kinds import file_kind
from scrubjay.profiles.errors import NotFound
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.store.decisions import decide as put_decision
from scrubjay.profiles.store.rows import RedactionRow, Standing

_deciding = threading.Lock()  # what is decided in the store and in the settings belongs together


class CredentialNotFound(NotFound):
    """Nothing that the filter hides, or lets stand by the user's word, is at this place."""

    code = "credential-not-found"


@dataclass(frozen=True, slots=True)
class CredentialPlace:
    """Where one credential stands, or (without a column) all that stand on a line."""

    vault: str  # id
    path: str
    line: int
    column: int | None = None


def decide(
    engine: Engine, profile: Profile, place: CredentialPlace, standing: Standing, *, in_background: bool
) -> tuple[RedactionRow, ...]:
    """Decide how the credentials at a place stand; the same values elsewhere in the note stand alike, and come back.

    They are known by the keyed digests of their values, which are made here from the note as it is on disk. What is
    listed changes at once; the text that is indexed when the note has been read again, in the background or right here.
    Raises CredentialNotFound, UnreadableNote, ProfileError.
    """
    opened = engine.open_profiles.same(profile)
    of_note = file_kind(place.path) is None
    indexer = engine.preparation.indexer(opened) if of_note else engine.preparation.file_indexer(opened)
    found = indexer.credentials_in(place.vault, place.path)
    digests = {each.digest for each in found if each.row.line == place.line and place.column in (None, each.row.column)}
    if not digests:
        raise CredentialNotFound("No credential stands there now; the note may have changed since it was read.")
    rows = tuple(replace(each.row, standing=standing) for each in found if each.digest in digests)
    with _deciding:
        put_decision(opened.store, place.vault, place.path, digests, standing, rows)
        is_wide = _stand_everywhere(engine, opened.profile, digests, standing == "everywhere")
    if in_background:
        engine.supervisor.paths_changed(profile.id, place.vault, (place.path,))
        engine.files.paths_changed(profile.id, place.vault, (place.path,))
        return rows
    if not of_note:
        engine.preparation.file_indexer(engine.open_profiles.same(profile)).refresh(place.vault, place.path)
        return rows
    indexer = engine.preparation.indexer(engine.open_profiles.same(profile))
    if is_wide:
        indexer.reconcile(threading.Event())
    else:
        indexer.refresh(place.vault, (place.path,), threading.Event())
    return rows


def _stand_everywhere(engine: Engine, profile: Profile, digests: Collection[str], stands: bool) -> bool:
    """Whether the settings of the profile changed, so that all of its notes are to be read again."""
    changed = with_standing if stands else without_standing
    is_wide = False

    def decided(now: Profile) -> Profile:
        nonlocal is_wide
        after = changed(now, digests, engine.preparation.digest_key(now))
        is_wide = set(after.filter_digests) != set(now.filter_digests)
        return after if is_wide else now

    engine.registry.change(profile.id, decided)
    if is_wide:
        engine.profile_sync.sync()
    return is_wide
