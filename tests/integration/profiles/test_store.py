import stat
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from scrubjay.profiles.errors import StoreCorrupt, StoreError, StoreTooNew
from scrubjay.profiles.search.words import word_index
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term, TypedPhrase
from scrubjay.profiles.search.words.lexical_leg import stats_of
from scrubjay.profiles.search.words.vocabulary import Vocabulary
from scrubjay.profiles.store import reads, search_arrays
from scrubjay.profiles.store import store as store_module
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.filters import HasTag
from scrubjay.profiles.store.rows import FailureRow, LexicalHit, LinkRow, NoteBundle, NoteMove, RedactionRow
from scrubjay.profiles.store.sqlite import SqliteConnection
from scrubjay.profiles.store.statements import Connection, FileConnection, generation_of
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.team import team_store as team_store_module
from tests.helpers.stores import another, either_kind
from tests.helpers.waiting import PATIENCE_SECONDS
from tests.integration.profiles.notes import VAULT, bundle, digest, vector

__all__ = ["either_kind"]  # what every store promises is tried on a file and on a server


def put(store: Store, *bundles: NoteBundle) -> list[int]:
    with store.writing() as writer:
        ids = [writer.put_note(one) for one in bundles]
        writer.refresh_anchors()
    return ids


def words(store: Store, *terms: str) -> Sequence[LexicalHit]:
    return store.lexical(LexicalQuery(tuple(map(Term, terms))), where=None, limit=10).hits


def paths(store: Store, hits: Sequence[LexicalHit]) -> list[str]:
    views = store.read(reads.chunks, [hit.chunk_id for hit in hits])
    return [views[hit.chunk_id].path for hit in hits]


def embed(store: Store, model: str = "m") -> int:
    """Embed all that is pending; how many that was."""
    waiting = store.pending_embeddings(model, 1000)
    with store.writing() as writer:
        rows = np.stack([vector(one.text) for one in waiting]) if waiting else np.zeros((0, 64), np.float32)
        writer.put_embeddings(model, [one.digest for one in waiting], rows)
    return len(waiting)


def test_a_note_comes_back_as_it_was_put(store: Store):
    [note_id] = put(
        store,
        bundle(
            "Projects/Atlas.md",
            "First text.",
            "Second text.",
            headings=("One", "Two"),
            tags=("Work/Maps",),
            aliases=("The atlas",),
            properties={"status": "open", "people": ("Ada", "Bo")},
            redactions=[RedactionRow("github-token", 3, 7, 40)],
            mtime_ns=99,
        ),
    )
    views = store.read(reads.note_chunks, note_id)
    assert [view.text for view in views] == ["First text.", "Second text."]
    assert [(view.position, view.line, view.end_line) for view in views] == [(0, 1, 9), (1, 11, 19)]
    assert (views[0].headings, views[0].tags, views[0].aliases) == (("One", "Two"), ("Work/Maps",), ("The atlas",))
    assert (views[0].path, views[0].title, views[0].redactions) == ("Projects/Atlas.md", "Atlas", 1)
    note = store.read(reads.note_by_path, VAULT, "Projects/Atlas.md")
    assert note is not None
    assert (note.note_id, note.properties) == (note_id, {"status": "open", "people": ("Ada", "Bo")})
    known = store.read(reads.known_notes, VAULT)["Projects/Atlas.md"]
    assert (known.id, known.mtime_ns, known.fingerprint) == (note_id, 99, "f1")
    assert [(r.path, r.rule, r.line) for r in store.read(reads.redactions)] == [
        ("Projects/Atlas.md", "github-token", 3)
    ]
    assert (store.read(reads.tags), store.read(reads.folders)) == ({"Work/Maps": 1}, {"Projects": 1})
    assert store.read(reads.properties) == {"people": 1, "status": 1}


