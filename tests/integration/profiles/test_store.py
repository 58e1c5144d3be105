import stat
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from scrubjay.profiles.errors import StoreCorrupt, StoreError
from scrubjay.profiles.search.words import word_index
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term, TypedPhrase
from scrubjay.profiles.search.words.lexical_leg import stats_of
from scrubjay.profiles.search.words.vocabulary import Vocabulary
from scrubjay.profiles.store import file_store as file_store_module
from scrubjay.profiles.store import reads, search_arrays
from scrubjay.profiles.store import store as store_module
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.filters import HasTag
from scrubjay.profiles.store.rows import FailureRow, LexicalHit, LinkRow, NoteBundle, NoteMove, RedactionRow
from scrubjay.profiles.store.sqlite import SqliteConnection, connect
from scrubjay.profiles.store.statements import Connection, FileConnection, generation_of
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.team import team_store as team_store_module
from tests.helpers.stores import another, either_kind
from tests.helpers.waiting import PATIENCE_SECONDS, until
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


def test_an_error_after_which_sqlite_ended_the_transaction_is_the_one_that_is_raised(store: Store):
    with pytest.raises(RuntimeError), store.reading() as connection:
        connection.execute("ROLLBACK")  # as SQLite does by itself, when memory is short
        raise RuntimeError
    assert store.read(reads.note_count) == 0


def test_a_forgotten_note_is_found_by_nothing_and_leaves_no_row(store: Store):
    ids = put(store, bundle("a.md", "zebra", links=[LinkRow("b", "wiki", 1, text="stripes")]), bundle("b.md", "horse"))
    embed(store)
    with store.writing() as writer:
        writer.forget_notes([ids[0], 12345])
    assert words(store, "zebra") == []
    counts = store.counts()
    assert (counts.notes, counts.chunks, counts.embeddings, counts.links) == (1, 1, 1, 0)
    assert [hit.note_id for hit in store.semantic("m", vector("zebra"), where=None, limit=5)] == [ids[1]]


def test_an_exception_undoes_the_whole_transaction(store: Store):
    put(store, bundle("a.md", "first"))
    with pytest.raises(RuntimeError, match="stop"), store.writing() as writer:
        writer.put_note(bundle("a.md", "second"))
        writer.put_note(bundle("b.md", "third"))
        raise RuntimeError("stop")
    assert store.counts().notes == 1
    assert (len(words(store, "first")), words(store, "second")) == (1, [])


def test_who_reads_a_store_that_is_being_closed_and_would_write_keeps_nobody_waiting(file_store: FileStore) -> None:
    reads_it, refused = threading.Event(), threading.Event()

    def read_and_write() -> None:
        with file_store.reading():
            reads_it.set()
            until(lambda: file_store._closed)  # pyright: ignore[reportPrivateUsage]
            with pytest.raises(StoreError, match="closed"), file_store.writing():
                pass
        refused.set()

    threading.Thread(target=read_and_write, daemon=True).start()
    assert reads_it.wait(PATIENCE_SECONDS)
    closer = threading.Thread(target=file_store.close, daemon=True)
    closer.start()
    assert refused.wait(PATIENCE_SECONDS)
    closer.join(PATIENCE_SECONDS)
    assert not closer.is_alive()


def test_a_closed_store_says_so(store: Store):
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.counts()


def test_some_files_and_folders_are_known_by_their_names(store: Store):
    put(store, *(bundle(path, "text") for path in ("Birds/Jay.md", "Birds/Éider.md", "Birds0.md", "Birds-2/Jay.md")))
    put(store, bundle("Birds/Jay.md", "text", vault="ffffffff"))
    all_known = store.read(reads.known_notes, VAULT)
    for places, found in (
        (["birds/JAY.md"], {"Birds/Jay.md"}),
        (["Birds"], {"Birds/Jay.md", "Birds/Éider.md"}),
        (["birds/e\u0301ider.md", "Birds0.md", "Birds/Jay.md/x"], {"Birds/Éider.md", "Birds0.md"}),
        (["Bird", "Jay.md", "Birds/J"], set[str]()),
        ([], set[str]()),
    ):
        known = store.read(reads.known_notes, VAULT, places)
        assert known.keys() == found
        assert known.items() <= all_known.items()


