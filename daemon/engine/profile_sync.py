"""Keeping what is open in step with the registry of profiles."""

import contextlib
import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from scrubjay.daemon.documents.document_loop import FileLoop
from scrubjay.daemon.engine.closed_profiles import let_go
from scrubjay.daemon.engine.note_preparation import Preparation
from scrubjay.daemon.engine.open_models import Models
from scrubjay.daemon.engine.open_profiles import Opener, OpenProfile, OpenProfiles, Retries
from scrubjay.daemon.indexing.progress import Progress, ProgressReport
from scrubjay.daemon.indexing.supervisor import SupervisedProfile, Supervisor
from scrubjay.daemon.models.installed import BUNDLED_NAME
from scrubjay.daemon.processes.memory import overwrite_what_is_freed
from scrubjay.profiles.errors import InvalidProfile, ProfileError, StoreAway, StoreError, StoreInUse, StoreLocked
from scrubjay.profiles.registry.on_server import OF_COPIES, refuse_on_server
from scrubjay.profiles.registry.registry import COLOURS, Profile, UnreadableProfile
from scrubjay.profiles.registry.work_lock import is_work_locked, work_lock
from scrubjay.profiles.store.integrity_check import is_beyond_repair
from scrubjay.profiles.store.store import Store

_log = logging.getLogger(__name__)


class _UnexpectedError(StoreError):
    """An exception of no known kind while a profile was opened; it is tried again at each look."""


