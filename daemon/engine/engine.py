"""One installation, opened: its profiles and stores, the embedding model, search and background indexing."""

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

from scrubjay.credential_filter import Rules, redact_text
from scrubjay.daemon.documents.document_loop import FileLoop
from scrubjay.daemon.engine.model_suggestions import ModelsHere, Suggestions
from scrubjay.daemon.engine.note_preparation import Preparation
from scrubjay.daemon.engine.open_models import Model, Models
from scrubjay.daemon.engine.open_profiles import Opener, OpenProfiles
from scrubjay.daemon.engine.personal_ranking import PersonalRanking, tunable
from scrubjay.daemon.engine.profile_sync import ProfileSync
from scrubjay.daemon.engine.query_matrices import QueryMatrices
from scrubjay.daemon.home import Home
from scrubjay.daemon.indexing.progress import ProgressReport
from scrubjay.daemon.indexing.supervisor import Supervisor
from scrubjay.daemon.links.link_graph import GraphCache
from scrubjay.daemon.models.installed import BUNDLED_NAME
from scrubjay.daemon.printable import one_line
from scrubjay.daemon.processes.scheduler import Scheduler
from scrubjay.daemon.review.link_maps import LinkMaps
from scrubjay.daemon.review.looker import Looker
from scrubjay.daemon.review.proposals_found import ComparedNotes, Reviews
from scrubjay.daemon.settings import Settings
from scrubjay.daemon.vault.read import holds_credential
from scrubjay.profiles.errors import ProfileError
from scrubjay.profiles.registry.keys import Custody, KeyStore, OsKeyring
from scrubjay.profiles.registry.profile_settings import description_of
from scrubjay.profiles.registry.registry import Profile, Registry
from scrubjay.profiles.search.meaning.embedder import Embedder, EmbeddingModel
from scrubjay.profiles.search.searcher import Circumstances, Searcher
from scrubjay.profiles.store.store import Store

QUIET_SECONDS = 60.0
"""Without a search, until the daemon counts as idle."""


