"""What was said is kept; a finder that fails harms no other; notes are compared when they change, and only then."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from scrubjay.daemon.links import link_graph
from scrubjay.daemon.links.link_graph import GraphCache
from scrubjay.daemon.review import look
from scrubjay.daemon.review.finder import Finder, FoundProposal
from scrubjay.daemon.review.finders.near_copy import NearCopies
from scrubjay.daemon.review.looker import Looker
from scrubjay.daemon.review.proposal import Answer, Kind, Proposal
from scrubjay.daemon.review.proposals_found import ComparedNotes, Reviews
from scrubjay.daemon.review.queue import ProposalFilter, Queue
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.daemon.review.steps import Vaults
from scrubjay.profiles.errors import UsageError
from scrubjay.profiles.journal.search_event import Asker, SearchEvent
from scrubjay.profiles.journal.searches import History
from scrubjay.profiles.store import backup, near_copies, reads, review_answers
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check, repair
from scrubjay.profiles.store.rows import SAID_WAITS_NS
from scrubjay.profiles.store.statements import generation_of
from scrubjay.profiles.store.store import Store
from tests.helpers.counted import lines_run
from tests.helpers.indexed_vault import VAULT_ID, index_vault
from tests.helpers.stores import NewStore

TEXT = "The heron stands at the weir below the old mill where eels come up at dusk and the water runs shallow in winter"
NAMES = {VAULT_ID: "Notes"}
VAULTS = Vaults(NAMES, {})


@pytest.fixture
def store(new_store: NewStore, tmp_path: Path) -> Store:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "One.md").write_text(TEXT, encoding="utf-8")
    (vault / "Two.md").write_text(TEXT.replace("dusk", "dawn"), encoding="utf-8")
    opened = new_store()
    index_vault(opened, vault)
    return opened


@pytest.fixture
def reviews() -> Iterator[Reviews]:
    made = Reviews(Looker(GraphCache()))
    yield made
    made.close()


def queue(store: Store, reviews: Reviews) -> Queue:
    assert reviews.look(store, VAULTS, seconds=None) == 0
    return Queue(store, "work", NAMES)


def test_a_look_is_of_links_as_they_are_however_long_reading_them_took(
    new_store: NewStore, tmp_path: Path, reviews: Reviews, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_graph, "PATIENCE", 10**9)  # as if it had taken long
    opened = new_store()
    (tmp_path / "Broken.md").write_text("See [[Grey herron]].", encoding="utf-8")
    (tmp_path / "Grey heron.md").write_text("It stands.", encoding="utf-8")
    index_vault(opened, tmp_path)
    assert [each.path for each in listed(queue(opened, reviews), "broken-link")] == ["Broken.md"]
    (tmp_path / "Grey herron.md").write_text("That is its name.", encoding="utf-8")
    index_vault(opened, tmp_path)
    assert listed(queue(opened, reviews), "broken-link") == []


def test_before_the_first_look_every_note_is_yet_to_be_looked_at(store: Store, reviews: Reviews) -> None:
    assert reviews.look(store, VAULTS, seconds=0.0) == 2


def listed(found: Queue, kind: Kind | None = None) -> list[Proposal]:
    answers: tuple[Answer, ...] = get_args(Answer)
    keys = [
        each.key for answer in answers for each in found.listing(ProposalFilter(kind=kind, answer=answer), 1_000).first
    ]
    return list(found.shown(keys).values())


def copies(found: Queue) -> list[str]:
    return [each.answer for each in listed(found, "near-copy")]


def refuse(store: Store, reviews: Reviews) -> None:
    asked = queue(store, reviews)
    (proposal,) = listed(asked, "near-copy")
    asked.decide(proposal.key, "no", None)


def test_an_answer_outlives_a_repair_and_a_new_reading_and_a_copy_of_a_file(
    store: Store, reviews: Reviews, tmp_path: Path
) -> None:
    refuse(store, reviews)
    repair(store)
    assert copies(queue(store, reviews)) == ["no"]
    with store.writing() as writer:
        writer.forget_notes([note.note_id for note in store.read(reads.recent)])
    index_vault(store, tmp_path / "vault")
    assert copies(queue(store, reviews)) == ["no"]
    if not isinstance(store, FileStore):
        return
    backup.backup(store.path, None, tmp_path / "backup.sqlite3")
    copied = FileStore.open(tmp_path / "backup.sqlite3")
    assert copies(queue(copied, reviews)) == ["no"]
    assert check(copied) == ()
    copied.close()


def test_an_answer_to_what_is_found_first_outlives_a_small_change_and_then_another_name(
    new_store: NewStore, reviews: Reviews, tmp_path: Path
) -> None:
    opened, note = new_store(), tmp_path / "Weir.md"
    note.write_text(f"{TEXT}\n\nSee [[Grey herron]].", encoding="utf-8")
    (tmp_path / "Grey heron.md").write_text("It stands.", encoding="utf-8")
    index_vault(opened, tmp_path)
    asked = queue(opened, reviews)
    (proposal,) = listed(asked, "broken-link")
    asked.decide(proposal.key, "no", None)
    note.write_text(f"{note.read_text(encoding='utf-8')}\n\nAnd eels.", encoding="utf-8")
    index_vault(opened, tmp_path)
    assert [each.answer for each in listed(queue(opened, reviews), "broken-link")] == ["no"]
    note.rename(tmp_path / "Mill.md")
    index_vault(opened, tmp_path)
    with opened.writing() as writer:
        writer.forget_notes([each.note_id for each in opened.read(reads.recent) if each.path == "Weir.md"])
    assert [(each.path, each.answer) for each in listed(queue(opened, reviews), "broken-link")] == [("Mill.md", "no")]


def test_a_yes_needs_a_choice_where_nothing_is_sure(new_store: NewStore, reviews: Reviews, tmp_path: Path) -> None:
    for path in ("Mill/Heron Weir.md", "Upper/Heron Weir.md", "Walk.md"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("By [[old/Heron Weir]] it rained.", encoding="utf-8")
    store = new_store()
    index_vault(store, tmp_path)
    asked = queue(store, reviews)
    (proposal,) = listed(asked, "broken-link")
    assert [option.chosen for option in proposal.options] == [False, False]
    with pytest.raises(UsageError, match="Choose one of its options"):
        asked.decide(proposal.key, "yes", None)
    assert queue(store, reviews).get(proposal.key).answer == "open"
    asked.decide(proposal.key, "yes", [proposal.options[1].id])
    assert queue(store, reviews).get(proposal.key).answer == "yes"


def test_each_of_many_proposals_is_looked_at_by_itself(new_store: NewStore, reviews: Reviews, tmp_path: Path) -> None:
    def work(count: int) -> int:
        vault = tmp_path / str(count)
        vault.mkdir()
        for number in range(count):
            (vault / f"Heron {number}.md").write_text(f"By [[old/Heron {number + 1}]] it rained.", encoding="utf-8")
        store = new_store()
        index_vault(store, vault)
        keys = [each.key for each in listed(queue(store, reviews), "broken-link")]
        assert len(keys) >= count - 1

        def answer() -> None:
            for key in keys:
                reviews.look(store, VAULTS, seconds=0.0)  # as for each request
                Queue(store, "work", NAMES).decide(key, "no", None)

        return lines_run(answer) // len(keys)

    one, two, four = (work(count) for count in (5, 10, 20))
    assert two < 1.1 * one
    assert four < 1.1 * one


def test_four_times_the_notes_are_looked_through_with_four_times_the_work(
    new_store: NewStore, reviews: Reviews, tmp_path: Path
) -> None:
    def work(count: int) -> int:
        vault = tmp_path / str(count)
        vault.mkdir()
        for number in range(count):
            text = f"---\ntags: [bird{number}]\n---\nBy [[old/Heron {number + 1}]] and Heron {number // 2} it rained."
            (vault / f"Heron {number}.md").write_text(text, encoding="utf-8")
        store = new_store()
        index_vault(store, vault)
        return lines_run(lambda: reviews.look(store, VAULTS, seconds=None))

    one, two, four = (work(count) for count in (20, 40, 80))
    assert two < 2.2 * one
    assert four < 4.4 * one


def test_an_answer_about_a_note_that_is_long_gone_is_dropped(store: Store, reviews: Reviews) -> None:
    refuse(store, reviews)
    (row,) = review_answers.answers(store)
    with store.writing() as writer:
        writer.connection.execute("UPDATE review_answer SET path = 'Gone.md', at_ns = at_ns - ?", (SAID_WAITS_NS + 1,))
    review_answers.put_answers(store, [row])
    assert [kept.path for kept in review_answers.answers(store)] == [row.path]


class _Failing:
    kinds: tuple[Kind, ...] = ("orphan",)

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        yield FoundProposal(kind="orphan", note=notes.notes[0])
        raise ValueError("nobody foresaw this")


def test_a_finder_that_fails_harms_no_other_and_is_told_of(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look, "FINDERS", (_Failing, NearCopies))
    looker = Looker(GraphCache())
    made, conditions = Reviews(looker), looker.scheduler.conditions
    found = queue(store, made)
    made.close()
    assert [each.kind for each in listed(found)] == ["near-copy"]
    assert any("ValueError" in sentence for sentence in conditions.sentences())
    assert not any("foresaw" in sentence for sentence in conditions.sentences())


def test_notes_are_compared_when_nothing_else_is_to_be_done_and_not_again_before_one_changes(store: Store) -> None:
    idle = threading.Event()
    compared = ComparedNotes(lambda: (store,), idle.is_set, Looker(GraphCache()))
    compared.look()
    assert near_copies.near_copies(store) == ()
    idle.set()
    compared.look()
    assert len(near_copies.near_copies(store)) == 1
    generation = store.read(generation_of)
    compared.look()
    assert store.read(generation_of) == generation, "nothing was written"
    two = store.read(reads.note_by_path, VAULT_ID, "Two.md")
    assert two is not None
    with store.writing() as writer:
        writer.forget_notes([two.note_id])
    compared.look()
    assert near_copies.near_copies(store) == ()


class _WhileSearching:
    kinds: tuple[Kind, ...] = ("orphan",)

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """Find nothing, while somebody searches, which is remembered."""
        History(notes.store).record([SearchEvent(7, "heron", "lexical", 2, 3.5, asker=Asker("panel", "P"))])
        yield from ()


class _WhileWriting:
    kinds: tuple[Kind, ...] = ("orphan",)

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """Find nothing, while a note is forgotten."""
        with notes.store.writing() as writer:
            writer.forget_notes([notes.notes[0].note_id])
        yield from ()


@pytest.mark.parametrize(("finder", "again"), [(_WhileSearching, 0), (_WhileWriting, 1)])
def test_what_is_searched_while_notes_are_looked_at_has_none_looked_at_again(
    store: Store, reviews: Reviews, finder: type[Finder], again: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[None] = []

    class Counting:
        kinds = finder.kinds

        def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
            looks.append(None)
            return iter(finder().find(notes)) if len(looks) == 1 else iter(())

    monkeypatch.setattr(look, "FINDERS", (NearCopies, Counting))
    for _ in range(3):
        assert reviews.look(store, VAULTS, seconds=None) == 0
    assert len(looks) == 1 + again
