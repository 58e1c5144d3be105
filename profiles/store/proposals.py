"""What the review has found to propose, as rows: listed, counted and told apart by statements.

All of it is made anew from the notes, by each machine for itself. A row goes in the transaction in which a note that it
names goes, or has another text; where a note may not be read any more, all rows go. So do memos (see `review_memos`).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, cast

import msgspec

from scrubjay.profiles.names import fold
from scrubjay.profiles.store.statements import Connection, Insert, Value, generation_of, integers, json_texts, upsert

_KEPT = "finder, kind, strength, vault_name, path, place, vault, note_id, digest, subject, has_options, body"
_COLUMNS = ("key", *_KEPT.split(", "))
_INSERT = (
    f"INSERT INTO proposal (machine, key, {_KEPT}, path_key, made, said) SELECT {', '.join('?' * 16)},"  # noqa: S608
    " coalesce((SELECT key FROM review_answer WHERE key = ?), ?) WHERE true"
)
# What was put off is asked again after a while; what was applied is not held against what is found in a later text.
_ANSWER = (
    "CASE WHEN answer = 'later' AND answered_ns < ? THEN 'open'"
    " WHEN answer = 'done' AND said <> key AND has_options = 1 THEN 'open' ELSE coalesce(answer, 'open') END"
)
_ANSWERED = (
    "proposal LEFT JOIN (SELECT key AS answer_key, answer, chosen, at_ns AS answered_ns FROM review_answer) AS answered"
    " ON answer_key = said WHERE machine = ?"
)
_STATE = "proposals"
"""Before a machine's name: the meta value that says what all its rows were made from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalRow:
    """Something to propose, and where it stands among all others."""

    key: str
    finder: int  # which of them found it
    kind: int  # its place in the order of kinds
    strength: float
    vault_name: str
    path: str
    place: int  # among those of its finder that are equal in kind, strength, vault and path
    vault: str  # id
    note_id: int  # that it is about
    digest: bytes  # of that note's bytes
    subject: bytes  # digest of what tells it from others of its kind about this note
    has_options: bool
    body: bytes  # JSON: as it is shown

    @property
    def made(self) -> bytes:
        """A digest of all of it."""
        values = [getattr(self, name) for name in _COLUMNS]
        return blake2b(msgspec.msgpack.encode(values), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class MadeProposal:
    """A row that is to be kept."""

    row: ProposalRow
    said: str | None  # the key of what was said of it, or of the same in an earlier text
    names: Mapping[int, tuple[bytes, str]]  # the notes that it names, by id: digest and fingerprint as they were read


@dataclass(frozen=True, slots=True)
class KeptProposal:
    """A proposal as it is kept, with what was said of it."""

    row: ProposalRow
    answer: str
    chosen: tuple[str, ...]  # of what was answered


@dataclass(frozen=True, slots=True)
class ProposalQuery:
    """Which proposals are asked for; None: any. later_ns: what was put off before this is asked again."""

    answer: str
    later_ns: int
    kind: int | None = None
    vault_name: str | None = None
    path: str | None = None
    folder: str | None = None  # with those below it


@dataclass(frozen=True, slots=True)
class ProposalPlace:
    """Where a proposal stands in the order of its profile."""

    kind: int
    strength: float
    vault_name: str
    path: str
    key: str


class ProposalsState(msgspec.Struct, frozen=True):
    """What all rows of a machine were made from."""

    generation: int  # of the store, but for writes that no proposal depends on
    made_with: str  # digest of all else that they depend on
    at_ns: int
    look: int = -1  # likewise, while notes are looked at of which nothing has changed since they were read


def state_of(connection: Connection, machine: str) -> ProposalsState | None:
    """What the rows were made from when all was last looked at; None where that never was."""
    kept = connection.execute("SELECT value FROM meta WHERE name = ?", (f"{_STATE}:{machine}",)).get
    return None if kept is None else msgspec.json.decode(cast("str", kept), type=ProposalsState)


def forget_state(connection: Connection, machine: str, made_with: str) -> None:
    """Say that nothing was looked at yet. made_with: see `ProposalsState`."""
    _put_state(connection, machine, ProposalsState(-1, made_with, 0))


def begin_look(connection: Connection, machine: str, generation: int) -> None:
    """A look begins at notes that are read next. generation: of the store, as who reads them sees it."""
    state = state_of(connection, machine)
    if state is not None:
        is_fresh = generation == generation_of(connection)
        look = generation + 1 if is_fresh else -1
        _put_state(connection, machine, msgspec.structs.replace(state, look=look))


def goes_on(connection: Connection, machine: str) -> bool:
    """Whether nothing that a proposal depends on was written since the look began, but by the look: as it does now."""
    state, here = state_of(connection, machine), generation_of(connection)
    if state is None or state.look != here:
        return False
    _put_state(connection, machine, msgspec.structs.replace(state, look=here + 1))
    return True


def end_look(connection: Connection, machine: str, at_ns: int) -> None:
    """Say that the rows are those of the notes as they are, if `goes_on` just said so. at_ns: when they were read."""
    state, here = state_of(connection, machine), generation_of(connection)
    if state is not None and state.look == here + 1:
        _put_state(connection, machine, msgspec.structs.replace(state, generation=here + 1, at_ns=at_ns, look=-1))


def stays_current(connection: Connection, machine: str) -> None:
    """The transaction writes nothing that a proposal depends on: those that are up to date stay so."""
    state, here = state_of(connection, machine), generation_of(connection)
    if state is None or here not in (state.generation, state.look):
        return
    generation, look = (here + 1 if each == here else each for each in (state.generation, state.look))
    _put_state(connection, machine, msgspec.structs.replace(state, generation=generation, look=look))


def _put_state(connection: Connection, machine: str, state: ProposalsState) -> None:
    encoded = msgspec.json.encode(state).decode()
    connection.execute(upsert("meta", ("name",), ("value",)), (f"{_STATE}:{machine}", encoded))


def known(connection: Connection, machine: str, finder: int) -> dict[str, tuple[bytes, str | None]]:
    """`ProposalRow.made` and `MadeProposal.said` of what is kept of a finder, by key."""
    sql = "SELECT key, made, said FROM proposal WHERE machine = ? AND finder = ?"
    rows = cast("list[tuple[str, bytes, str | None]]", connection.execute(sql, (machine, finder)).fetchall())
    return {key: (made, said) for key, made, said in rows}


def put(connection: Connection, machine: str, rows: Sequence[MadeProposal], gone: Collection[str]) -> None:
    """Keep rows, in place of those with their keys. gone: keys of rows to be dropped.

    A row is passed over where a note that it names has gone since it was read, or has another text.
    """
    sql = "SELECT id, digest, fingerprint FROM note WHERE id IN (SELECT value FROM carray(?))"
    named = list({note_id for each in rows for note_id in each.names})
    found = cast("list[tuple[int, bytes, str]]", connection.execute(sql, (integers(named),)).fetchall())
    there = {note_id: (digest, fingerprint) for note_id, digest, fingerprint in found}
    fresh = [each for each in rows if each.names.items() <= there.items()]
    dropped = [(machine, key) for key in (*gone, *(each.row.key for each in rows))]
    connection.executemany("DELETE FROM proposal WHERE machine = ? AND key = ?", dropped)
    connection.executemany(_INSERT, (_values(machine, each) for each in fresh))
    names = [(note_id, machine, each.row.key) for each in fresh for note_id in each.names]
    connection.insert(Insert("proposal_note", ("note_id", "machine", "key")), names)


def forget_naming(connection: Connection, note_ids: Sequence[int]) -> None:
    """Drop what names one of these notes, whoever found it, and what was worked out of them."""
    of_these = "SELECT machine, key FROM proposal_note WHERE note_id IN (SELECT value FROM carray(?))"
    connection.execute(f"DELETE FROM proposal WHERE (machine, key) IN ({of_these})", (integers(note_ids),))  # noqa: S608
    memos = "DELETE FROM review_memo WHERE note_id IN (SELECT value FROM carray(?))"
    connection.execute(memos, (integers(note_ids),))


def forget_all(connection: Connection, machine: str | None = None) -> None:
    """Drop all that a machine found, or (None) any did, with all that was worked out of notes: a note that it does not
    name may have led to some of it.
    """
    where, values = ("true", ()) if machine is None else ("machine = ?", (machine,))
    connection.execute(f"DELETE FROM proposal WHERE {where}", values)  # noqa: S608
    if machine is None:
        connection.execute("DELETE FROM review_memo")


def places(connection: Connection, machine: str, asked: ProposalQuery, most: int) -> list[ProposalPlace]:
    """The first `most` of those that are asked for, in their order."""
    where, values = _asked_for(machine, asked)
    order = "kind, strength DESC, vault_name, path, finder, place"
    sql = f"SELECT kind, strength, vault_name, path, key FROM {where} ORDER BY {order} LIMIT ?"  # noqa: S608
    return [ProposalPlace(*row) for row in connection.execute(sql, (*values, most)).fetchall()]


def counts(connection: Connection, machine: str, asked: ProposalQuery) -> dict[int, int]:
    """How many of those that are asked for there are, by kind."""
    where, values = _asked_for(machine, asked)
    return dict(connection.execute(f"SELECT kind, count(*) FROM {where} GROUP BY kind", values).fetchall())  # noqa: S608


def with_keys(connection: Connection, machine: str, keys: Sequence[str], later_ns: int) -> dict[str, KeptProposal]:
    """The proposals with these keys, by key; those that are gone are left out."""
    wanted = "key IN (SELECT value FROM json_each(?))"
    sql = f"SELECT {_ANSWER}, chosen, key, {_KEPT} FROM {_ANSWERED} AND {wanted}"  # noqa: S608
    found: dict[str, KeptProposal] = {}
    for answer, chosen, *values in connection.execute(sql, (later_ns, machine, json_texts(keys))).fetchall():
        said = msgspec.json.decode(chosen, type=tuple[str, ...]) if answer != "open" else ()
        row = _row(values)
        found[row.key] = KeptProposal(row, answer, said)
    return found


def stand_for(connection: Connection, machine: str, keys: Sequence[str]) -> set[str]:
    """Those of these keys that a proposal has, or the answer that stands for one."""
    if not keys:
        return set()
    wanted = "(SELECT value FROM json_each(?))"
    sql = f"SELECT key, said FROM proposal WHERE machine = ? AND (key IN {wanted} OR said IN {wanted})"  # noqa: S608
    listed = json_texts(keys)
    rows = connection.execute(sql, (machine, listed, listed)).fetchall()
    return {key for row in rows for key in row if key is not None}


def _asked_for(machine: str, asked: ProposalQuery) -> tuple[str, list[Value]]:
    where = f"{_ANSWERED} AND {_ANSWER} = ?"
    values: list[Value] = [machine, asked.later_ns, asked.answer]
    for column, value in (("kind", asked.kind), ("vault_name", asked.vault_name), ("path", asked.path)):
        if value is not None:
            where += f" AND {column} = ?"
            values.append(value)
    if asked.folder is not None:
        folder = fold(asked.folder).strip("/")
        where += " AND path_key >= ? AND path_key < ?"
        values += [f"{folder}/", f"{folder}0"]  # "0" comes right after "/"
    return where, values


def _row(values: Sequence[Any]) -> ProposalRow:
    named: dict[str, Any] = dict(zip(_COLUMNS, values, strict=True))
    named["has_options"], named["body"] = bool(named["has_options"]), named["body"].encode()
    return ProposalRow(**named)


def _values(machine: str, each: MadeProposal) -> tuple[Value, ...]:
    key, *kept, has_options, body = (getattr(each.row, name) for name in _COLUMNS)
    computed = (fold(each.row.path), each.row.made, key, each.said)
    return (machine, key, *kept, int(has_options), body.decode(), *computed)
