"""One installation, opened: its profiles and stores, the embedding model, search and background indexing."""

import logging
import threading
from collections.abc import Callable, Collection, Mapping, Sequence

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
from daemon.runtime.opened import OpenProfile, OpenProfiles
from daemon.runtime.preparation import Preparation
from daemon.runtime.stores import Opener
from daemon.search.priors import ProfilePriors
from daemon.search.service import Searcher
from daemon.settings import Settings
from daemon.vault.read import ReadLimits
from profiles.custody import Custody, held, is_held
from profiles.errors import InvalidProfile, ProfileError, StoreHeld, StoreLocked
from profiles.integrity import is_beyond_repair
from profiles.keys import KeyStore, OsKeyring
from profiles.registry import COLOURS, PriorSettings, Profile, Registry, UnreadableProfile
from profiles.store import Store

_log = logging.getLogger(__name__)


class Engine:
    """Opens what the registry names and keeps it open. Close it when done; thread-safe.

    A profile that can't be opened (locked, corrupt, from a newer version, settings that can't be read) is kept in
    `closed` with the reason, and the others answer.
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
    ) -> None:
        """embedder_for: makes what embeds with a model; called once for each model that is in use, closed here.

        replaces: as in `Opener`.
        """
        self.home = home.make()
        self.settings = settings
        self.models = Models(home.models, embedder_for)
        self.registry = Registry(home.profiles)
        self._known = OpenProfiles()
        self.supervisor = Supervisor(settings.reconcile_minutes * 60)
        # What embeds for profiles that name no other model, and for the journals, which one search may span.
        self.embedder = self.models.of(BUNDLED_NAME).embedder
        self.graphs = GraphKeeper()
        self.searcher = Searcher(
            self.stores,
            self.embedder,
            vaults=self._known.vault_names,
            embedder_of=lambda name: self.model_of(name).embedder,
            priors=self._priors,
        )
        self.settings_problem = ""  # why changed settings were not taken over
        self._on_progress = on_progress
        self.custody = Custody(self.registry, keys or OsKeyring())
        self._opener = Opener(self.registry, self.custody, replaces=replaces)
        self._on_sync: list[Callable[[], None]] = []
        self._syncing = threading.Lock()  # one change of what is open at a time
        self._preparation = Preparation(home)
        self._preparer = WatchedPreparer(lambda: self.settings.note_seconds)
        self.sync()

    def stores(self) -> dict[str, Store]:
        """The open stores by profile name."""
        return {opened.profile.name: opened.store for opened in self._known.open()}

    def stores_of(self, profiles: Sequence[Profile]) -> dict[str, Store]:
        """The open stores of these profiles, by the names given; known by id, since a name may have passed on."""
        return self.stores_named({profile.id: profile.name for profile in profiles})

    def stores_named(self, names: Mapping[str, str]) -> dict[str, Store]:
        """The open stores of the profiles with these ids, by the names that the ids are given."""
        return {names[each.profile.id]: each.store for each in self._known.open() if each.profile.id in names}

    def warnings(self, profiles: Collection[str] | None = None) -> tuple[str, ...]:
        """What the user should know: rules of theirs that were refused, indexes that had to be built anew.

        profiles: ids; what concerns others is left out. None: all.
        """
        problem = (self.settings_problem,) if self.settings_problem else ()
        return (*map(str, self._preparation.rule_errors), *problem, *self._opener.notices(profiles))

    def is_begun_anew(self, profile: Profile) -> bool:
        """Whether the profile's index was set aside since the start: its notes may not be in the new one yet."""
        return bool(self._opener.notices((profile.id,)))

    def text_digest(self, text: str) -> bytes:
        """The digest that this installation gives to a chunk's text."""
        return self._preparation.text_digest(text)

    def fingerprint(self, opened: OpenProfile) -> str:
        """What the notes of a profile are prepared with now: rules, parser, chunker, tokenizer."""
        return self._context(opened).fingerprint

    def rules_of(self, profile: Profile) -> Rules:
        """What is redacted for a profile: the built-in rules and the user's, with the profile's own options."""
        return self._preparation.rules_of(profile)

    def opened(self, name: str) -> OpenProfile:
        """The open profile of this name. Raises as `OpenProfiles.named`."""
        return self._known.named(name)

    def opened_as(self, profile: Profile) -> OpenProfile:
        """This very profile, whatever it is called by now. Raises as `OpenProfiles.same`."""
        return self._known.same(profile)

    def model_of(self, name: str) -> Model:
        """The model of the open profile of this name; the bundled one for a profile that has just been closed."""
        found = (opened.model for opened in self._known.open() if opened.profile.name == name)
        return next(found, None) or self.models.of(BUNDLED_NAME)

    def _priors(self, name: str, store: Store) -> ProfilePriors | None:
        """What a profile wants of its links, dates and frontmatter; None: nothing."""
        wants = next((each.profile.priors for each in self._known.open() if each.profile.name == name), None)
        if wants is None or wants == PriorSettings():
            return None
        return ProfilePriors(wants, self.graphs.at_hand(store) if wants.uses_links else None)

    def profiles(self) -> tuple[OpenProfile, ...]:
        """All open profiles, by name."""
        return self._known.open()

    def all_profiles(self) -> tuple[Profile, ...]:
        """Every profile, open or not, by name."""
        return self._known.all()

    def closed(self) -> dict[str, str]:
        """Profiles that could not be opened, with the reason."""
        return self._known.closed()

    def closed_error(self, profile_id: str) -> ProfileError | None:
        """Why the profile with this id could not be opened; None when it is open or unknown."""
        found = self._known.get_closed(profile_id)
        return found[1] if found else None

    def forget(self, name: str) -> None:
        """Close a profile and delete its index and its key. Raises ProfileNotFound."""
        with self._syncing:
            found = self.registry.get(name)
            self._shut(found.id, self._known.forget(found.id))
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

        An index that SQLite has come upon damage in is set aside, and begun anew. A profile whose settings can't be
        used is closed until they can.
        retry: the id of a profile that could not be opened, and now may be.
        """
        with self._syncing:
            survey = self.registry.survey()
            wanted = {profile.id: profile for profile in survey.profiles}
            changed = False
            for key in self._known.ids() - wanted.keys() - {found.id for found in survey.unreadable}:
                self._shut(key, self._known.forget(key))
                changed = True
            for unreadable in survey.unreadable:
                changed = self._shut_out(unreadable) or changed
            for key, profile in wanted.items():
                changed = self._follow(profile, self._known.get(key), retry=key == retry) or changed
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
            for opened in self._known.open():
                self._shut(opened.profile.id, self._known.forget(opened.profile.id))
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
        if profile.locked:
            self.custody.let_go(profile)
        is_busy = is_held(self.registry.folder_of(profile))
        if opened is None:
            closed = self._known.get_closed(profile.id)
            if closed and closed[0] == profile and not retry and not _is_over(closed[1], is_busy=is_busy):
                return False
            self._open_profile(profile)
        elif is_busy or profile.locked:
            locked = StoreLocked(f"It is locked; `scrubjay unlock {profile.argument}` opens it.")
            self._close(profile, StoreHeld("A command is at work on it.") if is_busy else locked)
        elif opened.store.damaged or (opened.store.suspect and is_beyond_repair(opened.store)):
            self._renew(profile)
        elif opened.profile != profile or opened.model != self.models.of(profile.model):
            self._admit(OpenProfile(profile, opened.store, opened.progress, self.models.of(profile.model)))
        else:
            return False
        return True

    def _shut_out(self, unreadable: UnreadableProfile) -> bool:
        """Close a profile whose settings can't be used: they may say what must not be read. Whether that is new."""
        closed = self._known.get_closed(unreadable.id)
        if closed and str(closed[1]) == unreadable.reason:
            return False
        _log.error("the settings of a profile can't be used", extra={"profile": unreadable.id})
        known = Profile(id=unreadable.id, name=unreadable.name, colour=COLOURS[0])
        self._close(known, InvalidProfile(unreadable.reason))
        return True

    def _open_profile(self, profile: Profile, *, anew: bool = False) -> None:
        try:
            found = self._opener.open(profile, anew=anew)
        except ProfileError as error:
            level = logging.INFO if isinstance(error, (StoreHeld, StoreLocked)) else logging.ERROR
            _log.log(level, "a profile stays closed", extra={"profile": profile.id, "code": error.code})
            self._known.put_closed(profile, error)
            return
        progress = Progress(lambda report: self._on_progress(profile.id, report))
        self._admit(OpenProfile(found.profile, found.store, progress, self.models.of(found.profile.model)))

    def _renew(self, profile: Profile) -> None:
        self._close(profile, StoreHeld("Its index is begun anew."))
        self._open_profile(profile, anew=True)

    def _admit(self, opened: OpenProfile) -> None:
        key, before = opened.profile.id, self._known.put(opened)
        if before is not None and before.model != opened.model:
            self.supervisor.halt(key)  # or texts would go on being embedded by the old model
        indexed = Indexed(opened.store, self.indexer(opened), opened.model.embedder, opened.progress)
        self.supervisor.add(key, indexed)

    def _close(self, profile: Profile, why: ProfileError) -> None:
        self._shut(profile.id, self._known.put_closed(profile, why))

    def _shut(self, key: str, opened: OpenProfile | None) -> None:
        """Once searches know of it no more: wait for its background work, and close it."""
        self.supervisor.remove(key)
        if opened is not None:
            opened.store.close()

    def _context(self, opened: OpenProfile) -> PrepareContext:
        return self._preparation.context(opened.profile, opened.model, self.settings.limits.chunks_per_note)


def _is_over(why: ProfileError, *, is_busy: bool) -> bool:
    """Whether what kept a profile closed may have passed, though its settings are as they were."""
    return isinstance(why, InvalidProfile) or (isinstance(why, StoreHeld) and not is_busy)
