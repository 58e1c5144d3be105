"""One profile's tables on a team's server."""

import logging
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar, cast

import psycopg

from scrubjay.profiles.errors import (
    StoreAway,
    StoreBusy,
    StoreClosed,
    StoreDenied,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreTooNew,
)
from scrubjay.profiles.search.meaning import vectors
from scrubjay.profiles.search.words.analysis import ANALYSED_BY, ANALYSIS_VERSION
from scrubjay.profiles.search.words.evidence import LexicalQuery, part_of
from scrubjay.profiles.search.words.vocabulary import NearTerm
from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.store.integrity import IntegrityProblem
from scrubjay.profiles.store.ownership import Ownership
from scrubjay.profiles.store.statements import Asked, Connection, counted, generation_of, upsert
from scrubjay.profiles.store.store import SOON_READ, UNREADABLE, ServerFigures, Store
from scrubjay.profiles.store.writer import Writer
from scrubjay.profiles.team import integrity, vector_index, word_hashing
from scrubjay.profiles.team.connection import READ_SECONDS, WRITE_SECONDS, Connections, ProfileConnection
from scrubjay.profiles.team.hashed_words import HashedWords
from scrubjay.profiles.team.known_notes import GONE_BEFORE
from scrubjay.profiles.team.leases import LeasedOwnership
from scrubjay.profiles.team.search_arrays import TeamArrays
from scrubjay.profiles.team.server import ENTRY_SECONDS, ServerSilent, connect, schema_of, store_error
from scrubjay.profiles.team.team_key import NO_KEYS, TeamKeys
from scrubjay.profiles.team.vault_names import SEALED, VaultNames

GENERATIONS_KEPT, _DROP_EVERY = 10_000, 1_000
AWAY_SECONDS = 1.0
"""For so long nobody tries again whether a server that was away is there."""
SEEN_SECONDS = 60.0
"""How often the other machines are told that this one lives, at most."""

_LOCK_GENERATION = "SELECT CAST(value AS bigint) + 1 FROM meta WHERE name = 'generation' FOR UPDATE"
_LOCKER = "SELECT CAST(xmax AS text) FROM meta WHERE name = 'generation'"  # the transaction that writes just now
_END_STOPPED = "SELECT CAST(scrubjay.end_stopped(CAST(CAST(? AS text) AS xid)) AS text)"
_LOCKED_BY = (
    "SELECT CAST(usename AS text) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'transactionid'"
    " AND granted AND mode = 'ExclusiveLock' AND CAST(transactionid AS text) = ?"
)
_SET_GENERATION = (
    "SELECT set_config('scrubjay.generation', CAST(CAST(value AS bigint) + 1 AS text), TRUE)"
    " FROM meta WHERE name = 'generation'"
)
_LOOKED_AT_SECONDS = 2.0  # between two looks at how far an index is
WORDS_RENEWED_SECONDS = 300.0
"""How often the words of a large profile are read again, which takes seconds of the server's, while others write."""

T = TypeVar("T")
_log = logging.getLogger(__name__)


