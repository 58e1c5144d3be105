"""What a program may see and write, in a sentence for the user."""

from collections.abc import Collection

from scrubjay.daemon.server.access.client_registry import Scope, VisibleProfiles
from scrubjay.profiles.registry.registry import Registry


def names(registry: Registry, seen: VisibleProfiles) -> Collection[str] | None:
    """Names of the profiles with these ids; None: all there are and will be."""
    return None if seen == "all" else [profile.name for profile in registry.list() if profile.id in seen]


def sentence(scopes: Collection[Scope], profiles: Collection[str] | None) -> str:
    """What follows "It may". profiles: None for all."""
    sees = "every profile, also those to come" if profiles is None else ", ".join(profiles) or "no profile"
    if "manage" in scopes:
        return f"see {sees}, and manage everything there."
    if "journal" in scopes:
        return f"see {sees}, write to the journal there and propose changes. It changes no note."
    return f"see {sees}. It may write nothing."
