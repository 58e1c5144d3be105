"""What the tray shows for what is known, and what it tells of by itself."""

from dataclasses import replace

import msgspec
import pytest

from scrubjay.daemon.sentences.sentences import words_of
from scrubjay.daemon.server.endpoints.status import ProfileStatus, Status
from scrubjay.daemon.tray.appearance import Action, DaemonSnapshot, Light, MenuEntry, Pairing, notices, view_of

ENGLISH = words_of("en")
NOTES = ProfileStatus("p1", "notes", "#3b82c4", ("vault",), "idle", 0, 0, None, 1200, 5000, 0, 0, 0, ())
WORK = msgspec.structs.replace(NOTES, id="p2", name="work")
ASKING = Pairing("0123456789abcdef", "Obsidian", "421-907")


def known(*profiles: ProfileStatus, warnings: tuple[str, ...] = ()) -> DaemonSnapshot:
    return DaemonSnapshot(Status("1.0", "i", "m", 1.0, 1, 0, profiles, warnings))


def asking(profile: ProfileStatus) -> DaemonSnapshot:
    """As known, and a program wants to be let in."""
    return replace(known(profile), pairings=(ASKING,))


def entries(menu: tuple[MenuEntry, ...]) -> list[MenuEntry]:
    return [each for entry in menu for each in (entry, *entries(entry.entries))]


def offered(state: DaemonSnapshot) -> set[Action]:
    return {entry.action for entry in entries(view_of(state, ENGLISH).menu) if entry.action}


def labels(state: DaemonSnapshot) -> str:
    return "\n".join(entry.label for entry in entries(view_of(state, ENGLISH).menu))


def as_(profile: ProfileStatus, state: str, **more: object) -> ProfileStatus:
    return msgspec.structs.replace(profile, state=state, **more)


@pytest.mark.parametrize(
    ("state", "light", "title"),
    [
        pytest.param(DaemonSnapshot(None), "off", "not running", id="no-daemon"),
        pytest.param(known(NOTES), "ready", "ready", id="idle"),
        pytest.param(known(), "ready", "ready", id="no-profile"),
        pytest.param(known(as_(NOTES, "locked")), "ready", "ready", id="locked"),
        pytest.param(known(NOTES, as_(WORK, "paused")), "paused", "paused", id="paused"),
        pytest.param(known(as_(NOTES, "reading", done=1, total=4), WORK), "indexing", "reading 25%", id="reading"),
        pytest.param(
            known(NOTES, as_(WORK, "embedding", done=9, total=10)), "indexing", "reading for meaning 90%", id="meaning"
        ),
        pytest.param(known(NOTES, as_(WORK, "scanning")), "indexing", "looking for changes", id="looking-for-changes"),
        pytest.param(known(as_(NOTES, "failed", reason="Disk full.")), "attention", "needs", id="failed"),
        pytest.param(known(NOTES, warnings=("A rule was refused.",)), "attention", "needs", id="warning"),
        pytest.param(asking(NOTES), "attention", "let in", id="somebody-asks"),
    ],
)
def test_the_light_and_its_title(state: DaemonSnapshot, light: Light, title: str) -> None:
    view = view_of(state, ENGLISH)
    assert view.light == light
    assert title in view.title


def test_a_click_opens_the_search_page_or_starts_the_daemon() -> None:
    def default(state: DaemonSnapshot) -> list[Action | None]:
        return [entry.action for entry in entries(view_of(state, ENGLISH).menu) if entry.is_default]

    assert default(known(NOTES)) == [Action("open")]
    assert default(DaemonSnapshot(None)) == [Action("start")]


def test_a_profile_can_be_paused_and_locked_and_what_is_so_can_go_on() -> None:
    assert {Action("pause", "notes"), Action("lock", "p1"), Action("pause", "work")} <= offered(known(NOTES, WORK))
    offers = offered(known(as_(NOTES, "paused"), as_(WORK, "locked")))
    assert {Action("resume", "notes"), Action("unlock", "p2")} <= offers
    assert Action("pause", "work") not in offers


def test_credentials_that_wait_for_the_user_are_counted_over_all_profiles() -> None:
    state = known(*(msgspec.structs.replace(each, redactions=3, redactions_done=1) for each in (NOTES, WORK)))
    assert "Credentials in notes: 4" in labels(state)
    for none in (NOTES, msgspec.structs.replace(NOTES, redactions=3, redactions_done=3)):
        assert Action("credentials") not in offered(known(none))


def test_a_pairing_request_shows_its_code_and_can_be_decided() -> None:
    assert "421-907" in labels(asking(NOTES))
    assert {Action("approve", ASKING.id), Action("refuse", ASKING.id)} <= offered(asking(NOTES))


@pytest.mark.parametrize("state", [DaemonSnapshot(None), known(NOTES)])
def test_login_which_is_marked_logs_and_quit_are_always_there(state: DaemonSnapshot) -> None:
    assert {Action("login"), Action("logs"), Action("quit")} <= offered(state)
    for on in (True, False):
        menu = entries(view_of(replace(state, starts_at_login=on), ENGLISH).menu)
        assert [entry.checked for entry in menu if entry.label == "Start at login"] == [on]


def test_the_menu_speaks_the_language_it_is_given() -> None:
    view = view_of(asking(as_(NOTES, "reading", done=1, total=4)), words_of("de"))
    assert view.title == "Scrubjay: ein Programm möchte zugelassen werden"
    told = [entry.label for entry in entries(view.menu)]
    assert told[:2] == ["Suchseite öffnen", "Schnellsuche"]
    assert "1.200 Notizen, wird gelesen 25\u00a0%" in told
    assert told[-1] == "Beenden"


READ = as_(NOTES, "idle", redactions=1)
FAILED = as_(READ, "failed", reason="The disk is full.")


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        pytest.param(None, asking(READ), None, id="nothing-was-known"),
        pytest.param(known(READ), known(READ), None, id="nothing-changed"),
        pytest.param(known(READ), DaemonSnapshot(None), None, id="stopped"),
        pytest.param(DaemonSnapshot(None), known(READ), None, id="started"),
        pytest.param(known(READ), asking(READ), "421-907", id="somebody-asks"),
        pytest.param(asking(READ), asking(READ), None, id="still-asking"),
        pytest.param(known(READ), known(FAILED), "disk is full", id="failed"),
        pytest.param(known(FAILED), known(FAILED), None, id="still-failed"),
        pytest.param(known(as_(READ, "reading", notes=0)), known(READ), "1,200 notes", id="first-time-searchable"),
        pytest.param(known(READ), known(as_(READ, "idle", redactions=2)), "credential", id="a-new-credential"),
        pytest.param(
            known(READ), known(as_(READ, "idle", redactions=2, redactions_done=1)), None, id="one-that-is-done-with"
        ),
        pytest.param(known(as_(READ, "idle", redactions_done=1)), known(READ), None, id="one-that-is-reopened"),
    ],
)
def test_what_is_worth_a_desktop_notification_is_told_once(
    before: DaemonSnapshot | None, now: DaemonSnapshot, said: str | None
) -> None:
    found = notices(before, now, ENGLISH)
    assert len(found) == (0 if said is None else 1)
    assert all(said is not None and said in notice for notice in found)
