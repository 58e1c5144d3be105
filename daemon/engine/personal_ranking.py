"""What moves the queries and results of each open profile, looked up when it is searched."""

from collections.abc import Callable, Sequence

from scrubjay.daemon.engine.open_profiles import OpenProfiles
from scrubjay.daemon.engine.query_matrices import QueryMatrices, Tunable
from scrubjay.daemon.indexing.supervisor import Supervisor
from scrubjay.profiles.digests import text_digest
from scrubjay.profiles.journal.hidden_notes import NONE_HIDDEN, HiddenHere, hidden_here, hidden_ids
from scrubjay.profiles.journal.search_event import Opening, as_compared
from scrubjay.profiles.journal.searches import openings
from scrubjay.profiles.registry.registry import PriorSettings, Profile
from scrubjay.profiles.search.meaning.query_matrix import QueryMatrix
from scrubjay.profiles.search.rank.retrieval import Personal
from scrubjay.profiles.search.types import Fusion
from scrubjay.profiles.store.store import Store


class PersonalRanking:
    """Thread-safe; a profile that has just been closed is ranked by its notes alone."""

    def __init__(self, profiles: OpenProfiles, matrices: QueryMatrices, digest_key: Callable[[Profile], bytes]) -> None:
        self._profiles = profiles
        self._matrices = matrices
        self._digest_key = digest_key

    def looked_up(self, fusion: Callable[[], Fusion]) -> Personal:
        """All of it, as searches want it. fusion: as the user has set it."""
        return Personal(self._priors, self._matrix, self._opened_before, self._hidden, fusion)

    def _priors(self, name: str) -> PriorSettings | None:
        """The priors of a profile; None where it has none."""
        profile = self._named(name)
        return profile.priors if profile is not None and profile.priors.moves_results else None

    def _matrix(self, name: str, store: Store, model: str) -> QueryMatrix | None:
        """The query matrix of a profile; None where its owner wants none, or none is good enough."""
        profile = self._named(name)
        return self._matrices.of(store, model) if profile is not None and profile.tuned else None

    def _opened_before(self, name: str, store: Store) -> Sequence[Opening]:
        """What was opened from a profile's results; nothing where its owner wants that not to count."""
        profile = self._named(name)
        if profile is None or not (profile.history and profile.priors.opened):
            return ()
        return store.derived(openings)

    def _hidden(self, name: str, store: Store, query: str) -> HiddenHere:
        """Which notes of a profile a query is not to find."""
        profile, rows = self._named(name), store.derived(hidden_ids)
        if profile is None or not rows:
            return NONE_HIDDEN
        return hidden_here(rows, query, text_digest(as_compared(query), self._digest_key(profile)))

    def _named(self, name: str) -> Profile | None:
        return next((each.profile for each in self._profiles.open() if each.profile.name == name), None)


def tunable(profiles: OpenProfiles, supervisor: Supervisor) -> list[Tunable]:
    """The open profiles as the background work of tuning sees them."""
    return [
        Tunable(
            each.store,
            each.model.embedder,
            each.profile.tuned and not supervisor.is_paused(each.profile.id),
        )
        for each in profiles.open()
    ]