def test_times_and_targets_of_links_are_read_of_all_notes_or_of_some(store: Store):
    links = [LinkRow("Later", "wiki", 9), LinkRow("First", "markdown", 2)]
    one, two, _ = put(
        store,
        bundle("written.md", mtime_ns=99, created_ns=19, links=links),
        bundle("changed.md", mtime_ns=10, links=[LinkRow("a", "embed", 1)]),
        bundle("neither.md"),
    )
    times = [(each.path, each.mtime_ns, each.created_ns) for each in store.read(reads.note_times)]
    assert times == [("written.md", 99, 19), ("changed.md", 10, None), ("neither.md", 1, None)]
    some = np.array([two, 10**6], np.int64)
    assert [each.path for each in store.read(reads.note_times, some)] == ["changed.md"]
    assert store.read(reads.link_targets) == {one: ["First", "Later"], two: ["a"]}
    assert store.read(reads.link_targets, [two]) == {two: ["a"]}


def test_what_is_derived_is_made_once_for_each_state_of_the_store(store: Store) -> None:
    made: list[dict[str, int]] = []

    def tags(connection: Connection) -> dict[str, int]:
        made.append(reads.tags(connection))
        return made[-1]

    put(store, bundle("A.md", tags=("rust",)))
    assert [store.derived(tags) for _ in range(3)] == [{"rust": 1}] * 3
    put(store, bundle("B.md", tags=("rust", "go")))
    assert store.derived(tags) == {"rust": 2, "go": 1}
    assert store.derived(tags) is made[1]


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
    put(store, bundle("b.md", "ostrich ostrich"))  # while they are being read
    go_on.set()
    store.load_arrays()
    assert near(store, "walrs") == [("walru", 1)]
    assert near(store, "ostrch") == [("ostrich", 1)]
    put(store, bundle("c.md", "ostrich"))
    assert near(store, "ostrch") == [("ostrich", 2)]
    put(store, bundle("b.md", "gone"), bundle("c.md", "gone"))
    assert near(store, "ostrch") == []


def near(store: Store, word: str) -> list[tuple[str, int]]:
    return [(found.term, found.frequency) for found in store.near_terms(word)]


