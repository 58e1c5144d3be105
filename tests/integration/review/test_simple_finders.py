"""What the finders say of a small vault: each kind has notes that it names, and many more that it leaves alone."""

import os
import time

import pytest

from scrubjay.daemon.links.link_graph import GraphCache, read_graph
from scrubjay.daemon.review.finder import Finder
from scrubjay.daemon.review.finders.near_copy import NearCopies
from scrubjay.daemon.review.finders.replaced import Replaced
from scrubjay.daemon.review.finders.shared_passages import SharedPassages
from scrubjay.daemon.review.finders.size import Empty, Long, Stub
from scrubjay.daemon.review.finders.stale import Stale
from scrubjay.daemon.review.finders.unlinked import Unlinked
from scrubjay.daemon.review.looker import Looker
from scrubjay.daemon.review.proposals_found import ComparedNotes
from scrubjay.daemon.review.review_notes import ReviewNotes
from scrubjay.profiles.store.note_texts import stored_notes
from tests.helpers.indexed_vault import VAULT_ID, index_vault
from tests.helpers.stores import NewStore

DAY = 86_400
FOLDER = [
    "heron stork crane weir eel roach minnow pike reed sedge bank shallow dusk dawn winter spring water mill",
    "flour salt yeast oven crust crumb dough hydration levain knead fold proof bake steam rye wheat loaf tin",
    "ferry island rope pier tide ticket harbour deck engine wake gull storm schedule captain mooring buoy rail",
]


def text(number: int, words: int = 90) -> str:
    listed = " ".join(FOLDER).split()
    return " ".join(
        f"{listed[(number * 7 + at * (number + 3)) % len(listed)]}{(number * at) % 17}" for at in range(words)
    )


def body(number: int, *links: str) -> str:
    return f"{text(number)}\n\n" + " ".join(f"[[{link}]]" for link in links) + "\n"


def chapter(number: int) -> str:
    return " ".join(text(100 + number * 9 + at, 150) for at in range(8))


LINKS = "".join(f"[{n}](https://example.org/a/long/address/of/one/site/that/many/notes/name/{n}) " for n in range(9))
NOTES = {
    **{f"Birds/Bird {number}.md": body(number, f"Bird {(number + 1) % 9}") for number in range(9)},
    "Birds/Alone.md": body(20),
    "Birds/Named.md": body(21),
    "Birds/Names it.md": body(22, "Named"),
    "Birds/Birds.md": body(23),  # the folder's own note leads to others by a query, perhaps
    "Birds/2026-03-04.md": body(24),
    "Birds/Nothing.md": "",
    "Birds/Only a name.md": "# Only a name\n",
    "Birds/Has fields.md": "---\nlatin: Ardea\nwings: 2\n---\n",
    "Birds/Begun.md": "It waits.\n",
    "Birds/To do.md": "TODO: say where it was seen, and by whom.\n",
    "Birds/Leads.md": "[[Bird 1]] [[Bird 2]]\n",
    "Templates/New bird.md": "Hardly anything.\n",
    "Archive/Old.md": "Hardly anything.\n",
    "Setup v1.md": f"{text(40)} {text(41)} and the key is under the mat of the house",
    "Setup v2.md": f"{text(40)} {text(42)} and the key is with the neighbour",
    "Server.md": f"{text(50, 150)} since release 3.9.1 it needs the flag",
    "Server copy.md": f"{text(50, 150)} since release 3.11.4 it needs the flag",
    "Weir.md": text(60, 150),
    "Weir again.md": text(60, 150).replace("weir", "dam"),
    "Lends.md": f"{text(70, 150)}\n\n{text(71)}\n\n{text(72)}\n",
    "Borrows.md": f"{text(73, 150)}\n\n- short\n\n{text(71).replace('pier', 'quay')}\n",
    "Shares an address only.md": f"{text(74, 150)}\n\n{LINKS}\n",
    "Shares an address, too.md": f"{text(75, 150)}\n\n{LINKS}\n",
    "Book.md": "\n\n".join(f"# Part {part}\n\n{chapter(part)}" for part in range(5)),
}
OLD = {"Birds/Bird 3.md": 900, "Archive/Old.md": 2_000}  # days; all others were touched a month ago


@pytest.fixture(scope="module")
def notes(new_module_store: NewStore, tmp_path_factory: pytest.TempPathFactory) -> ReviewNotes:
    folder = tmp_path_factory.mktemp("review")
    now = time.time()
    for path, written in NOTES.items():
        file = folder / "vault" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(written, encoding="utf-8")
        at = now - OLD.get(path, 30) * DAY
        os.utime(file, (at, at))
    store = new_module_store()
    index_vault(store, folder / "vault")
    ComparedNotes(lambda: (store,), lambda: True, Looker(GraphCache())).look()
    return ReviewNotes(
        notes=stored_notes(store),
        graph=read_graph(store),
        vaults={VAULT_ID: "Notes"},
        now_ns=int(now * 1e9),
        store=store,
    )


@pytest.mark.parametrize(
    ("finder", "kind", "expected"),
    [
        (NearCopies(), "near-copy", {"Weir.md"}),
        (NearCopies(), "replaced", {"Server.md"}),
        (SharedPassages(), "near-copy", {"Borrows.md", "Setup v1.md"}),
        (Replaced(), "replaced", {"Setup v1.md"}),
        (Unlinked(), "orphan", {"Birds/Alone.md"}),
        (Unlinked(), "dead-end", {"Birds/Named.md"}),
        (Stale(), "stale", {"Birds/Bird 3.md"}),
        (Empty(), "empty", {"Birds/Nothing.md", "Birds/Only a name.md"}),
        (Stub(), "stub", {"Birds/Begun.md", "Birds/To do.md"}),
        (Long(), "long", {"Book.md"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_kind_names_its_notes_and_no_others(
    notes: ReviewNotes, finder: Finder, kind: str, expected: set[str]
) -> None:
    found = [each for each in finder.find(notes) if each.kind == kind]
    about = {each.note.path for each in found}
    if kind == "near-copy":
        about = {path.replace(" again", "") for path in about}  # whichever of the two
    assert about == expected
    assert {each.kind for each in finder.find(notes)} <= set(finder.kinds)


def test_a_hint_says_what_differs_and_where_to_cut(notes: ReviewNotes) -> None:
    (server,) = [each for each in NearCopies().find(notes) if each.kind == "replaced"]
    assert server.detail == "release 3.9.1 → release 3.11.4"
    assert [other.path for other in server.others] == ["Server copy.md"]
    (setup,) = Replaced().find(notes)
    assert setup.detail == "v1 → v2"
    (book,) = Long().find(notes)
    assert [other.title for other in book.others] == [f"Part {part}" for part in range(5)]
    (shared,) = [each for each in SharedPassages().find(notes) if each.note.path == "Borrows.md"]
    places = {shared.note.path: shared.line, shared.others[0].path: shared.others[0].line}
    assert places == {"Borrows.md": 5, "Lends.md": 3}
    assert shared.quote.startswith(("quay", "pier"))
    lines = NOTES["Book.md"].splitlines()
    assert all(lines[other.line - 1] or lines[other.line - 3].startswith("# ") for other in book.others)
