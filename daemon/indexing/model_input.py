"""What the model reads of a passage: made in one place, for the chunker that counts it and for the pass that embeds it.

It is the Markdown as it stands. Marks, rules and addresses cost tokens, but a text without them makes longer passages
whose vectors find less of what they say (see docs/decisions/0020).
"""

from collections.abc import Sequence

SPECIAL_TOKENS = 2  # what the model adds to each text, such as [CLS] and [SEP]

_LARGEST_CONTEXT = 192  # bytes: some 40 English words, and with no tokenizer more than three quarters of 256 tokens


def embedding_input(title: str, headings: Sequence[str], text: str) -> str:
    """Where the passage stands, then the passage, on a line of its own.

    Measured in docs/retrieval.md: a passage alone often lacks the words that say what it is about.
    """
    context = context_of(title, headings)
    return f"{context}\n{text}" if context else text


def context_of(title: str, headings: Sequence[str]) -> str:
    """What the model reads before a passage: "title › heading › heading", cut where it is unusually long."""
    return within(" › ".join((title, *headings)), _LARGEST_CONTEXT)


def within(text: str, size: int) -> str:
    """The beginning of a text, of at most `size` bytes in UTF-8."""
    if len(text) * 4 <= size:
        return text
    encoded = text.encode("utf-8", "replace")
    return text if len(encoded) <= size else encoded[:size].decode("utf-8", "ignore")
