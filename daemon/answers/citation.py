"""Which passages may be quoted, and where a quotation stands in the note that it is said to be from."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from scrubjay.daemon.answers.answering_sentence import MOST_PASSAGES, PERHAPS, likeliest
from scrubjay.daemon.answers.context_block import says_enough
from scrubjay.daemon.answers.question import Question
from scrubjay.daemon.answers.quotable_passages import Cited
from scrubjay.daemon.answers.quotation import Verification, verify_quote
from scrubjay.daemon.links.asked_terms import AskedTerms
from scrubjay.daemon.server.endpoints.links import QuotedAt
from scrubjay.profiles.journal.entries import Journal, JournalEntry
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.named_notes import ID_LENGTH, PassageInProfile
from scrubjay.profiles.search.types import SearchResponse
from scrubjay.profiles.store.rows import ChunkView
from scrubjay.profiles.store.store import Store

_ENTRY = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Citation:
    """What became of a quotation in one note. `places` has one entry a part if and only if it is verified."""

    verification: Verification
    places: tuple[QuotedAt, ...]


@dataclass(frozen=True, slots=True)
class CitedNote:
    """A note's passages, which with their headings are read as one text."""

    pieces: tuple[tuple[ChunkView, str], ...]
    text: str

    @classmethod
    def of(cls, chunks: Sequence[ChunkView]) -> "CitedNote":
        """The note of these passages, which are all it has, in order."""
        pieces = tuple(piece for chunk in _with_new_headings(chunks) for piece in chunk)
        return cls(pieces, "\n".join(text for _, text in pieces))

    def place(self, offset: int) -> QuotedAt:
        """The passage that holds a code point of the text, and the line."""
        for chunk, text in self.pieces:
            if offset <= len(text):
                below = text.count("\n", 0, offset) if text is chunk.text else 0
                return QuotedAt(id=chunk.digest.hex()[:ID_LENGTH], line=chunk.line + below)
            offset -= len(text) + 1
        raise ValueError("the text has no such place")


def cited_in(chunks: Sequence[ChunkView], quote: str) -> Citation:
    """Look for a quotation in a note's passages."""
    note = CitedNote.of(chunks)
    found = verify_quote(quote, note.text)
    places = found.spans if found.verdict == "verified" else ()
    return Citation(found, tuple(note.place(start) for start, _ in places))


def journal_passage(stores: Mapping[str, Store], profiles: Sequence[Profile], name: str) -> PassageInProfile | None:
    """The entry of a journal with this id, "#" or not, as a passage; None where no journal of these has it."""
    key = name.strip().removeprefix("#").lower()
    for profile in profiles if _ENTRY.fullmatch(key) else ():
        store = stores.get(profile.name)
        entry = Journal(store).get(key) if store else None
        if entry is not None:
            return PassageInProfile(profile, _as_chunk(entry), "")
    return None


def _as_chunk(entry: JournalEntry) -> ChunkView:
    return ChunkView(
        chunk_id=0,
        note_id=0,
        digest=bytes.fromhex(entry.key),
        text=entry.text,
        headings=(),
        line=1,
        end_line=1 + entry.text.count("\n"),
        position=0,
        vault="",
        path=f"journal of {entry.author}",
        title="Journal",
        aliases=(),
        tags=entry.tags,
        mtime_ns=entry.at_ns,
        redactions=entry.redactions,
    )


def _with_new_headings(chunks: Sequence[ChunkView]) -> Iterator[list[tuple[ChunkView, str]]]:
    """Each passage with the headings that the one before it did not stand under: they are not in its text."""
    before: tuple[str, ...] = ()
    for chunk in chunks:
        new = chunk.headings[_shared(before, chunk.headings) :]
        yield [*((chunk, heading) for heading in new), (chunk, chunk.text)]
        before = chunk.headings


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))


MOST_SOURCES = 40
_WHATEVER_TIER = 3  # the first so many passages may be quoted although a better tier is further down


def quotable(
    found: SearchResponse, stores: Mapping[str, Store], asked: AskedTerms, question: Question
) -> Iterator[Cited]:
    """What may be quoted, best first; read from the stores as far as it is taken. stores: of the profiles, by name.

    What the search gives a low tier is quoted only where the words of the prompt stand together in a passage, or one
    may hold the answer to it. The passage that is likeliest to hold it is the first.
    """
    sources = (
        Cited.of(result, stores.get(result.profile))
        for place, result in enumerate(found.results)
        if place < _WHATEVER_TIER or result.relevance != "low"
    )
    first = tuple(islice(sources, _WHATEVER_TIER if found.relevance == "low" else MOST_PASSAGES))
    best = likeliest(question, asked, first)
    if found.relevance == "low":
        says = best is not None and best.worth >= PERHAPS
        if not says and not any(says_enough(each.source, asked) for each in first):
            return
        sources = iter(())
    yield from sorted(first, key=lambda each: best is None or each is not best.cited)
    yield from sources
