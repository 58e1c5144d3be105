"""Drafting questions from a profile's own names for its notes: aliases, texts of links to them, and headings."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Literal, TypeAlias, cast

import msgspec

from scrubjay.credential_filter import MARK
from scrubjay.daemon.search.evaluate.evaluation import GoldenQuery
from scrubjay.profiles.names import fold
from scrubjay.profiles.store.store import Store

Kind: TypeAlias = Literal["alias", "link", "heading"]
KINDS: tuple[Kind, ...] = ("alias", "link", "heading")

_SHORTEST = 4  # characters
_LEAST_WORDS = 2  # of a heading; one alone is seldom a question
_SQL: dict[Kind, str] = {
    "alias": "SELECT id, title, path, aliases FROM note WHERE aliases <> '[]'",
    "link": "SELECT id, title, path, anchors FROM note WHERE anchors <> ''",
    "heading": "SELECT note.id, title, path, headings FROM chunk JOIN note ON note.id = note_id WHERE headings <> '[]'",
}
_texts = msgspec.json.Decoder(tuple[str, ...]).decode


def draft(store: Store, count: int) -> tuple[GoldenQuery, ...]:
    """At most `count` questions, of each kind as many as of the others where there are so many; the same each time.

    Each is what one note alone is called, says more than its title, and is marked to be hidden while it is asked.
    """
    found = {kind: sorted(_of_kind(store, kind), key=_chance) for kind in KINDS}
    chosen: list[GoldenQuery] = []
    notes: set[str] = set()
    while len(chosen) < count and any(found.values()):
        for kind in KINDS:
            while found[kind]:
                question = found[kind].pop()
                if question.notes[0] not in notes:
                    notes.add(question.notes[0])
                    chosen.append(question)
                    break
    return tuple(
        sorted(chosen[:count], key=lambda question: (KINDS.index(cast("Kind", question.kind)), question.query))
    )


def _of_kind(store: Store, kind: Kind) -> Iterator[GoldenQuery]:
    """The names of a kind that one note alone has."""
    with store.reading() as connection:
        rows = cast("list[tuple[int, str, str, str]]", connection.execute(_SQL[kind]).fetchall())
    notes: dict[str, set[int]] = {}
    first: dict[str, tuple[str, str]] = {}
    for note_id, title, path, listed in rows:
        for name in listed.split("\n") if kind == "link" else _texts(listed):
            if _is_question(name, title, path, kind):
                notes.setdefault(fold(name), set()).add(note_id)
                first.setdefault(fold(name), (name.strip(), path))
    for key, (name, path) in first.items():
        if len(notes[key]) == 1:
            yield GoldenQuery(name, (path,), kind, hidden=True)


def _is_question(name: str, title: str, path: str, kind: Kind) -> bool:
    if len(name.strip()) < _SHORTEST or MARK.search(name) or (kind == "heading" and len(name.split()) < _LEAST_WORDS):
        return False
    return not _words(name) <= (_words(title) | _words(path.removesuffix(".md").replace("/", " ")))


def _words(text: str) -> set[str]:
    return set(fold(text).split())


def _chance(question: GoldenQuery) -> bytes:
    return blake2b(question.query.encode("utf-8", "replace"), digest_size=8).digest()


def as_lines(questions: Iterable[GoldenQuery]) -> bytes:
    """As a golden file has them."""
    lines = ({"query": one.query, "notes": one.notes, "kind": one.kind, "hidden": one.hidden} for one in questions)
    return b"".join(msgspec.json.encode({k: v for k, v in line.items() if v}) + b"\n" for line in lines)
