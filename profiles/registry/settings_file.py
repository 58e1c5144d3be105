"""The text of a settings file that people edit, too: changed where its values change, and left as it is elsewhere."""

import tomllib
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, cast

import tomli_w
import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT

from scrubjay.profiles.errors import InvalidProfile


def edited(
    written: bytes, before: Mapping[str, Any], values: Mapping[str, Any], reads: Callable[[bytes], object]
) -> bytes:
    """The file with these values, in TOML. Comments, order and spelling of what stays the same are kept.

    written: a file that could be read. before: what it says, however that is spelt there. values: all that it says from
    now on. reads: what a file means; may raise InvalidProfile.
    """
    plain = tomli_w.dumps(values).encode()
    try:
        document = tomlkit.parse(written.decode())
        _settle(document, tomllib.loads(tomli_w.dumps(before)), tomllib.loads(plain.decode()))
        kept = tomlkit.dumps(document).encode()  # pyright: ignore[reportUnknownMemberType]
        return kept if reads(kept) == reads(plain) else plain
    except (TOMLKitError, ValueError, InvalidProfile):
        return plain  # it could be read, and its values are what counts


def _settle(table: MutableMapping[str, Any], before: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Make a table say these values, and touch nothing that says them already, in whatever spelling."""
    for name in [name for name in table if name not in values]:
        del table[name]
    for name, value in values.items():
        present, said = table.get(name), before.get(name)
        if name in table and value in (present, said):
            continue
        if isinstance(value, Mapping) and isinstance(present, MutableMapping):
            now = cast("MutableMapping[str, Any]", present)
            _settle(now, cast("Mapping[str, Any]", said or {}), cast("Mapping[str, Any]", value))
        elif isinstance(present, AoT) and len(present) == len(cast("list[Any]", value)) == len(said or ()):
            tables = cast("list[MutableMapping[str, Any]]", present)
            for entry, was, wanted in zip(tables, said or (), cast("list[Mapping[str, Any]]", value), strict=True):
                _settle(entry, was, wanted)
        else:
            table[name] = value
