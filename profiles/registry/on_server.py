"""What can't be done to a profile that is on a server, since there is no file here."""

from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.registry.registry import Profile

OF_DISK = "The server's operator decides how its disk is encrypted"
OF_COPIES = "pg_dump, or the operator's own backup, copies what the server has, and pg_restore puts it back"


def refuse_on_server(profile: Profile, instead: str) -> None:
    """Raise InvalidProfile for a team's profile. instead: a clause that says who does it, or how."""
    if profile.is_shared:
        raise InvalidProfile(
            f"Profile {profile.name} is a team's, on a server: there is no file of it here."
            f" {instead}; see docs/team-server.md."
        )
