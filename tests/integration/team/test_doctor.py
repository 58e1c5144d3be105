"""What `scrubjay doctor` says of a team's server, and what its report does not."""

import time

import keyring
import pytest

from scrubjay.daemon.doctor.checks import teams
from scrubjay.daemon.doctor.report import NameMasking
from scrubjay.profiles.registry.registry import Registry
from tests.helpers.file_keyring import FileKeyring
from tests.integration.team.conftest import Person, Team


@pytest.fixture
def anna(team: Team, monkeypatch: pytest.MonkeyPatch) -> Person:
    team.owner()
    person = team.member("anna")
    monkeypatch.setenv("SCRUBJAY_TEST_KEYRING", person.installation.environment["SCRUBJAY_TEST_KEYRING"])
    monkeypatch.setattr("keyring.get_password", FileKeyring().get_password)
    assert keyring.get_password("scrubjay", f"profile:{person.profile.id}")
    return person


def test_a_server_that_answers_is_good(anna: Person) -> None:
    assert teams(anna.installation.home).verdict == "good"


@pytest.mark.parametrize(("seconds", "said"), [(86_400, "1440 minutes ahead of"), (-3_600, "60 minutes behind")])
def test_a_clock_that_is_not_the_servers_is_told(
    anna: Person, monkeypatch: pytest.MonkeyPatch, seconds: int, said: str
) -> None:
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + seconds)
    found = teams(anna.installation.home)
    assert (found.verdict, said in found.seen) == ("weak", True)


def test_without_teams_there_is_nothing_to_say(team: Team) -> None:
    assert teams(team.person("ben").installation.home).verdict == "good"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("ALTER ROLE anna PASSWORD 'another'", "password"),
        ("UPDATE scrubjay.team_version SET version = 0", "no team's database"),
        ("UPDATE scrubjay.team_version SET version = version + 1", "update Scrubjay"),
    ],
)
def test_what_keeps_a_member_out_is_said_with_what_to_do(team: Team, anna: Person, spoil: str, said: str) -> None:
    with team.database.as_operator() as operator:
        operator.execute(spoil.encode())
    found = teams(anna.installation.home)
    assert found.verdict == "weak"
    assert said in found.advice


def test_a_lost_password_is_asked_for(team: Team, anna: Person) -> None:
    (team.root / "anna.json").unlink()
    found = teams(anna.installation.home)
    assert (found.verdict, "scrubjay team password" in found.advice) == ("weak", True)


def test_a_report_for_others_names_neither_server_nor_member(anna: Person) -> None:
    registry = Registry(anna.installation.home.profiles)
    elsewhere = registry.new("other", server="postgresql://anna.b@db.example.org:5433/orchard", team_number=4)
    registry.add(elsewhere)
    said = f"{elsewhere.server} db.example.org:5433: no answer from db.example.org for anna.b in orchard"
    masked = NameMasking(anna.installation.home)(said)
    for name in ("example", "anna", "orchard", "5433"):
        assert name not in masked
