from dataclasses import replace

import numpy as np

from scrubjay.profiles.search.words.evidence import LexicalQuery, Term
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.filters import (
    AllOf,
    AnyOf,
    CreatedBetween,
    FileHas,
    HasKind,
    HasLang,
    HasProperty,
    HasTag,
    HasText,
    InVault,
    ModifiedBetween,
    Not,
    NoteFilter,
    PathHas,
)
from scrubjay.profiles.store.rows import ChunkRow, KindCounts, NoteBundle
from scrubjay.profiles.store.store import Store
from tests.integration.profiles.notes import VAULT, bundle, digest, vector

NOTES = (
    bundle("Work/Atlas.md", "word red apple", tags=("project/atlas",), mtime_ns=10, lang="en", created_ns=5),
    bundle("Work/Büro [1].md", "word", tags=("Büro",), properties={"status": "open", "rating": "10"}, mtime_ns=20),
    bundle("Home/cake.md", "word", properties={"status": ("done", "archived"), "rating": "9"}, mtime_ns=30, lang="de"),
    bundle("projects.md", "word", tags=("projects",), properties={"due": "2026-03-01"}, vault="ffffffff", mtime_ns=40),
)
SCAN = bundle("Work/scan.pdf", "word", kind="pdf", mtime_ns=50)
ATLAS, OFFICE, CAKE, LIST = (one.note.path for one in NOTES)


LETS_THROUGH: tuple[tuple[NoteFilter, set[str]], ...] = (
    (PathHas("work/"), {ATLAS, OFFICE}),
    (PathHas("buro"), {OFFICE}),
    (PathHas("*/c?ke.md"), {CAKE}),
    (PathHas("[1]"), {OFFICE}),
    (PathHas("*[1]*"), {OFFICE}),
    (FileHas("work"), set[str]()),
    (FileHas("CAKE"), {CAKE}),
    (HasTag("project"), {ATLAS}),
    (HasTag("#Project/Atlas"), {ATLAS}),
    (HasTag("buro"), {OFFICE}),
    (HasProperty("Status"), {OFFICE, CAKE}),
    (HasProperty("status", "DONE"), {CAKE}),
    (HasProperty("rating", "9.5", ">"), {OFFICE}),
    (HasProperty("rating", "9", "<="), {CAKE}),
    (HasProperty("due", "2026-02-01", ">="), {LIST}),
    (HasProperty("nothing"), set[str]()),
    (InVault("ffffffff"), {LIST}),
    (ModifiedBetween(20, 40), {OFFICE, CAKE}),
    (ModifiedBetween(None, None), {ATLAS, OFFICE, CAKE, LIST}),
    (CreatedBetween(5, None), {ATLAS}),
    (Not(CreatedBetween(5, None)), {OFFICE, CAKE, LIST}),
    (HasLang("DE"), {CAKE}),
    (HasText("red apple"), {ATLAS}),
    (HasText("apple red"), set[str]()),
    (Not(HasText("cake")), {ATLAS, OFFICE, LIST}),
    (HasText("***"), {ATLAS, OFFICE, CAKE, LIST}),
    (AllOf(()), {ATLAS, OFFICE, CAKE, LIST}),
    (AnyOf(()), set[str]()),
    (AllOf((PathHas("Work"), Not(HasTag("project")))), {OFFICE}),
    (AnyOf((HasLang("en"), HasLang("de"))), {ATLAS, CAKE}),
    (PathHas("'; DROP TABLE note; --"), set[str]()),
    (HasText('" OR body:*'), set[str]()),
)


def test_a_filter_lets_these_notes_through_in_both_legs(store: Store):
    with store.writing() as writer:
        for one in NOTES:
            writer.put_note(one)
    waiting = store.pending_embeddings("m", 10)
    with store.writing() as writer:
        writer.put_embeddings("m", [w.digest for w in waiting], np.stack([vector(w.text) for w in waiting]))
    for where, paths in LETS_THROUGH:
        lexical = store.lexical(LexicalQuery((Term("word"),)), where=where, limit=10).hits
        semantic = store.semantic("m", vector("word"), where=where, limit=10)
        for hits in (lexical, semantic):
            views = store.read(reads.chunks, [hit.chunk_id for hit in hits])
            assert {view.path for view in views.values()} == paths, where


def test_files_of_another_kind_are_told_from_notes(store: Store):
    with store.writing() as writer:
        for one in (*NOTES, SCAN):
            writer.put_note(one)
    for where, paths in (
        (HasKind("pdf"), {"Work/scan.pdf"}),
        (HasKind("note"), {ATLAS, OFFICE, CAKE, LIST}),
        (Not(HasKind("note")), {"Work/scan.pdf"}),
        (HasKind("image"), set[str]()),
    ):
        assert {note.path for note in store.read(reads.recent, 10, where)} == paths, where


def test_a_file_of_another_kind_is_counted_beside_the_notes_and_known_apart_from_them(store: Store):
    places = tuple(ChunkRow(digest(text), text, (), n, n, f"{n}") for n, text in enumerate(("front", "back"), start=1))
    with store.writing() as writer:
        writer.put_note(NOTES[0])
        writer.put_note(NoteBundle(replace(SCAN.note, parts=7, scans=3), places))
    assert (store.read(reads.note_count), store.counts().notes) == (1, 1)
    assert store.read(reads.kind_counts) == (KindCounts("pdf", 1, 7, 3, 2, SCAN.note.size),)
    assert list(store.read(reads.known_notes, VAULT)) == [ATLAS]
    assert list(store.read(reads.scanned_files, VAULT)) == ["Work/scan.pdf"]
    assert (
        list(store.read(reads.known_notes, VAULT, files=True))
        == list(store.read(reads.known_notes, VAULT, ["Work"], files=True))
        == ["Work/scan.pdf"]
    )
    found = store.read(reads.note_by_path, VAULT, "Work/scan.pdf")
    assert found is not None
    assert found.kind == "pdf"
    assert [(view.kind, view.place) for view in store.read(reads.note_chunks, found.note_id)] == [
        ("pdf", "1"),
        ("pdf", "2"),
    ]


def test_a_filter_acts_before_the_cut(store: Store):
    with store.writing() as writer:
        for n in range(600):
            writer.put_note(bundle(f"crowd/{n}.md", f"needle needle needle {n}"))
        writer.put_note(bundle("apart/one.md", "needle " + "filler " * 200))
    waiting = store.pending_embeddings("m", 1000)
    with store.writing() as writer:
        rows = np.stack([vector("query") if "filler" not in one.text else -vector("query") for one in waiting])
        writer.put_embeddings("m", [one.digest for one in waiting], rows)
    query = LexicalQuery((Term("needl"),))
    apart = PathHas("apart/")
    last = store.lexical(query, where=None, limit=1000).hits[-1]
    assert [hit.chunk_id for hit in store.lexical(query, where=apart, limit=10).hits] == [last.chunk_id]
    assert [hit.chunk_id for hit in store.semantic("m", vector("query"), where=apart, limit=10)] == [last.chunk_id]
    broad = store.semantic("m", vector("query"), where=PathHas("crowd/"), limit=10)
    assert len(broad) == 10
    assert last.chunk_id not in {hit.chunk_id for hit in broad}


def test_a_timeline_is_of_notes_and_not_of_photos(store: Store):
    with store.writing() as writer:
        writer.put_note(NOTES[0])
        writer.put_note(bundle("Photos/IMG 2026.png", "word", kind="image", mtime_ns=10))
    assert [note.path for note in store.read(reads.note_times)] == [ATLAS]
