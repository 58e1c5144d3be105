"""The passages of a note as one: words that are asked for together may be said apart."""

from pathlib import Path

import pytest

from scrubjay.profiles.search.words.evidence import LexicalQuery, Term
from scrubjay.profiles.store.file_store import FileStore
from scrubjay.profiles.store.rows import ChunkRow, NoteBundle, NoteRow
from scrubjay.profiles.store.store import Store

FILLER = "about the shore and the weather on that day with all who came along to see it"


def note(number: int, *texts: str) -> NoteBundle:
    chunks = tuple(
        ChunkRow(number.to_bytes(8, "big") + place.to_bytes(8, "big"), text, (), 1, 1)
        for place, text in enumerate(texts)
    )
    return NoteBundle(NoteRow("vault000", f"{number}.md", f"Note {number}", 0, 0, bytes(16), ""), chunks)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return FileStore.open(tmp_path / "words.sqlite3")


def best_notes(store: Store, *words: str) -> list[int]:
    query = LexicalQuery(tuple(Term(word) for word in words))
    return [hit.note_id for hit in store.lexical(query, where=None, limit=10).hits]


def test_a_note_that_says_both_words_apart_is_before_one_that_says_one(store: Store) -> None:
    with store.writing() as writer:
        one = writer.put_note(note(1, f"curlew {FILLER}", f"nothing {FILLER}"))
        both = writer.put_note(note(2, f"curlew {FILLER}", f"heron {FILLER}"))
        for number in range(3, 9):
            writer.put_note(note(number, f"gull {FILLER}", f"heron {FILLER}" if number == 3 else FILLER))
    found = best_notes(store, "curlew", "heron")
    assert found.index(both) < found.index(one)
    store.close()


def test_a_passage_that_says_both_words_is_before_a_note_that_says_them_apart(store: Store) -> None:
    with store.writing() as writer:
        apart = writer.put_note(note(1, f"curlew {FILLER}", f"heron {FILLER}"))
        side_by_side = writer.put_note(note(2, f"curlew heron {FILLER}", f"nothing {FILLER}"))
    found = best_notes(store, "curlew", "heron")
    assert found.index(side_by_side) < found.index(apart)
    store.close()


def test_passages_without_any_of_the_words_are_not_found(store: Store) -> None:
    with store.writing() as writer:
        writer.put_note(note(1, f"curlew {FILLER}", FILLER, FILLER))
    query = LexicalQuery((Term("curlew"),))
    assert len(store.lexical(query, where=None, limit=10).hits) == 1
    store.close()


@pytest.mark.parametrize(("others", "is_first"), [(80, False), (20, False), (10, True)])
def test_a_word_counts_for_less_the_longer_a_text_is_beside_the_others(
    store: Store, others: int, is_first: bool
) -> None:
    with store.writing() as writer:
        short = writer.put_note(note(1, "a heron stands here"))
        long = writer.put_note(note(2, " ".join(["heron"] * 3 + [f"other{number}" for number in range(others)])))
        for number in range(3, 9):
            writer.put_note(note(number, "a gull stands here"))
    assert best_notes(store, "heron") == ([long, short] if is_first else [short, long])
    store.close()
