from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from scrubjay.profiles.journal.entries import Journal, JournalEntry
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term, TypedPhrase
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check, repair
from scrubjay.profiles.store.rows import LinkRow, NoteMove, RedactionRow, Standing
from scrubjay.profiles.store.sqlite import connect
from scrubjay.profiles.store.store import Store
from tests.helpers.indexed_vault import index_vault
from tests.helpers.stores import team_store
from tests.helpers.team_server import TeamDatabase
from tests.integration.profiles.notes import bundle, digest, vector


@pytest.fixture
def full(store: Store) -> Store:
    return filled(store)


@pytest.fixture
def full_file(file_store: FileStore) -> FileStore:
    filled(file_store)
    return file_store


def filled(store: Store) -> Store:
    Journal(store).append(JournalEntry("0a1b2c3d4e5f", 1, "me", "c", (), "remembered for good"))
    with store.writing() as writer:
        for n in range(30):
            links = [LinkRow(f"{n - 1}", "wiki", 1, text="before")]
            texts = (f"text {n} about getUserName", "shared 数据库")
            writer.put_note(bundle(f"{n}.md", *texts, headings=("Top",), links=links, tags=("t",)))
        writer.put_note(bundle("r.md", "redacted", redactions=[RedactionRow("r", 1, 1, 5)]))
        writer.refresh_anchors()
    waiting = store.pending_embeddings("m", 20)
    with store.writing() as writer:
        writer.put_embeddings("m", [one.digest for one in waiting], np.stack([vector(one.text) for one in waiting]))
    return store


def test_a_store_after_ordinary_work_has_no_problem(full: Store):
    with full.writing() as writer:
        writer.put_note(bundle("3.md", "changed", "shared 数据库"))
        writer.forget_notes([5, 6])
        writer.move_notes([NoteMove(7, "moved/7.md", 9)])
        writer.refresh_anchors()
    assert check(full, digest=digest) == ()
    assert repair(full, digest=digest) == ()


FIRST, LAST = (f"(SELECT {which}(id) FROM embedding)" for which in ("min", "max"))
DAMAGE = {
    "totals": "UPDATE meta SET value = '7' WHERE name = 'chunks'",
    "postings": "DELETE FROM posting WHERE term = 'text'",
    "spoilt-postings": "UPDATE posting SET entries = unhex('ff') WHERE term = 'text'",
    "orphan-vectors": f"UPDATE embedding SET digest = unhex('00') WHERE id = {FIRST}",
    "queue": "DELETE FROM pending_embedding",
    "redactions": "UPDATE note SET redactions = 3",
    "vector-of-another-length": f"UPDATE embedding SET vector = unhex('7f017f01') WHERE id = {LAST}",
    "vector-of-nothing": f"UPDATE embedding SET vector = unhex('') WHERE id = {LAST}",
    "chunk-without-vector": f"DELETE FROM embedding WHERE id = {LAST}",
    "token-counts": "UPDATE chunk SET tokens = tokens + 1 WHERE id = 1",
    "title-token-counts": "UPDATE note SET title_tokens = title_tokens + 1 WHERE id = 1",
}
OF_FILES = {
    "fts": "INSERT INTO chunk_fts (rowid, body, headings) VALUES (9999, 'ghost', '')",
    "vectors": f"UPDATE embedding SET sketch = zeroblob(8) WHERE id = {FIRST}",
    "journal-fts": "INSERT INTO journal_fts (journal_fts) VALUES ('delete-all')",
    "missing-word-positions": "INSERT INTO note_fts (note_fts) VALUES ('delete-all')",
}
OF_SERVERS = {
    "fts": "UPDATE chunk_words SET words = CAST('ghost:1' AS tsvector) WHERE chunk_id = 1",
    "anchor-positions": "UPDATE note_words SET anchors = CAST('ghost:1' AS tsvector) WHERE note_id = 1",
    "vectors": f"UPDATE embedding SET near = CAST('[1,2]' AS halfvec) WHERE id = {FIRST}",
    "another-vector": f"UPDATE embedding SET near = (SELECT near FROM embedding WHERE id = {LAST}) WHERE id = {FIRST}",
    "missing-word-positions": "DELETE FROM note_words",
}


CODES = {  # of damage that is found under another name
    "anchor-positions": "fts",
    "another-vector": "vectors",
    "chunk-without-vector": "queue",
    "journal-fts": "fts",
    "missing-word-positions": "fts",
    "spoilt-postings": "unreadable",
    "title-token-counts": "totals",
    "token-counts": "totals",
    "vector-of-another-length": "vectors",
    "vector-of-nothing": "vectors",
}


