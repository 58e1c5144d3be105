"""One machine of a team that edits, deletes and copies notes and writes them to the profile, until it is killed."""

import os
import random
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.indexing.prepare import PrepareContext
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.vault.read import ReadLimits
from scrubjay.profiles.digests import text_digest
from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.team.team_store import TeamStore

VAULT = "0a1b2c3d"
KEY = b"k" * 32
CONTEXT = PrepareContext(KEY, BUILT_IN, lambda texts: [len(text.split()) for text in texts], 100)
_NAMES = [f"{folder}{number}.md" for folder in ("", "Birds/", "Fish/") for number in range(10)]


@dataclass(frozen=True, slots=True)
class MachineSettings:
    """What a machine knows."""

    name: str
    root: str
    others: tuple[str, ...]  # the folders of the other machines, from which it copies
    address: ServerAddress
    password: str
    profile: int

    def open(self) -> TeamStore:
        path = Path(self.root).with_suffix(".sqlite3")
        return TeamStore.open(path, self.address, self.password, self.profile, machine=self.name)


def digest(text: str) -> bytes:
    return text_digest(text, KEY)


def bring_in(store: Store, root: str | Path, *, forget_missing: bool = False) -> None:
    """Compare a folder with the store, and update the store."""
    indexer_of(store, root).reconcile(threading.Event(), forget_missing=forget_missing)


def indexer_of(store: Store, root: str | Path) -> Indexer:
    """What keeps a store in step with a folder, as the vault VAULT."""
    vault = VaultFolder(id=VAULT, root=str(root), name="v", allow=(".",))
    return Indexer([vault], store, CONTEXT, Progress(), ReadLimits())


def edit(root: Path, others: tuple[str, ...], rng: random.Random) -> None:
    """Write, delete, move or copy one note. What is there half is not looked at: it has another name at first."""
    path = root / rng.choice(_NAMES)
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = rng.random()
    if kind < 0.5:
        _replace(
            path, f"# Note\n\nA heron was seen {rng.getrandbits(32)} times.\n\nSee [[{rng.randint(0, 9)}]].\n", None
        )
    elif kind < 0.65:
        path.unlink(missing_ok=True)
    elif kind < 0.75 and path.exists():
        target = root / rng.choice(("Birds", "Fish")) / path.name
        target.parent.mkdir(exist_ok=True)
        path.replace(target)
    else:
        copy(Path(rng.choice(others)) / path.relative_to(root), path)


def copy(source: Path, target: Path) -> None:
    """As a program does that keeps folders in step: the newer file, with its date."""
    try:
        text, times = source.read_text(), source.stat()
        if not target.exists() or target.stat().st_mtime_ns < times.st_mtime_ns:
            target.parent.mkdir(parents=True, exist_ok=True)
            _replace(target, text, (times.st_atime_ns, times.st_mtime_ns))
    except FileNotFoundError:
        pass


def _replace(path: Path, text: str, times: tuple[int, int] | None) -> None:
    new = path.with_suffix(f".{os.getpid()}.new")
    new.write_text(text)
    if times:
        os.utime(new, ns=times)
    new.replace(path)


def work(machine: MachineSettings, seed: int) -> None:
    """Edit notes and write them to the profile for ever; a server that is away is waited for."""
    rng = random.Random(seed)
    store: TeamStore | None = None
    while True:
        for _ in range(rng.randint(1, 6)):
            edit(Path(machine.root), machine.others, rng)
        try:
            store = store or machine.open()
            bring_in(store, machine.root)
        except StoreError:
            time.sleep(0.05)