class Engine:
    """Opens what the registry names and keeps it open. Close it when done; thread-safe.

    Made of `registry` and `custody` (what profiles there are, and their keys), `open_profiles` (which of them are
    open), `profile_sync` (opens and closes them), `preparation` (how notes are prepared), `models`, `supervisor` (the
    background work), `files` (that on files beside notes), `searcher`, `graphs`, `maps`, `matrices`, `suggestions` (of
    other models), `reviews` (what could be tidied) and `near_copies` (which notes say nearly the same), which, as
    `maps` and `matrices`, look by the `looker`, and the `scheduler`, which ends processes that are idle and does what
    is added to it. conditions: what goes wrong in the background, for `status`.
    """

    def __init__(
        self,
        home: Home,
        settings: Settings,
        embedder_for: Callable[[EmbeddingModel], Embedder],
        on_progress: Callable[[str, ProgressReport], None] = lambda _profile, _report: None,
        keys: KeyStore | None = None,
        *,
        replaces: bool = True,
        scheduler: Scheduler | None = None,
    ) -> None:
        """embedder_for: makes what embeds with a model; called once for each model that is in use, closed here.

        replaces: as in `Opener`. scheduler: closed here, as `embedder_for` may need it as well.
        """
        self.home = home.make()
        self.settings = settings
        self.settings_problem = ""  # why changed settings were not taken over
        self.scheduler = scheduler or Scheduler()
        self.conditions = self.scheduler.conditions
        self.models = Models(home.models, embedder_for)
        self.registry = Registry(home.profiles, holds_credential)
        self.custody = Custody(self.registry, keys or OsKeyring())
        self.supervisor = Supervisor(settings.reconcile_minutes * 60, conditions=self.conditions)
        # What embeds for profiles that name no other model, and for the journals, which one search may span.
        self.embedder = self.models.of(BUNDLED_NAME).embedder
        self.graphs = GraphCache()
        self.suggestions = Suggestions(self.scheduler, ModelsHere(home.models))
        self.looker = Looker(self.graphs, self.scheduler)
        self.reviews = Reviews(self.looker)
        self.maps = LinkMaps(self.looker)
        self.open_profiles = known = OpenProfiles()
        self.matrices = QueryMatrices(lambda: tunable(known, self.supervisor), self.is_idle, self.looker)
        self.near_copies = ComparedNotes(
            lambda: tuple(known.stores().values()), self.is_idle, self.looker, lambda: self.scheduler.is_stopping
        )
        self.preparation = Preparation(home, settings, self.scheduler)
        self.files = FileLoop(self.supervisor, settings.reconcile_minutes * 60, conditions=self.conditions)
        self._opener = Opener(self.registry, self.custody, home.machine, self.preparation.rules_of, replaces=replaces)
        self.profile_sync = ProfileSync(
            known, self._opener, self.models, self.preparation, self.supervisor, self.files, on_progress
        )
        self.profile_sync.on_closed(self.looker.leave)
        self.profile_sync.on_closed(self.matrices.forget)
        self.searcher = Searcher(
            known.stores,
            self.embedder,
            embedder_of=lambda name: self.answering(name).embedder,
            personal=PersonalRanking(known, self.matrices, self.preparation.digest_key).looked_up(
                lambda: self.settings.fusion
            ),
            circumstances=Circumstances(self._vault_names, self.description, known.unread, known.unanswered),
        )
        self.profile_sync.sync()

    def warnings(self, profiles: Collection[str] | None = None) -> tuple[str, ...]:
        """What the user should know: rules of theirs that were refused, indexes that had to be built anew, trouble.

        profiles: ids; what concerns others is left out. None: all.
        """
        problem = (self.settings_problem,) if self.settings_problem else ()
        refused, trouble = map(str, self.preparation.rule_errors), self.conditions.sentences()
        return (*refused, *problem, *self._opener.notices(profiles), *trouble)

    def is_begun_anew(self, profile: Profile) -> bool:
        """Whether the profile's index was set aside since the start: its notes may not be in the new one yet."""
        return bool(self._opener.notices((profile.id,)))

    def stores_of(self, profiles: Sequence[Profile]) -> dict[str, Store]:
        """The open stores of these profiles, by the names given; known by id, since a name may have passed on."""
        return self.open_profiles.stores({profile.id: profile.name for profile in profiles})

    def model_of(self, name: str) -> Model:
        """The model of the open profile of this name; the bundled one for a profile that has just been closed."""
        found = (opened.model for opened in self.open_profiles.open() if opened.profile.name == name)
        return next(found, None) or self.models.of(BUNDLED_NAME)

    def answering(self, name: str) -> Model:
        """The model that a search of the open profile of this name asks; else as `model_of`."""
        found = (opened.answering() for opened in self.open_profiles.open() if opened.profile.name == name)
        return next(found, None) or self.models.of(BUNDLED_NAME)

    def closed_error(self, profile_id: str) -> ProfileError | None:
        """Why the profile with this id could not be opened; None when it is open or unknown."""
        found = self.open_profiles.get_closed(profile_id)
        return found[1] if found else None

    def reload(self, settings: Settings) -> None:
        """Take over changed settings and the user's filter rules; notes that these concern are read again."""
        before = self.settings
        has_other_limits = (settings.limits, settings.require_box) != (before.limits, before.require_box)
        self.settings = settings
        self.preparation.reload(settings)
        self.supervisor.reconcile_every(settings.reconcile_minutes * 60)
        self.files.look_every(settings.reconcile_minutes * 60)
        self.profile_sync.take_over_preparation(retry=has_other_limits)

    def description(self, profile: str, vault: str, path: str) -> str:
        """What the user says of the folder of a note in an open profile, credentials taken out; "" where nothing is.

        Of two vaults of a profile with one name either may answer.
        """
        for opened in self.open_profiles.open():
            for folder in opened.profile.vaults if opened.profile.name == profile else ():
                if folder.name == vault and (said := description_of(path, folder.descriptions)):
                    return _redacted(said, self.preparation.rules_of(opened.profile))
        return ""

    def close(self) -> None:
        """Finish the current transaction, stop the background work and close every store."""
        self.scheduler.stop(self._stop_indexing)
        self.reviews.close()
        self.profile_sync.close()
        self.searcher.close()

    def is_idle(self) -> bool:
        """Whether there is nothing else to do: nobody has searched for a while, and nothing waits to be indexed."""
        is_quiet = self.supervisor.quiet_seconds >= QUIET_SECONDS and self.supervisor.wait_until_idle(0)
        return is_quiet and not self.scheduler.is_stopping

    def let_go(self, unused_seconds: float) -> bool:
        """Let go of what is worth keeping only while somebody walks along links; whether there was any."""
        return self.graphs.let_go(unused_seconds)

    def _stop_indexing(self) -> None:
        self.looker.close()
        self.files.stop(self.preparation.boxes.close)
        self.supervisor.stop(self._end_processes)

    def _end_processes(self) -> None:
        """What they have in hand is done again after the next start."""
        self.preparation.close()
        self.models.close()

    def _vault_names(self, profiles: Collection[str] | None = None) -> dict[str, str]:
        """What the vaults of these open profiles (names; None: of all) are called, by id."""
        wanted = None if profiles is None else {name.casefold() for name in profiles}
        return {
            vault.id: vault.name
            for opened in self.open_profiles.open()
            if wanted is None or opened.profile.name.casefold() in wanted
            for vault in opened.profile.vaults
        }


@lru_cache(maxsize=1_000)
def _redacted(said: str, rules: Rules) -> str:
    """Fit for a line. A few texts come with every search, so each is looked at once."""
    return one_line(redact_text(said, rules))
