"""A profile in languages that its model reads badly is told of another, with what that takes here."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from scrubjay.daemon.engine import model_suggestions
from scrubjay.daemon.engine.model_suggestions import ModelsHere, Suggestions
from scrubjay.daemon.engine.open_models import Model
from scrubjay.daemon.engine.open_profiles import OpenProfile
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.models.suggestion import DOWNLOADED, PACKAGED
from scrubjay.daemon.models.token_counter import TokenCounter
from scrubjay.daemon.processes.scheduler import Scheduler
from scrubjay.daemon.server.endpoints.status import ModelSuggestion
from scrubjay.daemon.server.state import suggestion_of
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.meaning.embedder import Embedder
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import Vectors
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.waiting import until
from tests.integration.profiles.notes import bundle

GERMAN = "Der Haubentaucher brütet am Ufer des Sees und baut sein Nest aus Schilf."


class BusyModel(HashEncoder):
    """One that has something else to embed until it is told to go on."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        assert self.go_on.wait(60)
        return super().embed_passages(texts)


def opened(folder: Path, languages: dict[str, int], embedder: Embedder | None = None) -> OpenProfile:
    store = FileStore.open(folder / "index.sqlite3")
    with store.writing() as writer:
        for code, count in languages.items():
            for number in range(count):
                note = bundle(f"{code}{number}.md", f"{GERMAN} {number}")
                writer.put_note(replace(note, note=replace(note.note, lang=code)))
    profile = Profile(id="p1", name="Notes", colour="#336699")
    return OpenProfile(profile, store, Progress(), Model(embedder or HashEncoder(), TokenCounter(BUNDLED)))


def test_a_german_vault_is_told_of_a_model_that_reads_german_and_of_one_that_is_here_since(tmp_path: Path) -> None:
    here: list[str] = []
    profile, suggestions = opened(tmp_path, {"de": 30, "en": 10}), Suggestions(Scheduler(), lambda: here)

    def suggested() -> ModelSuggestion:
        found = suggestion_of(profile.profile, suggestions.of(profile, 40))
        assert found is not None
        return found

    found = suggested()
    assert (found.languages, found.share, found.model) == (("de",), 0.75, DOWNLOADED.name)
    assert found.text.startswith("75% of the passages of Notes are in languages that its model reads badly (de)")
    assert found.command == "scrubjay model suggest --take Notes"
    assert "220 MB to download, Apache-2.0, 560 MB of memory while it works" in found.text
    here.append(PACKAGED.name)
    found = suggested()
    assert (found.model, found.is_here, found.memory) == (PACKAGED.name, True, PACKAGED.memory)
    assert "83 MB on this computer, MIT, 240 MB of memory while it works" in found.text
    profile.store.close()


def test_installed_models_are_not_looked_for_at_each_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    look, clock = Mock(return_value=()), Mock()
    monkeypatch.setattr(model_suggestions, "here", look)
    names = ModelsHere(tmp_path, clock)
    for seconds, looks in ((100.0, 1), (109.0, 1), (110.0, 2), (119.0, 2)):
        clock.return_value = seconds
        assert names() == frozenset()
        assert look.call_count == looks


def test_nobody_waits_for_the_model_to_be_told_how_long_reading_anew_takes(tmp_path: Path) -> None:
    model = BusyModel()
    profile, suggestions = opened(tmp_path, {"de": 30, "en": 10}, model), Suggestions(Scheduler())

    def seconds() -> float | None:
        found = suggestion_of(profile.profile, suggestions.of(profile, 40))
        assert found is not None
        return found.seconds

    asked = [seconds(), seconds()]
    assert asked == [None, None]
    model.go_on.set()
    until(lambda: (seconds() or 0) > 0)
    profile.store.close()


def test_an_english_vault_is_told_nothing(tmp_path: Path) -> None:
    profile = opened(tmp_path, {"en": 39, "": 5, "de": 1})
    profile.model.tokens.count_many = Mock(side_effect=AssertionError("what counts tokens stays in memory, in part"))
    assert Suggestions(Scheduler()).of(profile, 45) is None
    profile.store.close()


def test_it_is_looked_up_again_when_the_profile_has_grown(tmp_path: Path) -> None:
    profile = opened(tmp_path, {"en": 40})
    suggestions = Suggestions(Scheduler())
    assert suggestions.of(profile, 40) is None
    with profile.store.writing() as writer:
        for number in range(20):
            note = bundle(f"neu{number}.md", f"{GERMAN} neu {number}")
            writer.put_note(replace(note, note=replace(note.note, lang="de")))
    assert suggestions.of(profile, 41) is None
    assert suggestions.of(profile, 60) is not None
    profile.store.close()
