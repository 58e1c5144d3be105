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


def test_a_server_that_answers_is_good_and_without_teams_there_is_nothing_to_say(team: Team, anna: Person) -> None:
    for person in (anna, team.person("ben")):
        assert teams(person.installation.home).verdict == "good"


def test_a_clock_that_is_not_the_servers_is_told(anna: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time
    for seconds, said in ((86_400, "1440 minutes ahead of"), (-3_600, "60 minutes behind")):
        monkeypatch.setattr(time, "time", lambda seconds=seconds: now() + seconds)
        found = teams(anna.installation.home)
        assert (found.verdict, said in found.seen) == ("weak", True)


def test_what_keeps_a_member_out_is_said_with_what_to_do(team: Team, anna: Person) -> None:
    for spoil, said in {
        "UPDATE scrubjay.team_version SET version = version + 1": "update Scrubjay",
        "UPDATE scrubjay.team_version SET version = 0": "no team's database",
        "ALTER ROLE anna PASSWORD 'another'": "password",
    }.items():
        with team.database.as_operator() as operator:
            operator.execute(spoil.encode())
        found = teams(anna.installation.home)
        assert (found.verdict, said in found.advice) == ("weak", True)
    (team.root / "anna.json").unlink()
    found = teams(anna.installation.home)
    assert (found.verdict, "scrubjay team password" in found.advice) == ("weak", True)


def test_a_report_for_others_names_neither_server_nor_member(anna: Person) -> None:
    registry = Registry(anna.installation.home.profiles)
    elsewhere = registry.new("other", server="postgresql://anna.b@db.example.org:5433/orchard", team_number=4)
    registry.add(elsewhere)
    said = f"{elsewhere.server} db.example.org:5433: no answer from db.example.org for anna.b in orchard"
    masked = NameMasking(anna.installation.home)(said)
    assert [name for name in ("example", "anna", "orchard", "5433") if name in masked] == []
