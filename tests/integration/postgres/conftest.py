from collections.abc import Generator

import pytest

from tests.helpers.team_server import (
    TeamDatabase,
    TeamServer,
    fresh_database,
    prepare_template,
    running_server,
    team_database,
    team_server,
)

__all__ = ["team_database", "team_server"]


@pytest.fixture
def database(team_database: TeamDatabase) -> TeamDatabase:
    """A team's database in which anna may use the profile."""
    team_database.add_member("anna", team_database.profile)
    return team_database


@pytest.fixture(scope="module")
def shared(team_server: TeamServer) -> Generator[TeamDatabase]:
    """One for all tests of a module, in which ada may use the profile; none of them changes what another one sees."""
    with fresh_database(team_server) as database:
        database.add_member("ada", database.profile)
        yield database


@pytest.fixture(scope="session")
def own_server() -> Generator[TeamServer]:
    """A server that may be stopped, frozen and restored without a loss to tests of others; each leaves it running."""
    with running_server() as running:
        prepare_template(running)
        yield running


@pytest.fixture
def own_database(own_server: TeamServer) -> Generator[TeamDatabase]:
    """A database of that server, in which anna may use the profile."""
    with fresh_database(own_server) as database:
        database.add_member("anna", database.profile)
        yield database