class ProfileSync:
    """Opens and closes profiles, and gives the open ones to the background work. Thread-safe, one change at a time.

    A profile that can't be opened (locked, corrupt, from a newer version, settings that can't be read) is kept closed
    with the reason, and the others answer. on_progress: called with each profile's progress, by its id.
    """

    def __init__(
        self,
        profiles: OpenProfiles,
        opener: Opener,
        models: Models,
        preparation: Preparation,
        supervisor: Supervisor,
        files: FileLoop,
        on_progress: Callable[[str, ProgressReport], None],
    ) -> None:
        self._profiles = profiles
        self._opener = opener
        self._models = models
        self._preparation = preparation
        self._supervisor = supervisor
        self._files = files
        self._on_progress = on_progress
        self._on_closed: list[Callable[[Store], None]] = []
        self._on_sync: list[Callable[[], None]] = []
        self._changing = threading.Lock()  # one change of what is open at a time
        self._unreported = False  # whether a change is not yet reported to all listeners
        self._was_shut = False  # whether a profile was closed of which something may be left in memory
        self._retries = Retries()  # of servers that are away
        self._stamps: object = None  # of the settings as they were taken over

    def on_sync(self, call: Callable[[], None]) -> Callable[[], None]:
        """Call this whenever profiles were opened, changed or closed. The function returned ends that."""
        self._on_sync.append(call)
        return lambda: self._on_sync.remove(call)

    def on_closed(self, call: Callable[[Store], None]) -> None:
        """Call this with each store that was closed, before anything else is done to its file."""
        self._on_closed.append(call)

    def sync(self, *, retry: str | None = None) -> None:
        """Open what is new in the registry, close what is removed, locked or in use by a command, apply what changed.

        An index that SQLite has come upon damage in is set aside, and begun anew. A profile whose settings can't be
        used is closed until they can.
        retry: the id of a profile that could not be opened, and now may be.
        """
        with self._changing:
            stamps = self._opener.registry.stamps()  # first: what changes from here on is seen next time
            survey = self._opener.registry.survey()
            wanted = {profile.id: profile for profile in survey.profiles}
            for key in self._profiles.ids() - wanted.keys() - {found.id for found in survey.unreadable}:
                self._retries.forget(key)
                self._shut(key, self._profiles.forget(key))
                self._supervisor.resume((key,))
            for unreadable in survey.unreadable:
                self._close_unreadable(unreadable)
            for key, profile in wanted.items():
                try:
                    self._follow(profile, retry=key == retry)
                except Exception as error:  # noqa: BLE001  (the last resort: one profile must not cost the others)
                    self._give_up(profile, error)
            self._stamps = stamps  # only now: a reply that begins meanwhile waits
            opened = self._profiles.open()
            used = (model for each in opened for model in (each.model, each.before) if model is not None)
            self._models.keep([self._models.of(BUNDLED_NAME), *used])
            self._notify()

    def sync_if_changed(self) -> None:
        """As `sync`, where settings have changed since: what they forbid is in no reply that begins after this."""
        if self._opener.registry.stamps() != self._stamps:
            self.sync()

    def forget(self, name: str) -> None:
        """Close a profile and delete its index and its key. Raises ProfileNotFound."""
        with self._changing:
            found = self._opener.registry.get(name)
            self._shut(found.id, self._profiles.forget(found.id))
            self._supervisor.resume((found.id,))
            with work_lock(self._opener.registry.folder_of(found)):
                self._opener.custody.remove(found)
            self._notify()

    def begin_anew(self, name: str) -> OpenProfile:
        """Set a profile's damaged index aside and begin another, to be filled from the vault.

        Raises as `OpenProfiles.named`, and InvalidProfile for a team's.
        """
        with self._changing:
            profile = self._profiles.named(name).profile
            refuse_on_server(profile, OF_COPIES)
            self._renew(profile)
            self._notify()
        return self._profiles.named(name)

    def take_over_preparation(self, *, retry: bool) -> None:
        """Have the notes read again that changed rules or limits concern; retry: those that failed, too."""
        with self._changing:
            for opened in self._profiles.open():
                self._admit(opened)
                if retry:
                    self._supervisor.request(opened.profile.id, retry=True)
                    self._files.request(opened.profile.id, retry=True)

    def close(self) -> None:
        """Close every store."""
        with self._changing:
            for opened in self._profiles.open():
                self._shut(opened.profile.id, self._profiles.forget(opened.profile.id))

    def _notify(self) -> None:
        if self._unreported:
            for call in self._on_sync:
                call()
            self._unreported = False
        if self._was_shut:
            self._was_shut = False
            let_go(self._models, self._preparation)

    def _follow(self, profile: Profile, *, retry: bool) -> None:
        """Open, change or close one profile to match its settings."""
        if profile.locked:
            self._opener.custody.forget_passphrase_key(profile)
        is_busy = is_work_locked(self._opener.registry.folder_of(profile))
        opened = self._profiles.get(profile.id)
        if opened is not None and profile.is_shared:
            profile = self._opener.registry.with_team_vaults(profile, self._preparation.digest_key(profile))
        if opened is None:
            closed = self._profiles.get_closed(profile.id)
            if not closed or closed[0] != profile or retry or self._is_over(closed, is_busy=is_busy):
                self._open(profile)
        elif is_busy or profile.locked:
            locked = StoreLocked(f"It is locked; `scrubjay unlock {profile.argument}` opens it.")
            self._close(profile, StoreInUse("A command is at work on it.") if is_busy else locked)
        elif opened.store.away is not None or (retry and profile.is_shared):
            # Who was told to try again may have been given what opens it now.
            self._retries.failed(profile.id)
            self._close(profile, opened.store.away or StoreAway("What opens it is another now; it is opened anew."))
            if retry:
                self._open(profile)
        elif opened.only_read != (opened.store.read_only is not None):
            self._close(profile, StoreAway("What its server lets you do has changed; it is opened anew."))
            self._open(profile)
        elif opened.store.damaged or (opened.store.suspect and is_beyond_repair(opened.store)):
            self._renew(profile)
        elif opened.profile != profile or opened.model != self._models.of(profile.model):
            self._admit(opened.successor(profile, self._models.of(profile.model)))
        elif opened.before is not None and opened.answering() == opened.model:
            self._admit(replace(opened, before=None))

    def _close_unreadable(self, unreadable: UnreadableProfile) -> None:
        """Close a profile whose settings can't be used: they may say what must not be read."""
        closed = self._profiles.get_closed(unreadable.id)
        if not closed or str(closed[1]) != unreadable.reason:
            _log.error("the settings of a profile can't be used", extra={"profile": unreadable.id})
            known = Profile(id=unreadable.id, name=unreadable.name, colour=COLOURS[0])
            self._close(known, InvalidProfile(unreadable.reason))

    def _give_up(self, profile: Profile, error: Exception) -> None:
        reason = f"Opening it failed ({type(error).__name__}) and is tried again; see the log."
        closed = self._profiles.get_closed(profile.id)
        if not closed or str(closed[1]) != reason:
            _log.error("a profile can't be opened", extra={"profile": profile.id, "error": type(error).__name__})
            self._close(profile, _UnexpectedError(reason))

    def _open(self, profile: Profile, *, anew: bool = False) -> None:
        if profile.encrypted or profile.is_shared:
            overwrite_what_is_freed()
        try:
            model = self._models.of(profile.model)
            found = self._opener.open(profile, anew=anew)
        except ProfileError as error:
            self._retries.failed(profile.id)
            if self._is_known(profile, error):
                return
            level = logging.INFO if isinstance(error, (StoreInUse, StoreLocked)) else logging.ERROR
            _log.log(level, "a profile stays closed", extra={"profile": profile.id, "code": error.code})
            self._close(profile, error)
            return
        self._retries.forget(profile.id)
        self._preparation.take_key(found.profile, found.team_key)
        progress = Progress(partial(self._on_progress, profile.id))
        only_read = found.store.read_only is not None
        self._admit(OpenProfile(found.profile, found.store, progress, model, only_read=only_read))

    def _is_known(self, profile: Profile, error: ProfileError) -> bool:
        """Whether the profile is closed for this very reason already: then nothing is to be told."""
        closed = self._profiles.get_closed(profile.id)
        return bool(closed) and closed[0] == profile and str(closed[1]) == str(error)

    def _is_over(self, closed: tuple[Profile, ProfileError], *, is_busy: bool) -> bool:
        """Whether what kept a profile closed may have passed, though its settings are as they were."""
        profile, why = closed
        if isinstance(why, StoreInUse):
            return not is_busy
        if profile.is_shared and not isinstance(why, StoreLocked):
            return self._retries.is_due(profile.id)
        return isinstance(why, (InvalidProfile, _UnexpectedError))

    def _renew(self, profile: Profile) -> None:
        self._close(profile, StoreInUse("Its index is begun anew."))
        self._open(profile, anew=True)

    def _admit(self, opened: OpenProfile) -> None:
        key, before = opened.profile.id, self._profiles.put(opened)
        self._unreported = True
        forbids = before is not None and before.profile.vaults != opened.profile.vaults
        if before is not None and (before.model != opened.model or forbids):
            self._supervisor.halt(key)  # or work would go on by the old model, or in folders that are excluded now
        if before is not None:
            self._preparation.boxes.forget(key)  # or the file that is being read would be waited for
        indexer, indexer_of_files = self._preparation.indexer(opened), self._preparation.file_indexer(opened)
        if forbids:  # now: the look at the vaults that comes next may be paused, or wait for another profile's
            self._files.remove(key)
            indexer.forget_excluded()
            indexer_of_files.forget_excluded()
        self._supervisor.add(key, SupervisedProfile(opened.store, indexer, opened.model.embedder, opened.progress))
        self._files.add(key, indexer_of_files, self._preparation.recognition(opened, indexer_of_files))
        with contextlib.suppress(StoreError):  # a full disk: then the next time
            if self._preparation.has_other_key(opened.profile, opened.store):
                _log.warning("the installation key is another one; all notes are read again", extra={"profile": key})
                self._supervisor.request(key, full=True)
                self._files.request(key, full=True)

    def _close(self, profile: Profile, why: ProfileError) -> None:
        self._shut(profile.id, self._profiles.put_closed(profile, why))

    def _shut(self, key: str, opened: OpenProfile | None) -> None:
        """Wait for the background work of a profile that is no longer searched, and close it."""
        self._unreported = True
        self._preparation.boxes.forget(key)  # or the current file would be waited for
        self._files.remove(key)
        self._supervisor.remove(key)
        if opened is not None:
            opened.store.close()
            for call in self._on_closed:
                call(opened.store)
            self._was_shut = True
