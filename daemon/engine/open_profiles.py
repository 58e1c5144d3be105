"""The profiles that are open, and those that are away."""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from scrubjay.credential_filter import Rules
from scrubjay.daemon.engine.open_models import Model
from scrubjay.daemon.indexing.first_look import was_looked_at
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.models.installed import AbsentModel
from scrubjay.daemon.vault.read import redact_path
from scrubjay.profiles.errors import (
    KeyChanged,
    ProfileError,
    ProfileNotFound,
    StoreAway,
    StoreChanging,
    StoreCorrupt,
    StoreDenied,
    StoreError,
    StoreInUse,
    StoreLocked,
)
from scrubjay.profiles.journal.entries import analyse_anew
from scrubjay.profiles.private_files import stored_key
from scrubjay.profiles.registry.keys import Custody
from scrubjay.profiles.registry.registry import Profile, Registry
from scrubjay.profiles.registry.team_credentials import TeamCredentials
from scrubjay.profiles.registry.work_lock import work_lock
from scrubjay.profiles.search.types import Unanswered, UnansweredCode, UnreadNotes
from scrubjay.profiles.search.words.analysis import ANALYSED_BY, ANALYSIS_VERSION
from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.store import backup, reads
from scrubjay.profiles.store.backup import Rescued, rescue
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import rebuild_words
from scrubjay.profiles.store.store import Store

FIRST_SECONDS = 3.0
LAST_SECONDS = 60.0
_FACTOR = 2.0


@dataclass(frozen=True, slots=True)
class _Wait:
    seconds: float
    until: float


