import itertools
from collections.abc import Sequence
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.search.words.postings import Field, PostingBatch
from scrubjay.profiles.search.words.vocabulary import Vocabulary
from scrubjay.profiles.store.sqlite import SqliteConnection
from scrubjay.profiles.store.statements import FileConnection


def no_postings() -> FileConnection:
    connection = cast("FileConnection", SqliteConnection(":memory:"))
    connection.execute(
        "CREATE TABLE posting (term TEXT, field INTEGER, shard INTEGER, entries BLOB, PRIMARY KEY (shard, term, field))"
    )
    return connection


def vocabulary(words: Sequence[str]) -> Vocabulary:
    connection = no_postings()
    batch = PostingBatch(connection)
    for document, word in enumerate(words, 1):
        batch.add(Field.BODY, document, [word])
    batch.flush()
    return Vocabulary(connection)


def edits(one: str, other: str) -> int:
    """Optimal string alignment distance, by its definition."""
    table = [[i + j if i * j == 0 else 0 for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            table[i][j] = min(
                table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (one[i - 1] != other[j - 1])
            )
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


def test_the_more_frequent_of_two_equally_near_words_comes_first():
    found = vocabulary(["cart", "card", "card", "care"]).near("carx", 5)
    assert (found[0].term, found[0].distance, found[0].frequency) == ("card", 1, 2)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("reciev", "receiv"),
        ("pritner", "printer"),
        ("dat", "data"),
        ("adta", "data"),
        ("cwo", "cow"),
        ("hoxxes", "houses"),
    ],
)
def test_a_typo_finds_the_word(typed: str, meant: str):
    assert vocabulary(["receiv", "printer", "data", "cow", "houses", "unrelated"]).near(typed, 1)[0].term == meant


def test_words_too_short_or_too_long_and_a_store_without_words_have_no_neighbours():
    for word in ("", "ab", "x" * 30):
        assert vocabulary(["abc", "x" * 24]).near(word, 5) == []
    assert vocabulary(["house"]).near("hxxse", 5) == []  # two edits are for longer ones
    assert vocabulary([]).near("word", 5) == []


WORDS = st.text(alphabet="abcé数", min_size=3, max_size=9)


@given(st.lists(WORDS, min_size=1, max_size=25, unique=True), WORDS)
def test_neighbours_are_exactly_those_within_the_distance(words: list[str], word: str):
    allowed = 2 if len(word) >= 6 else 1
    found = {near.term: near.distance for near in vocabulary(words).near(word, 100)}
    assert found == {w: edits(word, w) for w in words if 0 < edits(word, w) <= allowed}


@pytest.mark.parametrize(
    ("stem", "typed", "meant"),
    [
        ("standnig", "standnig", "stand"),
        ("affordablz", "affordablze", "afford"),
        ("inconveniepc", "inconveniepce", "inconveni"),
        ("rtaional", "rtaionalizing", "ration"),
        ("wshe", "wshes", "wish"),
    ],
)
def test_a_typo_in_what_stemming_takes_off_finds_the_stem(stem: str, typed: str, meant: str):
    near = vocabulary(["stand", "afford", "inconveni", "ration", "wish", "unrelated"]).near
    assert meant not in [found.term for found in near(stem, 5)]
    assert [(found.term, found.distance) for found in near(stem, 5, typed=typed)] == [(meant, 1)]


@given(st.lists(WORDS, max_size=25, unique=True), WORDS, st.text(alphabet="abceys数-", max_size=26))
def test_knowing_what_was_typed_only_adds_neighbours_and_never_the_word(words: list[str], word: str, typed: str):
    known = vocabulary(words)
    without = {near.term: near.distance for near in known.near(word, 100)}
    found = known.near(word, 100, typed=typed)
    assert len({near.term for near in found}) == len(found)
    assert word not in {near.term for near in found}
    assert all({near.term: near.distance for near in found}[term] <= distance for term, distance in without.items())
    assert {near.term for near in found} <= set(words)


@given(st.lists(st.dictionaries(st.integers(1, 4), st.lists(WORDS, max_size=4), min_size=1), max_size=6), WORDS)
def test_kept_in_step_it_is_the_one_that_would_be_read(transactions: list[dict[int, list[str]]], word: str):
    connection = no_postings()
    known = Vocabulary(connection)
    texts: dict[int, list[str]] = {}
    for transaction in transactions:
        batch = PostingBatch(connection)
        for document, words in transaction.items():
            batch.remove(Field.BODY, document, texts.get(document, []))
            batch.add(Field.BODY, document, words)
            texts[document] = words
        batch.flush()
        known.changed(batch.counts)
    assert known.near(word, 100) == Vocabulary(connection).near(word, 100)


def test_a_compound_that_was_just_written_is_found_by_its_parts():
    known = vocabulary(["kuchen"])
    known.changed({"kuchentisch": 1, "krankenversicherungskart": 2})
    assert known.compounds("tisch", 5, ("de",)) == ["kuchentisch"]
    assert known.compounds("versicherung", 5, ("de",)) == ["krankenversicherungskart"]
    known.changed({"kuchentisch": -1})
    assert known.compounds("tisch", 5, ("de",)) == []


def test_words_of_three_letters_are_looked_for_in_compounds_and_shorter_ones_are_not():
    known = vocabulary(["haus", "haustür", "hausei"])
    assert known.compounds("tür", 5, ("de",)) == ["haustür"]
    assert known.compounds("ei", 5, ("de",)) == []


def test_it_stays_in_step_with_more_words_than_it_takes_up_one_by_one():
    connection = no_postings()
    known = Vocabulary(connection)
    letters = "abcdefghij"
    for first in letters:
        batch = PostingBatch(connection)
        for number, rest in enumerate(itertools.product(letters, repeat=2)):
            batch.add(Field.BODY, number, [f"{first}{''.join(rest)}{word}" for word in ("walrus", "heron")])
        batch.flush()
        known.changed(batch.counts)
    assert known.near("abcwalrs", 100) == Vocabulary(connection).near("abcwalrs", 100) != []


@pytest.mark.parametrize("term", ["一一一", "ĀĀĀ", "каша"])  # which end in a byte of zero, or are of two bytes each
def test_terms_of_any_script_come_back_as_they_are(term: str):
    assert [near.term for near in vocabulary([term]).near(f"{term}x", 1)] == [term]


def test_a_character_beyond_two_bytes_has_no_neighbours():
    assert vocabulary(["𓀀𓀀𓀀", "abcd"]).near("𓀀𓀀𓀀𓀀", 5) == []