def test_what_is_derived_is_made_once_for_each_state_of_the_store(store: Store) -> None:
    made: list[dict[str, int]] = []

    def tags(connection: Connection) -> dict[str, int]:
        made.append(reads.tags(connection))
        return made[-1]

    put(store, bundle("A.md", tags=("rust",)))
    assert [store.derived(tags) for _ in range(3)] == [{"rust": 1}] * 3
    assert len(made) == 1
    put(store, bundle("B.md", tags=("rust", "go")))
    assert store.derived(tags) == {"rust": 2, "go": 1}
    assert store.derived(tags) is made[1]


def test_what_links_call_many_notes_is_taken_in_part_by_part_and_others_write_in_between(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(word_index, "NAMES_AT_ONCE", 2)
    links = [LinkRow(f"{number}", "wiki", 1, text=f"nickname{number}") for number in range(5)]
    with store.writing() as writer:
        for number in range(5):
            writer.put_note(bundle(f"{number}.md", "text"))
        writer.put_note(bundle("Hub.md", "hub", links=links))
    found: list[int] = []

    def goes_on() -> bool:
        found.append(sum(bool(words(store, f"nickname{number}")) for number in range(5)))
        return len(found) != 2  # what is left is for the next time

    store.refresh_anchors(goes_on)
    before = store.read(generation_of)
    store.refresh_anchors(goes_on)
    assert found == [0, 2, 2, 4, 5]
    store.refresh_anchors(goes_on)
    assert store.read(generation_of) == before + 2, "nothing is written where nothing waits"


def test_the_newest_notes_that_pass_a_filter_are_listed_by_time_then_by_path(store: Store):
    put(store, *(bundle(f"{name}.md", "text", tags=("t",) if name != "B" else (), mtime_ns=1) for name in "DBCA"))
    put(store, bundle("New.md", "text", mtime_ns=2))
    assert [note.path for note in store.read(reads.recent)] == ["New.md", "A.md", "B.md", "C.md", "D.md"]
    assert [note.path for note in store.read(reads.recent, 2, HasTag("t"))] == ["A.md", "C.md"]
    put(store, bundle("Empty.md", mtime_ns=3))
    assert [note.path for note in store.read(reads.newest, 3)] == ["New.md", "A.md", "B.md"]
    assert store.read(reads.newest_count) == 5


def test_the_newest_notes_are_read_without_a_look_at_the_others(file_store: FileStore):
    def steps() -> int:
        """How many instructions SQLite needs for the newest ten, in hundreds."""
        done = 0

        def count() -> bool:
            nonlocal done
            done += 1
            return False

        with file_store.reading() as connection:
            inner = cast("SqliteConnection", connection)
            inner.set_progress_handler(count, 100)
            assert len(reads.newest(connection, 10)) == 10
            inner.set_progress_handler(None)
        return done

    put(file_store, *(bundle(f"{number}.md", f"text {number}", mtime_ns=number) for number in range(50)))
    before = steps()
    put(file_store, *(bundle(f"{number}.md", f"text {number}", mtime_ns=number) for number in range(50, 400)))
    assert steps() <= before + 2


@pytest.mark.parametrize(
    ("places", "found"),
    [
        (["Birds/Jay.md"], ["Birds/Jay.md"]),
        (["birds/JAY.md"], ["Birds/Jay.md"]),
        (["Birds"], ["Birds/Jay.md", "Birds/Éider.md"]),
        (["birds/e\u0301ider.md", "Birds0.md", "Birds/Jay.md/x"], ["Birds/Éider.md", "Birds0.md"]),
        (["Bird", "Jay.md", "Birds/J"], []),
        ([], []),
    ],
)
def test_what_is_known_of_some_files_and_folders_is_found_by_their_names(
    store: Store, places: list[str], found: list[str]
):
    put(store, *(bundle(path, "text") for path in ("Birds/Jay.md", "Birds/Éider.md", "Birds0.md", "Birds-2/Jay.md")))
    put(store, bundle("Birds/Jay.md", "text", vault="ffffffff"))
    known = store.read(reads.known_notes, VAULT, places)
    assert sorted(known) == sorted(found)
    assert known.items() <= store.read(reads.known_notes, VAULT).items()


def test_the_times_of_notes_are_read_of_all_or_of_some(store: Store):
    ids = put(store, bundle("written.md", mtime_ns=99, created_ns=19), bundle("changed.md", mtime_ns=10))
    assert [(times.path, times.mtime_ns, times.created_ns) for times in store.read(reads.note_times)] == [
        ("written.md", 99, 19),
        ("changed.md", 10, None),
    ]
    some = np.array([ids[1], 10**6], np.int64)
    assert [times.path for times in store.read(reads.note_times, some)] == ["changed.md"]


def test_the_targets_of_links_are_read_by_note_in_the_order_of_the_lines(store: Store):
    one, two, _ = put(
        store,
        bundle("a.md", links=[LinkRow("Later", "wiki", 9), LinkRow("First", "markdown", 2)]),
        bundle("b.md", links=[LinkRow("a", "embed", 1)]),
        bundle("c.md"),
    )
    assert store.read(reads.link_targets) == {one: ["First", "Later"], two: ["a"]}
    assert store.read(reads.link_targets, [two]) == {two: ["a"]}


def test_searches_do_not_wait_for_the_words_of_typos(store: Store, monkeypatch: pytest.MonkeyPatch):
    put(store, bundle("a.md", "walrus"))
    go_on = threading.Event()

    class SlowVocabulary(Vocabulary):
        def __init__(self, connection: FileConnection) -> None:
            super().__init__(connection)
            assert go_on.wait(PATIENCE_SECONDS)

    monkeypatch.setattr(store_module, "Vocabulary", SlowVocabulary)
    for module in (store_module, team_store_module):
        monkeypatch.setattr(module, "SOON_READ", 0)  # as if the store were large
    assert store.near_terms("walrs") == []
    assert len(words(store, "walru")) == 1
    put(store, bundle("b.md", "ostrich"))  # while they are being read
    go_on.set()
    store.load_arrays()
    assert [near.term for near in store.near_terms("walrs")] == ["walru"]
    assert [near.term for near in store.near_terms("ostrch")] == ["ostrich"]


def test_the_words_of_typos_follow_each_note(store: Store):
    put(store, bundle("a.md", "walrus"))
    assert [near.term for near in store.near_terms("walrs")] == ["walru"]
    put(store, bundle("b.md", "ostrich ostrich"))
    assert [(near.term, near.frequency) for near in store.near_terms("ostrch")] == [("ostrich", 1)]
    put(store, bundle("c.md", "ostrich"))
    assert [(near.term, near.frequency) for near in store.near_terms("ostrch")] == [("ostrich", 2)]
    put(store, bundle("b.md", "gone"), bundle("c.md", "gone"))
    assert store.near_terms("ostrch") == []


def test_a_rest_drops_nothing_that_takes_long_to_build(store: Store, monkeypatch: pytest.MonkeyPatch):
    put(store, bundle("a.md", "the walrus"))
    embed(store)
    store.load_arrays()
    store.release_memory()
    refuse_to_build(monkeypatch)
    assert len(words(store, "walru")) == 1
    assert len(store.semantic("m", vector("a walrus"), where=None, limit=5)) == 1
    assert [near.term for near in store.near_terms("walrs")] == ["walru"]


def test_an_error_after_which_sqlite_ended_the_transaction_is_the_one_that_is_raised(store: Store):
    with pytest.raises(RuntimeError), store.reading() as connection:
        connection.execute("ROLLBACK")  # as SQLite does by itself, when memory is short
        raise RuntimeError
    assert store.read(reads.note_count) == 0


def test_a_replaced_note_keeps_its_id_and_is_found_by_its_new_words_only(store: Store):
    [first] = put(store, bundle("a.md", "kept passage", "old walrus"))
    kept = store.read(reads.note_chunks, first)[0].chunk_id
    [second] = put(store, bundle("a.md", "new ostrich", "kept passage"))
    assert first == second
    assert words(store, "walru") == []
    assert paths(store, words(store, "ostrich")) == ["a.md"]
    assert {view.chunk_id: view.position for view in store.read(reads.note_chunks, first)}[kept] == 1


def test_a_note_that_repeats_a_passage_keeps_both(store: Store):
    [note_id] = put(store, bundle("a.md", "same", "same", "other"))
    put(store, bundle("a.md", "same", "other", "same", "same"))
    assert [view.text for view in store.read(reads.note_chunks, note_id)] == ["same", "other", "same", "same"]
    assert len(words(store, "same")) == 3


def test_a_forgotten_note_is_found_by_nothing_and_leaves_no_row(store: Store):
    ids = put(store, bundle("a.md", "zebra", links=[LinkRow("b", "wiki", 1, text="stripes")]), bundle("b.md", "horse"))
    embed(store)
    with store.writing() as writer:
        writer.forget_notes([ids[0], 12345])
    assert words(store, "zebra") == []
    counts = store.counts()
    assert (counts.notes, counts.chunks, counts.embeddings, counts.links) == (1, 1, 1, 0)
    assert [hit.note_id for hit in store.semantic("m", vector("zebra"), where=None, limit=5)] == [ids[1]]


def test_forgotten_words_leave_no_byte_in_the_file(file_store: FileStore):
    [note_id] = put(file_store, bundle("secret-plan.md", "xylophonequartz", title="Zugzwangpterodactyl"))
    put(file_store, bundle("b.md", "horse"))
    with file_store.writing() as writer:
        writer.forget_notes([note_id])
    path = file_store.path
    file_store.close()
    content = b"".join(file.read_bytes().lower() for file in path.parent.iterdir())
    for word in (b"xylophonequartz", b"zugzwangpterodactyl", b"secret-plan", b"xylophon", b"zugzwang"):
        assert word not in content


def test_a_large_removal_leaves_no_byte_either(file_store: FileStore):
    ids = put(file_store, *(bundle(f"{n}.md", *(f"passage {n} {k} quagga" for k in range(20))) for n in range(80)))
    with file_store.writing() as writer:
        writer.forget_notes(ids)
    path = file_store.path
    file_store.close()
    assert all(b"quagga" not in file.read_bytes() for file in path.parent.iterdir())


def test_many_notes_that_move_leave_no_byte_of_their_folder(file_store: FileStore):
    ids = put(file_store, *(bundle(f"Quagga/{n}.md", f"passage {n}") for n in range(150)))
    with file_store.writing() as writer:
        writer.move_notes([NoteMove(each, f"Elsewhere/{n}.md", 5) for n, each in enumerate(ids)])
    path = file_store.path
    file_store.close()
    assert all(b"quagga" not in file.read_bytes().lower() for file in path.parent.iterdir())


def test_a_move_inside_one_transaction_keeps_the_vector(store: Store):
    [note_id] = put(store, bundle("a.md", "travelling text"))
    embed(store)
    with store.writing() as writer:
        writer.forget_notes([note_id])
        writer.put_note(bundle("folder/a.md", "travelling text"))
    assert store.pending_count("m") == 0
    [hit] = store.semantic("m", vector("travelling text"), where=None, limit=5)
    assert hit.distance == pytest.approx(0, abs=1e-4)  # vectors have eight bits a dimension
    assert store.read(reads.chunks, [hit.chunk_id])[hit.chunk_id].path == "folder/a.md"


def test_a_moved_note_is_found_under_its_new_folder_only(store: Store):
    [note_id] = put(store, bundle("Shrubs/walnut.md", "text"))
    with store.writing() as writer:
        writer.move_notes([NoteMove(note_id, "Trees/walnut.md", 5)])
    assert words(store, "shrub") == []
    assert paths(store, words(store, "tree")) == ["Trees/walnut.md"]


def test_equal_texts_are_embedded_once_and_found_in_each_place(store: Store):
    put(store, bundle("a.md", "shared"), bundle("b.md", "shared"))
    assert embed(store) == 1
    hits = store.semantic("m", vector("shared"), where=None, limit=5)
    assert [hit.digest for hit in hits] == [digest("shared")] * 2
    assert len({hit.chunk_id for hit in hits}) == 2


def test_the_newest_notes_are_embedded_first(store: Store):
    put(
        store,
        bundle("old.md", "old", mtime_ns=1),
        bundle("new.md", "new", mtime_ns=3),
        bundle("mid.md", "mid", mtime_ns=2),
    )
    assert [one.text for one in store.pending_embeddings("m", 2)] == ["new", "mid"]


def test_another_model_makes_all_pending_while_the_old_vectors_answer(store: Store):
    put(store, bundle("a.md", "one"), bundle("b.md", "two"))
    embed(store, "old")
    assert store.pending_count("new") == 2
    assert len(store.semantic("old", vector("one"), where=None, limit=5)) == 2
    embed(store, "new")
    with store.writing() as writer:
        writer.forget_other_models("new")
    assert store.semantic("old", vector("one"), where=None, limit=5) == []
    assert len(store.semantic("new", vector("one"), where=None, limit=5)) == 2


def test_a_model_with_longer_vectors_takes_over_while_the_old_one_is_still_asked(store: Store):
    put(store, bundle("a.md", "one"), bundle("b.md", "two"))
    embed(store, "old")
    longer = {text: np.concatenate((vector(text), np.zeros(64, np.float32))) for text in ("one", "two")}
    for one in store.pending_embeddings("new", 5):
        assert len(store.semantic("old", vector("one"), where=None, limit=5)) == 2
        with store.writing() as writer:
            writer.put_embeddings("new", [one.digest], longer[one.text][None, :])
    put(store, bundle("c.md", "two"))
    assert [
        len(store.semantic(*asked, where=None, limit=5)) for asked in (("old", vector("one")), ("new", longer["one"]))
    ] == [3, 3]


def test_a_note_that_comes_while_another_model_takes_over_is_found_by_the_one_before(store: Store):
    put(store, bundle("a.md", "one"), bundle("b.md", "two"))
    embed(store, "old")
    assert len(store.semantic("old", vector("one"), where=None, limit=5)) == 2
    assert len(store.pending_embeddings("new", 5)) == 2
    put(store, bundle("c.md", "one"))
    assert len(store.semantic("old", vector("one"), where=None, limit=5)) == 3


def test_the_sketch_finds_what_a_full_scan_finds(store: Store):
    put(store, *(bundle(f"{n}.md", f"text number {n}") for n in range(300)))
    embed(store)
    query = vector("text number 7")
    fast = store.semantic("m", query, where=None, limit=20)
    assert fast == store.scan("m", query, where=None, limit=20)


def test_a_title_alone_is_shown_by_the_first_chunk(store: Store):
    put(store, bundle("Photosynthesis.md", "about plants", "about light"), bundle("b.md", "nothing"))
    [hit] = words(store, "photosynthesi")
    assert store.read(reads.chunks, [hit.chunk_id])[hit.chunk_id].position == 0


def test_a_note_is_found_by_what_others_call_it(store: Store):
    put(
        store,
        bundle("Mount Everest.md", "a mountain"),
        bundle("b.md", "seen", links=[LinkRow("Mount Everest", "wiki", 1, text="Chomolungma")]),
    )
    assert "Mount Everest.md" in paths(store, words(store, "chomolungma"))
    put(store, bundle("b.md", "seen"))
    assert words(store, "chomolungma") == []


def test_phrases_must_stand_word_by_word(store: Store):
    put(store, bundle("a.md", "a red apple tree"), bundle("b.md", "a tree with a red bird and an apple"))
    query = LexicalQuery((Term("appl"), Term("red")), must=(TypedPhrase("red apple"),))
    assert paths(store, store.lexical(query, where=None, limit=5).hits) == ["a.md"]
    without = LexicalQuery((Term("appl"),), must_not=(TypedPhrase("red apple"),))
    assert paths(store, store.lexical(without, where=None, limit=5).hits) == ["b.md"]


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("使用数据库管理笔记", "数据库", True),
        ("使用数据库管理笔记", "数据管理", False),
        ("使用数据库管理笔记", "库", True),
        ("ノートを検索する", "検索", True),
        ('say "hello" now', '"hello', True),
        ("anything", "!!!", True),
    ],
)
def test_phrases_in_any_script(store: Store, text: str, query: str, found: bool):
    put(store, bundle("a.md", text))
    hits = store.lexical(
        LexicalQuery((TypedPhrase(query), Term("a")), must=(TypedPhrase(query),)), where=None, limit=5
    ).hits
    assert bool(hits) is found


