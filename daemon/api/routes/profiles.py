"""`/v1/profiles`: listing for everybody within what they see; changes for managers."""

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath, JSONBody

from daemon.api.caller import Caller, Forbidden, InjectedCaller, needs
from daemon.api.schemas_manage import (
    Done,
    ProfileAsk,
    ProfileChange,
    ProfileReply,
    ProfilesReply,
    VaultAsk,
    VaultReply,
)
from daemon.api.scoping import by_id, visible
from daemon.api.services import InjectedServices
from profiles.registry import Profile, VaultFolder, vault_folder


@get("/v1/profiles", guards=[needs("search")], sync_to_thread=True)
def list_profiles(services: InjectedServices, caller: InjectedCaller) -> ProfilesReply:
    """The profiles that this client may see."""
    return ProfilesReply(profiles=tuple(profile_reply(profile, caller) for profile in visible(services, caller.client)))


@post("/v1/profiles", guards=[needs("manage")], sync_to_thread=True, status_code=201)
def create_profile(data: JSONBody[ProfileAsk], services: InjectedServices, caller: InjectedCaller) -> ProfileReply:
    """Create a profile; its indexing begins. Only a client that sees all profiles may: others could read any folder."""
    _refuse_who_sees_some(caller)
    return profile_reply(services.profiles.create(data.name, vaults=_folders(data.vaults), colour=data.colour), caller)


@post("/v1/profiles/{profile_id:str}", guards=[needs("manage")], sync_to_thread=True, status_code=200)
def change_profile(
    profile_id: FromPath[str],
    data: JSONBody[ProfileChange],
    services: InjectedServices,
    caller: InjectedCaller,
) -> ProfileReply:
    """Change a profile's name, folders, colour, or whether it takes part in searches over all.

    Another name or vault takes a client that sees all profiles.
    """
    profile = by_id(services, caller.client, profile_id)
    has_other_vaults = {vault.root for vault in data.vaults or ()} - {vault.root for vault in profile.vaults}
    if has_other_vaults or data.name not in (None, profile.name):
        _refuse_who_sees_some(caller)
    changed = msgspec.structs.replace(
        profile,
        vaults=profile.vaults if data.vaults is None else _folders(data.vaults, profile.vaults),
        colour=profile.colour if data.colour is None else data.colour,
        federate=profile.federate if data.federate is None else data.federate,
    )
    if changed != profile:
        changed = services.profiles.update(changed)
    if data.name is not None and data.name != changed.name:
        changed = services.profiles.rename(changed.name, data.name)
    return profile_reply(changed, caller)


@delete("/v1/profiles/{profile_id:str}", guards=[needs("manage")], sync_to_thread=True, status_code=200)
def remove_profile(profile_id: FromPath[str], services: InjectedServices, caller: InjectedCaller) -> Done:
    """Remove a profile and its index. The notes themselves are not touched."""
    services.profiles.remove(by_id(services, caller.client, profile_id).name)
    return Done()


def profile_reply(profile: Profile, caller: Caller) -> ProfileReply:
    """A profile as this caller may know it."""
    return ProfileReply(
        id=profile.id,
        name=profile.name,
        colour=profile.colour,
        vaults=tuple(_vault(vault, is_manager=caller.client.may("manage")) for vault in profile.vaults),
        federate=profile.federate,
        encrypted=profile.encrypted,
        locked=profile.locked,
        model=profile.model,
    )


def _vault(vault: VaultFolder, *, is_manager: bool) -> VaultReply:
    root = vault.root if is_manager else None
    return VaultReply(id=vault.id, name=vault.name, allow=vault.allow, exclude=vault.exclude, root=root)


def _refuse_who_sees_some(caller: Caller) -> None:
    """Raises Forbidden for who might learn of profiles beyond its own: by a taken name, or by reading their folders."""
    if caller.client.profiles != "all":
        raise Forbidden("Only a client that sees all profiles can make one, or give one another name or vault.")


def _folders(asked: tuple[VaultAsk, ...], known: tuple[VaultFolder, ...] = ()) -> tuple[VaultFolder, ...]:
    """Vaults as asked for; one that is known keeps its id, so that its notes stay indexed. Raises InvalidProfile."""
    ids = {folder.root: folder.id for folder in known}
    made = (vault_folder(vault.root, allow=vault.allow, exclude=vault.exclude) for vault in asked)
    return tuple(msgspec.structs.replace(folder, id=ids.get(folder.root, folder.id)) for folder in made)


ROUTES = (list_profiles, create_profile, change_profile, remove_profile)
