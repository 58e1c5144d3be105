"""A profile that is given another model is searched by the one before, until the new one has read as much."""

import shutil
import threading
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.home import Home
from scrubjay.daemon.models.installed import BUNDLED, Installed, write_record
from scrubjay.daemon.settings import Settings
from scrubjay.profiles.registry.registry import Registry, vault_folder
from scrubjay.profiles.search.meaning.embedder import Awaited, EmbeddingModel
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store.rows import Vectors
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.waiting import PATIENCE_SECONDS

OTHER = "other"
ENGLISH = "The heron stands at the edge of the lake and waits for the fish that it has seen in the reeds."
GERMAN = "Der Reiher steht am Ufer des Sees und wartet auf den Fisch, den er im Schilf gesehen hat."


class AskedEncoder(HashEncoder):
    """Counts the queries that it embeds; passages wait until it may read."""

    def __init__(self, spec: EmbeddingModel, may_read: threading.Event) -> None:
        super().__init__()
        self._given, self._may_read = spec, may_read
        self.queries = 0

    @property
    def spec(self) -> EmbeddingModel:
        return self._given

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        assert self._may_read.wait(PATIENCE_SECONDS)
        return super().embed_passages(texts)

    def send_query(self, text: str) -> Awaited:
        self.queries += 1
        return super().send_query(text)


@dataclass(frozen=True, slots=True)
class Changed:
    """An engine whose profile has just been given another model, which reads when it may."""

    engine: Engine
    encoders: dict[str, AskedEncoder]
    may_read: threading.Event

    def asked(self) -> set[str]:
        """The models that a search asks."""
        before = {name: each.queries for name, each in self.encoders.items()}
        found = self.engine.searcher.search(SearchRequest("heron fish", mode="semantic"))
        assert found.semantic == "used"
        return {name for name, each in self.encoders.items() if each.queries > before.get(name, 0)}

    def read(self) -> None:
        self.may_read.set()
        assert self.engine.supervisor.wait_until_idle(PATIENCE_SECONDS)


@contextmanager
def changed(root: Path, text: str, *, is_here: bool = True) -> Generator[Changed]:
    """One with twenty notes that say this. is_here: whether the other model is on this machine."""
    home, vault, may_read = Home.below(root / "home").make(), root / "vault", threading.Event()
    encoders: dict[str, AskedEncoder] = {}
    vault.mkdir()
    for number in range(20):
        (vault / f"{number}.md").write_text(f"{text} {number}", encoding="utf-8")
    if is_here:
        (home.models / OTHER).mkdir(parents=True)
        shutil.copy((BUNDLED.path or Path()) / "tokenizer.json", home.models / OTHER)
        write_record(Installed(OTHER, BUNDLED.dim, BUNDLED.max_tokens, "", "", "ab" * 32, OTHER), home.models)

    def embedder(spec: EmbeddingModel) -> AskedEncoder:
        return encoders.setdefault(spec.name, AskedEncoder(spec, may_read))

    profile = Registry(home.profiles).create("notes", vaults=(vault_folder(vault, allow=(".",)),))
    may_read.set()
    with closing(Engine(home, Settings(), embedder)) as engine:
        engine.supervisor.start()
        assert engine.supervisor.wait_until_idle(PATIENCE_SECONDS)
        may_read.clear()
        engine.registry.change(profile.id, lambda now: msgspec.structs.replace(now, model=OTHER))
        engine.profile_sync.sync()
        yield Changed(engine, encoders, may_read)
        may_read.set()


def test_the_model_before_answers_until_the_new_one_has_read_as_much_whatever_else_is_set(tmp_path: Path) -> None:
    with changed(tmp_path, ENGLISH) as profile:
        assert profile.asked() == {BUNDLED.name}
        engine = profile.engine
        named = engine.registry.get("notes")
        engine.registry.change(named.id, lambda now: msgspec.structs.replace(now, colour="#123456"))
        engine.profile_sync.sync()
        assert engine.open_profiles.named("notes").profile.colour == "#123456"
        assert profile.asked() == {BUNDLED.name}
        profile.read()
        assert profile.asked() == {OTHER}


def test_a_model_that_does_not_read_the_notes_answers_no_more(tmp_path: Path) -> None:
    with changed(tmp_path, GERMAN) as profile:
        assert profile.engine.answering("notes").embedder.spec.name == OTHER
        profile.read()
        assert profile.asked() == {OTHER}


def test_a_model_that_is_not_here_is_not_stood_in_for(tmp_path: Path) -> None:
    with changed(tmp_path, ENGLISH, is_here=False) as profile:
        response = profile.engine.searcher.search(SearchRequest("heron fish"))
        assert response.semantic == "unavailable"
        assert response.results