def test_a_prefix_finds_longer_words_and_ranks_the_whole_word_first(store: Store):
    put(store, bundle("long.md", "printable pages"), bundle("whole.md", "print pages"), bundle("no.md", "other"))
    hits = store.lexical(LexicalQuery((Term("print", prefix=True),)), where=None, limit=5).hits
    assert paths(store, hits) == ["whole.md", "long.md"]


def test_an_unfinished_word_is_found_however_far_back_in_the_index(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "scrubjay.profiles.search.words.evidence.SAMPLED_SHARDS", 0
    )  # as if it stood in none of those that are sampled
    put(store, bundle("press.md", "printing press"), bundle("no.md", "other"))
    hits = store.lexical(LexicalQuery((Term("pri", prefix=True),)), where=None, limit=5).hits
    assert paths(store, hits) == ["press.md"]


def test_equal_scores_come_in_the_order_of_their_ids(store: Store):
    put(store, *(bundle(f"{n}.md", f"alike {chr(97 + n)}") for n in range(9)))
    hits = words(store, "alik")
    assert [hit.chunk_id for hit in hits] == sorted(hit.chunk_id for hit in hits)


def test_frequencies_from_outside_change_the_weights(store: Store):
    put(store, bundle("a.md", "common rare"), bundle("b.md", "common other"))
    query = LexicalQuery((Term("rare"),))
    own = store.term_stats(query.keys)
    assert (own.chunks, dict(own.frequencies)) == (2, {"rare": 1})
    [alone] = store.lexical(query, where=None, limit=5).hits
    wider = stats_of(own.chunks * 100, own.tokens * 100, own.counts)
    [among_many] = store.lexical(query, where=None, limit=5, stats=wider).hits
    assert among_many.score > alone.score


