"""What a team's vaults are called, for members without such a folder: the server keeps it sealed by the team's key."""

import base64
import binascii
from collections.abc import Iterable, Mapping

from scrubjay.profiles.store.statements import Asked, Connection, Row, upsert
from scrubjay.profiles.team.team_key import WrongSecret, unwrap_text, wrap_text

_PREFIX = "vault_name "
"""Of what `meta` has them under, before the vault's id."""
SEALED: Asked = ("SELECT name, value FROM meta WHERE starts_with(name, ?)", (_PREFIX,))
"""The statement that gives the rows which `VaultNames.take` takes."""


class VaultNames:
    """The names of a profile's vaults, as far as they were read."""

    def __init__(self, key: bytes) -> None:
        """key: the team's."""
        self._key = key
        self.by_id: Mapping[str, str] = {}

    def take(self, rows: Iterable[Row]) -> None:
        """Know the names in these rows. One that was sealed by another key is as if it were not there."""
        self.by_id = {name.removeprefix(_PREFIX): found for name, sealed in rows if (found := self._opened(sealed))}

    def tell(self, connection: Connection, vault: str, name: str) -> None:
        """Tell the others, within a transaction that writes."""
        sealed = base64.b64encode(wrap_text(name, self._key)).decode()
        connection.execute(upsert("meta", ("name",), ("value",)), (f"{_PREFIX}{vault}", sealed))
        self.by_id = {**self.by_id, vault: name}

    def forget(self, connection: Connection, vault: str) -> None:
        """Tell the others no more, within a transaction that writes, if there is no note of this vault."""
        sql = "DELETE FROM meta WHERE name = ?1 AND NOT EXISTS (SELECT FROM note WHERE vault = ?2) RETURNING name"
        if connection.execute(sql, (f"{_PREFIX}{vault}", vault)).get:
            self.by_id = {each: name for each, name in self.by_id.items() if each != vault}

    def _opened(self, sealed: str) -> str:
        try:
            return unwrap_text(base64.b64decode(sealed), self._key)
        except (binascii.Error, WrongSecret):
            return ""
