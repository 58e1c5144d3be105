"""Putting Scrubjay on a machine and taking it away: vaults, services, the settings of other programs."""