def test_a_note_that_comes_and_goes_in_one_transaction_leaves_nothing(store: Store):
    store.load_arrays()
    with store.writing() as writer:
        writer.forget_notes([writer.put_note(bundle("a.md", "A heron."))])
    put(store, bundle("b.md", "A heron."))
    assert paths(store, words(store, "heron")) == ["b.md"]


def test_a_failure_is_remembered_until_the_file_can_be_read(store: Store):
    row = FailureRow(VAULT, "a.md", "not-utf-8", "It is not text.", 3, 4)
    with store.writing() as writer:
        writer.put_failure(row)
    assert store.read(reads.failures) == (row,)
    put(store, bundle("a.md", "now readable"))
    assert store.read(reads.failures) == ()


def test_an_exception_undoes_the_whole_transaction(store: Store):
    put(store, bundle("a.md", "first"))
    with pytest.raises(RuntimeError, match="stop"), store.writing() as writer:
        writer.put_note(bundle("a.md", "second"))
        writer.put_note(bundle("b.md", "third"))
        raise RuntimeError("stop")
    assert store.counts().notes == 1
    assert (len(words(store, "first")), words(store, "second")) == (1, [])


def test_a_reopened_store_answers_as_before(store: Store):
    put(store, bundle("a.md", "lasting words"), bundle("b.md", "other words"))
    embed(store)
    store.set_meta("name", "value")
    before = words(store, "word")
    store.close()
    again = another(store)
    assert words(again, "word") == before
    assert again.read(reads.meta, "name") == "value"
    assert len(again.semantic("m", vector("lasting words"), where=None, limit=5)) == 2
    again.close()


