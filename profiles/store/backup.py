"""Copies of a database: backup, restore, export, setting a damaged one aside; and what people decided, carried from one
into another."""

import os
import shutil
import time
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, cast

import apsw

from scrubjay.profiles.errors import StoreCorrupt, StoreError, StoreForeign, StoreLocked, StoreTooNew
from scrubjay.profiles.store import encryption
from scrubjay.profiles.store.absent_vaults import places
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.migrations import foreign_objects, has_table, refuse_unknown
from scrubjay.profiles.store.rows import SAID_WAITS_NS
from scrubjay.profiles.store.sqlite import connect, translated
from scrubjay.profiles.store.statements import Connection, FileConnection, Row, Value
from scrubjay.profiles.store.store import Store

_KEYS = {  # table -> what tells its rows apart; in the order in which they can be written
    "journal": "key",
    "review_answer": "key",
    "decision": "vault, path, digest",
    "search_event": "id",
    "search_opened": "event_id, path",
    "hidden_note": "vault, path, asked",
    "review_suggestion": "key",
}
_CALLED = {  # table -> one, several
    "journal": ("journal entry", "journal entries"),
    "review_answer": ("answer in the review", "answers in the review"),
    "decision": ("decision about a credential", "decisions about credentials"),
    "search_event": ("remembered search", "remembered searches"),
    "hidden_note": ("hidden note", "hidden notes"),
    "review_suggestion": ("suggestion of a program", "suggestions of programs"),
}
_OF_NOTES = "review_suggestion"  # the one table whose rows belong to a note, which may not be in the other database
_Place: TypeAlias = tuple[Value, Value, Value]  # a note's vault, path and digest; no digest where that can't be read
_WAIT = ("vault", "path", "note_digest", "until_ns")  # its columns that say for which note it waits
_MAY_CHANGE = {
    "journal": ("at_ns", "first_ns", "replaced_by", "replaced_ns")
}  # columns; all others of such a row stay as they were written


@dataclass(frozen=True, slots=True)
class Rescued:
    """What was carried over. Keys are tables."""

    rows: Mapping[str, int]  # how many are in the other database now
    lost: Mapping[str, int | None]  # of which some could not be read or have no place: how many; None: nobody knows

    @property
    def said(self) -> str:
        """In words: "2 journal entries, 40 answers in the review"; "" for nothing."""
        return in_words(self.rows)

    @property
    def missed(self) -> str:
        """What could not be carried over, in words; "" where all could."""
        counted = in_words({table: count for table, count in self.lost.items() if count})
        unknown = [_CALLED[table][1] for table, count in self.lost.items() if count is None and table in _CALLED]
        return ", ".join(part for part in (counted, *(f"an unknown number of {name}" for name in unknown)) if part)


def in_words(counts: Mapping[str, int]) -> str:
    """Counts by table as a person reads them; tables that belong to others are not named."""
    return ", ".join(
        f"{count:,} {_CALLED[table][count != 1]}" for table, count in counts.items() if count and table in _CALLED
    )


def rescue(source: Path, key: bytes | None, store: Store) -> Rescued:
    """Write into `store` what people said and decided according to the database at `source`, as far as it can be read.

    What both know is taken from `source`. Suggestions whose note is not in `store` wait there until it is read. Never
    raises for what is wrong with `source`: a file that can't be opened has lost all, and says so.
    """
    try:
        connection = connect(source, key, "reader")
    except StoreError:
        return Rescued({}, dict.fromkeys(_CALLED))
    rows: dict[str, int] = {}
    lost: dict[str, int | None] = {}
    try:
        for table in _KEYS:
            columns, found, is_whole = _read(connection, table)
            if not is_whole:
                lost[table] = None
            if found:
                notes = _notes(connection) if table == _OF_NOTES else None
                rows[table] = _written(store, table, columns, found, notes or {})
            if (total := len(found) if is_whole else _counted(connection, table)) is not None:
                lost[table] = max(0, total - rows.get(table, 0))
        _carry_places(connection, store)
    finally:
        connection.close()
    return Rescued(rows, lost)


