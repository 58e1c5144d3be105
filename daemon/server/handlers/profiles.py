"""`/v1/profiles`: listing for everybody within what they see; changes for managers."""

import contextlib
import os
from collections.abc import Generator, Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

import msgspec

from scrubjay.daemon.home import Home
from scrubjay.daemon.models.installed import BUNDLED_NAME, ModelNotAvailable, here, resolve
from scrubjay.daemon.processes.memory import wipe_thread
from scrubjay.daemon.program import this_platform
from scrubjay.daemon.server.access.caller import Caller, Forbidden, by_id, visible
from scrubjay.daemon.server.access.own_vault import means_folder
from scrubjay.daemon.server.endpoint import Done, Nothing
from scrubjay.daemon.server.endpoints.profiles import (
    BACK_UP_PROFILE,
    CHANGE_PROFILE,
    CREATE_PROFILE,
    KNOWN_VAULTS,
    LIST_MODELS,
    LIST_PROFILES,
    LOCK_PROFILE,
    LOOK_INTO,
    PROTECT_PROFILE,
    REFRESH_PROFILES,
    REMOVE_PROFILE,
    UNLOCK_PROFILE,
    BackupReply,
    FolderLook,
    FolderReply,
    FoldersReply,
    KnownVaultReply,
    KnownVaultsReply,
    ModelsReply,
    ProfileAsk,
    ProfileChange,
    ProfileId,
    ProfileReply,
    ProfilesReply,
    ProtectAsk,
    UnlockAsk,
    VaultAsk,
    VaultReply,
)
from scrubjay.daemon.server.routing import Context, Handlers
from scrubjay.daemon.setup.obsidian_vaults import known_vaults, obsidian_lists
from scrubjay.daemon.setup.vault_proposals import overview, proposals
from scrubjay.profiles.errors import NotFound, ScrubjayError
from scrubjay.profiles.registry.keys import protection_of
from scrubjay.profiles.registry.on_server import OF_COPIES, OF_DISK, refuse_on_server
from scrubjay.profiles.registry.profile_settings import without
from scrubjay.profiles.registry.registry import Profile, VaultFolder, inbox_path, relative_path, vault_folder
from scrubjay.profiles.registry.work_lock import work_lock
from scrubjay.profiles.store import backup

HANDLERS = Handlers()

_CHANGE_SECONDS = 10.0  # that a change of a profile may take before it is answered; the rest goes on


class FoldersChanged(ScrubjayError):
    """Somebody has changed what a profile may read since whoever wants to change it looked."""

    code = "folders-changed"
    status = 409


@HANDLERS.answers(LIST_PROFILES)
def list_profiles(context: Context, _: Nothing) -> ProfilesReply:
    return ProfilesReply(
        profiles=tuple(_reply(profile, context.caller) for profile in visible(context.services, context.client))
    )


@HANDLERS.answers(KNOWN_VAULTS)
def list_vaults(context: Context, _: Nothing) -> KnownVaultsReply:
    _refuse_who_sees_some(context.caller)
    in_profile = {
        folder.root: profile.name for profile in context.engine.open_profiles.all() for folder in profile.vaults
    }
    known = known_vaults(obsidian_lists(this_platform(), Path.home(), os.environ))
    return KnownVaultsReply(
        vaults=tuple(
            KnownVaultReply(root=str(vault.root), name=vault.root.name, profile=in_profile.get(str(vault.root), ""))
            for vault in known
        ),
        home=str(Path.home()),
    )


@HANDLERS.answers(LOOK_INTO)
def look_into(context: Context, request: FolderLook) -> FoldersReply:
    _refuse_who_sees_some(context.caller)
    root = Path(vault_folder(Path(request.root)).root)
    below = root / relative_path(request.below)
    if not below.resolve().is_relative_to(root) or not below.is_dir():
        raise NotFound(f"There is no folder {request.below} in this vault.")
    seen = overview(below)
    elsewhere = proposals(root).paths("exclude") if below == root else ()
    return FoldersReply(
        folders=tuple(FolderReply(each.name, each.notes, each.has_folders) for each in seen.folders),
        loose_notes=seen.loose_notes,
        complete=seen.complete,
        excluded_elsewhere=elsewhere,
    )


@HANDLERS.answers(CREATE_PROFILE)
def create_profile(context: Context, request: ProfileAsk) -> ProfileReply:
    _refuse_who_sees_some(context.caller)
    engine = context.engine
    made = engine.registry.create(request.name, vaults=_folders(request.vaults), colour=request.colour)
    engine.profile_sync.sync(of=made.id)
    return _reply(made, context.caller)


