import numpy as np
import pytest

from profiles.connection import connect
from profiles.integrity import check, repair
from profiles.query_parts import LexicalQuery, Term
from profiles.rows import LinkRow, NoteMove, RedactionRow
from profiles.store import Store
from tests.integration.profiles.notes import bundle, digest, vector


@pytest.fixture
def full(store: Store) -> Store:
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


DAMAGE = {
    "totals": "UPDATE meta SET value = '7' WHERE name = 'chunks'",
    "postings": "DELETE FROM posting WHERE term = 'text'",
    "fts": "INSERT INTO chunk_fts (rowid, body, headings) VALUES (9999, 'ghost', '')",
    "orphan-vectors": "UPDATE embedding SET digest = x'00' WHERE id = 1",
    "vectors": "UPDATE embedding SET sketch = zeroblob(8) WHERE id = 1",
    "queue": "DELETE FROM pending_embedding",
    "redactions": "UPDATE note SET redactions = 3",
}


@pytest.mark.parametrize(("code", "sql"), DAMAGE.items(), ids=DAMAGE.keys())
def test_damage_is_found_and_mended(full: Store, code: str, sql: str):
    with full.writing() as writer:
        writer.connection.execute(sql)
    assert code in {problem.code for problem in check(full, digest=digest)}
    assert repair(full, digest=digest) == ()
    assert check(full, digest=digest) == ()
    assert len(full.lexical(LexicalQuery((Term("text"),)), where=None, limit=100)) == 30
    assert len(full.semantic("m", vector("text 3 about getUserName"), where=None, limit=5)) == 5


def test_rows_without_a_note_are_found_and_dropped(full: Store):
    path = full.path
    full.close()
    raw = connect(path, None, "writer")
    raw.pragma("foreign_keys", False)
    raw.execute("INSERT INTO redaction (note_id, line, column, rule, length) VALUES (777, 1, 1, 'r', 1)")
    raw.close()
    again = Store.open(path)
    assert [problem.code for problem in check(again)] == ["stray-rows"]
    assert repair(again) == ()
    again.close()


def test_a_text_that_is_not_its_digest_is_named_for_reading_again(full: Store):
    with full.writing() as writer:
        writer.connection.execute("UPDATE chunk SET text = 'tampered' WHERE note_id = 4 AND position = 0")
    left = repair(full, digest=digest)
    assert [(problem.code, problem.note_ids) for problem in left] == [("digests", (4,))]
    with full.writing() as writer:
        writer.forget_notes([4])
        writer.put_note(bundle("3.md", "text 3 about getUserName"))
    assert check(full, digest=digest) == ()
