"""The models and boxes that open profiles share."""

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from scrubjay.daemon.documents.sandbox.box import Box, Recogniser
from scrubjay.daemon.documents.sandbox.confinement import Measure
from scrubjay.daemon.models.installed import BUNDLED, AbsentModel, ModelNotAvailable, resolve
from scrubjay.daemon.models.token_counter import TokenCounter
from scrubjay.daemon.processes.scheduler import Scheduler
from scrubjay.profiles.search.meaning.embedder import Embedder, EmbeddingModel


class Boxes:
    """The boxes of all profiles, by id. Thread-safe. Close it when done. is_strict: as for `Box`."""

    def __init__(
        self,
        file_seconds: Callable[[], float],
        scheduler: Scheduler,
        is_strict: Callable[[], bool] = lambda: False,
    ) -> None:
        self._file_seconds = file_seconds
        self._scheduler = scheduler
        self._is_strict = is_strict
        self._lock = threading.Lock()  # guards the dictionary
        self._boxes: dict[str, Box] = {}
        self._recognisers: dict[str, Recogniser] = {}

    def of(self, profile_id: str) -> Box:
        """The box of a profile; its process starts with the first file."""
        with self._lock:
            if profile_id not in self._boxes:
                self._boxes[profile_id] = Box(self._file_seconds, self._scheduler, is_strict=self._is_strict)
            return self._boxes[profile_id]

    def recogniser_of(self, profile_id: str) -> Recogniser:
        """What reads the pictures of a profile, likewise."""
        with self._lock:
            if profile_id not in self._recognisers:
                self._recognisers[profile_id] = Recogniser(self._scheduler, is_strict=self._is_strict)
            return self._recognisers[profile_id]

    def measures(self) -> tuple[Measure, ...] | None:
        """By which measures all processes that were started are closed to the world; None before the first one."""
        with self._lock:
            known = [door.measures for door in (*self._boxes.values(), *self._recognisers.values())]
        told = [measures for measures in known if measures is not None]
        return tuple(each for each in told[0] if all(each in other for other in told)) if told else None

    def forget(self, profile_id: str) -> None:
        """End the processes of a profile, whatever they do."""
        with self._lock:
            doors = (self._boxes.pop(profile_id, None), self._recognisers.pop(profile_id, None))
        for door in doors:
            if door is not None:
                door.close()

    def close(self) -> None:
        """End all processes."""
        for profile_id in {*self._boxes, *self._recognisers}:
            self.forget(profile_id)


@dataclass(frozen=True, slots=True)
class Model:
    """What embeds with a model, and what counts its tokens. Equal where it is the same embedder."""

    embedder: Embedder
    tokens: TokenCounter

    @property
    def room(self) -> int:
        """Tokens of a passage that the model reads, without those of its prefix."""
        spec = self.embedder.spec
        before = self.tokens.count_many([spec.passage_prefix])[0] if spec.passage_prefix else 0
        return spec.max_tokens - before


class Models:
    """Finds and keeps them. Thread-safe.

    folder: where downloaded models lie. make: gives what embeds with a model that is on this machine.
    """

    def __init__(self, folder: Path, make: Callable[[EmbeddingModel], Embedder]) -> None:
        self._folder = folder
        self._make = make
        self._lock = threading.Lock()  # guards both dictionaries
        self._here: dict[EmbeddingModel, Model] = {}
        self._absent: dict[str, Model] = {}

    def of(self, name: str) -> Model:
        """The model that a profile names, as it is on disk now; never downloads.

        One that is not there, or can't be used, comes as an embedder that raises ModelNotAvailable, which says so.
        """
        try:
            spec = resolve(name, self._folder)
            with self._lock:
                if spec not in self._here:
                    self._here[spec] = self._loaded(spec)
                return self._here[spec]
        except ModelNotAvailable as error:
            return self._missing(name, str(error))

    def keep(self, used: Collection[Model]) -> None:
        """Close all models but these."""
        with self._lock:
            gone = [model for model in self._here.values() if model not in used]
            self._here = {spec: model for spec, model in self._here.items() if model in used}
            self._absent = {name: model for name, model in self._absent.items() if model in used}
        for model in gone:
            model.embedder.close()

    def release_memory(self) -> None:
        """Give up the memory of what counts tokens, until something is counted."""
        with self._lock:
            models = [*self._here.values(), *self._absent.values()]
        for model in models:
            model.tokens.release_memory()

    def forget_texts(self) -> None:
        """Let go of the texts that were embedded and counted."""
        with self._lock:
            models = [*self._here.values()]
        for model in models:
            model.embedder.forget_texts()
        self.release_memory()

    def close(self) -> None:
        """Close all."""
        self.keep(())

    def _loaded(self, spec: EmbeddingModel) -> Model:
        embedder = self._make(spec)
        try:
            tokens = TokenCounter(embedder.spec)
            if spec != BUNDLED:  # whose files no download has left half there
                tokens.count_many([""])
            return Model(embedder, tokens)
        except Exception as error:  # tokenizers raises nothing more precise
            embedder.close()
            raise ModelNotAvailable(
                f"The files of the model {spec.name} are missing or damaged. "
                f"Download it again: scrubjay model download {spec.name}"
            ) from error

    def _missing(self, name: str, why: str) -> Model:
        with self._lock:
            if name not in self._absent:
                absent = AbsentModel(name, why)
                self._absent[name] = Model(absent, TokenCounter(absent.spec))
            return self._absent[name]