def test_what_another_connection_writes_is_seen(store: Store):
    put(store, bundle("a.md", "first"))
    embed(store)
    assert len(words(store, "first")) == 1
    assert len(store.semantic("m", vector("first"), where=None, limit=5)) == 1
    other = another(store)
    put(other, bundle("b.md", "first again"))
    embed(other)
    assert len(words(store, "first")) == 2
    assert len(store.semantic("m", vector("first"), where=None, limit=5)) == 2
    assert [near.term for near in store.near_terms("agian")] == ["again"]
    with store.writing() as writer:
        writer.forget_notes([1])
    assert [hit.note_id for hit in words(other, "first")] == [2]
    other.close()


def test_a_file_from_a_newer_version_is_left_untouched(tmp_path: Path):
    path = tmp_path / "index.sqlite3"
    FileStore.open(path).close()
    raw = cast("FileConnection", SqliteConnection(str(path)))
    raw.pragma("user_version", 99)
    raw.pragma("journal_mode", "DELETE")
    raw.close()
    before = path.read_bytes()
    with pytest.raises(StoreTooNew, match="format 99"):
        FileStore.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"SQLite format 3\0" + b"\xff" * 5000], ids=["plain-header-then-noise"])
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes):
    path = tmp_path / "index.sqlite3"
    path.write_bytes(content)
    with pytest.raises(StoreCorrupt, match=r"index\.sqlite3"):
        FileStore.open(path)