def newer(path: Path, key: bytes | None, source: Path, source_key: bytes | None) -> Mapping[str, int]:
    """How many rows of people the database at `path` has that the one at `source` has not. Raises StoreError."""
    counts: dict[str, int] = {}
    here, there = connect(path, key, "reader"), connect(source, source_key, "reader")
    try:
        for table in _CALLED:
            mine, theirs = (_identities(connection, table) for connection in (here, there))
            counts[table] = len(mine - theirs)
    finally:
        here.close()
        there.close()
    return counts


def _identities(connection: FileConnection, table: str) -> set[Row]:
    try:
        return set(connection.execute(f"SELECT {_KEYS[table]} FROM {table}").fetchall())  # noqa: S608
    except apsw.Error:  # it is of a time before there was such a table, or damaged
        return set()


def _counted(connection: FileConnection, table: str) -> int | None:
    """How many rows a table has, where an index of it can be read though the table can't; None: nobody knows."""
    try:
        return int(connection.execute(f"SELECT count(*) FROM {table}").get)  # noqa: S608
    except apsw.Error:
        return None


def _carry_places(connection: FileConnection, store: Store) -> None:
    """Vaults that were taken away before are known by their folders in the other database, too."""
    try:
        known = places(connection)
    except (apsw.Error, UnicodeDecodeError):
        return
    with store.writing() as writer:
        for name, value in known.items():
            writer.set_meta(name, value)


def _read(connection: FileConnection, table: str) -> tuple[list[str], list[Row], bool]:
    """Columns, rows, and whether these are all."""
    try:
        columns = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]
    except apsw.Error:
        return [], [], False
    if not columns:
        return [], [], not has_table(connection, table)
    return columns, *_readable(connection, f"SELECT {', '.join(columns)} FROM {table}", _KEYS[table])  # noqa: S608


def _readable(connection: FileConnection, sql: str, keys: str) -> tuple[list[Row], bool]:
    """The rows that can be read from both ends, up to the damage, and whether these are all."""
    found: dict[Row, None] = {}
    is_whole = True
    for order in ("", f" ORDER BY {keys.replace(', ', ' DESC, ')} DESC"):
        try:
            for row in connection.execute(sql + order):
                found[row] = None
            return list(found), is_whole
        except (apsw.Error, UnicodeDecodeError):
            is_whole = False
    return list(found), False


def _notes(connection: FileConnection) -> Mapping[Value, _Place]:
    """The places of notes by their ids, as far as they can be read: in their table, or in the index of its paths."""
    found, is_whole = _readable(connection, "SELECT id, vault, path, digest FROM note", "id")
    notes: dict[Value, _Place] = {id_: (vault, path, digest) for id_, vault, path, digest in found}
    if not is_whole:
        sql = "SELECT id, vault, path FROM note INDEXED BY sqlite_autoindex_note_1"
        for id_, vault, path in _readable(connection, sql, "vault, path")[0]:
            notes.setdefault(id_, (vault, path, None))
    return notes


def _written(store: Store, table: str, columns: list[str], rows: list[Row], notes: Mapping[Value, _Place]) -> int:
    """How many of the rows are in the store now. notes: of suggestions, places of their notes by id."""
    if table == _OF_NOTES:  # of a time before they could wait
        columns = list(dict.fromkeys((*columns, *_WAIT)))
    marks, keys = ", ".join("?" for _ in columns), _KEYS[table]
    settled = _MAY_CHANGE.get(table, tuple(column for column in columns if column not in keys.split(", ")))
    changes = ", ".join(f"{column} = excluded.{column}" for column in settled if column in columns)
    sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608
    sql += f" ON CONFLICT ({keys}) DO UPDATE SET {changes}" if changes else " ON CONFLICT DO NOTHING"
    count = 0
    with store.writing(durable=True) as writer:
        for row in rows:
            values = list(row)
            if table == _OF_NOTES:
                values = _placed(writer.connection, dict(zip(columns, row, strict=False)), notes)
                if values is None:
                    continue
            try:
                writer.connection.execute(sql, cast("list[Value]", values)).fetchall()
                count += 1
            except (apsw.ConstraintError, apsw.MismatchError):
                continue  # a row that is damaged itself
    return count


