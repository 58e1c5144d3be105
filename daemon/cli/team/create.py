"""Making a team's profile, for `scrubjay profile create --server`."""

from scrubjay.daemon.cli.profile.common import registry
from scrubjay.daemon.cli.team.common import add_profile, at_server, chosen_passphrase, hidden
from scrubjay.profiles.registry.registry import Profile, VaultFolder
from scrubjay.profiles.registry.team_credentials import TeamCredentials
from scrubjay.profiles.server_address import ServerAddress


def create_on_server(
    name: str, server: str, vaults: tuple[VaultFolder, ...], model: str, *, by_passphrase: bool
) -> Profile:
    """Prepare the team's database as its owner, make a profile in it, and the key of its digests.

    The password is asked for. What fails leaves no profile, here or there. Raises ProfileError.
    """
    address = ServerAddress.parse(server)
    profiles = registry()
    profiles.new(name)  # a name that can't be is refused before anything is asked
    password = hidden(f"Password of {address.user} at {address.server}", may_be_empty=True)
    passphrase = chosen_passphrase(name, wanted=by_passphrase)
    with at_server(address, password) as connection:
        from scrubjay.profiles.team import administration

        administration.prepare(connection)
        number = administration.create_profile(connection, name)
        try:
            made = profiles.new(name, model=model, server=str(address), team_number=number)
            credentials = TeamCredentials(password, administration.new_key())
            return add_profile(profiles, made, credentials, vaults, passphrase=passphrase)
        except BaseException:
            administration.drop_profile(connection, number)
            raise
