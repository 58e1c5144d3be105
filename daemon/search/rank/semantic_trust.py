"""How far the semantic leg can be trusted with a query: a model knows only the scripts that it was trained on."""

import unicodedata

from scrubjay.daemon.embedding.protocol import EmbeddingModel
from scrubjay.profiles.text.analysis import UNSPACED

UNREAD = 0.05
"""Of a query in a script, or of pictures, that the model cannot read, names in Latin letters apart."""


def trust(model: EmbeddingModel, text: str) -> float:
    """The share of its weight that the semantic leg keeps: 1 for what the model reads, UNREAD for what it does not.

    An English model turns Chinese, Japanese or pictures into unknown tokens, and finds what has as many of them.
    """
    if model.reads_unspaced or text.isascii():
        return 1.0
    letters = sum(character.isalnum() for character in text)
    pictures = sum(unicodedata.category(character) == "So" for character in text)
    unread = pictures + sum(len(run[0]) for run in UNSPACED.finditer(text))
    read = 1.0 - min(1.0, unread / max(1, letters + pictures))
    return UNREAD + (1.0 - UNREAD) * read
