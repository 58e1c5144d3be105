"""Hints for what other programs understand, and this query language reads as words. Pure."""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from scrubjay.profiles.search.query.operators import OPERATORS, READ_AS_OPERATORS
from scrubjay.profiles.search.query.query_tree import Exclude, Node, QueryWarning, Word

_FILTER = re.compile(r"(?P<name>[A-Za-z][A-Za-z-]+):(?P<value>[^\s:/\\].*)")
_AND = re.compile(r"(?<!\S)AND(?=[\s(])")
_NEAR = 0.7  # of difflib's ratio


def query_hints(query: str, parts: Sequence[Node]) -> Iterator[QueryWarning]:
    """A hint for each part that looks like a filter, an operator or an option and is none. parts: of the tree."""
    for place, part in enumerate(parts):
        is_last = place == len(parts) - 1
        match part:
            case Word("NOT") if not is_last:
                start, end = part.span[0], parts[place + 1].span[0]
                message = "NOT is searched as a word. What is not wanted has - before it."
                yield QueryWarning("not-in-words", message, *part.span, f"{query[:start]}-{query[end:]}")
            case Word(text):
                yield from _unknown_filter(query, text, part.span)
            case Exclude(Word(text)) if len(text) == 1 and text.isascii() and text.isalpha() and not is_last:
                start, end = part.span
                message = f'-{text} leaves out the notes that say "{text}"; it is no option here.'
                yield QueryWarning("option-in-words", message, start, end, f"{query[:start]}{query[end:].lstrip()}")
            case _:
                pass
    found = _AND.search(query) if '"' not in query and len(parts) > 1 and Word("AND") not in parts else None
    if found:
        message = (
            "AND changes nothing: notes with more of the words come first. What must stand there is in quotation marks."
        )
        words = [part.text for part in parts if isinstance(part, Word)]
        instead = " ".join(f'"{word}"' for word in words) if len(words) == len(parts) else ""
        yield QueryWarning("and-in-words", message, *found.span(), instead)


def _unknown_filter(query: str, word: str, span: tuple[int, int]) -> Iterator[QueryWarning]:
    match = _FILTER.fullmatch(word)
    if match is None or match["name"].isupper() or match["name"].lower() in READ_AS_OPERATORS:
        return
    name, value = match["name"], match["value"]
    near = get_close_matches(name.lower(), OPERATORS, 1, _NEAR)
    offered = f"{near[0]}:{value}" if near else f"[{name}:{value}]"
    what = f"{offered} is one" if near else f"A property is asked for by {offered}"
    message = f"{name}: is no filter here, so it is searched as a word. {what}."
    yield QueryWarning("unknown-filter", message, *span, f"{query[: span[0]]}{offered}{query[span[1] :]}")
