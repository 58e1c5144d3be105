"""`/v1/profiles/{id}/lock`, `/unlock`, `/v1/profiles/refresh`: what commands and the panel need of a running daemon.

Encrypting, restoring and the like are the commands' own work: they hold the profile's folder, and the daemon lets go of
it (profiles/custody.py). No key, and no path on this computer, ever travels.
"""

from litestar import post
from litestar.params import FromPath, JSONBody

from daemon.api.caller import InjectedCaller, needs
from daemon.api.routes.profiles import profile_reply
from daemon.api.schemas_manage import Done, ProfileReply, UnlockAsk
from daemon.api.scoping import by_id
from daemon.api.services import InjectedServices


@post("/v1/profiles/{profile_id:str}/lock", guards=[needs("manage")], sync_to_thread=True, status_code=200)
def lock_profile(profile_id: FromPath[str], services: InjectedServices, caller: InjectedCaller) -> ProfileReply:
    """Close a profile until it is unlocked. Searches of others go on, and say that it did not answer."""
    return profile_reply(services.profiles.lock(by_id(services, caller.client, profile_id)), caller)


@post("/v1/profiles/{profile_id:str}/unlock", guards=[needs("manage")], sync_to_thread=True, status_code=200)
def unlock_profile(
    profile_id: FromPath[str], data: JSONBody[UnlockAsk], services: InjectedServices, caller: InjectedCaller
) -> ProfileReply:
    """Open a locked profile; 423 `store-locked` when its passphrase is wrong or missing, or its key is not there."""
    profile = by_id(services, caller.client, profile_id)
    return profile_reply(services.profiles.unlock(profile, data.passphrase), caller)


@post("/v1/profiles/refresh", guards=[needs("manage")], sync_to_thread=True, status_code=200)
def refresh_profiles(services: InjectedServices) -> Done:
    """Look at the profiles' folders now, not in a second: take over what changed, let go of what a command holds."""
    services.profiles.refresh()
    return Done()


ROUTES = (lock_profile, unlock_profile, refresh_profiles)
