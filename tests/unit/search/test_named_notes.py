"""Which notes a name means: a path, what it ends with, what a note's name begins with, a pattern, a passage's id."""

from collections.abc import Iterator, Mapping

import pytest

from scrubjay.profiles.errors import ScrubjayError
from scrubjay.profiles.registry.registry import Profile, VaultFolder
from scrubjay.profiles.search.named_notes import ID_LENGTH, NoteNotFound, note_named, notes_at, notes_named
from scrubjay.profiles.search.words import analysis
from scrubjay.profiles.search.words.evidence import LexicalQuery, Term
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.store import Store
from tests.helpers.review_notes import VAULT, VAULT_ID, stored

PROFILE = Profile(
    id="0" * 12, name="home", colour="#000000", vaults=(VaultFolder(id=VAULT_ID, root="/notes", name=VAULT),)
)
TEXTS = {
    "Birds/Heron at the weir.md": "It stands.",
    "Birds/Heronry.md": "They nest.",
    "Birds/Ibis.md": "---\ntitle: Sacred bird of the Nile\naliases: [Threskiornis]\n---\nIt wades.",
    "Mill/Plan.md": "First.",
    "Trade/Plan.md": "Second.",
}


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Store]]:
    store = stored(tmp_path_factory.mktemp("named"), TEXTS)
    yield {"home": store}
    store.close()


def meant(stores: Mapping[str, Store], name: str) -> list[str]:
    paths = {note.note_id: note.path for note in stores["home"].read(reads.recent)}
    return [paths[each.note_id] for each in notes_named(stores, [PROFILE], name)]


def asked(query: str) -> LexicalQuery:
    return LexicalQuery(tuple(map(Term, analysis.terms(query))), name=query)


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("ibis", ["Birds/Ibis.md"]),
        ("Mill/Plan", ["Mill/Plan.md"]),
        ("Heron", ["Birds/Heron at the weir.md"]),
        ("*/plan.md", ["Mill/Plan.md", "Trade/Plan.md"]),
        ("birds/?bis.md", ["Birds/Ibis.md"]),
    ],
)
def test_a_name_means_the_notes_that_it_fits(stores: Mapping[str, Store], name: str, paths: list[str]) -> None:
    assert meant(stores, name) == paths


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Plan", "Do you mean Mill/Plan.md or Trade/Plan.md?"),
        ("Iibs.md", "Do you mean Birds/Ibis.md?"),
        ("Her", "none is called nearly so"),
        ("Otters/*", "of this pattern"),
        ("#abcdef12", "no passage with this id"),
    ],
)
def test_where_no_one_note_is_meant_what_is_near_is_offered(stores: Mapping[str, Store], name: str, said: str) -> None:
    with pytest.raises(ScrubjayError, match=said):
        meant(stores, name)


def test_one_note_is_not_chosen_among_several(stores: Mapping[str, Store]) -> None:
    with pytest.raises(ScrubjayError, match="2 notes have a path of this pattern"):
        note_named(stores, [PROFILE], "*/plan.md")


def test_a_whole_path_is_of_the_vault_that_is_named_or_of_any(stores: Mapping[str, Store]) -> None:
    for vault in (None, VAULT):
        ((profile, note),) = notes_at(stores, [PROFILE], "Mill/Plan.md", vault)
        assert (profile, note.path) == (PROFILE, "Mill/Plan.md")
    with pytest.raises(NoteNotFound):
        notes_at(stores, [PROFILE], "Mill/Plan.md", "Other")


@pytest.mark.parametrize("digits", [6, 7, ID_LENGTH])
def test_the_id_of_a_passage_or_its_beginning_means_its_note_and_line(stores: Mapping[str, Store], digits: int) -> None:
    hit = stores["home"].lexical(asked("wades"), where=None, limit=1).hits[0]
    found = note_named(stores, [PROFILE], f"#{hit.digest.hex()[:digits]}")
    assert (found.note_id, found.line) == (hit.note_id, 5)
