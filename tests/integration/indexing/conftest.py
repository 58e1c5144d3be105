from tests.helpers.team_server import team_database, team_server

__all__ = ["team_database", "team_server"]