class Retries:
    """One wait for each profile, twice as long after each attempt that failed. Not thread-safe.

    clock: monotonic, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._waits: dict[str, _Wait] = {}

    def failed(self, profile_id: str) -> None:
        """An attempt was made just now, and failed."""
        before = self._waits.get(profile_id)
        seconds = min(before.seconds * _FACTOR, LAST_SECONDS) if before else FIRST_SECONDS
        self._waits[profile_id] = _Wait(seconds, self._clock() + seconds)

    def is_due(self, profile_id: str) -> bool:
        """Whether it may be tried again."""
        wait = self._waits.get(profile_id)
        return wait is None or self._clock() >= wait.until

    def forget(self, profile_id: str) -> None:
        """It is open, or gone: the next failure is a first one."""
        self._waits.pop(profile_id, None)


# Opening a profile's database, with what may have to happen first.

_MOST_SET_ASIDE = 3  # of one profile in the life of one process: a failing disk would go on for ever, and fill up
_OPEN_SECONDS = 2.0  # that another process may take to open the same profile
_MACHINE_BYTES = 8
_SERVER_SECONDS = 3.0  # that a team's server may take to let us in
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenedStore:
    """An open store, and where the file went that was too damaged to open, if there was one."""

    store: Store
    set_aside: Path | None
    rescued: Rescued | None  # what people said and decided that came along from there
    profile: Profile  # as it is now: an interrupted change of key may have been settled
    team_key: bytes | None = None  # what a team's digests are made with; None for a file, of this installation alone


class Opener:
    """Opens the databases of one registry's profiles, and remembers what had to be set aside.

    replaces: whether a database that can't be read is set aside at all; if not, its profile stays closed. machine: the
    file that says who this machine is to those of other members; made when it is first needed. rules_of: what is
    redacted of a profile's small texts.
    """

    def __init__(
        self,
        registry: Registry,
        custody: Custody,
        machine: Path,
        rules_of: Callable[[Profile], Rules],
        *,
        replaces: bool = True,
    ) -> None:
        self.registry = registry
        self.custody = custody
        self._machine = machine
        self._rules_of = rules_of
        self._replaces = replaces
        self._aside: list[tuple[str, str]] = []  # a profile's id, and what to say to its owner

    def open(self, profile: Profile, *, anew: bool = False) -> OpenedStore:
        """As `open_store`, or, for a team's profile, `open_team`.

        Raises, too, StoreCorrupt for a profile whose index is damaged again and again, and StoreError where its folder
        can't be read or written.
        """
        if profile.is_shared:
            machine = stored_key(self._machine, lambda: secrets.token_bytes(_MACHINE_BYTES)).hex()
            return open_team(profile, self.registry, self.custody, machine, partial(self._stays, profile))
        if anew and len(self.notices((profile.id,))) >= _MOST_SET_ASIDE:
            raise StoreCorrupt(
                f"The index of {profile.name} was damaged {_MOST_SET_ASIDE + 1} times since Scrubjay started. The disk"
                " may be failing: have it checked, then `scrubjay check --repair`."
            )
        try:
            found = open_store(profile, self.registry, self.custody, anew=anew, replaces=self._replaces)
        except OSError as error:
            what = f"{self.registry.folder_of(profile)} can't be read or written: {error.strerror}"
            raise StoreError(f"{what}. Mend that, then `scrubjay unlock {profile.argument}`.") from error
        if found.set_aside is not None:
            _log.error("a corrupt index was set aside and is built anew", extra={"profile": profile.id})
            self._aside.append((profile.id, _about_rebuilding(profile, found.set_aside, found.rescued)))
        return found

    def _stays(self, profile: Profile, text: str) -> bool:
        """Whether a text, perhaps a path, holds a credential."""
        return bool(redact_path(text, self._rules_of(profile))[1])

    def notices(self, profiles: Collection[str] | None = None) -> tuple[str, ...]:
        """What was set aside of these profiles (ids; None: of all), and where it is now."""
        return tuple(text for profile, text in self._aside if profiles is None or profile in profiles)


def _about_rebuilding(profile: Profile, aside: Path, rescued: Rescued | None) -> str:
    said = f"The index of {profile.name} could not be read. It was set aside as {aside}, and is built anew."
    if rescued is not None and rescued.said:
        said += f" Kept of it: {rescued.said}."
    if rescued is not None and rescued.missed:
        said += f" Not kept, since it can't be read any more or its note is not read yet: {rescued.missed}."
    return said


def open_store(
    profile: Profile, registry: Registry, custody: Custody, *, anew: bool = False, replaces: bool = True
) -> OpenedStore:
    """Open the database of a profile; `anew`: set it aside, as one that was found damaged, and begin another.

    What an interrupted change of key left behind is settled first. A file that SQLite can't read is set aside and a new
    one begun: what derives from notes is rebuilt from the vault, the rest is copied as far as it can be read.
    Words analysed by an older version are analysed anew.
    Raises StoreInUse while a command is at work on it, StoreLocked, StoreTooNew, StoreBusy; StoreCorrupt unless it
    `replaces` such a file.
    """
    path = registry.store_path(profile)
    with work_lock(registry.folder_of(profile), wait=_OPEN_SECONDS):
        profile = custody.finish_change(profile)
        key = custody.key(profile)
        aside = backup.set_aside(path) if anew else None
        try:
            store = _opened(path, key)
        except StoreCorrupt:
            if not replaces:
                raise
            aside = backup.set_aside(path)
            store = _opened(path, key)
        rescued = None if aside is None else rescue(aside, key, store)
        if store.read(reads.meta, backup.OWNER) != profile.id:
            store.set_meta(backup.OWNER, profile.id)
    return OpenedStore(store, aside, rescued, profile)


def open_team(
    profile: Profile, registry: Registry, custody: Custody, machine: str, stays: Callable[[str], bool]
) -> OpenedStore:
    """Open a team's profile on its server, as the machine of this id. stays: as for `TeamStore`.

    Raises StoreLocked, StoreAway, StoreDenied, KeyChanged, StoreTooNew, and StoreError where psycopg is missing, or the
    team's database is of an older version.
    """
    # Others wait while a profile is opened: a server that is silent must be given up soon, other than by a search.
    credentials = admitted(profile, custody, _SERVER_SECONDS).credentials
    from scrubjay.profiles.team.administration import TeamKeys  # noqa: PLC0415 - psycopg, only for who is in a team
    from scrubjay.profiles.team.team_store import TeamStore  # noqa: PLC0415

    address, password = ServerAddress.parse(profile.server), credentials.password or None
    path, keys = registry.store_path(profile), TeamKeys(credentials.key, credentials.words_key)
    store = TeamStore.open(path, address, password, profile.team_number, machine, stays, keys)
    try:
        _bring_words_up_to_date(store)
        profile = registry.with_team_vaults(profile, credentials.key)
    except BaseException:
        store.close()
        raise
    return OpenedStore(store, None, None, profile, credentials.key)


@dataclass(frozen=True, slots=True)
class Admission:
    """A team's server has let us in."""

    credentials: TeamCredentials
    seconds_ahead: float  # of this computer's clock, compared with the server's


