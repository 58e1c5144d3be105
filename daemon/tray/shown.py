"""What the tray shows: icon, title, menu and notifications as plain values, made from what the daemon says. Pure."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from scrubjay.daemon.api.endpoints.status import ProfileStatus, Status

Light: TypeAlias = Literal["off", "ready", "indexing", "paused", "attention"]
Act: TypeAlias = Literal[
    "open", "search", "credentials", "approve", "refuse", "pause", "resume", "lock", "unlock", "retry", "login", "logs",
    "start", "quit",
]  # fmt: skip

_MOST_PAIRINGS = 5


@dataclass(frozen=True, slots=True)
class Action:
    """What a menu entry does. `about` is a profile's name or id, or a pairing request's id."""

    act: Act
    about: str = ""


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """One line of the menu: with an action, with a menu of its own, or (neither) a line that only tells something."""

    label: str
    action: Action | None = None
    entries: tuple["MenuEntry", ...] = ()
    checked: bool | None = None  # None: it has no check mark
    is_default: bool = False  # what a click on the icon does


SEPARATOR = MenuEntry("-")


@dataclass(frozen=True, slots=True)
class Pairing:
    """A pairing that waits for the user."""

    id: str
    client: str
    code: str


@dataclass(frozen=True, slots=True)
class DaemonSnapshot:
    """The state that the tray shows. `status` is None while the daemon is not running."""

    status: Status | None
    pairings: tuple[Pairing, ...] = ()
    starts_at_login: bool = False
    hotkey: str = ""  # that opens the quick search, as people write it; "" where there is none


@dataclass(frozen=True, slots=True)
class TrayView:
    """What the tray shows. `share` is how much is indexed, 0 to 1, while indexing."""

    light: Light
    share: float
    title: str
    menu: tuple[MenuEntry, ...]


def view_of(snapshot: DaemonSnapshot) -> TrayView:
    """The whole tray for what is known."""
    light, share = _light(snapshot)
    if snapshot.status is None:
        menu = (MenuEntry("Start Scrubjay", Action("start"), is_default=True), SEPARATOR, *_last(snapshot))
        return TrayView(light, share, "Scrubjay is not running", menu)
    key = f"  ({snapshot.hotkey})" if snapshot.hotkey else ""
    entries = [MenuEntry("Open the search page", Action("open"), is_default=True)]
    entries += [MenuEntry(f"Quick search{key}", Action("search")), SEPARATOR]
    entries += [_pairing(each) for each in snapshot.pairings[:_MOST_PAIRINGS]]
    entries += [_profile(each) for each in snapshot.status.profiles]
    entries += [*_findings(snapshot.status), SEPARATOR, *_last(snapshot)]
    return TrayView(light, share, _title(light, share, snapshot), tuple(entries))


def notices(before: DaemonSnapshot | None, now: DaemonSnapshot) -> tuple[str, ...]:
    """What is worth a desktop notification: few changes, each once; given what was known before (None: nothing was)."""
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


def _light(snapshot: DaemonSnapshot) -> tuple[Light, float]:
    if snapshot.status is None:
        return "off", 0.0
    profiles = snapshot.status.profiles
    if snapshot.pairings or snapshot.status.warnings or any(each.state == "failed" for each in profiles):
        return "attention", 0.0
    busy = [each for each in profiles if each.state in ("scanning", "reading", "embedding")]
    if busy:
        total = sum(each.total for each in busy)
        return "indexing", min(1.0, sum(each.done for each in busy) / total) if total else 0.0
    return ("paused" if any(each.state == "paused" for each in profiles) else "ready"), 0.0


def _title(light: Light, share: float, snapshot: DaemonSnapshot) -> str:
    match light:
        case "indexing":
            return f"Scrubjay: indexing, {share:.0%}"
        case "paused":
            return "Scrubjay: paused"
        case "attention":
            return "Scrubjay: a program asks to be let in" if snapshot.pairings else "Scrubjay: something needs you"
        case _:
            return "Scrubjay: ready"


def _pairing(pairing: Pairing) -> MenuEntry:
    decide = (MenuEntry("Let it in", Action("approve", pairing.id)), MenuEntry("Refuse", Action("refuse", pairing.id)))
    return MenuEntry(f"{pairing.client} asks to be let in, code {pairing.code}", entries=decide)


def _profile(profile: ProfileStatus) -> MenuEntry:
    if profile.state == "locked":
        return MenuEntry(f"{profile.name}: locked", entries=(MenuEntry("Unlock", Action("unlock", profile.id)),))
    told = f"{profile.notes:,} notes, {_state(profile)}"
    entries = [MenuEntry(told)]
    if profile.reason:
        entries.append(MenuEntry(profile.reason))
    if profile.failures:
        entries.append(MenuEntry(f"Try {len(profile.failures):,} left out again", Action("retry", profile.name)))
    is_paused = profile.state == "paused"
    entries.append(
        MenuEntry("Pause indexing", Action("resume" if is_paused else "pause", profile.name), checked=is_paused)
    )
    entries.append(MenuEntry("Lock", Action("lock", profile.id)))
    return MenuEntry(profile.name, entries=tuple(entries))


def _state(profile: ProfileStatus) -> str:
    if profile.total and profile.state in ("reading", "embedding"):
        return f"{profile.state} {min(1.0, profile.done / profile.total):.0%}"
    return "up to date" if profile.state == "idle" else profile.state


def _findings(status: Status) -> list[MenuEntry]:
    count = sum(each.open_credentials for each in status.profiles)
    return [MenuEntry(f"Credentials in notes: {count:,}", Action("credentials"))] if count else []


def _last(snapshot: DaemonSnapshot) -> tuple[MenuEntry, ...]:
    return (
        MenuEntry("Start at login", Action("login"), checked=snapshot.starts_at_login),
        MenuEntry("Show the logs", Action("logs")),
        MenuEntry("Quit", Action("quit")),
    )


def _of_profile(was: ProfileStatus, now: ProfileStatus) -> list[str]:
    said: list[str] = []
    if now.state == "failed" and was.state != "failed":
        said.append(f"{now.name}: {now.reason}")
    if was.notes == 0 < now.notes and now.state in ("embedding", "idle"):
        said.append(f"{now.name}: {now.notes:,} notes can be searched.")
    is_new = was.redactions < now.redactions and was.open_credentials < now.open_credentials  # not one that is reopened
    if is_new and was.state == "idle":
        said.append(f"{now.name}: a credential stands in a note. It was hidden; `scrubjay credentials` says where.")
    return said
