"""Each profile is read by the model it names: loaded once for all of them, changed at any time, missed with a word."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scrubjay.daemon.engine.engine import Engine
from scrubjay.daemon.home import Home
from scrubjay.daemon.models.installed import BUNDLED, Installed, record_path
from scrubjay.daemon.server.endpoints.status import ProfileStatus
from scrubjay.daemon.server.state import status_of
from scrubjay.daemon.settings import Settings
from scrubjay.profiles.registry.keys import MemoryKeys
from scrubjay.profiles.registry.registry import vault_folder
from scrubjay.profiles.search.meaning.embedder import Embedder, EmbeddingModel
from scrubjay.profiles.search.types import SearchRequest, SearchResponse
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.waiting import PATIENCE_SECONDS

OTHER = Installed("makers/other", 64, 256, "", "passage: ", "ab" * 32, "models--other/1")
NOTES = {
    "Heron.md": "The heron waits at the weir.",
    "Boat.md": "A boat and a heron on the river.",
    "Rope.md": "Rope and sail.",
}


class Encoder(HashEncoder):
    """Says when it is closed."""

    closed = False

    def close(self) -> None:
        self.closed = True


@dataclass
class Place:
    """An installation with one vault for all of its profiles, and the embedders that its engine asked for."""

    root: Path
    made: dict[str, Encoder] = field(default_factory=dict[str, Encoder])
    engine: Engine = field(init=False)

    def __post_init__(self) -> None:
        (self.root / "vault").mkdir()
        for path, text in NOTES.items():
            (self.root / "vault" / path).write_text(text)
        self.engine = Engine(self.home, Settings(), self.embedder_for, keys=MemoryKeys())
        self.engine.supervisor.start()

    @property
    def home(self) -> Home:
        return Home.below(self.root / "home")

    def embedder_for(self, spec: EmbeddingModel) -> Embedder:
        assert spec.name not in self.made or self.made[spec.name].closed
        self.made[spec.name] = Encoder(spec.dim)
        return self.made[spec.name]

    def downloads(self, model: Installed = OTHER) -> None:
        """As the command leaves it: the files, and the record that tells of them."""
        folder = self.home.models / model.folder
        folder.mkdir(parents=True)
        record_path(self.home.models, model.name).write_bytes(msgspec.json.encode(model))

    def makes(self, name: str, model: str = "bundled") -> None:
        folder = vault_folder(self.root / "vault", allow=(".",))
        self.engine.registry.create(name, vaults=(folder,), model=model)
        self.settles()

    def changes(self, name: str, model: str) -> None:
        registry = self.engine.registry
        registry.change(registry.get(name).id, lambda now: msgspec.structs.replace(now, model=model))
        self.settles()

    def settles(self) -> None:
        self.engine.profile_sync.sync()
        assert self.engine.supervisor.wait_until_idle(PATIENCE_SECONDS)

    def store(self, name: str) -> Store:
        return self.engine.open_profiles.named(name).store

    def dims(self, name: str) -> set[int]:
        """How long the vectors are that a profile keeps."""
        with self.store(name).reading() as connection:
            return {int(row[0]) for row in connection.execute("SELECT length(vector) FROM embedding")}

    def finds(self, query: str = "heron", **options: Any) -> SearchResponse:
        return self.engine.searcher.search(replace(SearchRequest(query), **options))

    def states(self) -> Mapping[str, ProfileStatus]:
        status = status_of(self.engine, self.engine.open_profiles.all(), instance="test", started=0.0)
        return {profile.name: profile for profile in status.profiles}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.engine.close()


def test_each_profile_is_embedded_by_its_own_model_and_one_search_spans_them(place: Place) -> None:
    place.downloads()
    place.makes("plain")
    place.makes("special", OTHER.name)
    place.makes("second", OTHER.name.upper())
    assert [place.dims(name) for name in ("plain", "special", "second")] == [{384}, {64}, {64}]
    assert set(place.made) == {BUNDLED.name, OTHER.name}
    found = place.finds(mode="semantic", limit=3)
    assert (found.semantic, found.pending_embeddings, found.unanswered) == ("used", 0, ())
    assert found.results[0].path == "Heron.md"
    assert {found.results[0].profile, *(each.profile for each in found.results[0].also_in)} == set(place.states())


def test_a_profile_with_another_model_is_embedded_anew_and_the_old_one_is_put_away(place: Place) -> None:
    place.downloads()
    place.makes("notes", OTHER.name)
    place.changes("notes", "bundled")
    assert place.dims("notes") == {384}
    assert place.store("notes").counts().embeddings == len(NOTES)
    assert place.finds(mode="semantic").semantic == "used"
    place.settles()  # until then the one before may still be asked
    assert {name: made.closed for name, made in place.made.items()} == {BUNDLED.name: False, OTHER.name: True}


def test_a_profile_whose_model_is_not_here_is_searched_by_words_until_it_is(place: Place) -> None:
    place.makes("plain")
    place.makes("special", OTHER.name)

    def is_without() -> bool:
        state = place.states()["special"]
        return state.state == "failed" and f"scrubjay model download {OTHER.name}" in state.reason

    assert is_without()
    assert (place.states()["special"].notes, place.states()["special"].pending_embeddings) == (3, 3)
    assert place.states()["plain"].state == "idle"
    alone = place.finds(profiles=("special",))
    assert (alone.semantic, [hit.path for hit in alone.results]) == ("unavailable", ["Heron.md", "Boat.md"])
    assert (place.finds().semantic, place.finds().unanswered) == ("used", ())
    place.downloads()
    record = record_path(place.home.models, OTHER.name)
    kept = record.read_bytes()
    for is_here in (True, False, True):
        record.write_bytes(kept) if is_here else record.unlink()
        place.settles()
        assert is_without() is not is_here
        assert place.dims("special") == {64}  # vectors outlive a model that is gone for a while
    assert place.finds(mode="semantic", profiles=("special",)).semantic == "used"
