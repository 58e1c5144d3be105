"""Passages that may be quoted, as the stores have them."""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.profiles.errors import StoreError
from scrubjay.profiles.kinds import NOTE
from scrubjay.profiles.search.types import SearchResponse, SearchResult
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.rows import ChunkView
from scrubjay.profiles.store.store import Store


@dataclass(frozen=True, slots=True)
class QuotablePassage:
    """One passage that may be quoted."""

    id: str
    profile: str
    path: str
    title: str
    headings: tuple[str, ...]
    line: int
    text: str
    about: str = ""  # what the user says of its folder
    kind: str = NOTE  # of file
    place: str = ""  # in a file that is no note

    def named(self, asked: AskedTerms) -> frozenset[str]:
        """The terms asked for that its title, headings and path say: what every sentence of it is about."""
        return asked.said(" ".join((self.title, *self.headings, self.path)))


@dataclass(frozen=True, slots=True)
class Cited:
    """A passage that may be quoted, and where it was found."""

    result: SearchResult
    source: QuotablePassage

    @classmethod
    def of(cls, result: SearchResult, store: Store | None) -> "Cited":
        """The passage in full; where it has just been replaced, or its profile closed, what the search saw of it."""
        now = passage_now(store, result.id)
        return cls._made(result, now.text if now else result.snippet)

    @classmethod
    def found(cls, found: SearchResponse, stores: Mapping[str, Store], most: int) -> Iterator["Cited"]:
        """The first passages, as far as the stores have them at this moment. stores: of the profiles, by name."""
        for result in found.results[:most]:
            if now := passage_now(stores.get(result.profile), result.id):
                yield cls._made(result, now.text)

    @classmethod
    def _made(cls, result: SearchResult, text: str) -> "Cited":
        passage = QuotablePassage(
            id=result.id,
            profile=result.profile,
            path=result.path,
            title=result.title,
            headings=result.headings,
            line=result.line,
            text=text,
            about=result.about,
            kind=result.kind,
            place=result.place,
        )
        return cls(result, passage)


def passage_now(store: Store | None, chunk_id: str) -> ChunkView | None:
    """A passage as the store has it at this moment; None where it was replaced, or its profile closed."""
    with contextlib.suppress(StoreError):
        return next(iter(store.read(reads.chunks_by_digest, bytes.fromhex(chunk_id), 1)), None) if store else None
    return None
