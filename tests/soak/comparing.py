"""Whether an index is what a full rescan of its vault would make."""

import shutil
import threading
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.home import Home
from scrubjay.daemon.settings import Settings
from scrubjay.profiles.registry.keys import MemoryKeys
from scrubjay.profiles.registry.registry import Registry
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder

_NOTES = "SELECT path, title, digest, tags, aliases, properties, redactions, anchors FROM note"
_CHUNKS = "SELECT note.path, position, chunk.digest, headings, line, end_line FROM chunk JOIN note ON note.id = note_id"
_LINKS = "SELECT note.path, target, link.kind, line, heading, block, text FROM link JOIN note ON note.id = note_id"


def differences(home: Home, aside: Path) -> list[str]:
    """What the index of the only profile of `home` has and a fresh one has not, or the other way round.

    aside: a folder for the fresh index. Everything but vectors is compared, in any order. Nobody may write meanwhile.
    """
    fresh = Home.below(aside).make()
    shutil.copy(home.data / "installation.key", fresh.data / "installation.key")
    [profile] = Registry(home.profiles).list()
    Registry(fresh.profiles).create(profile.name, vaults=profile.vaults)
    with closing(Engine(fresh, Settings(), lambda _: HashEncoder(), keys=MemoryKeys())) as engine:
        [opened] = engine.open_profiles.open()
        engine.preparation.indexer(opened).reconcile(threading.Event())
        with closing(FileStore.open(Registry(home.profiles).store_path(profile))) as store:
            return [
                f"{name}: {len(had)} only in the index, {len(lacked)} only in the rescan, such as {sample}"
                for name, sql in (("notes", _NOTES), ("passages", _CHUNKS), ("links", _LINKS))
                for had, lacked in [_unequal(_rows(store, sql), _rows(opened.store, sql))]
                if (sample := next(iter([*had, *lacked]), None))
            ]


def _rows(store: Store, sql: str) -> Counter[tuple[Any, ...]]:
    with store.reading() as connection:
        return Counter(tuple(row) for row in connection.execute(sql))


def _unequal(
    one: Counter[tuple[Any, ...]], other: Counter[tuple[Any, ...]]
) -> tuple[Counter[tuple[Any, ...]], Counter[tuple[Any, ...]]]:
    return one - other, other - one