def _placed(connection: Connection, row: dict[str, Value], notes: Mapping[Value, _Place]) -> list[Value] | None:
    """The values of a suggestion: of the note at the same place, or waiting for it; None where its note is unknown.

    One that waits for its note already goes on waiting.
    """
    row |= {name: None for name in _WAIT if name not in row}
    if row["note_id"] is not None:
        if row["note_id"] not in notes:
            return None
        vault, path, digest = notes[row["note_id"]]
        there = connection.execute("SELECT id FROM note WHERE vault = ? AND path = ?", (vault, path)).get
        waits = (None,) * len(_WAIT) if there else (vault, path, digest, time.time_ns() + SAID_WAITS_NS)
        row |= {"note_id": there, **dict(zip(_WAIT, waits, strict=True))}
    return list(row.values())


OWNER = "profile"  # the meta value that tells of which profile a database is
BEFORE_RESTORE = "before-restore"
_INCOMING = ".incoming"
_NAMED = 3  # foreign objects in a sentence


def backup(path: Path, key: bytes | None, target: Path) -> None:
    """Write a complete, compact copy of a database that may be in use. An encrypted one stays so, with its key.

    Raises StoreError when `target` is there already or can't be written, StoreLocked for a wrong key.
    """
    with written_whole(target) as part, closing(connect(path, key, "reader")) as connection, translated(target):
        connection.execute("VACUUM INTO ?", (str(part),)).fetchall()


