"""`scrubjay team`: profiles that several people share, on a PostgreSQL server."""

import click

from scrubjay.daemon.cli.team.join import join, password
from scrubjay.daemon.cli.team.membership import change, grant, list_, new_key, quota, revoke
from scrubjay.daemon.cli.team.upkeep import audit, drop, upgrade

__all__ = ["team"]


@click.group()
def team() -> None:
    """Share a profile on a PostgreSQL server: let people in, join, keep its database up to date."""


for _command in (grant, change, revoke, quota, new_key, list_, join, password, upgrade, drop, audit):
    team.add_command(_command)
