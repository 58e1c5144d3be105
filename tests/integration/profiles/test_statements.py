"""Each statement that a file is given is one that a server understands, too, but for what only SQLite is given."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import psycopg
import pytest

from scrubjay.profiles.journal.entries import EntryFilter, Journal, JournalEntry, analyse_anew
from scrubjay.profiles.journal.search_event import Asker, SearchEvent
from scrubjay.profiles.journal.searches import History, openings
from scrubjay.profiles.store import near_copies, proposals, query_matrices, review_answers
from scrubjay.profiles.store.decisions import decide, decisions_of
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check, repair
from scrubjay.profiles.store.near_copies import FoundPairs, MadeSketches, NearCopy, NearCopyPass
from scrubjay.profiles.store.review_answers import AnswerRow
from scrubjay.profiles.store.review_memos import MadeMemos, Memo, memos_of
from scrubjay.profiles.store.rows import LinkRow, RedactionRow
from scrubjay.profiles.store.sqlite import SqliteConnection
from scrubjay.profiles.store.statements import Integers, generation_of
from scrubjay.profiles.team.connection import numbered, prepare_types
from tests.helpers.everything_read import everything
from tests.helpers.proposals import made_row
from tests.helpers.team_server import TeamDatabase
from tests.integration.profiles.notes import VAULT, bundle, digest
from tests.integration.profiles.test_both_kinds import HISTORY, run

# What one of two texts of a statement has that is chosen for a file, by what it is of that a server does not have.
ONLY_IN_FILES = re.compile(
    r"_fts|\bpragma|\bsqlite_\w+|\bgroup_concat\(|\bvec_distance_cosine\(|\bzeroblob\(|\bAS BLOB\)"
    r"|\bpacked, text\b|\bsketch\b.*\bembedding\b|\bembedding\b.*\bsketch\b|\bRECURSIVE shards\b"
    r"|^\s*(REINDEX|VACUUM|SAVEPOINT|ANALYZE|BEGIN|ROLLBACK|COMMIT)\b",
    re.IGNORECASE | re.DOTALL,
)


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, tuple[str, ...]]]:
    """What SQLite is given from here on: each statement with the types of its values."""
    known: dict[str, tuple[str, ...]] = {}
    execute, executemany = cast("Any", SqliteConnection).execute, cast("Any", SqliteConnection).executemany

    def remember(sql: str, values: object) -> None:
        types = tuple(map(_type, cast("Sequence[object]", values or ())))
        known.setdefault(sql, types)

    def executed(self: SqliteConnection, sql: str, values: Any = None, **options: Any) -> Any:
        remember(sql, values)
        return execute(self, sql, values, **options)

    def executed_many(self: SqliteConnection, sql: str, rows: Any, **options: Any) -> Any:
        rows = list(rows)
        for row in rows[:1]:
            remember(sql, row)
        return executemany(self, sql, rows, **options)

    monkeypatch.setattr(SqliteConnection, "execute", executed)
    monkeypatch.setattr(SqliteConnection, "executemany", executed_many)
    yield known


def _type(value: object) -> str:
    names: dict[type, str] = {int: "int8", float: "float8", bytes: "bytea", Integers: "int8[]", str: "text"}
    return next((name for kind, name in names.items() if isinstance(value, kind)), "unknown")


def work_through(store: FileStore) -> None:
    """Something of all that is done to a store."""
    for transaction in HISTORY:
        run(store, transaction.operations)
        everything(store)
    with store.writing() as writer:
        ids = [
            writer.put_note(
                bundle(
                    f"{n}.md",
                    f"text {n}",
                    links=[LinkRow("0", "wiki", 1, text="t")],
                    redactions=[RedactionRow("r", 1, 1, 2)],
                )
            )
            for n in range(3)
        ]
        writer.refresh_anchors()
        writer.refresh_anchors(ids)
    journal, history = Journal(store), History(store)
    journal.append(JournalEntry("0a1b2c3d4e5f", 1, "me", "c", ("tag",), "remembered"))
    journal.append(JournalEntry("0a1b2c3d4e60", 2, "me", "c", (), "remembered again"), replaces="0a1b2c3d4e5f")
    wanted = EntryFilter(0, 9, ("tag",), "me")
    vector = np.eye(8, dtype=np.float32)[0]
    journal.put_vectors("m", {"0a1b2c3d4e60": vector})
    journal.by_words("remembered", 3, wanted)
    journal.by_meaning("m", vector, 3, wanted)
    journal.without_vector("n", 3)
    journal.said_before(JournalEntry("0" * 12, 1, "me", "c1", (), "remembered"))
    journal.refresh("0a1b2c3d4e60", 5)
    journal.log(5)
    with store.writing() as writer:
        analyse_anew(writer.connection)
    history.record([SearchEvent(7, "heron", "lexical", 2, 3.5, asker=Asker("panel", "P"))])
    history.opened("heron", "0.md", 8, Asker("panel", "P"))
    history.events()
    store.read(openings)
    decide(store, VAULT, "0.md", ["d1"], "done", ())
    decisions_of(store, VAULT)
    stamps = near_copies.note_stamps(store, ids)
    hashes = np.arange(4, dtype=np.uint32)
    pairs, compared = (NearCopy(ids[0], ids[1], 0.9),), NearCopyPass(hashes, 1)
    with store.writing() as writer:
        MadeSketches({note: (stamps[note], hashes) for note in ids}).put(writer.connection)
        for of in (None, ids):
            FoundPairs("v", pairs, compared, of).put(writer.connection)
    near_copies.last_compared(store, "v")
    near_copies.load_sketches(store)
    near_copies.sketch_of(store, ids[0])
    near_copies.stale_sketches(store, all_notes=True)
    review_answers.answers(store)
    keep_and_ask_for_proposals(store, ids[0])
    list(query_matrices.names_of(store))
    everything(store)
    history.clear()
    journal.prune(100)
    check(store, digest=digest, fingerprint="f1")
    with store.writing() as writer:
        writer.connection.execute("UPDATE meta SET value = '7' WHERE name = 'chunks'")
        writer.forget_notes(ids)
        writer.clear_failure(VAULT, "0.md")
    repair(store, digest=digest, fingerprint="f1")


def keep_and_ask_for_proposals(store: FileStore, note_id: int) -> None:
    """Something of all that is done to proposals."""
    stamps = near_copies.note_stamps(store, [note_id])
    made = made_row("0" * 32, note_id, stamps)
    with store.writing() as writer:
        MadeMemos("part", {note_id: (stamps[note_id], Memo(b"of", b"made"))}).put(writer.connection)
        proposals.put(writer.connection, "", [made], ["1" * 32])
        proposals.forget_state(writer.connection, "", "")
        proposals.begin_look(writer.connection, "", generation_of(writer.connection))
    with store.writing() as writer:
        assert proposals.goes_on(writer.connection, "")
        proposals.end_look(writer.connection, "", 1)
    review_answers.put_answers(store, [AnswerRow("0" * 32, "stale", VAULT, "0.md", b"s", b"d", b"", "later", (), 1)])
    review_answers.answers_to(store, ["0" * 32])
    review_answers.answers_about(store, VAULT, "0.md", b"d")
    asked = proposals.ProposalQuery("open", 9, kind=8, vault_name="v", path="0.md", folder="a")
    store.read(proposals.places, "", asked, 3)
    store.read(proposals.counts, "", asked)
    store.read(proposals.known, "", 0)
    memos_of(store, "part", [note_id])
    store.read(proposals.with_keys, "", ["0" * 32], 9)
    store.read(proposals.stand_for, "", ["0" * 32])
    review_answers.accepted(store)
    review_answers.change_answer(store, "0" * 32, None)
    with store.writing() as writer:
        proposals.forget_naming(writer.connection, [note_id])
        proposals.forget_all(writer.connection, "")
        proposals.forget_all(writer.connection)


def test_a_server_can_prepare_what_a_file_is_given(
    given: dict[str, tuple[str, ...]], team_database: TeamDatabase, tmp_path: Path
) -> None:
    store = FileStore.open(tmp_path / "index.sqlite3")
    check(store)
    given.clear()  # of the schema, which a check makes once more to compare with
    work_through(store)
    store.close()
    refused: dict[str, str] = {}
    prepared = 0
    with team_database.as_owner(team_database.profile) as connection:
        prepare_types(connection)
        for number, (sql, types) in enumerate(given.items()):
            if ONLY_IN_FILES.search(sql):
                continue
            declared = f"({', '.join(types)})" if types else ""
            try:
                connection.execute(f"PREPARE s{number} {declared} AS ".encode() + numbered(sql))
                prepared += 1
            except psycopg.errors.IndeterminateDatatype:
                prepared += 1  # understood, but for the type of a value that was None
            except psycopg.Error as error:
                refused[sql] = str(error)
    assert refused == {}, refused
    assert prepared > 150
