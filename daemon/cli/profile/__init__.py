"""`scrubjay profile`: which notes belong together, which may be read, who holds the key, and copies of it all."""

import click

from scrubjay.daemon.cli.groups import GroupWithOtherNames
from scrubjay.daemon.cli.profile.backups import backup, export, import_, restore
from scrubjay.daemon.cli.profile.files import files
from scrubjay.daemon.cli.profile.filter import filter_
from scrubjay.daemon.cli.profile.folders import add_vault, allow, describe, exclude, inbox, move, remove_vault
from scrubjay.daemon.cli.profile.keys import decrypt, encrypt, lock, passphrase, rekey, unlock
from scrubjay.daemon.cli.profile.options import create, federate, list_, model, remove, rename
from scrubjay.daemon.cli.profile.priors import priors

__all__ = ["lock", "profile", "unlock"]


@click.group(cls=GroupWithOtherNames, other_names={"add": "create", "delete": "remove"})
def profile() -> None:
    """Create, change, encrypt, copy and remove profiles."""


for _command in (create, list_, rename, federate, model, files, priors, filter_, remove):
    profile.add_command(_command)
for _command in (allow, exclude, describe, inbox, add_vault, move, remove_vault):
    profile.add_command(_command)
for _command in (encrypt, decrypt, rekey, passphrase, lock, unlock, backup, restore, export, import_):
    profile.add_command(_command)
