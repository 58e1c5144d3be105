"""What notes say around their links: the words of whoever linked tell what the linked note is looked for by."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from scrubjay.credential_filter import MARK
from scrubjay.daemon.links.link_resolver import NoteName, Resolver
from scrubjay.daemon.vault.markdown.markup import link_places
from scrubjay.profiles.names import fold
from scrubjay.profiles.search.results.plain_text import LINK, as_read
from scrubjay.profiles.search.words.analysis import terms
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import ChunkView
from scrubjay.profiles.store.store import Store

_LEAST_TERMS = 6  # in what is left of a paragraph; fewer are "see also", which any note might follow
_EITHER_SIDE = 120  # characters before the link and after it, to the next word
_BREAK = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]|\||$)", re.MULTILINE)
"""Where a paragraph, an item of a list or a row of a table begins, or ends."""
_TAKEN_OUT = "\ue000"  # stands where the link was; of private use, so in no note
_WORD = re.compile(r"\w+(?:[.'’_/+-]\w+)*")
_CONNECTIVES = frozenset(("OR", "AND"))


@dataclass(frozen=True, slots=True)
class LinkedParagraph:
    """A paragraph around the one note that it links to, as a query: plain words, without the link itself."""

    text: str
    within: str  # path of the note that it stands in
    linked: str  # path of the note that it links to


def linked_paragraphs(store: Store) -> Iterator[LinkedParagraph]:
    """Those of all notes, by path; a text that stands around links to several notes tells none of them.

    Nothing with a redaction, and nothing around a picture or another embedded file.
    """
    notes = sorted(store.read(reads.recent), key=lambda note: (note.path, note.vault))
    names = {note.note_id: NoteName(note.note_id, note.vault, note.path, note.aliases) for note in notes}
    resolver = Resolver(names.values())
    found: dict[str, LinkedParagraph] = {}
    linked: dict[str, set[int]] = {}
    linking = store.read(reads.link_targets)
    for source in (name for note_id, name in names.items() if note_id in linking):
        for chunk in store.read(reads.note_chunks, source.id):
            for text, target in _around_links(chunk, source, resolver):
                key = fold(text)
                linked.setdefault(key, set()).add(target)
                found.setdefault(key, LinkedParagraph(text, source.path, names[target].path))
    return (paragraph for key, paragraph in found.items() if len(linked[key]) == 1)


def _around_links(chunk: ChunkView, source: NoteName, resolver: Resolver) -> Iterator[tuple[str, int]]:
    """The paragraphs of a chunk that link to one other note, and the id of that note."""
    links = list(LINK.finditer(chunk.text))
    link_starts = [link.start() for link in links]
    breaks = sorted({0, len(chunk.text), *(found.start() for found in _BREAK.finditer(chunk.text))})
    by_paragraph: dict[int, dict[int, list[re.Match[str]]]] = {}
    for place in link_places(chunk.text):
        at = bisect_right(link_starts, place.start) - 1
        target = resolver.resolve(place.path, source)
        if at >= 0 and links[at].end() >= place.stop and target not in (None, source.id):
            number = bisect_right(breaks, links[at].start()) - 1
            by_paragraph.setdefault(number, {}).setdefault(target, []).append(links[at])
    for number, targets in by_paragraph.items():
        if len(targets) == 1:
            ((target, of_target),) = targets.items()
            start, end = breaks[number], breaks[number + 1]
            is_embedded = any(link[0].startswith("!") for link in of_target)
            if is_embedded or MARK.search(chunk.text, start, end):
                continue
            text = _without(chunk.text, start, end, of_target)
            if len(terms(text)) >= _LEAST_TERMS:
                yield text, target


def _without(text: str, start: int, end: int, links: list[re.Match[str]]) -> str:
    """What stands around the first of these links, as words alone: nothing that a query would take for an operator."""
    parts: list[str] = []
    for link in links:
        parts.append(text[start : link.start()])
        start = link.end()
    read = as_read(_TAKEN_OUT.join((*parts, text[start:end])))
    before, _, after = read.partition(_TAKEN_OUT)
    whole = f"{_last_words(before)} {_first_words(after)}"
    return " ".join(word.lower() if word in _CONNECTIVES else word for word in _WORD.findall(whole))


def _first_words(text: str) -> str:
    space = text.rfind(" ", 0, _EITHER_SIDE) if len(text) > _EITHER_SIDE else -1
    return text[: space if space > 0 else _EITHER_SIDE]


def _last_words(text: str) -> str:
    space = text.find(" ", len(text) - _EITHER_SIDE) if len(text) > _EITHER_SIDE else -1
    return text[space if space > 0 else max(len(text) - _EITHER_SIDE, 0) :]