def test_once_loaded_no_search_builds_what_it_needs_also_after_a_rest(store: Store, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> None:
        raise AssertionError("a search had to wait for it")

    put(store, bundle("a.md", "the walrus"), bundle("b.md", "a walnut"))
    embed(store)
    store.load_arrays()
    put(store, bundle("c.md", "a wallaby"))  # kept up to date with what comes after
    embed(store)
    store.release_memory()
    monkeypatch.setattr(search_arrays.columns, "load", refuse)
    monkeypatch.setattr(search_arrays, "SemanticIndex", refuse)
    monkeypatch.setattr(store_module, "Vocabulary", refuse)
    assert len(words(store, "wallabi")) == 1
    assert len(store.semantic("m", vector("a wallaby"), where=None, limit=5)) == 3
    assert near(store, "walrs") == [("walru", 1)]


def test_a_replaced_note_keeps_its_id_and_its_passages_however_often_they_stand(store: Store):
    [first] = put(store, bundle("a.md", "same", "same", "old walrus"))
    kept = {view.chunk_id for view in store.read(reads.note_chunks, first)[:2]}
    assert put(store, bundle("a.md", "new ostrich", "same", "same", "same")) == [first]
    assert words(store, "walru") == []
    assert paths(store, words(store, "ostrich")) == ["a.md"]
    views = store.read(reads.note_chunks, first)
    assert [view.text for view in views] == ["new ostrich", "same", "same", "same"]
    assert kept < {view.chunk_id for view in views[1:]}
    assert len(words(store, "same")) == 3


def test_a_failure_is_remembered_until_the_file_can_be_read(store: Store):
    row = FailureRow(VAULT, "a.md", "not-utf-8", "It is not text.", 3, 4)
    with store.writing() as writer:
        writer.put_failure(row)
    assert store.read(reads.failures) == (row,)
    put(store, bundle("a.md", "now readable"))
    assert store.read(reads.failures) == ()


def test_what_was_forgotten_leaves_no_byte_in_the_file(file_store: FileStore):
    [note_id] = put(file_store, bundle("secret-plan.md", "xylophonequartz", title="Zugzwangpterodactyl"))
    put(file_store, bundle("b.md", "horse"))
    with file_store.writing() as writer:
        writer.forget_notes([note_id])
    assert_no_bytes_of(file_store, "xylophonequartz", "zugzwangpterodactyl", "secret-plan", "xylophon", "zugzwang")
    again = FileStore.open(file_store.path)  # much at once
    ids = put(again, *(bundle(f"{n}.md", *(f"passage {n} {k} quagga" for k in range(20))) for n in range(80)))
    with again.writing() as writer:
        writer.forget_notes(ids)
    again.merge_phrases(lambda: True)
    assert_no_bytes_of(again, "quagga")


def assert_no_bytes_of(store: FileStore, *texts: str) -> None:
    store.close()
    content = b"".join(file.read_bytes().lower() for file in store.path.parent.iterdir())
    assert [text for text in texts if text.encode() in content] == []


def test_many_notes_that_move_leave_no_byte_of_their_folder(file_store: FileStore):
    ids = put(file_store, *(bundle(f"Quagga/{n}.md", f"passage {n}") for n in range(150)))
    with file_store.writing() as writer:
        writer.move_notes([NoteMove(each, f"Elsewhere/{n}.md", 5) for n, each in enumerate(ids)])
    file_store.merge_phrases(lambda: True)
    assert_no_bytes_of(file_store, "quagga")


def test_a_note_that_comes_moves_and_goes_in_one_transaction_leaves_vectors_and_words_right(store: Store):
    [note_id] = put(store, bundle("Shrubs/a.md", "travelling text"))
    embed(store)
    with store.writing() as writer:
        writer.forget_notes([note_id])
        writer.put_note(bundle("Bushes/a.md", "travelling text"))
        writer.forget_notes([writer.put_note(bundle("b.md", "A heron."))])
    assert store.pending_count("m") == 0
    [hit] = store.semantic("m", vector("travelling text"), where=None, limit=5)
    assert hit.distance == pytest.approx(0, abs=1e-4)  # vectors have eight bits a dimension
    with store.writing() as writer:
        writer.move_notes([NoteMove(hit.note_id, "Trees/a.md", 5)])
    assert [words(store, gone) for gone in ("shrub", "bush", "heron")] == [[], [], []]
    assert paths(store, words(store, "tree")) == ["Trees/a.md"]


def test_equal_texts_are_embedded_once_and_found_in_each_place_and_the_newest_come_first(store: Store):
    notes = (("old.md", "shared", 1), ("new.md", "new", 3), ("mid.md", "mid", 2), ("again.md", "shared", 1))
    put(store, *(bundle(path, text, mtime_ns=mtime) for path, text, mtime in notes))
    assert [one.text for one in store.pending_embeddings("m", 2)] == ["new", "mid"]
    assert embed(store) == 3
    hits = store.semantic("m", vector("shared"), where=None, limit=2)
    assert [hit.digest for hit in hits] == [digest("shared")] * 2
    assert len({hit.chunk_id for hit in hits}) == 2


def test_while_a_model_with_longer_vectors_takes_over_the_old_one_is_still_asked(store: Store):
    put(store, bundle("a.md", "one"), bundle("b.md", "two"))
    embed(store, "old")
    longer = {text: np.concatenate((vector(text), np.zeros(64, np.float32))) for text in ("one", "two")}
    assert store.pending_count("new") == 2
    for number, one in enumerate(store.pending_embeddings("new", 5)):
        put(store, bundle(f"also {number}.md", one.text))
        assert len(store.semantic("old", vector("one"), where=None, limit=5)) == 3 + number
        with store.writing() as writer:
            writer.put_embeddings("new", [one.digest], longer[one.text][None, :])
    put(store, bundle("c.md", "two"))
    asked = (("old", vector("one")), ("new", longer["one"]))
    assert [len(store.semantic(*each, where=None, limit=9)) for each in asked] == [5, 5]
    with store.writing() as writer:
        writer.forget_other_models("new")
    assert [len(store.semantic(*each, where=None, limit=9)) for each in asked] == [0, 5]


def test_the_sketch_finds_what_a_full_scan_finds(store: Store):
    put(store, *(bundle(f"{n}.md", f"text number {n}") for n in range(150)))
    embed(store)
    query = vector("text number 7")
    assert store.semantic("m", query, where=None, limit=20) == store.scan("m", query, where=None, limit=20)


def test_words_of_titles_links_and_beginnings_find_notes(store: Store, monkeypatch: pytest.MonkeyPatch):
    put(
        store,
        bundle("Photosynthesis.md", "about plants", "about light"),
        bundle("Mount Everest.md", "a mountain"),
        bundle("b.md", "seen", links=[LinkRow("Mount Everest", "wiki", 1, text="Chomolungma")]),
        bundle("long.md", "printable pages"),
        bundle("whole.md", "print pages"),
        *(bundle(f"{n}.md", f"alike {chr(97 + n)}") for n in range(9)),
    )
    [hit] = words(store, "photosynthesi")
    assert store.read(reads.chunks, [hit.chunk_id])[hit.chunk_id].position == 0
    assert "Mount Everest.md" in paths(store, words(store, "chomolungma"))
    put(store, bundle("b.md", "seen"))
    assert words(store, "chomolungma") == []
    alike = [hit.chunk_id for hit in words(store, "alik")]
    assert alike == sorted(alike)  # of equal scores
    prefix = LexicalQuery((Term("print", prefix=True),))
    assert paths(store, store.lexical(prefix, where=None, limit=5).hits) == ["whole.md", "long.md"]
    # As if it stood in none of the parts of the index that are sampled.
    monkeypatch.setattr("scrubjay.profiles.search.words.evidence.SAMPLED_SHARDS", 0)
    prefix = LexicalQuery((Term("photos", prefix=True),))
    assert paths(store, store.lexical(prefix, where=None, limit=5).hits) == ["Photosynthesis.md"]


def test_phrases_must_stand_word_by_word_in_any_script(store: Store):
    texts = ("a red apple tree", "a tree with a red bird and an apple", "a 使用数据库管理笔记", "a ノートを検索する")
    put(store, *(bundle(f"{n}.md", text) for n, text in enumerate((*texts, 'a say "hello" now'))))

    def found(query: LexicalQuery) -> set[str]:
        return set(paths(store, store.lexical(query, where=None, limit=9).hits))

    assert found(LexicalQuery((Term("appl"), Term("red")), must=(TypedPhrase("red apple"),))) == {"0.md"}
    assert found(LexicalQuery((Term("appl"),), must_not=(TypedPhrase("red apple"),))) == {"1.md"}
    for phrase, where in (
        ("数据库", {"2.md"}),
        ("数据管理", set[str]()),
        ("库", {"2.md"}),
        ("検索", {"3.md"}),
        ('"hello', {"4.md"}),
        ("!!!", {f"{n}.md" for n in range(5)}),
    ):
        assert found(LexicalQuery((TypedPhrase(phrase), Term("a")), must=(TypedPhrase(phrase),))) == where, phrase


def test_frequencies_from_outside_change_the_weights(store: Store):
    put(store, bundle("a.md", "common rare"), bundle("b.md", "common other"))
    query = LexicalQuery((Term("rare"),))
    own = store.term_stats(query.keys)
    assert (own.chunks, dict(own.frequencies)) == (2, {"rare": 1})
    [alone] = store.lexical(query, where=None, limit=5).hits
    wider = stats_of(own.chunks * 100, own.tokens * 100, own.counts)
    [among_many] = store.lexical(query, where=None, limit=5, stats=wider).hits
    assert among_many.score > alone.score


def test_empty_queries_and_limits_find_nothing(store: Store):
    put(store, bundle("a.md", "text"))
    embed(store)
    assert store.lexical(LexicalQuery(()), where=None, limit=5).hits == []
    assert store.lexical(LexicalQuery((Term("text"),)), where=None, limit=0).hits == []
    assert store.semantic("m", vector("text"), where=None, limit=0) == []
    assert store.semantic("unknown", vector("text"), where=None, limit=5) == []


def test_what_another_connection_writes_is_seen_and_answered_after_reopening(store: Store):
    put(store, bundle("a.md", "first"))
    embed(store)
    assert len(words(store, "first")) == len(store.semantic("m", vector("first"), where=None, limit=5)) == 1
    other = another(store)
    put(other, bundle("b.md", "first again"))
    embed(other)
    other.set_meta("name", "value")
    assert len(words(store, "first")) == len(store.semantic("m", vector("first"), where=None, limit=5)) == 2
    assert near(store, "agian") == [("again", 1)]
    with store.writing() as writer:
        writer.forget_notes([1])
    before = words(other, "first")
    assert [hit.note_id for hit in before] == [2]
    other.close()
    store.close()
    again = another(store)
    assert (words(again, "first"), again.read(reads.meta, "name")) == (before, "value")
    assert len(again.semantic("m", vector("first again"), where=None, limit=5)) == 1
    again.close()


@pytest.mark.parametrize("content", [b"SQLite format 3\0" + b"\xff" * 5000, None], ids=["damaged", "somebody else's"])
def test_a_file_that_is_no_store_is_named(tmp_path: Path, content: bytes | None):
    path = tmp_path / "index.sqlite3"
    if content is None:
        with closing(cast("FileConnection", SqliteConnection(str(path)))) as raw:
            raw.execute("CREATE TABLE theirs (x)")
    else:
        path.write_bytes(content)
    with pytest.raises(StoreCorrupt, match=r"index\.sqlite3" if content else "is not one of Scrubjay's"):
        FileStore.open(path)


def test_a_file_is_its_owners_alone_and_at_rest_its_log_is_empty(file_store: FileStore) -> None:
    assert stat.S_IMODE(file_store.path.stat().st_mode) == 0o600
    put(file_store, bundle("walnut.md", "the walnut tree"))
    log = file_store.path.with_name(f"{file_store.path.name}-wal")
    assert log.stat().st_size > 0
    file_store.release_memory()
    assert log.stat().st_size == 0


def test_the_log_stays_short_while_somebody_always_reads(
    file_store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_store_module, "_LONG_LOG_PAGES", 50)
    log = file_store.path.with_name(f"{file_store.path.name}-wal")
    over, sizes = threading.Event(), list[int]()

    def read() -> None:
        """One of two readers has always begun before the other ends."""
        now, after = (connect(file_store.path, None, "reader") for _ in range(2))
        with closing(now), closing(after):
            while not over.wait(0.01):
                after.execute("BEGIN; SELECT count(*) FROM note")
                if now.in_transaction:
                    now.execute("ROLLBACK")
                now, after = after, now

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for number in range(40):
            put(file_store, bundle(f"{number}.md", " ".join(f"word{number}of{each}" for each in range(500))))
            sizes.append(log.stat().st_size)
    finally:
        over.set()
        reader.join()
    assert max(sizes) < 1_200_000
    assert sum(before > 0 for before in sizes) > 10, "and it is not emptied each time"


def test_a_writer_does_not_wait_again_and_again_for_one_who_reads_for_long(
    file_store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_store_module, "_LONG_LOG_PAGES", 50)
    monkeypatch.setattr(file_store_module, "_READERS_END_MS", 1)
    log = file_store.path.with_name(f"{file_store.path.name}-wal")
    waits, as_it_is = list[int](), FileStore._empty_log  # pyright: ignore[reportPrivateUsage]

    def empty_log(store: FileStore, *, wait_ms: int = 0) -> None:
        waits.append(wait_ms)
        as_it_is(store, wait_ms=wait_ms)

    monkeypatch.setattr(FileStore, "_empty_log", empty_log)
    with file_store.reading() as connection:
        assert connection.execute("SELECT count(*) FROM note").get == 0
        for number in range(40):
            put(file_store, bundle(f"{number}.md", " ".join(f"word{number}of{each}" for each in range(500))))
        grown = log.stat().st_size
    assert 0 < sum(waits) <= 8, "it waits when the log is twice as long"
    assert grown > 1_000_000
    put(file_store, bundle("last.md", "the last"))
    assert log.stat().st_size < 400_000
