"""The text of a settings file that people edit, too: changed where its values change, and left as it is elsewhere."""

import tomllib
from collections.abc import Mapping, MutableMapping
from typing import Any, cast

import tomli_w
import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT


def edited(written: bytes, values: Mapping[str, Any]) -> bytes:
    """The file with these values, in TOML. Comments, order and spelling of what stays the same are kept.

    written: a file that could be read. values: all that it says from now on.
    """
    plain = tomli_w.dumps(values)
    wanted = tomllib.loads(plain)
    try:
        document = tomlkit.parse(written.decode())
        _settle(document, wanted)
        kept = tomlkit.dumps(document)  # pyright: ignore[reportUnknownMemberType]
        return (kept if tomllib.loads(kept) == wanted else plain).encode()
    except (TOMLKitError, ValueError):
        return plain.encode()  # it could be read, and its values are what counts


def _settle(table: MutableMapping[str, Any], values: Mapping[str, Any]) -> None:
    """Make a table say these values, and touch nothing that says them already."""
    for name in [name for name in table if name not in values]:
        del table[name]
    for name, value in values.items():
        present = table.get(name)
        if present == value and name in table:
            continue
        if isinstance(value, Mapping) and isinstance(present, MutableMapping):
            _settle(cast("MutableMapping[str, Any]", present), cast("Mapping[str, Any]", value))
        elif isinstance(present, AoT) and isinstance(value, list) and len(present) == len(cast("list[Any]", value)):
            tables = cast("list[MutableMapping[str, Any]]", present)
            for entry, wanted in zip(tables, cast("list[Mapping[str, Any]]", value), strict=True):
                _settle(entry, wanted)
        else:
            table[name] = value
