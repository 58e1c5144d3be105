"""Which changes are worth a desktop notification: few, each once. Pure."""

from daemon.api.endpoints.status import ProfileStatus
from daemon.tray.model import Known


def notices(before: Known | None, now: Known) -> tuple[str, ...]:
    """What to tell the user, given what was known before (None: nothing was)."""
    if before is None or now.status is None:
        return ()
    asked = {pairing.id for pairing in before.pairings}
    said = [f"{each.client} asks to be let in, code {each.code}." for each in now.pairings if each.id not in asked]
    were = {profile.id: profile for profile in before.status.profiles} if before.status else {}
    for profile in now.status.profiles:
        was = were.get(profile.id)
        if was is not None:
            said += _of_profile(was, profile)
    return tuple(said)


def _of_profile(was: ProfileStatus, now: ProfileStatus) -> list[str]:
    said: list[str] = []
    if now.state == "failed" and was.state != "failed":
        said.append(f"{now.name}: {now.reason}")
    if was.notes == 0 < now.notes and now.state in ("embedding", "idle"):
        said.append(f"{now.name}: {now.notes:,} notes can be searched.")
    if was.redactions < now.redactions and was.state == "idle":
        said.append(f"{now.name}: a credential stands in a note. It was hidden; `scrubjay credentials` says where.")
    return said