def test_somebody_elses_database_is_refused(tmp_path: Path):
    path = tmp_path / "index.sqlite3"
    raw = cast("FileConnection", SqliteConnection(str(path)))
    raw.execute("CREATE TABLE theirs (x)")
    raw.close()
    with pytest.raises(StoreCorrupt, match="is not one of Scrubjay's"):
        FileStore.open(path)


def test_a_closed_store_says_so(store: Store):
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.counts()


def test_only_the_owner_can_read_the_file(file_store: FileStore):
    assert stat.S_IMODE(file_store.path.stat().st_mode) == 0o600


def test_empty_queries_and_limits_find_nothing(store: Store):
    put(store, bundle("a.md", "text"))
    embed(store)
    assert store.lexical(LexicalQuery(()), where=None, limit=5).hits == []
    assert store.lexical(LexicalQuery((Term("text"),)), where=None, limit=0).hits == []
    assert store.semantic("m", vector("text"), where=None, limit=0) == []
    assert store.semantic("unknown", vector("text"), where=None, limit=5) == []


def test_a_store_at_rest_answers_as_before(store: Store):
    put(store, bundle("walnut.md", "the walnut tree"))
    before = words(store, "walnut")
    store.release_memory()
    assert words(store, "walnut") == before != []
    assert [near.term for near in store.near_terms("walnat")] == ["walnut"]