@HANDLERS.answers(CHANGE_PROFILE)
def change_profile(context: Context, request: ProfileChange) -> ProfileReply:
    profile = by_id(context.services, context.client, request.profile_id)
    has_other_vaults = {vault.root for vault in request.vaults or ()} - {vault.root for vault in profile.vaults}
    if has_other_vaults or request.name not in (None, profile.name):
        _refuse_who_sees_some(context.caller)
    engine = context.engine
    wanted: dict[str, object] = {
        field: value
        for field in ("colour", "federate", "files", "filter_groups")
        if (value := getattr(request, field)) is not None
    }
    if request.name is not None:
        wanted["name"] = request.name.strip()
    if request.model is not None:
        wanted["model"] = _model(request.model, engine.home)
    asked = None if request.vaults is None else _folders(request.vaults, profile.vaults)

    def as_asked(now: Profile) -> Profile:
        if asked is None:
            return msgspec.structs.replace(now, **wanted)
        if request.folders_revision not in (None, _folders_revision(now)):
            raise FoldersChanged(
                f"The folders of {now.name} were changed elsewhere meanwhile. Look at them again, then change them."
            )
        if request.folders_revision is None:  # who does not say what was seen takes no exclusion back
            merged = _with_exclusions(_merged(asked, profile.vaults, now.vaults), now.vaults)
        else:
            merged = _merged(asked, now.vaults, now.vaults)
        return msgspec.structs.replace(now, vaults=merged, **wanted)

    try:
        changed = engine.registry.change(profile.id, as_asked)
    finally:  # also where it was refused: what others wrote may be why
        engine.profile_sync.sync(of=profile.id, seconds=_CHANGE_SECONDS)
    return _reply(changed, context.caller)


@HANDLERS.answers(REMOVE_PROFILE)
def remove_profile(context: Context, request: ProfileId) -> Done:
    context.engine.profile_sync.forget(by_id(context.services, context.client, request.profile_id).name)
    return Done()


@HANDLERS.answers(LIST_MODELS)
def list_models(context: Context, _: Nothing) -> ModelsReply:
    return ModelsReply(models=(BUNDLED_NAME, *(each.name for each, _ in here(context.engine.home.models))))


@HANDLERS.answers(PROTECT_PROFILE)
def protect_profile(context: Context, request: ProtectAsk) -> ProfileReply:
    """As the command does it: whoever has the work lock has the database alone, and the daemon itself lets go."""
    engine = context.engine
    profile = by_id(context.services, context.client, request.profile_id)
    refuse_on_server(profile, OF_DISK)
    with _leaving_no_passphrase():
        if profile.passphrase is not None:  # an open profile is no proof: who changes it knows its passphrase
            profile = engine.custody.unlock(profile, request.present)
        try:
            with work_lock(engine.registry.folder_of(profile)):
                engine.profile_sync.sync(of=profile.id)
                changed = engine.custody.protect(profile, request.by, request.passphrase)
        finally:
            engine.profile_sync.sync(retry=profile.id)
    return _reply(changed, context.caller)


@HANDLERS.answers(BACK_UP_PROFILE)
def back_up_profile(context: Context, request: ProfileId) -> BackupReply:
    engine = context.engine
    profile = by_id(context.services, context.client, request.profile_id)
    refuse_on_server(profile, OF_COPIES)
    folder = engine.home.backups
    folder.mkdir(mode=0o700, exist_ok=True)
    file = folder / f"{profile.id} {datetime.now(UTC):%Y-%m-%d %H%M%S %f}.db"
    backup.backup(engine.registry.store_path(profile), engine.custody.key(profile), file)
    return BackupReply(file=str(file), bytes=file.stat().st_size)


# Restoring and importing are the commands' own work: they hold the profile's folder, and the daemon lets go of it
# (profiles/registry/keys.py). No key ever travels.


@HANDLERS.answers(LOCK_PROFILE)
def lock_profile(context: Context, request: ProfileId) -> ProfileReply:
    locked = context.engine.custody.lock(by_id(context.services, context.client, request.profile_id))
    context.engine.profile_sync.sync(of=locked.id)
    return _reply(locked, context.caller)


@HANDLERS.answers(UNLOCK_PROFILE)
def unlock_profile(context: Context, request: UnlockAsk) -> ProfileReply:
    engine = context.engine
    profile = by_id(context.services, context.client, request.profile_id)
    with _leaving_no_passphrase():
        unlocked = engine.custody.unlock(profile, request.passphrase)
    engine.profile_sync.sync(retry=profile.id)
    engine.open_profiles.named(unlocked.name)  # raises what keeps it closed
    return _reply(unlocked, context.caller)


@HANDLERS.answers(REFRESH_PROFILES)
def refresh_profiles(context: Context, _: Nothing) -> Done:
    context.engine.profile_sync.sync()
    return Done()


@contextlib.contextmanager
def _leaving_no_passphrase() -> Generator[None]:
    """What becomes a key is copied by the C library, too, into blocks that stay with this thread."""
    try:
        yield
    finally:
        wipe_thread()


