"""Keeping what is open in step with the registry of profiles."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b

import msgspec

from scrubjay.daemon.documents.document_loop import FileLoop
from scrubjay.daemon.engine.closed_profiles import let_go
from scrubjay.daemon.engine.note_preparation import Preparation
from scrubjay.daemon.engine.open_models import Models
from scrubjay.daemon.engine.open_profiles import Opener, OpenProfile, OpenProfiles, Retries
from scrubjay.daemon.indexing.progress import Progress, ProgressReport
from scrubjay.daemon.indexing.supervisor import SupervisedProfile, Supervisor
from scrubjay.daemon.models.installed import BUNDLED_NAME
from scrubjay.daemon.processes.memory import overwrite_what_is_freed
from scrubjay.profiles.errors import (
    InvalidProfile,
    ProfileError,
    StoreAway,
    StoreChanging,
    StoreError,
    StoreInUse,
    StoreLocked,
)
from scrubjay.profiles.registry.on_server import OF_COPIES, refuse_on_server
from scrubjay.profiles.registry.registry import COLOURS, Profile, Survey, UnreadableProfile, VaultFolder
from scrubjay.profiles.registry.work_lock import is_work_locked, work_lock
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.integrity_check import is_beyond_repair
from scrubjay.profiles.store.store import Store

_PATIENCE_SECONDS = 3.0  # that requests wait for a change of folders, from when it began; most take less

_MAY_BE_READ = "may be read"  # the meta value: a digest of the folders that were in force

_log = logging.getLogger(__name__)


class _UnexpectedError(StoreError):
    """An exception of no known kind while a profile was opened; it is tried again at each look."""


@dataclass(frozen=True, slots=True)
class _Task:
    """What takes long about a change of a profile: done while other profiles, and what follows them, go on."""

    work: Callable[[], None]
    then: Callable[[Profile], None]  # in turn with other changes; gets the settings as they are by then
    closes: bool  # whether a store is closed, of which something may be left in memory


class ProfileSync:
    """Opens and closes profiles, and gives the open ones to the background work. Thread-safe, one change at a time.

    A profile that can't be opened (locked, corrupt, from a newer version, settings that can't be read) is kept closed
    with the reason, and the others answer. Where work on a profile is to end before it is closed or changed, it is out
    of reach at once, and the rest is done in a thread of its own. on_progress: called with each profile's progress, by
    its id.
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
        self._changing = threading.Lock()  # one change of what is open at a time; guards all but `_pending`
        self._unreported = False  # whether a change is not yet reported to all listeners
        self._retries = Retries()  # of servers that are away
        self._stamps: object = None  # of the settings as they were taken over
        self._busy: set[str] = set()  # profiles on which a task is at work: nobody else changes them
        self._next: dict[str, _Task] = {}  # what is to be done once that is done
        self._settled = threading.Condition()  # guards `_pending`
        self._pending: dict[object, tuple[str, float]] = {}  # profiles with tasks, and since when (monotonic)
        self._letting_go = threading.Lock()  # one at a time

    def on_sync(self, call: Callable[[], None]) -> Callable[[], None]:
        """Call this whenever profiles were opened, changed or closed. The function returned ends that."""
        self._on_sync.append(call)
        return lambda: self._on_sync.remove(call)

    def on_closed(self, call: Callable[[Store], None]) -> None:
        """Call this with each store that was closed, before anything else is done to its file."""
        self._on_closed.append(call)

    def sync(self, *, retry: str | None = None, of: str | None = None, seconds: float | None = None) -> None:
        """Open what is new in the registry, close what is removed, locked or in use by a command, apply what changed.

        An index that SQLite has come upon damage in is set aside, and begun anew. A profile whose settings can't be
        used is closed until they can.
        Waits until all is done; of: what concerns the profile with this id; seconds: or until so many are over. Nobody
        finds what is forbidden by then either way.
        retry: the id of a profile that could not be opened, and now may be; waits for that one alone.
        """
        if retry is not None:
            self._wait(retry)
        with self._changing:
            self._take_over(retry)
        self._wait(of or retry, seconds)

    def sync_if_changed(self, concerns: Callable[[Profile], bool]) -> None:
        """As `sync`, where settings have changed since: what they forbid is in no reply that begins after this.

        Waits a little for the profiles that it concerns; one that takes longer is out of reach meanwhile.
        """
        if self._opener.registry.stamps() != self._stamps:
            with self._changing:
                if self._opener.registry.stamps() != self._stamps:  # or others have seen to it meanwhile
                    self._take_over(None)
        if self._pending:
            self._wait_for_withheld(concerns)

    def forget(self, name: str) -> None:
        """Close a profile and delete its index and its key. Raises ProfileNotFound."""
        found = self._opener.registry.get(name)
        opened, token = self._claim(found.id)
        try:
            if opened is not None:
                self._shut(found.id, opened)
            self._supervisor.resume((found.id,))
            with work_lock(self._opener.registry.folder_of(found)):
                self._opener.custody.remove(found)
        finally:
            with self._changing:
                self._busy.remove(found.id)
                self._unreported = True
                self._report()
            if opened is not None:
                self._let_go()
            self._release(token)

    def begin_anew(self, name: str) -> OpenProfile:
        """Set a profile's damaged index aside and begin another, to be filled from the vault.

        Raises as `OpenProfiles.named`, and InvalidProfile for a team's.
        """
        with self._changing:
            profile = self._profiles.named(name).profile
            refuse_on_server(profile, OF_COPIES)
            self._renew(profile)
        self._wait(profile.id)
        return self._profiles.named(name)

    def take_over_preparation(self, *, retry: bool) -> None:
        """Have the notes read again that changed rules or limits concern; retry: those that failed, too."""
        with self._changing:
            for key, opened in self._profiles.held().items():
                if key not in self._busy:  # else that happens when its task is done
                    self._take_in(opened)
                if retry:
                    self._supervisor.request(key, retry=True)
                    self._files.request(key, retry=True)
            self._report()

    def close(self) -> None:
        """Close every store."""
        while True:
            self._wait()
            with self._changing:
                if not self._busy:
                    for key in self._profiles.held():
                        if opened := self._profiles.forget(key):
                            self._shut(key, opened)
                    return

    # What follows is called while `_changing` is held, but for what tasks do.

    def _take_over(self, retry: str | None) -> None:
        stamps = self._opener.registry.stamps()  # first: what changes from here on is seen next time
        survey = self._opener.registry.survey()
        known = [*(found.id for found in survey.unreadable), *(profile.id for profile in survey.profiles)]
        for key in (*(self._profiles.ids() - {*known}), *known):
            self._follow_one(
                key, survey, self._hide if key in self._busy else partial(self._follow, retry=key == retry)
            )
        self._stamps = stamps  # only now: a reply that begins meanwhile waits
        used = [model for each in self._profiles.held().values() for model in (each.model, each.before)]
        self._models.keep([self._models.of(BUNDLED_NAME), *(model for model in used if model is not None)])
        self._report()

    def _follow_one(self, key: str, survey: Survey, follow: Callable[[Profile], None]) -> None:
        """Drop or close a profile that is gone or spoilt, `follow` the settings of any other."""
        profile = next((each for each in survey.profiles if each.id == key), None)
        unreadable = next((each for each in survey.unreadable if each.id == key), None)
        if unreadable is not None:
            self._close_unreadable(unreadable)
        elif profile is None:
            self._retries.forget(key)
            self._end(key, self._profiles.forget(key))
            self._supervisor.resume((key,))
        else:
            try:
                follow(profile)
            except Exception as error:  # noqa: BLE001  (the last resort: one profile must not cost the others)
                self._give_up(profile, error)

    def _follow(self, profile: Profile, *, retry: bool = False) -> None:
        """Open, change or close one profile to match its settings."""
        if profile.locked:
            self._opener.custody.forget_passphrase_key(profile)
        is_busy = is_work_locked(self._opener.registry.folder_of(profile))
        opened = self._profiles.held().get(profile.id)
        if opened is not None:
            profile = self._as_opened(profile)
        if opened is None:
            closed = self._profiles.get_closed(profile.id)
            if not closed or closed[0] != profile or retry or self._is_over(closed, is_busy=is_busy):
                self._open(profile)
        elif is_busy or profile.locked:
            self._close(profile, _why_closed(profile, is_busy=is_busy))
        elif opened.store.away is not None or (retry and profile.is_shared):
            # Who was told to try again may have been given what opens it now.
            self._retries.failed(profile.id)
            why = opened.store.away or StoreAway("What opens it is another now; it is opened anew.")
            self._close(profile, why, self._open if retry else None)
        elif opened.only_read != (opened.store.read_only is not None):
            why = StoreAway("What its server lets you do has changed; it is opened anew.")
            self._close(profile, why, self._open)
        elif opened.store.damaged or (opened.store.suspect and is_beyond_repair(opened.store)):
            self._renew(profile)
        elif opened.profile != profile or opened.model != self._models.of(profile.model):
            self._admit(opened.successor(profile, self._models.of(profile.model)))
        elif opened.before is not None and opened.answering() == opened.model:
            self._admit(replace(opened, before=None))
        elif not self._supervisor.has(profile.id):  # the work on it was ended for a change, which is done
            self._take_in(opened)

    def _hide(self, profile: Profile) -> None:
        """Put a profile out of reach on which a task is at work, where its settings forbid more by now."""
        opened = self._profiles.get(profile.id)
        if opened is None:
            return
        after = self._as_opened(profile)
        is_busy = is_work_locked(self._opener.registry.folder_of(profile))
        if profile.locked or is_busy:
            self._profiles.withhold(opened, _why_closed(profile, is_busy=is_busy))
        elif _forbids(opened.profile.vaults, after.vaults):
            self._profiles.withhold(opened, _changing(profile))

    def _as_opened(self, profile: Profile) -> Profile:
        if not profile.is_shared:
            return profile
        return self._opener.registry.with_team_vaults(profile, self._preparation.digest_key(profile))

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
        opened = OpenProfile(found.profile, found.store, progress, model, only_read=only_read)
        if _may_hold_excluded(opened):  # its settings were changed while it was closed, or nothing ran
            self._withhold_and_forget(opened)
        else:
            self._take_in(opened)

    def _withhold_and_forget(self, opened: OpenProfile) -> None:
        """Take in an open profile that answers nobody until what may not be read of it is forgotten."""
        self._profiles.withhold(opened, _changing(opened.profile))
        self._begin(opened.profile.id, _Task(partial(self._forget_excluded, opened), self._follow, closes=False))

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
        self._close(profile, StoreInUse("Its index is begun anew."), partial(self._open, anew=True))

    def _admit(self, opened: OpenProfile) -> None:
        """Change an open profile's settings or model."""
        key = opened.profile.id
        before = self._profiles.held()[key]
        if before.model == opened.model and before.profile.vaults == opened.profile.vaults:
            self._take_in(opened)
            return
        # Either way what is at work ends: it would go on by the old model, or in folders that are excluded now.
        if _forbids(before.profile.vaults, opened.profile.vaults):
            self._withhold_and_forget(opened)
        else:
            self._profiles.put(opened)
            self._begin(key, _Task(partial(self._halt, key), self._follow, closes=False))

    def _take_in(self, opened: OpenProfile) -> None:
        key = opened.profile.id
        self._unreported = True
        if self._profiles.put(opened) is not None:
            self._preparation.boxes.forget(key)  # or the file that is being read would be waited for
        indexer, indexer_of_files = self._preparation.indexer(opened), self._preparation.file_indexer(opened)
        self._supervisor.add(key, SupervisedProfile(opened.store, indexer, opened.model.embedder, opened.progress))
        self._files.add(key, indexer_of_files, self._preparation.recognition(opened, indexer_of_files))
        with contextlib.suppress(StoreError):  # a full disk: then the next time
            _keep_what_may_be_read(opened)
            if self._preparation.has_other_key(opened.profile, opened.store):
                _log.warning("the installation key is another one; all notes are read again", extra={"profile": key})
                self._supervisor.request(key, full=True)
                self._files.request(key, full=True)

    def _close(self, profile: Profile, why: ProfileError, then: Callable[[Profile], None] | None = None) -> None:
        """Close a profile. then: in place of `_follow`, once that is done."""
        self._end(profile.id, self._profiles.put_closed(profile, why), then)

    def _end(self, key: str, opened: OpenProfile | None, then: Callable[[Profile], None] | None = None) -> None:
        if opened is None:
            self._unreported = True
        else:
            self._begin(key, _Task(partial(self._shut, key, opened), then or self._follow, closes=True))

    def _report(self) -> None:
        if self._unreported:
            for call in self._on_sync:
                call()
            self._unreported = False

    # Tasks

    def _begin(self, key: str, task: _Task) -> None:
        """Do a task: at once, or after the one that is at work on the profile, which then has no say any more."""
        if key in self._busy:
            self._next[key] = task
        else:
            token = self._hold(key)
            threading.Thread(target=self._do, args=(key, task, token), name="profile-change").start()

    def _do(self, key: str, task: _Task, token: object) -> None:
        upcoming: _Task | None = task
        try:
            while upcoming is not None:
                upcoming = self._do_one(key, upcoming)
        finally:
            self._release(token)

    def _do_one(self, key: str, task: _Task) -> _Task | None:
        """Do a task, and what follows it; another that is to be done then."""
        failed: Exception | None = None
        try:
            task.work()
        except Exception as error:  # noqa: BLE001  (as in `_follow_one`)
            failed = error
        with self._changing:
            self._unreported = True
            try:
                if key not in self._next:
                    follow = task.then if failed is None else partial(self._give_up, error=failed)
                    self._follow_one(key, self._opener.registry.survey(), follow)
            except Exception as error:  # noqa: BLE001  (then the next look follows it)
                _log.error("a change of a profile was not followed", extra={"error": type(error).__name__})
            upcoming = self._next.pop(key, None)
            if upcoming is None:
                self._busy.remove(key)
            self._report()
        if task.closes:
            self._let_go()
        return upcoming

    def _claim(self, key: str) -> tuple[OpenProfile | None, object]:
        """Take a profile out of the table once no task is at work on it, and keep others from it until `_release`."""
        while True:
            self._wait(key)
            with self._changing:
                if key not in self._busy:
                    return self._profiles.forget(key), self._hold(key)

    def _hold(self, key: str) -> object:
        token = object()
        self._busy.add(key)
        with self._settled:
            self._pending[token] = (key, time.monotonic())
        return token

    def _release(self, token: object) -> None:
        with self._settled:
            del self._pending[token]
            self._settled.notify_all()

    def _wait(self, key: str | None = None, seconds: float | None = None) -> None:
        """Wait until the tasks of a profile, or of all, are done, or so many seconds are over."""
        with self._settled:
            self._settled.wait_for(
                lambda: not any(key in (None, each) for each, _ in self._pending.values()), timeout=seconds
            )

    def _wait_for_withheld(self, concerns: Callable[[Profile], bool]) -> None:
        with self._settled:
            while True:
                withheld = self._profiles.withheld()
                waited_for = [
                    since for key, since in self._pending.values() if key in withheld and concerns(withheld[key])
                ]
                left = max(waited_for, default=float("-inf")) + _PATIENCE_SECONDS - time.monotonic()
                if left <= 0:
                    return
                self._settled.wait(left)

    def _halt(self, key: str) -> None:
        self._preparation.boxes.forget(key)
        self._supervisor.halt(key)

    def _forget_excluded(self, opened: OpenProfile) -> None:
        """As `_halt`, and forget at once what may not be read any more: the next look may be paused, or wait."""
        self._halt(opened.profile.id)
        self._files.remove(opened.profile.id)
        self._preparation.indexer(opened).forget_excluded()
        self._preparation.file_indexer(opened).forget_excluded()

    def _shut(self, key: str, opened: OpenProfile) -> None:
        """Wait for the background work of a profile that is no longer searched, and close it."""
        self._preparation.boxes.forget(key)  # or the current file would be waited for
        self._files.remove(key)
        self._supervisor.remove(key)
        opened.store.close()
        for call in self._on_closed:
            call(opened.store)

    def _let_go(self) -> None:
        with self._letting_go:
            let_go(self._models, self._preparation)