def admitted(profile: Profile, custody: Custody, seconds: float) -> Admission:
    """What opens a team's profile, once its server has let us in within so many seconds. Raises as `open_team`."""
    credentials = custody.team(profile)
    from scrubjay.profiles.team import administration  # noqa: PLC0415 - psycopg, only for who is in a team

    address = ServerAddress.parse(profile.server)
    with administration.connected(
        address, credentials.password, profile=profile.team_number, seconds=seconds
    ) as connection:
        administration.require_current(connection)
        return Admission(credentials, administration.seconds_ahead(connection))


def _opened(path: Path, key: bytes | None) -> Store:
    store = FileStore.open(path, key=key)
    try:
        _bring_words_up_to_date(store)
    except BaseException:
        store.close()
        raise
    return store


def _bring_words_up_to_date(store: Store) -> None:
    if store.read(reads.meta, ANALYSED_BY) == str(ANALYSIS_VERSION) or store.read_only is not None:
        return
    with store.writing() as writer:
        known = writer.connection.execute("SELECT value FROM meta WHERE name = ?", (ANALYSED_BY,)).get
        if known == str(ANALYSIS_VERSION):
            return  # another member has just done it
        if known is not None:
            rebuild_words(writer.connection)
            analyse_anew(writer.connection)
        writer.set_meta(ANALYSED_BY, str(ANALYSIS_VERSION))
    store.forget_arrays()


@dataclass(frozen=True, slots=True)
class OpenProfile:
    """A profile whose database answers."""

    profile: Profile
    store: Store
    progress: Progress
    model: Model
    before: Model | None = None  # by which it was read before a change of models; None where that does not answer
    only_read: bool = False  # whether `store.read_only` was set when it was opened: then its vaults were not looked at

    def answering(self) -> Model:
        """The model that searches ask: the one before, until the profile's own has read more of the passages.

        One of both: similarities of two models do not compare, docs/decisions/0005.
        """
        if self.before is None:
            return self.model
        count = self.store.embedded_count
        try:
            own, before = (count(model.embedder.spec.fingerprint) for model in (self.model, self.before))
        except StoreError:
            return self.model
        return self.model if own >= before else self.before

    def successor(self, profile: Profile, model: Model) -> "OpenProfile":
        """The same with changed settings, or a changed model: then the one that answers now goes on meanwhile.

        Not where it reads less than half of the passages: words alone find those, and the new model's first vectors
        are better than it. Nor does it for a model that is not here.
        """
        if model == self.model:
            return replace(self, profile=profile)
        before = self.answering()
        goes_on = not isinstance(model.embedder, AbsentModel) and self._is_read_by(before)
        return replace(self, profile=profile, model=model, before=before if goes_on else None)

    def _is_read_by(self, model: Model) -> bool:
        """Whether a model reads half of the passages, or more."""
        try:
            passages = self.store.read(reads.passage_languages)
        except StoreError:
            return False
        read = sum(count for code, count in passages.items() if model.embedder.spec.reads(code))
        return 2 * read >= sum(passages.values())

    def awaits_first_look(self) -> bool:
        """Whether nothing is stored of a vault because nobody has looked at it yet, which is not to say it is empty."""
        if self.store.read_only is not None:
            return False
        unseen = [vault.id for vault in self.profile.vaults if not self.progress.has_counted(vault.id)]
        try:
            return not all(was_looked_at(self.store, vault) for vault in unseen)
        except StoreError:
            return False  # it does not answer at all, which is said by itself


