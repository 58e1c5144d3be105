"""Word lists and tables that ship with the package, and the version of all that decides what is hidden."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import metadata, resources
from importlib.resources.abc import Traversable

PACKAGE = __name__.rpartition(".")[0]
"""The filter's own package, whatever it is part of: resources are found by this name, not by one that is written down."""

_DISTRIBUTION = "scrubjay"
_SOURCES = (".py", ".toml", ".txt")


def read(name: str) -> str:
    """The text of a file in this folder."""
    return (resources.files(__name__) / name).read_text("utf-8")


def read_all(folder: str) -> list[tuple[str, str]]:
    """The names and texts of the TOML files in a folder of the package, by name."""
    files = [entry for entry in (resources.files(PACKAGE) / folder).iterdir() if entry.name.endswith(".toml")]
    return sorted((file.name, file.read_text("utf-8")) for file in files)


@cache
def version() -> str:
    """Changes with every change of the filter's code or data, so that notes are filtered anew after it.

    A digest of the sources; the version of the distribution where they are not on disk, as in the stand-alone program.
    """
    digest = hashlib.blake2b(digest_size=16)
    files = sorted(_sources(resources.files(PACKAGE), ""), key=lambda found: found[0])
    for name, file in files:
        digest.update(name.encode() + b"\0" + file.read_bytes() + b"\0")
    if not any(name.endswith(".py") for name, _ in files):
        digest.update(metadata.version(_DISTRIBUTION).encode())
    return digest.hexdigest()


def _sources(folder: Traversable, path: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for entry in folder.iterdir():
        name = f"{path}/{entry.name}"
        if entry.is_dir():
            found += _sources(entry, name)
        elif entry.name.endswith(_SOURCES):
            found.append((name, entry))
    return found
