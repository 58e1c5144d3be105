"""The first and the last minute: finding vaults, proposing what may be read, and leaving nothing behind."""