class OpenProfiles:
    """Every profile is in here once, open or closed, by id. Thread-safe; nothing in here waits for anything.

    One that is open may be withheld for a while: it is closed for all who ask, and its store stays open.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards the dictionaries
        self._open: dict[str, OpenProfile] = {}
        self._withheld: dict[str, OpenProfile] = {}  # each is in `_closed`, too
        self._closed: dict[str, tuple[Profile, ProfileError]] = {}

    def put(self, opened: OpenProfile) -> OpenProfile | None:
        """Take in an open profile, withheld no longer; what it was before, if it was open."""
        with self._lock:
            before = self._taken_out(opened.profile.id)
            self._open[opened.profile.id] = opened
            return before

    def put_closed(self, profile: Profile, error: ProfileError) -> OpenProfile | None:
        """Take in a profile that is closed from now on, and why; what it was before, if it was open."""
        with self._lock:
            before = self._taken_out(profile.id)
            self._closed[profile.id] = (profile, error)
            return before

    def withhold(self, opened: OpenProfile, error: ProfileError) -> None:
        """Take in an open profile that answers nobody until it is `put` again, and why."""
        with self._lock:
            self._taken_out(opened.profile.id)
            self._withheld[opened.profile.id] = opened
            self._closed[opened.profile.id] = (opened.profile, error)

    def forget(self, profile_id: str) -> OpenProfile | None:
        """Drop a profile from the table; returns it if it was open."""
        with self._lock:
            return self._taken_out(profile_id)

    def ids(self) -> set[str]:
        """Of all of them."""
        with self._lock:
            return {*self._open, *self._closed}

    def get(self, profile_id: str) -> OpenProfile | None:
        """The open profile with this id, or None."""
        with self._lock:
            return self._open.get(profile_id)

    def held(self) -> dict[str, OpenProfile]:
        """All whose stores are open, withheld or not, by id."""
        with self._lock:
            return {**self._open, **self._withheld}

    def withheld(self) -> dict[str, Profile]:
        """All that are open, and answer nobody, by id."""
        with self._lock:
            return {key: opened.profile for key, opened in self._withheld.items()}

    def get_closed(self, profile_id: str) -> tuple[Profile, ProfileError] | None:
        """The closed profile with this id, as it was when it was tried last, and the reason; or None."""
        with self._lock:
            return self._closed.get(profile_id)

    def named(self, name: str) -> OpenProfile:
        """The open profile of this name, case aside.

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

    def stores(self, names: Mapping[str, str] | None = None) -> dict[str, Store]:
        """The open stores by profile name; names: of these ids alone, by the names that the ids are given."""
        if names is None:
            return {each.profile.name: each.store for each in self.open()}
        return {names[each.profile.id]: each.store for each in self.open() if each.profile.id in names}

    def same(self, profile: Profile) -> OpenProfile:
        """The open profile with the id of this one. Raises as `named`."""
        with self._lock:
            if found := self._open.get(profile.id):
                return found
            if closed := self._closed.get(profile.id):
                raise closed[1]
        raise ProfileNotFound(f"The profile {profile.name} is not there any more.")

    def open(self) -> tuple[OpenProfile, ...]:
        """Those that are open, by name."""
        with self._lock:
            return tuple(sorted(self._open.values(), key=lambda opened: opened.profile.name))

    def closed(self) -> dict[str, str]:
        """The names of those that are closed, with the reason."""
        with self._lock:
            return {profile.name: str(error) for profile, error in self._closed.values()}

    def all(self) -> tuple[Profile, ...]:
        """Every profile, by name."""
        with self._lock:
            found = [opened.profile for opened in self._open.values()] + [kept[0] for kept in self._closed.values()]
        return tuple(sorted(found, key=lambda profile: profile.name))

    def _taken_out(self, profile_id: str) -> OpenProfile | None:
        self._closed.pop(profile_id, None)
        return self._open.pop(profile_id, None) or self._withheld.pop(profile_id, None)

    def unread(self, ids: Collection[str]) -> UnreadNotes:
        """What of the open profiles with these ids has not been read yet."""
        opened = [each for each in self.open() if each.profile.id in ids]
        return UnreadNotes(
            sum(each.progress.report().unread for each in opened),
            tuple(each.profile.name for each in opened if each.awaits_first_look()),
        )

    def unanswered(self, name: str) -> Unanswered:
        """Why the profile of this name did not answer; without a path: a client may know nothing of the disk."""
        try:
            store = self.named(name).store
        except ProfileError as error:
            return _closed(name, error)
        if store.away is not None:
            return _closed(name, store.away)
        if store.damaged or store.suspect:
            return Unanswered(name, "Its index is damaged, and is being mended.", "damaged")
        return Unanswered(name, "It did not answer in time.", "late")


_PASSING: tuple[tuple[type[ProfileError], UnansweredCode], ...] = (
    (StoreLocked, "locked"),
    (StoreChanging, "changing"),
    (StoreInUse, "in-use"),
)
_NEW_LINE = "Ask the team's owner for a new invitation, and give it to `scrubjay team join`."


def _closed(name: str, error: ProfileError) -> Unanswered:
    for kind, code in _PASSING:
        if isinstance(error, kind):
            return Unanswered(name, str(error), code)
    if isinstance(error, StoreAway):
        return Unanswered(name, "Its server can't be reached now. It is tried again by itself.", "away")
    if isinstance(error, KeyChanged):
        return Unanswered(name, f"The key of the team's words was changed. {_NEW_LINE}", "key-changed")
    if isinstance(error, StoreDenied):
        return Unanswered(name, f"Its server does not let you in any more. {_NEW_LINE}", "denied")
    return Unanswered(name, "Its index can't be used; `scrubjay doctor` says why.", "unusable")
