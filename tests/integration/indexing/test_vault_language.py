"""Notes that are too short to say in which language they are have their vault's: what is searched finds their forms."""

import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from scrubjay.credential_filter import BUILT_IN
from scrubjay.daemon.indexing.indexer import Indexer
from scrubjay.daemon.indexing.prepare import PrepareContext
from scrubjay.daemon.indexing.progress import Progress
from scrubjay.daemon.vault.language import language_of
from scrubjay.daemon.vault.read import ReadLimits
from scrubjay.profiles.registry.registry import VaultFolder
from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import SearchRequest, SearchResult
from scrubjay.profiles.store.integrity_check import check
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder

CONTEXT = PrepareContext(b"k" * 32, BUILT_IN, lambda texts: [len(text.split()) for text in texts], 100)
SILENT = {
    "Valo.md": "Talossa palaa valo.",
    "Katto.md": "Mökin katto vuotaa",
    "Avaimet.md": "Avaimet: naapurilla",
    "Renkaat.md": "Kesärenkaat varastossa",
    "Sauna.md": "Saunan kiuas",
    "Passit.md": "Passit uusittava",
}
FINNISH = {
    "Ostokset.md": "Tarvitaan maitoa, munia ja jauhoja.",
    "Retki.md": "Lauantaina teimme retken ja yövyimme järven rannalla vanhassa mökissä.",
}
ENGLISH = {
    f"{title}.md": f"The {title.lower()} in the garden is what we have to look after before the winter comes."
    for title in ("Hedge", "Pond", "Shed", "Fence", "Gate", "Lawn", "Wall")
}


class Vault:
    """A folder of notes, and the store that is kept in step with it and with other such folders."""

    def __init__(self, root: Path, store: Store, *others: VaultFolder, name: str = "0a1b2c3d") -> None:
        self.folder = VaultFolder(id=name, root=str(root), name=name, allow=(".",))
        self._root, self._store, self._others = root, store, others
        root.mkdir()

    def write(self, notes: Mapping[str, str]) -> None:
        for path, text in notes.items():
            (self._root / path).write_text(f"{text}\n", encoding="utf-8")
        self._indexer.reconcile(threading.Event())

    def remove(self, notes: Mapping[str, str]) -> None:
        for path in notes:
            (self._root / path).unlink()
        self._indexer.reconcile(threading.Event(), forget_missing=True)

    def rewrite(self, path: str, text: str) -> None:
        (self._root / path).write_text(f"{text}\n", encoding="utf-8")
        self._indexer.refresh(self.folder.id, [path], threading.Event())

    @property
    def _indexer(self) -> Indexer:
        return Indexer([self.folder, *self._others], self._store, CONTEXT, Progress(), ReadLimits())


@pytest.fixture
def vault(tmp_path: Path, store: Store) -> Vault:
    return Vault(tmp_path / "vault", store)


def results(store: Store, query: str) -> Sequence[SearchResult]:
    with closing(Searcher(lambda: {"notes": store}, HashEncoder())) as searcher:
        return searcher.search(SearchRequest(query, mode="lexical", mend=False)).results


def found(store: Store, query: str) -> list[str]:
    return [result.path for result in results(store, query)]


def marked(store: Store, query: str) -> str:
    result = results(store, query)[0]
    return " ".join(result.snippet[start:end] for start, end in result.highlights)


def test_the_notes_say_too_little_by_themselves() -> None:
    assert {language_of(text) for text in SILENT.values()} == {""}
    assert {language_of(text) for text in FINNISH.values()} == {"fi"}
    assert {language_of(text) for text in ENGLISH.values()} == {"en"}


def test_a_note_of_a_few_words_is_found_by_their_other_forms_which_are_marked(vault: Vault, store: Store) -> None:
    vault.write(SILENT | FINNISH)
    for query, path in (("talo", "Valo.md"), ("mökki", "Katto.md"), ("naapuri", "Avaimet.md")):
        assert path in found(store, query)
    assert marked(store, "talo") == "Talossa"
    assert check(store) == ()


def test_notes_of_which_none_says_enough_are_in_the_language_that_they_are_in_together(
    vault: Vault, store: Store
) -> None:
    vault.write(SILENT)
    assert "Katto.md" in found(store, "mökki")
    assert check(store) == ()


def test_one_that_is_written_later_has_it_at_once(vault: Vault, store: Store) -> None:
    vault.write(SILENT | FINNISH)
    vault.rewrite("Ovi.md", "Kellarissa lumikola")
    assert found(store, "kellari") == ["Ovi.md"]
    vault.rewrite("Ovi.md", "Kellarissa hiiri")
    assert found(store, "kellari") == ["Ovi.md"]
    assert check(store) == ()


def test_another_language_takes_its_place_when_most_notes_are_in_it(vault: Vault, store: Store) -> None:
    vault.write(SILENT | FINNISH)
    vault.write(dict(list(ENGLISH.items())[:2]))
    assert found(store, "talo") == ["Valo.md"], "no other has most notes"
    vault.write(ENGLISH)
    assert "Katto.md" not in found(store, "mökki")
    assert check(store) == ()
    vault.remove(ENGLISH)
    assert "Katto.md" in found(store, "mökki")
    assert check(store) == ()


def test_each_vault_of_a_profile_has_its_own(vault: Vault, store: Store, tmp_path: Path) -> None:
    vault.write(SILENT | FINNISH)
    other = Vault(tmp_path / "other", store, vault.folder, name="1b2c3d4e")
    other.write({**ENGLISH, "Light.md": "Talossa palaa valo."})
    assert found(store, "talo") == ["Valo.md"]