def _why_closed(profile: Profile, *, is_busy: bool) -> ProfileError:
    if is_busy:
        return StoreInUse("A command is at work on it.")
    return StoreLocked(f"It is locked; `scrubjay unlock {profile.argument}` opens it.")


def _changing(profile: Profile) -> StoreChanging:
    return StoreChanging(
        f"The folders of {profile.name} were changed, and what is not in them any more is being forgotten. Ask again in"
        " a moment."
    )


def _may_hold_excluded(opened: OpenProfile) -> bool:
    """Whether a store may have notes that may not be read: other settings were in force when it was open last."""
    store = opened.store
    if store.read_only is not None or store.own_meta(_MAY_BE_READ) == _digest_of(opened.profile.vaults):
        return False
    return store.read(reads.note_count) > 0


def _keep_what_may_be_read(opened: OpenProfile) -> None:
    digest = _digest_of(opened.profile.vaults)
    if opened.store.read_only is None and opened.store.own_meta(_MAY_BE_READ) != digest:
        opened.store.set_own_meta(_MAY_BE_READ, digest)


def _digest_of(vaults: Sequence[VaultFolder]) -> str:
    folders = sorted((vault.id, vault.root, sorted(vault.allow), sorted(vault.exclude)) for vault in vaults)
    return blake2b(msgspec.json.encode(folders), digest_size=16).hexdigest()


def _forbids(before: Sequence[VaultFolder], after: Sequence[VaultFolder]) -> bool:
    """Whether something that may have been read may not be read any more."""
    now = {vault.id: vault for vault in after}
    return not all(
        (vault := now.get(known.id)) is not None
        and vault.root == known.root
        and {*known.allow} <= {*vault.allow}
        and {*vault.exclude} <= {*known.exclude}
        for known in before
    )