@pytest.mark.parametrize(
    ("damage", "store_kind"),
    [
        pytest.param(DAMAGE | OF_FILES, "file", id="file"),
        pytest.param(OF_SERVERS, "team", id="server"),
        pytest.param(DAMAGE, "team", id="server-as-file", marks=pytest.mark.slow),
    ],
)
def test_damage_is_found_and_mended(full: Store, damage: dict[str, str]):
    for code, sql in damage.items():
        with full.writing() as writer:
            writer.connection.execute(sql)
        found = check(full, digest=digest)
        assert CODES.get(code, code) in {problem.code for problem in found}, code
        assert repair(full, digest=digest) == (), code
        assert check(full, digest=digest) == (), code
        assert len(full.lexical(LexicalQuery((Term("text"),)), where=None, limit=100).hits) == 30, code
        assert len(full.lexical(LexicalQuery((TypedPhrase("text 3 about"),)), where=None, limit=9).hits) == 1, code
        assert len(full.semantic("m", vector("text 3 about getUserName"), where=None, limit=5)) == 5, code
        assert [hit.entry.text for hit in Journal(full).by_words("remembered", 5)] == ["remembered for good"], code
        with full.writing() as writer:
            writer.put_note(bundle("another.md", f"words after the repair of {code}"))
        assert check(full, digest=digest) == (), code


def test_rows_without_a_note_are_found_and_dropped(full_file: FileStore):
    path = full_file.path
    full_file.close()
    raw = connect(path, None, "writer")
    raw.pragma("foreign_keys", False)
    raw.execute("INSERT INTO redaction (note_id, line, column, rule, length) VALUES (777, 1, 1, 'r', 1)")
    raw.close()
    again = FileStore.open(path)
    assert [problem.code for problem in check(again)] == ["stray-rows"]
    assert repair(again) == ()
    again.close()


def test_rows_without_a_note_are_found_and_dropped_on_a_server(team_database: TeamDatabase, tmp_path: Path):
    store = team_store(tmp_path / "index.sqlite3", team_database)
    filled(store)
    with team_database.as_operator() as operator:
        operator.execute("SET session_replication_role = replica")  # as if it had lost pages: keys are not looked at
        operator.execute("DELETE FROM scrubjay_p1.note WHERE id = 7")
    [found] = check(store)
    assert (found.code, found.about) == (
        "stray-rows",
        "Rows that belong to no note, in: chunk, link, note_tag, note_words, stale_sketch",
    )
    assert repair(store) == ()
    assert check(store, digest=digest) == ()
    store.close()


def test_a_text_that_is_not_its_digest_is_named_for_reading_again(full: Store):
    with full.writing() as writer:
        writer.connection.execute(
            "UPDATE chunk SET packed = ? WHERE note_id = 4 AND position = 0", (writer.connection.packed("tampered"),)
        )
    left = repair(full, digest=digest)
    assert [(problem.code, problem.note_ids) for problem in left] == [("digests", (4,))]
    with full.writing() as writer:
        writer.forget_notes([4])
        writer.put_note(bundle("3.md", "text 3 about getUserName"))
    assert check(full, digest=digest) == ()


def test_notes_of_other_rules_are_named_for_reading_again(full: Store):
    assert check(full, fingerprint="f1") == ()
    with full.writing() as writer:
        writer.connection.execute("UPDATE note SET fingerprint = 'older' WHERE id IN (3, 5)")
    assert [(problem.code, problem.note_ids) for problem in check(full, fingerprint="f1")] == [("fingerprints", (3, 5))]


def test_credentials_that_decoding_brings_to_light_on_one_line_are_counted_as_they_are_listed(
    store: Store, tmp_path: Path
):
    tokens = [f"ghp%5F{part * 9}" for part in ("aB3x", "Zq7m")]
    (tmp_path / "vault").mkdir()
    links = " ".join(f"[there]({token}.md)" for token in tokens)
    (tmp_path / "vault" / "Links.md").write_text(f"# Links\n\n{links}\n")
    index_vault(store, tmp_path / "vault")
    assert check(store) == ()
    listed = store.read(reads.redactions)
    assert len(listed) == store.counts().redactions > 0
    assert [note.redactions for note in store.read(reads.recent, 1)] == [len(listed)]


def test_of_two_credentials_at_one_place_the_one_that_is_more_hidden_is_listed(store: Store):
    pairs: list[tuple[Standing, Standing]] = list(permutations(("open", "done", "allowed"), 2))
    for standings in pairs:
        with store.writing() as writer:
            redactions = [RedactionRow("r", 1, 1, 9, standing) for standing in standings]
            writer.put_note(bundle("a.md", "a", redactions=redactions))
        assert check(store, digest=digest) == ()
        (listed,) = store.read(reads.redactions)
        assert listed.standing == ("open" if "open" in standings else "done"), standings
