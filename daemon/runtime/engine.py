"""One installation, opened: its profiles and stores, the embedding model, search and background indexing."""

import logging
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass

from credential_filter import Rules
from daemon.embedding.model import BUNDLED_NAME
from daemon.embedding.protocol import Embedder, EmbeddingModel
from daemon.graph.keeping import GraphKeeper
from daemon.home import Home
from daemon.indexing.indexer import Indexer
from daemon.indexing.prepare import PrepareContext
from daemon.indexing.preparing import WatchedPreparer
from daemon.indexing.progress import Progress, ProgressReport
from daemon.indexing.supervisor import Indexed, Supervisor
from daemon.runtime.models import Model, Models
from daemon.runtime.preparation import Preparation
from daemon.runtime.stores import Opener
from daemon.search.priors import ProfilePriors
from daemon.search.service import Searcher
from daemon.settings import Settings
from daemon.vault.read import ReadLimits
from profiles.custody import Custody, held, is_held
from profiles.errors import ProfileError, ProfileNotFound, StoreHeld, StoreLocked
from profiles.keys import KeyStore, OsKeyring
from profiles.registry import PriorSettings, Profile, Registry
from profiles.store import Store

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenProfile:
    """A profile whose database answers."""

    profile: Profile
    store: Store
    progress: Progress
    model: Model


