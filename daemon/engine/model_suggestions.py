"""Which profiles another model would read better: found out with their state, and remembered until they grow."""

import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from scrubjay.daemon.engine.open_profiles import OpenProfile
from scrubjay.daemon.models.installed import here
from scrubjay.daemon.models.suggestion import (
    SuggestedModel,
    doubtful,
    share_of_tokens,
    suggest,
    tokens_a_word,
    words_alone,
)
from scrubjay.daemon.processes.scheduler import Job, Scheduler
from scrubjay.profiles.search.meaning.embedder import Embedder, EmbedderFailed
from scrubjay.profiles.search.rank.semantic_trust import UNSPACED_LANGUAGES
from scrubjay.profiles.store import reads

_SAMPLE = 24  # passages of a language whose words are counted, and that are embedded to see how long that takes
_LOOK_SECONDS = 10.0
_GROWTH = 20  # of so many passages one more or less is not looked at


@dataclass(frozen=True, slots=True)
class _ModelUse:
    model: str  # its fingerprint
    passages: int
    here: frozenset[str]
    suggestion: SuggestedModel | None

    def holds_for(self, model: str, passages: int, here: frozenset[str]) -> bool:
        return (self.model, self.here) == (model, here) and abs(passages - self.passages) * _GROWTH <= self.passages


class ModelsHere:
    """The names of the models on this machine, in lower case, as they were ten seconds ago at the most.

    Every status asks for them, and to look through the installed packages takes milliseconds. folder: where downloaded
    models lie.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder
        self._clock = clock
        self._looked = (-_LOOK_SECONDS, frozenset[str]())

    def __call__(self) -> frozenset[str]:
        """These names."""
        at, names = self._looked
        if self._clock() - at >= _LOOK_SECONDS:
            names = frozenset(installed.name.lower() for installed, _ in here(self._folder))
            self._looked = (self._clock(), names)
        return names


class Suggestions:
    """Thread-safe. scheduler: does the trials of models. here: the names of the models on this machine, lower case."""

    def __init__(self, scheduler: Scheduler, here: Callable[[], Collection[str]] = tuple) -> None:
        self._scheduler = scheduler
        self._here = here
        self._lock = threading.Lock()  # guards both dictionaries
        self._known: dict[str, _ModelUse] = {}
        self._rates: dict[str, float | None] = {}  # passages a second, by model; None where that is being tried

    def of(self, opened: OpenProfile, passages: int) -> SuggestedModel | None:
        """A model that would read the profile's notes better than its own; None where that reads them well.

        Never waits for a model: how long reading anew takes here is known some time after this was first asked. While
        notes are being read it is what was known before. passages: how many the profile holds.
        """
        model = opened.model.embedder.spec.fingerprint
        here = frozenset(self._here())
        with self._lock:
            known = self._known.get(opened.profile.id)
        is_being_read = opened.progress.report().phase == "reading"  # all would be counted again at each growth
        if is_being_read or (known and known.holds_for(model, passages, here)):
            return known.suggestion if known else None
        languages = opened.store.read(reads.passage_languages)
        spec = opened.model.embedder.spec
        # Of most profiles nothing: what counts tokens would be loaded for it, and 6 MB of it stay.
        samples = {code: opened.store.read(reads.sample_texts, code, _SAMPLE) for code in doubtful(spec, languages)}
        spaced = {
            code: list(map(words_alone, texts)) for code, texts in samples.items() if code not in UNSPACED_LANGUAGES
        }
        count = opened.model.tokens.count_many
        fineness = {code: tokens_a_word(texts, count(texts)) for code, texts in spaced.items()}
        found, rate = suggest(spec, languages, fineness, None, here=here), None
        if found:
            most = found.languages[0]
            rate = self._rate(opened, samples[most])
            tokens = share_of_tokens(most, samples[most], count(samples[most]))
            found = suggest(spec, languages, fineness, rate, tokens, here)
        with self._lock:
            if rate is not None or self._rates.get(model) is None:  # else a trial has ended meanwhile
                self._known[opened.profile.id] = _ModelUse(model, passages, here, found)
        return found

    def _rate(self, opened: OpenProfile, texts: list[str]) -> float | None:
        """Passages that the profile's model embeds in a second, as it does now or did in a trial; None: not known."""
        report, embedder = opened.progress.report(), opened.model.embedder
        if report.phase == "embedding":  # which a trial would wait for
            return report.to_embed / report.eta_seconds if report.to_embed and report.eta_seconds else None
        fingerprint = embedder.spec.fingerprint
        with self._lock:
            if fingerprint in self._rates:
                return self._rates[fingerprint]
            self._rates[fingerprint] = None
        part, trial = "Finding out how fast a model is", partial(self._try, embedder, texts)
        self._scheduler.add(Job("model-trial", part, trial, every=0.0, takes="minutes", once=True))
        return None

    def _try(self, embedder: Embedder, texts: list[str]) -> None:
        """See how long a model takes; what was suggested without that is looked up again then."""
        fingerprint = embedder.spec.fingerprint
        try:
            embedder.embed_passages(texts[:1])  # which may have to load it
            began = time.perf_counter()
            embedder.embed_passages(texts)
            rate = len(texts) / (time.perf_counter() - began)
        except EmbedderFailed:
            with self._lock:
                del self._rates[fingerprint]
            return
        with self._lock:
            self._rates[fingerprint] = rate
            self._known = {profile: known for profile, known in self._known.items() if known.model != fingerprint}
