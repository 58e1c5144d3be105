"""What the tray shows: icon, title, menu and notifications as plain values, made from what the daemon says. Pure."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from scrubjay.daemon.sentences.sentences import Sentences
from scrubjay.daemon.server.endpoints.status import ProfileStatus, State, Status

Light: TypeAlias = Literal["off", "ready", "indexing", "paused", "attention"]
Act: TypeAlias = Literal[
    "open", "search", "credentials", "approve", "refuse", "pause", "resume", "lock", "unlock", "retry", "login", "logs",
    "start", "quit",
]  # fmt: skip

_MOST_PAIRINGS = 5
_WORK: tuple[State, ...] = ("reading", "scanning", "embedding")  # what keeps notes from being found, the most first


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


def view_of(snapshot: DaemonSnapshot, words: Sentences) -> TrayView:
    """The whole tray for what is known, in these words."""
    light, share = _light(snapshot)
    if snapshot.status is None:
        menu = (MenuEntry(words.start, Action("start"), is_default=True), SEPARATOR, *_last(snapshot, words))
        return TrayView(light, share, words.not_running, menu)
    key = f"  ({snapshot.hotkey})" if snapshot.hotkey else ""
    entries = [MenuEntry(words.open_page, Action("open"), is_default=True)]
    entries += [MenuEntry(f"{words.quick_search}{key}", Action("search")), SEPARATOR]
    entries += [_pairing(each, words) for each in snapshot.pairings[:_MOST_PAIRINGS]]
    entries += [_profile(each, words) for each in snapshot.status.profiles]
    entries += [*_findings(snapshot.status, words), SEPARATOR, *_last(snapshot, words)]
    return TrayView(light, share, _title(light, share, snapshot, words), tuple(entries))


def notices(before: DaemonSnapshot | None, now: DaemonSnapshot, words: Sentences) -> tuple[str, ...]:
    """What is worth a desktop notification: few changes, each once; given what was known before (None: nothing was)."""
    if before is None or now.status is None:
        return ()
    asked = {pairing.id for pairing in before.pairings}
    said = [words.asks.format(client=each.client, code=each.code) for each in now.pairings if each.id not in asked]
    were = {profile.id: profile for profile in before.status.profiles} if before.status else {}
    for profile in now.status.profiles:
        was = were.get(profile.id)
        if was is not None:
            said += _of_profile(was, profile, words)
    return tuple(said)


def _light(snapshot: DaemonSnapshot) -> tuple[Light, float]:
    if snapshot.status is None:
        return "off", 0.0
    profiles = snapshot.status.profiles
    if snapshot.pairings or snapshot.status.warnings or any(each.state == "failed" for each in profiles):
        return "attention", 0.0
    if busy := [each for each in profiles if each.state in _WORK]:
        total = sum(each.total for each in busy)
        return "indexing", min(1.0, sum(each.done for each in busy) / total) if total else 0.0
    return ("paused" if any(each.state == "paused" for each in profiles) else "ready"), 0.0


def _title(light: Light, share: float, snapshot: DaemonSnapshot, words: Sentences) -> str:
    match light:
        case "indexing":
            return words.at_work.format(state=_so_far(_work(snapshot), share, words))
        case "paused":
            return words.paused
        case "attention":
            return words.asked if snapshot.pairings else words.attention
        case _:
            return words.ready


def _work(snapshot: DaemonSnapshot) -> State:
    """What most keeps notes from being found, of all that is done."""
    states = {each.state for each in snapshot.status.profiles} if snapshot.status else set[State]()
    return next(state for state in _WORK if state in states)


def _pairing(pairing: Pairing, words: Sentences) -> MenuEntry:
    decide = (
        MenuEntry(words.let_in, Action("approve", pairing.id)),
        MenuEntry(words.refuse, Action("refuse", pairing.id)),
    )
    return MenuEntry(words.asks.format(client=pairing.client, code=pairing.code), entries=decide)


def _profile(profile: ProfileStatus, words: Sentences) -> MenuEntry:
    if profile.state == "locked":
        unlock = MenuEntry(words.unlock, Action("unlock", profile.id))
        return MenuEntry(words.locked.format(profile=profile.name), entries=(unlock,))
    told = words.told.format(notes=words.counted(words.notes, profile.notes), state=_state(profile, words))
    entries = [MenuEntry(told)]
    if profile.reason:
        entries.append(MenuEntry(profile.reason))
    if profile.failures:
        entries.append(
            MenuEntry(words.retry.format(count=words.number(len(profile.failures))), Action("retry", profile.name))
        )
    is_paused = profile.state == "paused"
    entries.append(MenuEntry(words.pause, Action("resume" if is_paused else "pause", profile.name), checked=is_paused))
    entries.append(MenuEntry(words.lock, Action("lock", profile.id)))
    return MenuEntry(profile.name, entries=tuple(entries))


def _state(profile: ProfileStatus, words: Sentences) -> str:
    is_counted = profile.total and profile.state in ("reading", "embedding")
    return _so_far(profile.state, min(1.0, profile.done / profile.total) if is_counted else 0.0, words)


def _so_far(state: State, share: float, words: Sentences) -> str:
    said = {
        "idle": words.state_idle,
        "scanning": words.state_scanning,
        "reading": words.state_reading,
        "embedding": words.state_embedding,
        "paused": words.state_paused,
        "locked": words.state_locked,
        "failed": words.state_failed,
        "away": words.state_away,
    }[state]
    return words.state_so_far.format(state=said, share=words.percent(share)) if share else said


def _findings(status: Status, words: Sentences) -> list[MenuEntry]:
    count = sum(each.open_credentials for each in status.profiles)
    return [MenuEntry(words.credentials.format(count=words.number(count)), Action("credentials"))] if count else []


def _last(snapshot: DaemonSnapshot, words: Sentences) -> tuple[MenuEntry, ...]:
    return (
        MenuEntry(words.login, Action("login"), checked=snapshot.starts_at_login),
        MenuEntry(words.logs, Action("logs")),
        MenuEntry(words.quit, Action("quit")),
    )


def _of_profile(was: ProfileStatus, now: ProfileStatus, words: Sentences) -> list[str]:
    said: list[str] = []
    if now.state == "failed" and was.state != "failed":
        said.append(words.failed.format(profile=now.name, reason=now.reason))
    if was.notes == 0 < now.notes and now.state in ("embedding", "idle"):
        said.append(words.searchable.format(profile=now.name, notes=words.counted(words.notes, now.notes)))
    is_new = was.redactions < now.redactions and was.open_credentials < now.open_credentials  # not one that is reopened
    if is_new and was.state == "idle":
        said.append(words.credential_found.format(profile=now.name))
    return said