class Engine:
    """Opens what the registry names and keeps it open. Close it when done; thread-safe.

    A profile that can't be opened (locked, corrupt, from a newer version) is kept in `closed` with the reason, and the
    others answer.
    """

    def __init__(
        self,
        home: Home,
        settings: Settings,
        embedder_for: Callable[[EmbeddingModel], Embedder],
        on_progress: Callable[[str, ProgressReport], None] = lambda _profile, _report: None,
        keys: KeyStore | None = None,
    ) -> None:
        """embedder_for: makes what embeds with a model; called once for each model that is in use, closed here."""
        self.home = home.make()
        self.settings = settings
        self.models = Models(home.models, embedder_for)
        self.registry = Registry(home.profiles)
        self.supervisor = Supervisor(settings.reconcile_minutes * 60)
        # What embeds for profiles that name no other model, and for the journals, which one search may span.
        self.embedder = self.models.of(BUNDLED_NAME).embedder
        self.graphs = GraphKeeper()
        self.searcher = Searcher(
            self.stores,
            self.embedder,
            vaults=self.vault_names,
            embedder_of=lambda name: self.model_of(name).embedder,
            priors=self._priors,
        )
        self.settings_problem = ""  # why changed settings were not taken over
        self._on_progress = on_progress
        self.custody = Custody(self.registry, keys or OsKeyring())
        self._opener = Opener(self.registry, self.custody)
        self._on_sync: list[Callable[[], None]] = []
        self._lock = threading.Lock()  # guards the two dictionaries; never held while anything waits
        self._syncing = threading.Lock()  # one change of what is open at a time
        self._open: dict[str, OpenProfile] = {}
        self._closed: dict[str, tuple[Profile, ProfileError]] = {}
        self._preparation = Preparation(home)
        self._preparer = WatchedPreparer(lambda: self.settings.note_seconds)
        self.sync()

    def stores(self) -> dict[str, Store]:
        """The open stores by profile name."""
        with self._lock:
            return {opened.profile.name: opened.store for opened in self._open.values()}

    def warnings(self, profiles: Collection[str] | None = None) -> tuple[str, ...]:
        """What the user should know: rules of theirs that were refused, indexes that had to be built anew.

        profiles: ids; what concerns others is left out. None: all.
        """
        problem = (self.settings_problem,) if self.settings_problem else ()
        return (*map(str, self._preparation.rule_errors), *problem, *self._opener.notices(profiles))

    def text_digest(self, text: str) -> bytes:
        """The digest that this installation gives to a chunk's text."""
        return self._preparation.text_digest(text)

    def vault_names(self, profiles: Collection[str] | None = None) -> dict[str, str]:
        """What the vaults of these profiles (names; None: of all) are called, by id."""
        wanted = None if profiles is None else {name.casefold() for name in profiles}
        with self._lock:
            open_profiles = [opened.profile for opened in self._open.values()]
        return {
            vault.id: vault.name
            for profile in open_profiles
            if wanted is None or profile.name.casefold() in wanted
            for vault in profile.vaults
        }

    def fingerprint(self, opened: OpenProfile) -> str:
        """What the notes of a profile are prepared with now: rules, parser, chunker, tokenizer."""
        return self._context(opened).fingerprint

    def rules_of(self, profile: Profile) -> Rules:
        """What is redacted for a profile: the built-in rules and the user's, with the profile's own options."""
        return self._preparation.rules_of(profile)

    def opened(self, name: str) -> OpenProfile:
        """The open profile of this name.

        Raises ProfileNotFound, or, for one that could not be opened, the error that says why.
        """
        with self._lock:
            for found in self._open.values():
                if found.profile.name.casefold() == name.casefold():
                    return found
            for profile, error in self._closed.values():
                if profile.name.casefold() == name.casefold():
                    raise error
        raise ProfileNotFound(f"There is no profile named {name}. `scrubjay profile list` names them all.")

    def model_of(self, name: str) -> Model:
        """The model of the open profile of this name; the bundled one for a profile that has just been closed."""
        with self._lock:
            found = (opened.model for opened in self._open.values() if opened.profile.name == name)
            return next(found, None) or self.models.of(BUNDLED_NAME)

    def _priors(self, name: str, store: Store) -> ProfilePriors | None:
        """What a profile wants of its links, dates and frontmatter; None: nothing."""
        with self._lock:
            wants = next((each.profile.priors for each in self._open.values() if each.profile.name == name), None)
        return None if wants in (None, PriorSettings()) else ProfilePriors(wants, self.graphs.at_hand(store))

    def profiles(self) -> tuple[OpenProfile, ...]:
        """All open profiles, by name."""
        with self._lock:
            return tuple(sorted(self._open.values(), key=lambda opened: opened.profile.name))

    def all_profiles(self) -> tuple[Profile, ...]:
        """Every profile, open or not, by name."""
        with self._lock:
            found = [opened.profile for opened in self._open.values()] + [kept[0] for kept in self._closed.values()]
        return tuple(sorted(found, key=lambda profile: profile.name))

    def closed(self) -> dict[str, str]:
        """Profiles that could not be opened, with the reason."""
        with self._lock:
            return {profile.name: str(error) for profile, error in self._closed.values()}

    def closed_error(self, profile_id: str) -> ProfileError | None:
        """Why the profile with this id could not be opened; None when it is open or unknown."""
        with self._lock:
            found = self._closed.get(profile_id)
            return found[1] if found else None

    def forget(self, name: str) -> None:
        """Close a profile and delete its index and its key. Raises ProfileNotFound."""
        with self._syncing:
            found = self.registry.get(name)
            if found.id in self._open:
                self._shut(found.id)
            self._closed.pop(found.id, None)
            with held(self.registry.folder_of(found)):
                self.custody.remove(found)
            self._tell()

    def begin_anew(self, name: str) -> OpenProfile:
        """Set a profile's damaged index aside and begin another, to be filled from the vault. Raises as `opened`."""
        with self._syncing:
            self._renew(self.opened(name).profile)
            self._tell()
        return self.opened(name)

    def sync(self, *, retry: str | None = None) -> None:
        """Open what is new in the registry, close what is gone, locked or held by a command, take over what changed.

        An index that SQLite has come upon damage in is set aside, and begun anew.
        retry: the id of a profile that could not be opened, and now may be.
        """
        with self._syncing:
            wanted = {profile.id: profile for profile in self.registry.list()}
            changed = False
            for key in [key for key in self._open if key not in wanted]:
                self._shut(key)
                changed = True
            with self._lock:
                self._closed = {key: kept for key, kept in self._closed.items() if key in wanted}
            for key, profile in wanted.items():
                changed = self._follow(profile, self._open.get(key), retry=key == retry) or changed
            self.models.keep([self.models.of(BUNDLED_NAME), *(opened.model for opened in self.profiles())])
            if changed:
                self._tell()

    def reload(self, settings: Settings) -> None:
        """Take over changed settings and the user's filter rules; notes that these concern are read again."""
        with self._syncing:
            has_other_limits = settings.limits != self.settings.limits
            self.settings = settings
            self._preparation.reload()
            self.supervisor.reconcile_every(settings.reconcile_minutes * 60)
            for opened in self.profiles():
                self._admit(opened)
                if has_other_limits:
                    self.supervisor.request(opened.profile.id, retry=True)

    def on_sync(self, call: Callable[[], None]) -> Callable[[], None]:
        """Call this whenever profiles were opened, changed or closed, until what comes back is called."""
        self._on_sync.append(call)
        return lambda: self._on_sync.remove(call)

    def close(self) -> None:
        """Finish the transaction in hand, stop the background work and close every store."""
        self.supervisor.stop()
        self.graphs.close()
        with self._syncing:
            for key in list(self._open):
                self._shut(key)
        self._preparer.close()
        self.searcher.close()
        self.models.close()

    def indexer(self, opened: OpenProfile) -> Indexer:
        """What brings this profile's store in step with its vaults."""
        limits = self.settings.limits
        return Indexer(
            opened.profile.vaults,
            opened.store,
            self._context(opened),
            opened.progress,
            ReadLimits(limits.note_bytes, limits.notes_per_profile),
            self._preparer.prepare,
        )

    def _tell(self) -> None:
        for call in self._on_sync:
            call()

    def _follow(self, profile: Profile, opened: OpenProfile | None, *, retry: bool) -> bool:
        """Bring one profile to the state that its settings want; whether that changed anything."""
        is_busy = is_held(self.registry.folder_of(profile))
        if opened is None:
            closed = self._closed.get(profile.id)
            if closed and closed[0] == profile and not retry and (is_busy or not isinstance(closed[1], StoreHeld)):
                return False
            self._open_profile(profile)
        elif is_busy or profile.locked:
            locked = StoreLocked(f"It is locked; `scrubjay unlock {profile.name}` opens it.")
            self._shut(profile.id, (profile, StoreHeld("A command is at work on it.") if is_busy else locked))
        elif opened.store.damaged:
            self._renew(profile)
        elif opened.profile != profile or opened.model != self.models.of(profile.model):
            self._admit(OpenProfile(profile, opened.store, opened.progress, self.models.of(profile.model)))
        else:
            return False
        return True

    def _open_profile(self, profile: Profile, *, anew: bool = False) -> None:
        try:
            found = self._opener.open(profile, anew=anew)
        except ProfileError as error:
            level = logging.INFO if isinstance(error, (StoreHeld, StoreLocked)) else logging.ERROR
            _log.log(level, "a profile stays closed", extra={"profile": profile.id, "code": error.code})
            with self._lock:
                self._closed[profile.id] = (profile, error)
            return
        progress = Progress(lambda report: self._on_progress(profile.id, report))
        self._admit(OpenProfile(found.profile, found.store, progress, self.models.of(found.profile.model)))

    def _renew(self, profile: Profile) -> None:
        self._shut(profile.id, (profile, StoreHeld("Its index is begun anew.")))
        self._open_profile(profile, anew=True)

    def _admit(self, opened: OpenProfile) -> None:
        key = opened.profile.id
        with self._lock:
            before = self._open.get(key)
            self._open[key] = opened
            self._closed.pop(key, None)
        if before is not None and before.model != opened.model:
            self.supervisor.halt(key)  # or texts would go on being embedded by the old model
        indexed = Indexed(opened.store, self.indexer(opened), opened.model.embedder, opened.progress)
        self.supervisor.add(key, indexed)

    def _shut(self, key: str, closed: tuple[Profile, ProfileError] | None = None) -> None:
        """Take it from the searches first; then wait for its background work, and close it."""
        with self._lock:
            opened = self._open.pop(key)
            if closed:
                self._closed[key] = closed
        self.supervisor.remove(key)
        opened.store.close()

    def _context(self, opened: OpenProfile) -> PrepareContext:
        return self._preparation.context(opened.profile, opened.model, self.settings.limits.chunks_per_note)
