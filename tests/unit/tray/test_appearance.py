"""What the tray shows for what is known."""

from dataclasses import replace

import msgspec
import pytest

from scrubjay.daemon.sentences.sentences import words_of
from scrubjay.daemon.server.endpoints.status import ProfileStatus, Status
from scrubjay.daemon.tray.appearance import Action, DaemonSnapshot, Light, MenuEntry, Pairing, view_of

ENGLISH = words_of("en")
NOTES = ProfileStatus("p1", "notes", "#3b82c4", ("vault",), "idle", 0, 0, None, 1200, 5000, 0, 0, 0, ())
WORK = msgspec.structs.replace(NOTES, id="p2", name="work")
ASKING = Pairing("0123456789abcdef", "Obsidian", "421-907")


def known(*profiles: ProfileStatus, warnings: tuple[str, ...] = ()) -> DaemonSnapshot:
    return DaemonSnapshot(Status("1.0", "i", "m", 1.0, 1, 0, profiles, warnings))


def entries(menu: tuple[MenuEntry, ...]) -> list[MenuEntry]:
    return [each for entry in menu for each in (entry, *entries(entry.entries))]


def offered(state: DaemonSnapshot) -> set[Action]:
    return {entry.action for entry in entries(view_of(state, ENGLISH).menu) if entry.action}


def labels(state: DaemonSnapshot) -> str:
    return "\n".join(entry.label for entry in entries(view_of(state, ENGLISH).menu))


@pytest.mark.parametrize(
    ("state", "light", "title"),
    [
        pytest.param(DaemonSnapshot(None), "off", "not running", id="no-daemon"),
        pytest.param(known(NOTES), "ready", "ready", id="idle"),
        pytest.param(known(), "ready", "ready", id="no-profile"),
        pytest.param(known(msgspec.structs.replace(NOTES, state="locked")), "ready", "ready", id="locked"),
        pytest.param(known(NOTES, msgspec.structs.replace(WORK, state="paused")), "paused", "paused", id="paused"),
        pytest.param(
            known(msgspec.structs.replace(NOTES, state="reading", done=1, total=4), WORK),
            "indexing",
            "reading 25%",
            id="reading",
        ),
        pytest.param(
            known(NOTES, msgspec.structs.replace(WORK, state="embedding", done=9, total=10)),
            "indexing",
            "reading for meaning 90%",
            id="reading-for-meaning",
        ),
        pytest.param(
            known(NOTES, msgspec.structs.replace(WORK, state="scanning")),
            "indexing",
            "Scrubjay: looking for changes",
            id="looking-for-changes",
        ),
        pytest.param(
            known(msgspec.structs.replace(NOTES, state="failed", reason="Disk full.")),
            "attention",
            "needs",
            id="failed",
        ),
        pytest.param(known(NOTES, warnings=("A rule was refused.",)), "attention", "needs", id="warning"),
        pytest.param(replace(known(NOTES), pairings=(ASKING,)), "attention", "let in", id="somebody-asks"),
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


def test_each_profile_can_be_paused_and_locked() -> None:
    assert {Action("pause", "notes"), Action("lock", "p1"), Action("pause", "work")} <= offered(known(NOTES, WORK))


def test_a_paused_profile_can_go_on_and_a_locked_one_be_unlocked() -> None:
    paused = msgspec.structs.replace(NOTES, state="paused")
    locked = msgspec.structs.replace(WORK, state="locked")
    offers = offered(known(paused, locked))
    assert {Action("resume", "notes"), Action("unlock", "p2")} <= offers
    assert Action("pause", "work") not in offers


def test_credentials_that_wait_for_the_user_are_counted_over_all_profiles() -> None:
    state = known(*(msgspec.structs.replace(each, redactions=3, redactions_done=1) for each in (NOTES, WORK)))
    assert "Credentials in notes: 4" in labels(state)
    assert Action("credentials") not in offered(known(msgspec.structs.replace(NOTES, redactions=3, redactions_done=3)))
    assert Action("credentials") not in offered(known(NOTES))


def test_a_pairing_request_shows_its_code_and_can_be_decided() -> None:
    state = replace(known(NOTES), pairings=(ASKING,))
    assert "421-907" in labels(state)
    assert {Action("approve", ASKING.id), Action("refuse", ASKING.id)} <= offered(state)


@pytest.mark.parametrize("state", [DaemonSnapshot(None), known(NOTES)])
def test_login_logs_and_quit_are_always_there(state: DaemonSnapshot) -> None:
    assert {Action("login"), Action("logs"), Action("quit")} <= offered(state)


def test_start_at_login_carries_a_check_mark() -> None:
    marks = [
        [
            entry.checked
            for entry in view_of(replace(DaemonSnapshot(None), starts_at_login=on), ENGLISH).menu
            if entry.label == "Start at login"
        ]
        for on in (True, False)
    ]
    assert marks == [[True], [False]]


def test_the_menu_speaks_the_language_it_is_given() -> None:
    state = replace(known(msgspec.structs.replace(NOTES, state="reading", done=1, total=4)), pairings=(ASKING,))
    view = view_of(state, words_of("de"))
    assert view.title == "Scrubjay: ein Programm möchte zugelassen werden"
    told = [entry.label for entry in entries(view.menu)]
    assert told[:2] == ["Suchseite öffnen", "Schnellsuche"]
    assert "1.200 Notizen, wird gelesen 25\u00a0%" in told
    assert told[-1] == "Beenden"
