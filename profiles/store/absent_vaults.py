"""Annotations of the notes of a vault that was taken from a profile: they wait for its folder to come back."""

from collections.abc import Collection, Mapping
from typing import cast

from scrubjay.profiles.store.statements import Connection
from scrubjay.profiles.store.store import Store

_ANNOTATIONS = {"decision": "digest", "hidden_note": "asked", "review_answer": "", "review_suggestion": ""}
"""Tables of what is said of notes, each with the column that tells apart what is said of one note; "": its key does."""
_PLACE = "vault folder "
"""Before a vault's id: the meta value that is a keyed digest of its folder."""


def take_over(store: Store, folders: Mapping[str, str]) -> None:
    """What was said of the notes of a vault that the profile has no more is about the one in the same folder now.

    folders: keyed digests of the folders of all vaults that the profile has, by the vault's id.
    """
    if store.is_shared:  # its vaults are known by their names, on every machine
        return
    with store.reading() as connection:
        known = _known(connection)
    if known.items() >= folders.items() and not _returned(known, folders):
        return
    with store.writing() as writer:
        connection = writer.connection
        for before, now in _returned(known, folders).items():
            for table, key in _ANNOTATIONS.items():
                there = f"SELECT 1 FROM {table} AS now WHERE now.vault = ?1 AND now.path = {table}.path"  # noqa: S608
                unless = f"NOT EXISTS ({there} AND now.{key} = {table}.{key})" if key else "1 = 1"
                connection.execute(f"UPDATE {table} SET vault = ?1 WHERE vault = ?2 AND {unless}", (now, before))  # noqa: S608
            connection.execute("DELETE FROM meta WHERE name = ?", (_PLACE + before,))
        for vault, folder in folders.items():
            writer.set_meta(_PLACE + vault, folder)


def places(connection: Connection) -> dict[str, str]:
    """The meta values that say which folders the profile's vaults lie in, for another database of the profile."""
    return {_PLACE + vault: folder for vault, folder in _known(connection).items()}


def _known(connection: Connection) -> dict[str, str]:
    sql = "SELECT name, value FROM meta WHERE substr(name, 1, ?) = ?"
    rows = cast("Collection[tuple[str, str]]", connection.execute(sql, (len(_PLACE), _PLACE)).fetchall())
    return {name.removeprefix(_PLACE): value for name, value in rows}


def _returned(known: Mapping[str, str], folders: Mapping[str, str]) -> dict[str, str]:
    """Ids of vaults that are gone, each with that of the vault in its folder."""
    here = {folder: vault for vault, folder in folders.items()}
    return {vault: here[folder] for vault, folder in known.items() if vault not in folders and folder in here}
