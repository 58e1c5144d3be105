"""What the vaults of a profile are called, so that a profile's name and a vault's name always mean one folder."""

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import PurePath

from scrubjay.profiles.names import fold

_ID_BYTES = 4


def team_vault_id(name: str, key: bytes) -> str:
    """The id of a vault of this name in a team's profile: the same on every machine, so that its notes are the same."""
    return blake2b(
        fold(name).encode("utf-8", "surrogatepass"), key=key, digest_size=_ID_BYTES, person=b"vault"
    ).hexdigest()


def told_apart(folders: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Names for folders, in their order, no two alike but for case. folders: (absolute path, name) of each.

    A folder whose name another before it has is called after its parent, too: "Notes (Work)". Names that differ
    already stay, and so do those that were told apart before.
    """
    taken: dict[str, str] = {}
    for root, name in folders:
        free = _free(root, name, taken.keys())
        taken[free.casefold()] = free
    return tuple(taken.values())


def _free(root: str, name: str, taken: Iterable[str]) -> str:
    if name.casefold() in taken and (parent := PurePath(root).parent.name):
        name = f"{name} ({parent})"
    free, number = name, 2
    while free.casefold() in taken:
        free, number = f"{name} {number}", number + 1
    return free
