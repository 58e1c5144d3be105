"""Notes in several languages: their words are found in every form, marked, mended, and by themselves."""

from dataclasses import replace

import pytest

from scrubjay.profiles.search.searcher import Searcher
from scrubjay.profiles.search.types import FormSaid, Mode, SearchRequest, SearchResponse, WordsSaid
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.integrity_check import check, rebuild_words
from scrubjay.profiles.store.rows import NoteBundle
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.helpers.stores import NewStore
from tests.integration.profiles.notes import bundle

GERMAN = bundle("Umzug.md", "Wir verwalten die Pakete in den Häusern am See.", headings=("Wohnen",), lang="de")
RUSSIAN = bundle("Пакеты.md", "Управление пакетами описано здесь.", lang="ru")
ENGLISH = bundle("Move.md", "We manage the parcels of the houses.", lang="en")


@pytest.fixture
def store(new_store: NewStore) -> Store:
    opened = new_store()
    put(opened, GERMAN, RUSSIAN, ENGLISH)
    return opened


def put(store: Store, *notes: NoteBundle) -> None:
    with store.writing() as writer:
        for note in notes:
            writer.put_note(note)
        writer.refresh_anchors()


def search(
    store: Store, query: str, mode: Mode = "lexical", *, explain: bool = False, mend: bool = True
) -> SearchResponse:
    searcher = Searcher(lambda: {"notes": store}, HashEncoder())
    try:
        return searcher.search(SearchRequest(query, mode=mode, explain=explain, mend=mend))
    finally:
        searcher.close()


def found(store: Store, query: str) -> list[str]:
    return [result.path for result in search(store, query).results]


def test_other_forms_of_a_word_find_the_note(store: Store) -> None:
    queries = ("haus", "hausern", "verwaltet", "пакет", "управления", "managing a house")
    assert [found(store, query)[0] for query in queries] == ["Umzug.md"] * 3 + ["Пакеты.md"] * 2 + ["Move.md"]


def test_the_words_that_were_found_are_marked(store: Store) -> None:
    [result] = search(store, "haus").results
    assert [result.snippet[start:end] for start, end in result.highlights] == ["Häusern"]


def test_the_word_as_it_was_typed_counts_more(store: Store) -> None:
    forms = {"а.md": "Зимой стоят деревьями.", "б.md": "Зимой стоят деревьям."}
    put(store, *(bundle(path, text, lang="ru") for path, text in forms.items()))
    assert found(store, "деревьям стоят")[0] == "б.md"
    assert found(store, "деревьями стоят")[0] == "а.md"


def test_a_slip_in_a_word_is_mended_by_the_language_of_the_notes(store: Store) -> None:
    response = search(store, "управлнения")
    assert [result.path for result in response.results] == ["Пакеты.md"]
    assert response.notices[0].query == "управления"


def test_what_is_told_of_a_result_knows_the_stems(store: Store) -> None:
    [result] = search(store, "haus verwaltet", explain=True).results
    assert result.words == WordsSaid((), (), (FormSaid("haus", "Häusern"), FormSaid("verwaltet", "verwalten")))


def test_a_note_whose_language_is_another_now_is_found_by_its_new_words_alone(store: Store) -> None:
    put(store, replace(RUSSIAN, note=replace(RUSSIAN.note, lang="")))
    assert store.languages() == ("de",)
    assert not search(store, "пакет", mend=False).results
    assert found(store, "пакетами") == ["Пакеты.md"]
    assert check(store) == ()


def test_what_is_forgotten_leaves_no_stem(store: Store) -> None:
    known = [note.id for note in store.read(reads.known_notes, "v").values()] or [1, 2, 3]
    with store.writing() as writer:
        writer.forget_notes(known)
    with store.reading() as connection:
        assert connection.execute("SELECT count(*) FROM posting").get == 0
    assert store.languages() == ()


def test_words_that_are_indexed_anew_keep_their_stems(store: Store) -> None:
    with store.writing() as writer:
        rebuild_words(writer.connection)
    store.forget_arrays()
    assert check(store) == ()
    assert found(store, "haus")[0] == "Umzug.md"


def test_a_language_of_few_notes_costs_no_query_anything_and_its_words_are_found(new_store: NewStore) -> None:
    store = new_store()
    put(store, bundle("ł.md", "pakietów", lang="pl"))
    put(store, *(bundle(f"{n}.md", f"Häusern {n}", lang="de" if n % 2 else "en") for n in range(120)))
    assert store.languages() == ("de",)
    assert found(store, "pakietów") == ["ł.md"]
    put(store, *(bundle(f"{n}.md", f"House {n}", lang="en") for n in range(200)))
    assert store.languages() == ()


def test_a_compound_is_found_by_its_parts_where_the_notes_have_both(store: Store) -> None:
    put(
        store,
        bundle("Werkzeuge.md", "Die Paketverwaltung und ihre Entwicklungsumgebung.", lang="de"),
        bundle("Paket.md", "Ein Paket kam an.", lang="de"),
        bundle("Umgebung.md", "Die Umgebung der Entwicklung.", lang="de"),
    )
    assert "Werkzeuge.md" in found(store, "Verwaltung")
    assert "Werkzeuge.md" in found(store, "Umgebung")
    assert found(store, "Paket")[0] == "Paket.md"
    [result] = search(store, "Verwaltung Werkzeuge").results[:1]
    assert [result.snippet[start:end] for start, end in result.highlights] == ["Paketverwaltung"]


def test_an_irregular_form_is_found_by_the_word_and_marked_and_a_form_as_typed_comes_first(store: Store) -> None:
    put(
        store,
        bundle("Möte.md", "Vi talade om de nya läroböckerna.", lang="sv"),
        bundle("Köp.md", "Vi köper en lärobok till.", lang="sv"),
        bundle("Resa.md", "Vi reser till havet med barnen.", lang="sv"),
    )
    assert found(store, "lärobok") == ["Köp.md", "Möte.md"]
    assert found(store, "läroböckerna") == ["Möte.md", "Köp.md"]
    *_, last = search(store, "lärobok").results
    assert [last.snippet[start:end] for start, end in last.highlights] == ["läroböckerna"]


def test_an_irregular_form_is_told_as_a_form_and_not_as_lacking(store: Store) -> None:
    put(store, bundle("Barn.md", "The geese sleep in the barn."), bundle("Pond.md", "Frogs sing at the pond."))
    [result] = search(store, "goose", explain=True).results
    assert result.path == "Barn.md"
    assert result.words is not None
    assert (result.words.lacks, [form.said for form in result.words.forms]) == ((), ["geese"])
    assert found(store, "gehen") == []  # another language's


def test_a_word_is_found_in_the_middle_of_a_compound(store: Store) -> None:
    put(store, bundle("Ablauf.md", "Die Krankenversicherungskarte ist abgelaufen.", lang="de"))
    assert "Ablauf.md" in found(store, "Versicherung")
    assert "Ablauf.md" not in found(store, "sicher")