class TeamStore(Store):
    """A store on a server. Other machines write to it too: what is in RAM is brought up to date by each read.

    path: by what errors name the store. machine: who this one is among them, see `leases`; "" writes as if there were
    no other. stays: whether a text must not leave this computer, see `ProfileConnection`. keys: by which words are
    asked for; all who use a profile have the same. A connection that is lost is made anew by the next use.
    """

    is_shared = True
    _words_behind = 1_000  # read as a whole: words that others wrote since are found, only not for a typo

    def __init__(
        self,
        path: Path,
        address: ServerAddress,
        password: str | None,
        profile: int,
        machine: str = "",
        stays: Callable[[str], bool] = lambda _text: False,
        keys: TeamKeys = NO_KEYS,
    ) -> None:
        self._vault_names = VaultNames(keys.key)
        arrays = TeamArrays(self._vault_names)
        super().__init__(path, arrays)
        self._known_notes = arrays.known_notes
        self._words = HashedWords(keys)
        self.machine = machine
        self._stays = stays
        self.digest_scope = str(path)
        self._address, self._password, self._profile = address, password, profile
        self._connections = Connections(self._connect)
        self._closed = False
        self._next_try = float("-inf")  # when somebody may see whether a server that was away is there again
        self._answer_seconds: float | None = None
        self._run = ""  # see `ProfileConnection.run`
        self._seen = float("-inf")  # when the others were last told of this machine
        self._model = ""  # that they were told of

    @classmethod
    def open(
        cls,
        path: Path,
        address: ServerAddress,
        password: str | None,
        profile: int,
        machine: str = "",
        stays: Callable[[str], bool] = lambda _text: False,
        keys: TeamKeys = NO_KEYS,
    ) -> "TeamStore":
        """Open the profile of this number. Raises StoreAway, StoreDenied, KeyChanged, StoreTooNew.

        What an older version has written, or was hashed by the key before, is made ready first, which takes some nine
        seconds for each 10,000 passages.
        """
        store = cls(path, address, password, profile, machine, stays, keys)
        try:
            with store.reading(short=True) as connection:
                store._refuse_newer(connection)
                store._vault_names.take(connection.execute(*SEALED).fetchall())
            store._hash_words()
        except BaseException:
            store.close()
            raise
        return store

    def _hash_words(self) -> None:
        """Hash the words that are not hashed by today's key. Raises StoreError where only a writer can."""
        while self.read(word_hashing.is_waiting):
            if self.read_only is not None:
                what = "The words of this team's profile are not ready yet: another member makes them so."
                raise StoreError(f"{what} Where that lasts, its owner runs `scrubjay team upgrade`.", self.path)
            with self.writing() as writer:
                word_hashing.hash_next(cast("ProfileConnection", writer.connection))

    def close(self) -> None:
        """See `Store`."""
        super().close()
        self._closed = True
        if self.away is not None:
            self._cut()
        self._connections.close()

    @contextmanager
    def writing(self, *, durable: bool = False) -> Generator[Writer]:
        """See `Store`: other machines wait, too. The server keeps what it has confirmed, whatever `durable` says.

        For one whose program has stopped meanwhile nobody waits for longer than `_WRITER_SETTINGS` says.
        """
        del durable
        if self.read_only is not None:
            raise StoreReadOnly(str(self.read_only), self.path)
        with self._naming(), self._connections.one("write") as connection:
            with ExitStack() as transaction:
                try:
                    generation = transaction.enter_context(self._in_turn(connection))
                except psycopg.errors.LockNotAvailable:
                    self._end_stopped(connection)
                    generation = transaction.enter_context(self._in_turn(connection))
                told = self._tell_seen(connection)
                writer = Writer(connection)
                yield writer
                writer.finish()
                if generation % _DROP_EVERY == 0:
                    _drop_old_removals(connection, generation - GENERATIONS_KEPT)
            self._let_go()
            self._know(connection.run)
            self._arrays.changed(writer.changes, generation)
            self._seen = max(self._seen, told)

    @contextmanager
    def _in_turn(self, connection: ProfileConnection) -> Generator[int]:
        """A transaction that alone writes: the generation that it makes."""
        with connection:
            locked = connection.execute(_LOCK_GENERATION)
            connection.execute(_SET_GENERATION)
            checked = connection.check()
            self._refuse_newer(connection)
            connection.verify(checked)
            yield int(locked.get)

    def _end_stopped(self, connection: ProfileConnection) -> None:
        """End the session of whoever keeps all others from writing, if its program says nothing any more.

        Raises StoreBusy where it does, or is none of ours. Nothing is to be done where it has just ended by itself.
        """
        with connection:
            locker = connection.execute(_LOCKER).get
            ended = connection.execute(_END_STOPPED, (locker,)).get
            writes = None if ended else connection.execute(_LOCKED_BY, (locker,)).get
        if ended:
            _log.warning("a session was ended that kept others from writing", extra={"role": ended})
        elif writes:
            where = f"{self._address.server}, as {self._address.user} in {self._address.database}"
            raise StoreBusy(f"{where}: {writes} has been writing for a while. Try again later.") from None

    def say_seen(self) -> None:
        """See `Store`. Nothing that is kept in RAM changes by it."""
        if self.read_only is None and time.monotonic() - self._seen >= SEEN_SECONDS:
            with self._naming(), self._connections.one("write") as connection, connection:
                self._seen = self._tell_seen(connection)

    def _tell_seen(self, connection: Connection) -> float:
        """Tell the others, unless they were told just now; when they were last told."""
        now = time.monotonic()
        if not self.machine or now - self._seen < SEEN_SECONDS:
            return self._seen
        sql = "INSERT INTO machine (id) VALUES (?) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at"
        connection.execute(sql, (self.machine,))
        return now

    def _with_model(self, model: str, read: Callable[[Connection], T], nothing: T) -> T:
        if self.machine and self._model != model and self.read_only is None:
            self._choose_model(model)
            self._model = model
        return super()._with_model(model, read, nothing)

    def _choose_model(self, model: str) -> None:
        """Use a model if this machine had another one before, or nobody has one.

        Machines of different versions, or settings, would change it back for ever otherwise.
        """
        sql = "SELECT model FROM machine WHERE id = ?"
        with self.reading() as connection:
            if connection.execute(sql, (self.machine,)).get == model:
                return
        with self.writing() as writer:
            before = writer.connection.execute(sql, (self.machine,)).get
            if before or vectors.current_model(writer.connection) is None:
                writer.use_model(model)
            writer.connection.execute(upsert("machine", ("id",), ("model",)), (self.machine, model))

    def _use_model(self, model: str) -> None:
        if not self.machine and self.read_only is None:
            super()._use_model(model)

    def _refuse_newer(self, connection: Connection) -> None:
        """Words that are analysed in two ways would not be found to be taken out again."""
        version = connection.execute("SELECT value FROM meta WHERE name = ?", (ANALYSED_BY,)).get
        if int(version or 0) > ANALYSIS_VERSION:
            what = "Another member's Scrubjay is newer, and reads words differently."
            raise StoreTooNew(f"{what} Update Scrubjay on this computer.", self.path)

    @contextmanager
    def _snapshot(self, *, short: bool = False, ahead: Sequence[Asked] = ()) -> Generator[Connection]:
        """See `Snapshots`."""
        use = "short" if short else "search"
        with self._naming(UNREADABLE), self._connections.one(use) as connection, ExitStack() as snapshot:
            began = time.monotonic()
            snapshot.enter_context(_read_only(connection, ahead=ahead))
            if ahead:
                self._answer_seconds = time.monotonic() - began
            self._know(connection.run)
            yield connection

    def _telling(self) -> AbstractContextManager[None]:
        """See `Snapshots`."""
        return self._naming(UNREADABLE)

    def server_figures(self) -> ServerFigures:
        """See `Store`."""
        connections, waiting = self._connections.counts()
        return ServerFigures(connections, waiting, self._answer_seconds)

    def ahead_of(self, query: LexicalQuery) -> Sequence[Asked]:
        """See `Store`."""
        terms = self._arrays.evidence.unread([part_of(key) for key in query.keys])
        return (self._words.asked(terms),) if terms else ()

    def index_vectors(self, model: str, told: Callable[[int], bool]) -> None:
        """See `Store`."""
        if self.read_only is not None:
            return
        with self.reading() as connection:
            wanted = vector_index.to_index(connection, model)
        if wanted is None:
            return
        model_row, count = wanted
        with self._naming(), self._connections.one("write") as connection, ThreadPoolExecutor(1, "index") as pool:
            building = pool.submit(vector_index.build, connection, model_row)
            while not wait((building,), timeout=_LOOKED_AT_SECONDS).done:
                with self.reading(short=True) as looking:
                    left = count - vector_index.built(looking)
                if not told(max(left, 0)):
                    connection.raw.cancel_safe()
            with suppress(psycopg.errors.QueryCanceled):
                building.result()

    @property
    def vault_names(self) -> Mapping[str, str]:
        """See `Store`."""
        return self._vault_names.by_id

    def name_vault(self, vault: str, name: str) -> None:
        """See `Store`."""
        if self.read_only is not None or vault in self.vault_names:
            return
        with self.reading() as connection:
            self._vault_names.take(connection.execute(*SEALED).fetchall())  # another member may have told it since
        if vault not in self.vault_names:
            with self.writing() as writer:
                self._vault_names.tell(writer.connection, vault, name)

    def forget_vault_name(self, writer: Writer, vault: str) -> None:
        """See `Store`."""
        self._vault_names.forget(writer.connection, vault)

    def ownership(self) -> Ownership:
        """See `Store`."""
        return LeasedOwnership(self, self.machine) if self.machine else super().ownership()

    def _own(self, name: str) -> str:
        return f"{name}:{self.machine}" if self.machine else name

    def damage(self, connection: Connection) -> Iterable[IntegrityProblem]:
        """See `Store`."""
        return integrity.damage(connection)

    def phrase_problems(self) -> Iterable[IntegrityProblem]:
        """See `Store`."""
        with self.inspecting() as connection:
            return list(integrity.words(connection))

    def rebuild(self, connection: Connection) -> None:
        """See `Store`."""
        integrity.rebuild(connection)

    @contextmanager
    def inspecting(self) -> Generator[Connection]:
        """See `Store`: what reads everything has time, and what can't be read is told as it is."""
        with self._naming(), closing(self._connect()) as connection, _read_only(connection, WRITE_SECONDS):
            yield connection

    def near_terms(self, word: str, limit: int = 5, *, typed: str = "") -> list[NearTerm]:
        """See `Store`."""
        self._follow_words()
        return super().near_terms(word, limit, typed=typed)

    def compounds(self, word: str, limit: int, languages: tuple[str, ...]) -> list[str]:
        """See `Store`."""
        self._follow_words()
        return super().compounds(word, limit, languages)

    def _follow_words(self) -> None:
        """What others have written is among the words at once where they are few, and soon where they are many."""
        with self.reading(short=True) as connection:
            generation = generation_of(connection)
            chunks = counted(connection, "chunks")
        if chunks <= SOON_READ:
            self._arrays.words.load(self._read_words, generation)
        else:
            self._arrays.words.renew(self._read_words, generation, WORDS_RENEWED_SECONDS)

    def _bytes_stored(self, connection: Connection) -> int:
        sql = (
            "SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class"
            " WHERE relnamespace = to_regnamespace(current_schema()) AND relkind = 'r'"
        )
        return int(connection.execute(sql).get)

    def _connect(self) -> ProfileConnection:
        if self._closed:
            raise StoreClosed(self.path)
        if self.away is not None and time.monotonic() < self._next_try:
            raise StoreAway(str(self.away), self.path)
        try:
            raw = connect(self._address, self._password, timeout=READ_SECONDS, entry_seconds=ENTRY_SECONDS)
        except StoreFull:
            raise  # who waits asks again soon
        except StoreAway:
            self._next_try = time.monotonic() + AWAY_SECONDS
            raise
        made = ProfileConnection(raw, self._profile, self._words, self._known_notes, self.machine, self._stays)
        sql = (
            "SELECT has_schema_privilege(to_regnamespace(?1), 'USAGE'), (SELECT has_table_privilege(oid, 'INSERT')"
            " FROM pg_class WHERE relnamespace = to_regnamespace(?1) AND relname = 'meta')"
        )
        may_come_in, may_write = made.execute(sql, (schema_of(self._profile),)).get
        if not may_come_in:
            made.close()
            raise self._refusal(may_come_in)
        self.read_only = None if may_write else StoreReadOnly(_reads(self._address.user), self.path)
        return made

    def _refusal(self, may_come_in: bool | None) -> StoreError:
        """Why a member whom the server lets in may not use the profile. may_come_in: None where it is not there."""
        where = f"{self._address.server}, as {self._address.user}"
        if may_come_in is None:
            return StoreError(f"{where}: the profile is not there any more. Ask the team's owner.", self.path)
        return StoreDenied(f"{where}: the profile was taken from this member. Ask the team's owner.", self.path)

    def _know(self, run: str) -> None:
        """Know nothing of what the server has where this is another run of it.

        It may have lost what it had confirmed, and count on from before that: where it crashed and confirms before
        writing (`synchronous_commit = off`), where a copy that was behind has taken its place, and after a restore.
        """
        if run == self._run:
            return
        if self._run:
            self.forget_arrays()
        self._run, self._model, self._seen = run, "", float("-inf")

    @contextmanager
    def _naming(self, damage: tuple[type[Exception], ...] = ()) -> Generator[None]:
        """Errors as ours, with the path that this store is known by. damage: what reading rows may raise besides."""
        try:
            yield
            self.away = None
        except StoreError as error:
            raise self._named(error) from None
        except psycopg.Error as error:
            if isinstance(error, ServerSilent):
                self._next_try = time.monotonic() + AWAY_SECONDS
                self._cut()
            # What PostgreSQL says in detail quotes rows, and a cause ends up in logs.
            raise self._named(store_error(error, self._address)) from None
        except damage as error:
            _log.error("what a server holds can't be read", extra={"error": type(error).__name__})
            what = f"Something on {self._address.server} can't be read ({type(error).__name__})."
            raise StoreError(f"{what} `scrubjay check` tells what.", self.path) from None

    def _named(self, error: StoreError) -> StoreError:
        error.path = self.path
        if isinstance(error, (StoreAway, StoreDenied)):
            self.away = error
        return error

    def _cut(self) -> None:
        """Have all who wait for a server that answers nobody told so, and come in anew after this."""
        self._connections.cut()


def _reads(user: str) -> str:
    return (
        f"{user} is a reader of this team's profile: searches find all that is in it, and nothing is written to it from"
        f" here. Only the team's owner changes that (`team change {user} writer`)."
    )


def _drop_old_removals(connection: Connection, generation: int) -> None:
    """Who last looked before this generation reads all rows anew, and not what changed."""
    connection.execute("DELETE FROM gone WHERE version <= ?", (generation,))
    connection.execute(upsert("meta", ("name",), ("value",)), (GONE_BEFORE, str(generation)))


@contextmanager
def _read_only(
    connection: ProfileConnection, seconds: float = READ_SECONDS, *, ahead: Sequence[Asked] = ()
) -> Generator[None]:
    try:
        connection.begin_snapshot(seconds=seconds, ahead=ahead)
        yield
    finally:
        with suppress(psycopg.Error):  # what went wrong before is told
            connection.end_snapshot()
