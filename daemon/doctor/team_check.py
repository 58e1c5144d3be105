"""Whether the servers of teams' profiles answer, and let this member in."""

from scrubjay.daemon.doctor.check_result import CheckResult
from scrubjay.daemon.home import Home
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.postgres.address import ServerAddress
from scrubjay.profiles.registry.custody import Custody
from scrubjay.profiles.registry.keys import OsKeyring
from scrubjay.profiles.registry.registry import Profile, Registry

_SECONDS = 5.0


def teams(home: Home) -> CheckResult:
    """The servers of teams' profiles answer."""
    found = Registry(home.profiles)
    profiles = [profile for profile in found.list() if profile.server]
    if not profiles:
        return CheckResult("Teams", "good", "no profile is on a server")
    custody = Custody(found, OsKeyring())
    trouble = {profile.name: said for profile in profiles if (said := _trouble(profile, custody))}
    if not trouble:
        servers = dict.fromkeys(ServerAddress.parse(profile.server).server for profile in profiles)
        return CheckResult("Teams", "good", f"{len(profiles)} on {', '.join(servers)}")
    return CheckResult("Teams", "weak", f"not to be searched now: {', '.join(trouble)}", " ".join(trouble.values()))


def _trouble(profile: Profile, custody: Custody) -> str:
    """Why a profile's server can't be used, with what to do; "" where it can, or where a passphrase keeps the way."""
    if profile.locked or profile.passphrase is not None:
        return ""
    try:
        from scrubjay.profiles.postgres.migrations import require_current  # noqa: PLC0415 - psycopg, only for teams
        from scrubjay.profiles.postgres.server import connect, translated  # noqa: PLC0415

        address, password = ServerAddress.parse(profile.server), custody.team(profile).password
        with (
            connect(address, password or None, profile=profile.team_number, timeout=_SECONDS) as connection,
            translated(address),
        ):
            require_current(connection)
    except ProfileError as error:
        return str(error)
    return ""