def _reply(profile: Profile, caller: Caller) -> ProfileReply:
    """A profile as this caller may know it."""
    return ProfileReply(
        id=profile.id,
        name=profile.name,
        colour=profile.colour,
        vaults=tuple(_vault(vault, caller) for vault in profile.vaults),
        federate=profile.federate,
        encrypted=profile.encrypted,
        locked=profile.locked,
        model=profile.model,
        protection=protection_of(profile),
        filter_groups=profile.filter_groups,
        files=profile.files,
        server=profile.server if caller.client.may("manage") else "",
        folders_revision=_folders_revision(profile) if caller.client.may("manage") else "",
    )


def _folders_revision(profile: Profile) -> str:
    read = [(vault.id, vault.root, vault.allow, vault.exclude) for vault in profile.vaults]
    return blake2b(msgspec.json.encode(read), digest_size=8).hexdigest()


def _with_exclusions(vaults: tuple[VaultFolder, ...], now: tuple[VaultFolder, ...]) -> tuple[VaultFolder, ...]:
    """The vaults, with all that is excluded of them now."""
    excluded = {vault.id: vault.exclude for vault in now}
    exclude = [tuple(dict.fromkeys((*vault.exclude, *excluded.get(vault.id, ())))) for vault in vaults]
    return tuple(
        msgspec.structs.replace(vault, exclude=paths, descriptions=without(vault.descriptions, paths))
        for vault, paths in zip(vaults, exclude, strict=True)
    )


def _merged(
    asked: tuple[VaultFolder, ...], seen: tuple[VaultFolder, ...], now: tuple[VaultFolder, ...]
) -> tuple[VaultFolder, ...]:
    """The vaults as asked for by somebody who has seen some, and with all that others have changed since."""
    seen_by_id, now_by_id = ({vault.id: vault for vault in vaults} for vaults in (seen, now))
    added = [vault for vault in now if vault.id not in seen_by_id]
    roots = {vault.root for vault in added}
    kept = [
        _with_changes_since(vault, seen_by_id[vault.id], now_by_id[vault.id])
        for vault in asked
        if vault.id in seen_by_id and vault.id in now_by_id
    ]
    new = [vault for vault in asked if vault.id not in seen_by_id and vault.root not in roots]
    return (*kept, *new, *added)


def _with_changes_since(asked: VaultFolder, seen: VaultFolder, now: VaultFolder) -> VaultFolder:
    def lists(field: str) -> tuple[str, ...]:
        before, present = getattr(seen, field), getattr(now, field)
        kept = (path for path in getattr(asked, field) if path in present or path not in before)
        return tuple(dict.fromkeys((*kept, *(path for path in present if path not in before))))

    exclude = lists("exclude")
    said = without(now.descriptions, exclude)
    return msgspec.structs.replace(asked, allow=lists("allow"), exclude=exclude, descriptions=said)


def _vault(vault: VaultFolder, caller: Caller) -> VaultReply:
    root = vault.root if caller.client.may("manage") else None
    own = caller.client.vault is not None and means_folder(caller.client.vault, vault)
    return VaultReply(
        id=vault.id, name=vault.name, allow=vault.allow, exclude=vault.exclude, root=root, own=own, inbox=vault.inbox
    )


class ModelNotHere(ModelNotAvailable):
    """A profile was to have a model that is not on this machine: another name is needed, waiting does not help."""

    status = 400


def _model(name: str, home: Home) -> str:
    """What a profile calls the model of this name. Raises ModelNotHere."""
    try:
        return name if name == BUNDLED_NAME else resolve(name, home.models).name
    except ModelNotAvailable as error:
        raise ModelNotHere(str(error)) from error


def _refuse_who_sees_some(caller: Caller) -> None:
    """Raises Forbidden for who might learn of profiles beyond its own: by a taken name, or by reading their folders."""
    if caller.client.profiles != "all":
        raise Forbidden(
            "Only a client that sees all profiles can make one, look for vaults, or change a name or vault."
        )


def _folders(requested: tuple[VaultAsk, ...], known: tuple[VaultFolder, ...] = ()) -> tuple[VaultFolder, ...]:
    """Vaults as asked for; one that is known keeps its id, so that its notes stay indexed, and what is said of it.

    Raises InvalidProfile.
    """
    by_root = {folder.root: folder for folder in known}
    return tuple(_folder(vault, by_root) for vault in requested)


def _folder(requested: VaultAsk, known_by_root: Mapping[str, VaultFolder]) -> VaultFolder:
    made = vault_folder(requested.root, allow=requested.allow, exclude=requested.exclude)
    known = known_by_root.get(made.root)
    inbox = inbox_path(requested.inbox) if requested.inbox else ""
    if requested.inbox is None and known is not None:
        inbox = known.inbox
    made = msgspec.structs.replace(made, inbox=inbox)
    if known is None:
        return made
    return msgspec.structs.replace(made, id=known.id, descriptions=without(known.descriptions, made.exclude))
