"""A running engine on a real vault, with an embedder that counts."""

from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.engine.profile_watch import VaultWatchers
from scrubjay.daemon.home import Home
from scrubjay.daemon.settings import Settings
from scrubjay.profiles.registry.registry import Registry, vault_folder
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import Vectors
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.waiting import PATIENCE_SECONDS, until


class CountingEncoder(HashEncoder):
    """Counts the passages that it embeds."""

    def __init__(self) -> None:
        super().__init__()
        self.passages = 0

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.passages += len(texts)
        return super().embed_passages(texts)


@dataclass(frozen=True, slots=True)
class Living:
    """An engine that watches `vault`."""

    engine: Engine
    vault: Path
    encoder: CountingEncoder

    @property
    def store(self) -> Store:
        return self.engine.open_profiles.named("notes").store

    def write(self, path: str, content: str | bytes) -> None:
        target = self.vault / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())

    def paths(self) -> set[str]:
        """The notes in the index."""
        with self.store.reading() as connection:
            return {str(row[0]) for row in connection.execute("SELECT path FROM note")}

    def found(self, query: str) -> set[str]:
        return {hit.path for hit in self.engine.searcher.search(SearchRequest(query, mode="lexical")).results}

    def problems(self) -> set[tuple[str, str]]:
        return {(row.path, row.code) for row in self.store.read(reads.failures)}

    def settled(self) -> None:
        """Everything that has been noticed is read and embedded."""
        assert self.engine.supervisor.wait_until_idle(PATIENCE_SECONDS)

    def files_settled(self) -> None:
        """As `settled`, with the files beside notes."""
        assert self.engine.files.wait_until_idle(PATIENCE_SECONDS)
        self.settled()

    def until_paths(self, *expected: str) -> None:
        """Wait until the index holds these notes and no others, all embedded."""
        until(lambda: self.paths() == set(expected), lambda: f"{sorted(self.paths())} instead of {sorted(expected)}")
        self.settled()


@contextmanager
def living(root: Path, *, allow: tuple[str, ...] = (".",), settings: Settings = Settings()) -> Generator[Living]:  # noqa: B008
    """Start an engine on the vault below `root`, made if need be, and wait until its notes are indexed.

    Files beside notes are read once the test starts `engine.files`.
    """
    vault, home = root / "vault", Home.below(root / "home").make()
    vault.mkdir(exist_ok=True)
    registry = Registry(home.profiles)
    if not registry.list():
        registry.create("notes", vaults=(vault_folder(vault, allow=allow),))
    encoder = CountingEncoder()
    with closing(Engine(home, settings, lambda _: encoder)) as engine, VaultWatchers(engine):
        engine.supervisor.start()
        alive = Living(engine, vault, encoder)
        alive.settled()
        yield alive
