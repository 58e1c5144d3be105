"""The passages of a note as one: words that are asked for together may be said apart."""

from collections.abc import Iterator
from contextlib import closing
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
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(FileStore.open(tmp_path / "words.sqlite3")) as opened:
        yield opened


def put(store: Store, *notes: tuple[str, ...]) -> list[int]:
    """Notes of these passages; their ids."""
    with store.writing() as writer:
        return [writer.put_note(note(number, *texts)) for number, texts in enumerate(notes)]


def best_notes(store: Store, *words: str) -> list[int]:
    query = LexicalQuery(tuple(Term(word) for word in words))
    return [hit.note_id for hit in store.lexical(query, where=None, limit=10).hits]


def test_a_passage_that_says_both_words_is_before_a_note_that_says_them_apart_and_that_before_one(store: Store) -> None:
    curlew, heron, gull = (f"{bird} {FILLER}" for bird in ("curlew", "heron", "gull"))
    one, apart, side_by_side, *_ = put(
        store, (curlew, FILLER), (curlew, heron), (f"curlew {heron}", FILLER), (gull, heron), *[(gull, FILLER)] * 5
    )
    found = dict.fromkeys(best_notes(store, "curlew", "heron"))  # which has a note once for each passage
    assert [each for each in found if each in (one, apart, side_by_side)] == [side_by_side, apart, one]
    curlews = store.lexical(LexicalQuery((Term("curlew"),)), where=None, limit=10).hits
    assert len(curlews) == 3  # no passage without the word


@pytest.mark.parametrize(("others", "is_first"), [(80, False), (20, False), (10, True)])
def test_a_word_counts_for_less_the_longer_a_text_is_beside_the_others(
    store: Store, others: int, is_first: bool
) -> None:
    text = " ".join(["heron"] * 3 + [f"other{number}" for number in range(others)])
    short, long, *_ = put(store, ("a heron stands here",), (text,), *[("a gull stands here",)] * 6)
    assert best_notes(store, "heron") == ([long, short] if is_first else [short, long])