@contextmanager
def written_whole(target: Path) -> Generator[Path]:
    """An empty file beside `target`, readable by its owner alone, that gets that name when the block has written it.

    A process that is killed leaves nothing under the name, and the next that writes to it clears up. Raises StoreError
    where there is a file of that name, or can be none.
    """
    if target.exists():
        raise StoreError(f"{target} is there already. Choose a name that is free.")
    part = target.with_name(f".{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.rename(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StoreError(f"{target} can't be written: {error.strerror}. Choose another place.") from error
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def export(path: Path, key: bytes | None, target: Path, *, export_key: bytes | None) -> None:
    """A `backup` under a key of its own, or (None) readable by anyone who has the file. Errors as `backup`."""
    backup(path, key, target)
    try:
        if key != export_key:
            encryption.change_key(target, key, export_key)
    except BaseException:
        encryption.destroy(target)
        raise


def owner_of(source: Path, key: bytes | None) -> str:
    """The id of the profile that a database says it is of; "" where it does not say, as older Scrubjays
    wrote it. Raises StoreLocked, StoreCorrupt, StoreTooNew, StoreForeign; all name `source`.
    """
    with _naming(source):
        connection = connect(source, key, "reader")
        try:
            refuse_unknown(connection, allow_empty=False)
            return str(connection.execute("SELECT value FROM meta WHERE name = ?", (OWNER,)).get or "")
        finally:
            connection.close()


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did beside putting the copy in its place."""

    aside: Path | None  # where what was there is now; None: nothing was there
    kept: Rescued  # what people said and decided since the copy was made


def restore(
    source: Path, source_key: bytes | None, path: Path, key: bytes | None, *, keep_newer: bool = False
) -> Restored:
    """Put an exported or backed-up database in the place of `path` (or where there is none), under the key `key`.

    Close the store first. The file is checked before anything changes; what was there is set aside, whole. A kill
    leaves the one or the other in its place. keep_newer: what people said and decided in the present database is in
    the restored one, too. Raises StoreLocked for a wrong source key, StoreCorrupt, StoreForeign or StoreTooNew for a
    file that can't be used, StoreBusy. These name `source`.
    """
    incoming = path.with_name(path.name + _INCOMING)
    forget_incoming(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with _naming(source):
            _take_in(source, incoming, source_key)
        if key != source_key:
            encryption.change_key(incoming, source_key, key)
        kept = Rescued({}, {})
        if keep_newer and path.exists():
            with closing(FileStore.open(incoming, key=key)) as store:
                kept = rescue(path, key, store)
        encryption.while_closed(incoming, key, lambda: None)  # folds its log into it
        aside = _copy_aside(path, key) if path.exists() else None
        # A log of the old database must not be taken for the new one's.
        for suffix in ("-wal", "-shm", "-journal"):
            encryption.shred(path.with_name(path.name + suffix))
        incoming.replace(path)
        encryption.sync_folder(path.parent)
    except BaseException:
        encryption.destroy(incoming)
        raise
    return Restored(aside, kept)


def _copy_aside(path: Path, key: bytes | None) -> Path:
    """Give the database at `path` a second name that says when it was; its log is in it, or beside it."""
    aside = _free(path, BEFORE_RESTORE)
    try:
        encryption.while_closed(path, key, lambda: None)
    except StoreError:  # it is damaged: its log goes with it as it is
        for suffix in ("-wal", "-journal"):
            log = path.with_name(path.name + suffix)
            if log.exists():
                shutil.copyfile(log, aside.with_name(aside.name + suffix))
    try:
        aside.hardlink_to(path)
    except OSError:  # a file system without hard links
        aside.touch(mode=0o600)
        shutil.copyfile(path, aside)
    return aside


def forget_incoming(path: Path) -> None:
    """Overwrite and delete what a restore that was broken off has left; it may be under no key. Take the work lock."""
    encryption.destroy(path.with_name(path.name + _INCOMING))


def forget_aside(path: Path) -> None:
    """Overwrite and delete what restores have set aside beside a database: it is under no key, or under an old one."""
    for aside in path.parent.glob(f"{path.name}.{BEFORE_RESTORE}-*"):
        encryption.shred(aside)


def _take_in(source: Path, incoming: Path, key: bytes | None) -> None:
    incoming.touch(mode=0o600)
    shutil.copyfile(source, incoming)
    connection = connect(incoming, key, "writer")
    try:
        refuse_unknown(connection, allow_empty=False)
        if foreign := foreign_objects(connection):
            raise StoreForeign(f"its {', '.join(foreign[:_NAMED])} is not as Scrubjay makes it.", incoming)
    finally:
        connection.close()
    encryption.verify(incoming, key)


@contextmanager
def _naming(source: Path) -> Generator[None]:
    """Name the file that was given in an error about its working copy, and say what to do about it."""
    try:
        yield
    except StoreLocked:
        about = f"{source} does not open with the key of this profile: it is of a time with another key, or no backup."
        raise StoreLocked(about, source) from None
    except StoreTooNew:
        about = f"{source} was written by a newer Scrubjay. Update Scrubjay, then restore it."
        raise StoreTooNew(about, source) from None
    except StoreForeign as error:
        raise StoreForeign(f"{source} was not written by Scrubjay alone: {error} Use another one.", source) from None
    except StoreCorrupt:
        raise StoreCorrupt(f"{source} is no backup of Scrubjay, or not all of it. Use another one.", source) from None
    except OSError as error:
        raise StoreError(f"{source} can't be copied: {error.strerror}.", source) from error


def set_aside(path: Path) -> Path:
    """Move a damaged database and its log away under a name that says so; where it went. Close its store first."""
    aside = _free(path, "damaged")
    for suffix in ("-wal", "-shm", "-journal"):
        log = path.with_name(path.name + suffix)
        if log.exists():
            log.replace(aside.with_name(aside.name + suffix))
    path.replace(aside)
    return aside


def _free(path: Path, why: str) -> Path:
    number = 1
    while (name := path.with_name(f"{path.name}.{why}-{number}")).exists():
        number += 1
    return name