def test_a_store_at_rest_has_an_empty_write_ahead_log(tmp_path: Path) -> None:
    with closing(FileStore.open(tmp_path / "index.sqlite3")) as store:
        put(store, bundle("walnut.md", "the walnut tree"))
        log = tmp_path / "index.sqlite3-wal"
        assert log.stat().st_size > 0
        store.release_memory()
        assert log.stat().st_size == 0


def refuse_to_build(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a search had to wait for it")

    monkeypatch.setattr(search_arrays.columns, "load", refuse)
    monkeypatch.setattr(search_arrays, "SemanticIndex", refuse)
    monkeypatch.setattr(store_module, "Vocabulary", refuse)


def test_once_loaded_no_search_builds_what_it_needs(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    put(store, bundle("a.md", "the walrus"), bundle("b.md", "a walnut"))
    embed(store)
    store.load_arrays()
    put(store, bundle("c.md", "a wallaby"))  # kept up to date with what comes after
    embed(store)

    refuse_to_build(monkeypatch)
    assert len(store.lexical(LexicalQuery((Term("wallabi"),)), where=None, limit=5).hits) == 1
    assert len(store.semantic("m", vector("a wallaby"), where=None, limit=5)) == 3
    assert [near.term for near in store.near_terms("walrs")] == ["walru"]
