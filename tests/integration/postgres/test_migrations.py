"""A team's database is made and brought up to date by its owner."""

from tests.helpers.team_server import TeamDatabase


def test_a_prepared_database_has_a_profile(team_database: TeamDatabase) -> None:
    with team_database.as_owner(team_database.profile) as owner:
        assert owner.execute("SELECT value FROM meta WHERE name = 'generation'").fetchall() == [("0",)]
