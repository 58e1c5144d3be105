"""Which sentences of a stored passage are shown for a query, and who chooses them."""

from itertools import product

import pytest

from scrubjay.daemon.links.excerpt import excerpt
from scrubjay.profiles.search.meaning.embedder import EmbedderFailed
from scrubjay.profiles.store.rows import Vectors
from scrubjay.profiles.store.store import Store
from tests.helpers.hash_encoder import HashEncoder
from tests.integration.links.conftest import Put

TEXT = (
    "The reserve opened long ago. Curlews nest on the wet moor in April. Parking is free for members. "
    "Their call is a rising whistle at dusk. Dogs stay on the lead all year."
)


class _Silent(HashEncoder):
    def embed_passages(self, texts: object) -> Vectors:
        raise EmbedderFailed("There is no model.")


@pytest.mark.parametrize(
    ("query", "way", "first"),
    [
        ("curlews nest", "words", "Curlews nest on the wet moor in April."),
        ("curlews whistle", "words", "Curlews nest on the wet moor in April."),
        ("astronomy telescope mirror curlews", "meaning", None),
        ("xyzzy", "meaning", None),
    ],
)
def test_words_choose_where_they_say_enough(store: Store, put: Put, query: str, way: str, first: str | None) -> None:
    put("Moor.md", TEXT)
    found = excerpt(store, HashEncoder(), TEXT, query)
    assert found.way == way
    assert first is None or found.sentences[0].text == first
    assert 1 <= len(found.sentences) <= 2
    assert all(TEXT[each.start :].startswith(each.text) for each in found.sentences)
    assert [each.start for each in found.sentences] == sorted(each.start for each in found.sentences)


def test_without_a_model_the_words_decide(store: Store, put: Put) -> None:
    put("Moor.md", TEXT)
    found = excerpt(store, _Silent(), TEXT, "astronomy telescope mirror curlews")
    assert (found.way, found.sentences[0].text) == ("words", "Curlews nest on the wet moor in April.")
    assert excerpt(store, _Silent(), TEXT, "xyzzy").sentences[0].text == "The reserve opened long ago."


def test_a_text_or_query_that_says_nothing_is_no_trouble(store: Store) -> None:
    for text, query in product(("", "   \n\n", "#", "one"), ("", "   ", "one", "?!")):
        assert len(excerpt(store, HashEncoder(), text, query).sentences) <= 2, (text, query)
