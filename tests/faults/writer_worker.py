"""Changes a file again and again: `python -m tests.faults.writer_worker FILE FOLDER WRITER ROUNDS`.

FILE is one of WRITERS, FOLDER is where it is made, and whatever is added names the WRITER.
"""

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from scrubjay.daemon.home import Home
from scrubjay.daemon.server.access.last_seen import SeenTimes
from scrubjay.daemon.setup.their_files import TheirFile
from scrubjay.profiles.registry.registry import Profile, Registry

MOMENT = datetime(2026, 1, 2, tzinfo=UTC)
MADE = (("mcpServers",),)


def exclude(folder: Path, added: str) -> None:
    """One more folder that the only vault of the only profile excludes."""
    registry = Registry(folder)

    def changed(now: Profile) -> Profile:
        (vault,) = now.vaults
        return msgspec.structs.replace(now, vaults=(msgspec.structs.replace(vault, exclude=(*vault.exclude, added)),))

    registry.change(registry.list()[0].id, changed)


def see_client(folder: Path, added: str) -> None:
    """A client that was seen."""
    seen = SeenTimes(folder / "last-seen.json", lambda: MOMENT)
    seen.note(added)
    seen.write()


def make_their_file(folder: Path, added: str) -> None:
    """A file of another program, made for us."""
    TheirFile.read(Home.below(folder / "home"), folder / f"{added}.json").write("{}", MADE)


WRITERS: dict[str, Callable[[Path, str], None]] = {
    "profile.toml": exclude,
    "last-seen.json": see_client,
    "made.json": make_their_file,
}


if __name__ == "__main__":
    _, file, folder, writer, rounds = sys.argv
    for number in range(int(rounds)):
        WRITERS[file](Path(folder), f"{writer} {number}")
