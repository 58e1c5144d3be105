"""What the review found is kept in the profile's database: as long as its notes are as they were, and no longer."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest

from scrubjay.daemon.links.link_graph import GraphCache
from scrubjay.daemon.review import look
from scrubjay.daemon.review.answers_given import LATER_NS
from scrubjay.daemon.review.looker import Looker
from scrubjay.daemon.review.proposal import KINDS, Option
from scrubjay.daemon.review.proposals_found import Reviews
from scrubjay.daemon.review.queue import ProposalFilter, Queue
from scrubjay.daemon.review.steps import Vaults
from scrubjay.profiles.journal.search_event import Asker, SearchEvent
from scrubjay.profiles.journal.searches import History
from scrubjay.profiles.store import near_copies, proposals, reads
from scrubjay.profiles.store.annotations import Why
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.integrity_check import check, repair
from scrubjay.profiles.store.proposals import ProposalQuery
from scrubjay.profiles.store.review_answers import AnswerRow, Said, put_answers
from scrubjay.profiles.store.store import Store
from tests.helpers.indexed_vault import VAULT_ID, index_vault
from tests.helpers.proposals import made_row
from tests.helpers.stores import NewStore

TEXT = "The heron stands at the weir below the old mill where eels come up at dusk and the water runs shallow in winter"
NAMES = {VAULT_ID: "Notes"}
VAULTS = Vaults(NAMES, {})
NOW = time.time_ns()
DAY_NS = 86_400 * 10**9
OPTION = Option(id="x", label="x", changes=())


@pytest.fixture
def reviews() -> Iterator[Reviews]:
    with closing(Reviews(Looker(GraphCache()))) as made:
        yield made


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "Marabou.md").write_text(f"{TEXT} of quicksilver", encoding="utf-8")
    (folder / "Bittern.md").write_text(f"{TEXT} of porcelain", encoding="utf-8")
    return folder


def listed(store: Store, reviews: Reviews | None = None) -> list[str]:
    """The kinds of the open proposals; with reviews: as they are now."""
    if reviews is not None:
        assert reviews.look(store, VAULTS, seconds=None) == 0
    queue = Queue(store, "work", NAMES)
    keys = [each.key for each in queue.listing(ProposalFilter(), 100).first]
    return [each.kind for each in queue.shown(keys).values()]


def rows(store: Store) -> int:
    with store.reading() as connection:
        return int(connection.execute("SELECT count(*) FROM proposal").get)


def test_what_was_found_is_there_after_a_restart_and_nothing_is_looked_at_again(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        closing(FileStore.open(tmp_path / "index.sqlite3")) as store,
        closing(Reviews(Looker(GraphCache()))) as reviews,
    ):
        index_vault(store, vault)
        found = listed(store, reviews)
    assert "near-copy" in found
    monkeypatch.setattr(look, "FINDERS", ())
    with (
        closing(FileStore.open(tmp_path / "index.sqlite3")) as store,
        closing(Reviews(Looker(GraphCache()))) as reviews,
    ):
        assert listed(store, reviews) == found
        assert check(store) == ()


def test_what_is_decided_or_searched_for_leaves_what_was_found_as_it_is_and_a_change_of_a_note_does_not(
    new_store: NewStore, vault: Path, reviews: Reviews
) -> None:
    store = new_store()
    index_vault(store, vault)
    assert "near-copy" in listed(store, reviews)
    queue = Queue(store, "work", NAMES)
    (near,) = queue.listing(ProposalFilter(kind="near-copy"), 9).first
    queue.decide(near.key, "no", None)
    assert reviews.look(store, VAULTS, seconds=0.0) == 0
    assert "near-copy" not in listed(store)
    queue.decide(near.key, "open", None)
    assert reviews.look(store, VAULTS, seconds=0.0) == 0
    assert "near-copy" in listed(store)
    asker = Asker("panel", "P")
    History(store).record([SearchEvent(7, "heron", "lexical", 2, 3.5, asker=asker)])
    History(store).opened("heron", "Marabou.md", 8, asker)
    assert reviews.look(store, VAULTS, seconds=0.0) == 0
    (vault / "Marabou.md").write_text("Something else.", encoding="utf-8")
    index_vault(store, vault)
    assert "near-copy" not in listed(store), "in the very transaction"
    assert "near-copy" not in listed(store, reviews)


def edited(store: Store, path: str, vault: Path) -> None:
    (vault / path).write_text("Something else.", encoding="utf-8")
    index_vault(store, vault)


def forgotten(why: Why) -> Callable[[Store, str, Path], None]:
    def forget(store: Store, path: str, _: Path) -> None:
        note = store.read(reads.note_by_path, VAULT_ID, path)
        assert note is not None
        with store.writing() as writer:
            writer.forget_notes([note.note_id], why)

    return forget


@pytest.mark.parametrize("path", ["Marabou.md", "Bittern.md"])  # the one is proposed about, the other named
@pytest.mark.parametrize(
    "act", [edited, *map(forgotten, ("gone", "excluded", "vault"))], ids=["edited", "gone", "excluded", "vault"]
)
def test_nothing_of_a_note_that_goes_or_is_edited_stays_in_what_was_found(
    act: Callable[[Store, str, Path], None], path: str, vault: Path, tmp_path: Path, reviews: Reviews
) -> None:
    words = {"Marabou.md": b"quicksilver", "Bittern.md": b"porcelain"}
    folder = tmp_path / "kept"

    def held() -> bytes:
        return b"".join(file.read_bytes() for file in folder.iterdir())

    with closing(FileStore.open(folder / "index.sqlite3")) as store:
        index_vault(store, vault)
        assert "near-copy" in listed(store, reviews)
        assert all(word in held() for word in words.values()), "what differs is quoted"
        act(store, path, vault)
        with store.reading() as connection:
            bodies = [body for (body,) in connection.execute("SELECT body FROM proposal").fetchall()]
        assert not any(path.removesuffix(".md") in body for body in bodies)
        assert words[path] not in held()
    assert words[path] not in held()


def test_where_a_note_may_not_be_read_any_more_all_that_was_concluded_goes(
    new_store: NewStore, vault: Path, reviews: Reviews
) -> None:
    (vault / "Empty.md").write_text("", encoding="utf-8")
    store = new_store()
    index_vault(store, vault)
    assert "empty" in listed(store, reviews)
    forgotten("excluded")(store, "Marabou.md", vault)
    assert rows(store) == 0
    assert "empty" in listed(store, reviews)


def test_what_was_found_in_an_encrypted_profile_is_encrypted(vault: Path, tmp_path: Path, reviews: Reviews) -> None:
    with closing(FileStore.open(tmp_path / "kept" / "index.sqlite3", key=bytes(32))) as store:
        index_vault(store, vault)
        assert "near-copy" in listed(store, reviews)
        assert not any(b"quicksilver" in file.read_bytes() for file in (tmp_path / "kept").iterdir())


def test_a_repair_drops_what_was_found_and_it_is_found_again(vault: Path, tmp_path: Path, reviews: Reviews) -> None:
    with closing(FileStore.open(tmp_path / "index.sqlite3")) as store:
        index_vault(store, vault)
        found = listed(store, reviews)
        with store.writing() as writer:
            writer.connection.execute("UPDATE meta SET value = '99' WHERE name = 'chunks'")
        assert repair(store) == ()
        assert listed(store) == []
        assert listed(store, reviews) == found


def put_rows(store: Store, *made: proposals.MadeProposal) -> None:
    with store.writing() as writer:
        proposals.put(writer.connection, "", made, ())


def test_what_was_found_in_a_text_that_has_changed_since_is_not_kept(new_store: NewStore, vault: Path) -> None:
    store = new_store()
    index_vault(store, vault)
    note = store.read(reads.note_by_path, VAULT_ID, "Marabou.md")
    assert note is not None
    stamps = near_copies.note_stamps(store, [note.note_id])
    edited(store, "Marabou.md", vault)
    put_rows(store, made_row("a" * 32, note.note_id, stamps))
    put_rows(store, made_row("b" * 32, 999, {999: (b"", "")}))
    assert rows(store) == 0
    put_rows(store, made_row("a" * 32, note.note_id, near_copies.note_stamps(store, [note.note_id])))
    assert rows(store) == 1


@pytest.mark.parametrize(
    ("said", "at_ns", "of_earlier", "options", "stands"),
    [
        ("no", NOW, False, (), "no"),
        ("later", NOW - LATER_NS + DAY_NS, False, (), "later"),
        ("later", NOW - LATER_NS - DAY_NS, False, (), "open"),
        ("done", NOW, False, (OPTION,), "done"),
        ("done", NOW, True, (), "done"),  # a hint that was seen to
        ("done", NOW, True, (OPTION,), "open"),  # it was applied, so what is found now is something else
    ],
    ids=["no", "later", "later a week ago", "done", "seen to before", "applied before"],
)
def test_what_was_said_stands_for_what_was_found(
    new_store: NewStore, said: Said, at_ns: int, of_earlier: bool, options: tuple[Option, ...], stands: str
) -> None:
    store, key, earlier = new_store(), "a" * 32, "b" * 32
    asked = earlier if of_earlier else key
    put_answers(store, [AnswerRow(asked, "stale", "v", "0.md", b"s", b"d", b"", said, (), at_ns)])
    put_rows(store, made_row(key, 1, {}, said=earlier if of_earlier else None, options=options))
    later_ns = NOW - LATER_NS
    assert store.read(proposals.with_keys, "", [key], later_ns)[key].answer == stands
    for answer in ("open", "yes", "no", "later", "done"):
        there = store.read(proposals.places, "", ProposalQuery(answer, later_ns), 9)
        assert [each.key for each in there] == ([key] if answer == stands else [])
        assert store.read(proposals.counts, "", ProposalQuery(answer, later_ns)) == (
            {KINDS.index("stale"): 1} if answer == stands else {}
        )


def test_proposals_are_in_the_order_of_kinds_and_strength_whatever_they_were_written_in(new_store: NewStore) -> None:
    store, rng = new_store(), Random(7)
    cases = list(product((0, 3, KINDS.index("stale")), (0.25, 0.5), ("a", "B"), ("Ä.md", "b.md"), (0, 1), (0, 1)))
    made = [
        made_row(
            f"{number:032}", 1, {}, kind=KINDS[kind], path=path, strength=strength, vault_name=vault, finder=finder,
            place=place,
        )
        for number, (kind, strength, vault, path, finder, place) in enumerate(cases)
    ]  # fmt: skip
    expected = sorted(
        (each.row for each in made),
        key=lambda row: (row.kind, -row.strength, row.vault_name, row.path, row.finder, row.place),
    )
    put_rows(store, *rng.sample(made, len(made)))
    queue = Queue(store, "work", {})
    assert [each.key for each in queue.listing(ProposalFilter(), 1_000).first] == [row.key for row in expected]
    assert [each.key for each in queue.listing(ProposalFilter(), 10).first] == [row.key for row in expected[:10]]
    assert queue.listing(ProposalFilter(kind="stale", vault="B"), 5).total == len(cases) // 6
    assert queue.listing(ProposalFilter(path="b.md"), 5).total == len(cases) // 2
    inside = replace(made[0].row, key="f" * 32, path="Ordner/Größe/x.md")
    put_rows(store, replace(made[0], row=inside))
    assert [each.key for each in queue.listing(ProposalFilter(folder="ordner/grosse/"), 5).first] == [inside.key]
    assert queue.listing(ProposalFilter(folder="ordner/gr"), 5).total == 0
