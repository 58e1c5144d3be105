"""`/v1/check`: whether the indexes are whole and hold what is on disk, and mending them."""

from scrubjay.daemon.server.endpoint import Ask, Endpoint, Reply
from scrubjay.daemon.server.endpoints.common import Name


class CheckAsk(Ask, frozen=True):
    """Check one profile, or all that this client may see. repair: mend what is wrong; reading goes on afterwards."""

    profile: Name | None = None
    repair: bool = False


class FoundProblem(Reply, frozen=True):
    """One thing that is wrong with an index."""

    code: str
    about: str


class CheckedProfile(Reply, frozen=True):
    """What is wrong with one profile's index now, and what was done about it."""

    profile: str
    problems: tuple[FoundProblem, ...] = ()
    did: tuple[str, ...] = ()  # sentences
    closed: str = ""  # why it could not be checked


class CheckReply(Reply, frozen=True):
    """Every profile that was checked."""

    profiles: tuple[CheckedProfile, ...]
    warnings: tuple[str, ...] = ()


CHECK = Endpoint(
    "POST",
    "/v1/check",
    "manage",
    CheckAsk,
    CheckReply,
    "Check the indexes of one profile or of all visible ones, and mend them; what must be read again is read in the"
    " background.",
    example={"profile": "work", "repair": False},
    is_long=True,
)
