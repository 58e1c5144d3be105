"""With four times the notes, a note costs no more to index, and a search no more statements: counted, not timed."""

import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import UTC, date
from pathlib import Path

import numpy as np
import pytest

from scrubjay.credential_filter import redact
from scrubjay.daemon.indexing.embedding_pass import embed_pending
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.links.link_graph import GraphCache
from scrubjay.daemon.links.timeline import moments
from scrubjay.daemon.review.looker import Looker
from scrubjay.daemon.review.proposals_found import Reviews
from scrubjay.daemon.review.steps import Vaults
from scrubjay.daemon.server.replies.days import notes_by_day
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.types import SearchRequest
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import NoteMove
from scrubjay.profiles.store.store import Store
from scrubjay.profiles.store.writer import Writer
from tests.helpers.counted import lines_run
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.indexed_vault import index_vault
from tests.helpers.statements import rows_gone_through, statements_run
from tests.integration.search.conftest import MakeStore, Over, note

NOTES = (50, 100, 200)
WORDS = ("heron", "weir", "mill", "eel", "dusk", "reed", "ferry")


@pytest.fixture(scope="module", name="module_store_kind")
def only_files() -> str:
    return "file"


@pytest.fixture(name="store_kind")
def files_too(module_store_kind: str) -> str:
    return module_store_kind


def text(number: int) -> str:
    bird, place = WORDS[number % len(WORDS)], WORDS[number * 3 % len(WORDS)]
    return f"# Watch {number}\n\nThe {bird} was by the {place}. See [[Watch {number + 1}]].\n"


def test_the_statements_that_index_a_note_do_not_grow_with_the_vault(tmp_path: Path) -> None:
    def per_note(notes: int) -> float:
        vault = tmp_path / str(notes)
        vault.mkdir()
        for number in range(notes):
            (vault / f"Watch {number}.md").write_text(text(number), encoding="utf-8")
        store = FileStore.open(tmp_path / f"{notes}.sqlite3")
        count = statements_run(lambda: index_vault(store, vault))
        store.close()
        return count / notes

    one, two, four = map(per_note, NOTES)
    assert two < 1.1 * one
    assert four < 1.1 * one


def test_the_statements_that_change_a_note_do_not_grow_with_the_store(make_store: MakeStore) -> None:
    def work(notes: int) -> int:
        store = make_store(*(note(f"{number}.md", text(number)) for number in range(notes)), embedded=False)

        def change() -> None:
            with store.writing() as writer:
                writer.put_note(note("1.md", "The heron left at dawn."))

        return statements_run(change)

    one, two, four = map(work, NOTES)
    assert one == two == four


def _write(writer: Writer) -> None:
    writer.put_note(note("1.md", "The heron left at dawn.", tags=("dawn",)))
    writer.refresh_anchors()


def _move(writer: Writer) -> None:
    writer.move_notes((NoteMove(2, "mills/1.md", 1, 1),))
    writer.refresh_anchors()


def _forget(writer: Writer) -> None:
    writer.forget_notes((2,))
    writer.refresh_anchors()


@pytest.mark.parametrize("change", [_write, _move, _forget])
def test_what_is_gone_through_to_change_a_note_does_not_grow_with_the_store(
    change: Callable[[Writer], None], make_store: MakeStore
) -> None:
    def work(notes: int) -> int:
        store = make_store(*(note(f"{number}.md", text(number)) for number in range(notes)), embedded=False)
        with ExitStack() as counting, store.writing() as writer:
            rows = counting.enter_context(rows_gone_through(writer.connection))
            change(writer)
        return sum(rows)

    one, two, four = map(work, NOTES)
    assert one == two == four


@pytest.mark.parametrize(
    "query", ["heron", "heron weir", '"by the weir"', "her*", "heron -mill", "path:1 heron", "tag:none", "herno"]
)
def test_the_statements_of_a_search_do_not_grow_with_the_store(query: str, over: Over) -> None:
    def work(notes: int) -> int:
        searcher, request = over(*(note(f"{number}.md", text(number)) for number in range(notes))), SearchRequest(query)
        searcher.search(request)  # arrays, and words for typos, are there from here on
        return statements_run(lambda: searcher.search(request))

    one, two, four = map(work, NOTES)
    assert max(two, four) <= one + 2, (one, two, four)


@pytest.mark.parametrize(
    "line",
    [
        "The heron was by the weir.\n",
        "password: see the safe\n",
        "| host | user | note |\n",
        "export NAME=value\n",
        "https://example.org/a?b=c\n",
        "dGhlIGhlcm9uIHdhcyBieSB0aGUgd2Vpcg\n",
    ],
)
def test_a_text_of_four_times_the_length_is_filtered_with_four_times_the_work(line: str) -> None:
    redact(line)  # rules are loaded
    one, two, four = (lines_run(lambda times=times: redact(line * times)) for times in (100, 200, 400))
    assert two < 2.2 * one
    assert four < 4.4 * one


def test_the_notes_of_a_week_are_told_in_as_many_steps_however_many_there_are(make_store: MakeStore) -> None:
    profile = Profile(id="0" * 12, name="work", colour="#000000")

    def work(notes: int) -> tuple[int, int]:
        others = (note(f"20{number % 90 + 10}-01-{number % 28 + 1:02} {number}.md", "Eels.") for number in range(notes))
        seen = (note(f"Heron {number}.md", "A heron.", "A weir.", day=number % 7 + 1) for number in range(notes // 10))
        store = make_store(*others, *seen, embedded=False)

        def ask() -> None:
            days = notes_by_day({"work": store}, [profile], UTC, date(2026, 3, 3), date(2026, 3, 3))
            assert [day.day for day in days] == [date(2026, 3, 3)]

        ask()  # when each note stands is there from here on
        return statements_run(ask), lines_run(ask) // (notes // 10)

    one, two, four = map(work, NOTES)
    assert one[0] == two[0] == four[0]
    assert two[1] <= one[1]
    assert four[1] <= one[1]


def _embed(store: Store) -> None:
    assert embed_pending(store, HashEncoder(), Progress(), threading.Event(), lambda: None)


def _review(store: Store) -> None:
    with closing(Reviews(Looker(GraphCache()))) as reviews:
        assert reviews.look(store, Vaults({}, {}), seconds=None) == 0
    assert store.near_copies()


@pytest.mark.parametrize("work", [_embed, _review])
def test_what_all_notes_are_asked_for_stays_while_they_are_embedded_and_compared(
    make_store: MakeStore, work: Callable[[Store], None]
) -> None:
    texts = [" ".join(f"heron{n // 2} eel{word}" for word in range(60)) for n in range(200)]  # each twice, nearly
    notes = (note(f"{n}.md", f"{text} {n}", tags=(f"t{n}",)) for n, text in enumerate(texts))
    store = make_store(*notes, embedded=False)
    ids = np.arange(1, 202)

    def ask() -> tuple[int, int, int]:
        tags = store.facet_counts(ids, "tag")
        store.sorted_notes(ids, "modified", 5, descending=True)
        return len(store.derived(moments).note_ids), len(store.derived(reads.tags)), len(tags)

    assert ask() == (200, 200, 200)
    before = lines_run(ask)
    assert store.counts().pending_embeddings == 200
    work(store)
    assert lines_run(ask) < 1.2 * before
    assert store.counts().pending_embeddings == (0 if work is _embed else 200)
    with store.writing() as writer:
        writer.put_note(note("new.md", "An eel.", tags=("new",)))
    assert ask() == (201, 201, 201)
