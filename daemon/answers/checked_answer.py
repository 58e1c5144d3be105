"""Checking all quotations of an answer against the notes that it cites."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from scrubjay.daemon.answers.answer_quotes import Claim, cited_only, claims_of, sources_of
from scrubjay.daemon.answers.citation import CitedNote, journal_passage
from scrubjay.daemon.answers.quotation import Verification, nearest, verify_quote
from scrubjay.daemon.links.answer_words import AnswerStatus, QuoteVerdict
from scrubjay.daemon.server.endpoints.links import CheckedQuote, CitedSource, VerifyAnswerReply
from scrubjay.profiles.registry.registry import Profile
from scrubjay.profiles.search.named_notes import ChunkNotFound, PassageInProfile, find_chunk
from scrubjay.profiles.store import reads
from scrubjay.profiles.store.store import Store

_NoteKey: TypeAlias = tuple[str, int | str]
"""A profile's name and the id of a note, or of an entry of its journal."""
_MOST_PLACES = 20  # notes that hold the same passage
_MOST_QUOTES = 200
_ORDER: Mapping[QuoteVerdict, int] = {"verified": 0, "altered": 1, "not-found": 2, "too-short": 3, "no-source": 4}
_STATUSES: Mapping[AnswerStatus, str] = {
    "verified": "Every quotation stands in a note that the answer cites.",
    "mismatch": "Not all that is quoted or cited is in the notes.",
    "unverifiable": "Some of what is quoted can't be checked.",
    "partly-quoted": "What is quoted stands in the notes, but of some that are cited nothing is quoted.",
    "nothing-quoted": "Nothing is quoted, so there is nothing to check.",
}


class AnswerCheck:
    """Checks one answer. stores: of these profiles, by name."""

    def __init__(self, stores: Mapping[str, Store], profiles: Sequence[Profile], text: str) -> None:
        self._stores = stores
        self._profiles = profiles
        self._text = text
        self._notes: dict[_NoteKey, tuple[PassageInProfile, CitedNote]] = {}
        self._places: dict[str, tuple[_NoteKey, ...]] = {}
        self._unknown: list[str] = []
        self._edited: list[str] = []

    def reply(self) -> VerifyAnswerReply:
        """What became of the quotations, in their order, and of the whole."""
        ids = sources_of(self._text)
        for short_id in ids:
            self._look_up(short_id)
        claims = claims_of(self._text)[:_MOST_QUOTES]
        quotes = tuple(checked for claim in claims if (checked := self._checked(claim, ids)) is not None)
        are_all = len(claims) < _MOST_QUOTES  # of more, those that were left out would be missed beside their sources
        only = cited_only(self._text, claims) if are_all else ()
        unquoted = tuple(CitedSource(id=each.id, answer_line=self._line_of(each.start)) for each in only)
        status = _status(quotes, self._unknown, unquoted)
        return VerifyAnswerReply(
            status=status,
            reason=_STATUSES[status],
            quotes=quotes,
            unknown=tuple(self._unknown),
            edited=tuple(self._edited),
            unquoted=unquoted,
        )

    def _line_of(self, start: int) -> int:
        return self._text.count("\n", 0, start) + 1

    def _look_up(self, short_id: str) -> None:
        try:
            places = find_chunk(self._stores, self._profiles, short_id)[:_MOST_PLACES]
        except ChunkNotFound:
            entry = journal_passage(self._stores, self._profiles, short_id)
            if entry is None:
                self._unknown.append(short_id)
            else:
                key = (entry.profile.name, short_id)
                self._notes[key] = entry, CitedNote.of([entry.chunk])
                self._places[short_id] = (key,)
            return
        if places[0].was:
            self._edited.append(short_id)
        keys: list[_NoteKey] = []
        for place in places:
            key = (place.profile.name, place.chunk.note_id)
            keys.append(key)
            if key not in self._notes:
                chunks = self._stores[place.profile.name].read(reads.note_chunks, place.chunk.note_id)
                self._notes[key] = place, CitedNote.of(chunks)
        self._places[short_id] = tuple(dict.fromkeys(keys))

    def _checked(self, claim: Claim, all_ids: tuple[str, ...]) -> CheckedQuote | None:
        """None for a word or two between quotation marks that cite nothing: that is no quotation."""
        ids = claim.ids or all_ids
        if verify_quote(claim.quote, "").reason.startswith("Too short") and not claim.own:
            return None
        keys = dict.fromkeys(key for short_id in ids for key in self._places.get(short_id, ()))
        found = [self._in_note(claim, *self._notes[key]) for key in keys]
        if not found:
            known = "Its source is not in the notes." if ids else "It cites no note."
            return self._quote(claim, "not-found" if ids else "no-source", known)
        best = min(found, key=lambda each: _ORDER[each.verdict])
        if best.verdict == "not-found" and (elsewhere := self._elsewhere(claim, keys)):
            return self._quote(claim, "not-found", f"These words are in {elsewhere}, which it does not cite for them.")
        return best

    def _in_note(self, claim: Claim, place: PassageInProfile, note: CitedNote) -> CheckedQuote:
        found = verify_quote(claim.quote, note.text)
        if found.verdict == "unverifiable":
            return self._quote(claim, "too-short", found.reason)
        if found.verdict == "altered":
            return self._quote(claim, "altered", found.reason, place, note, *_whole(found))
        if found.verdict == "verified":
            return self._quote(claim, "verified", found.reason, place, note, found.spans[0][0])
        near = nearest(claim.quote, note.text)
        if near is None:
            return self._quote(claim, "not-found", found.reason)
        return self._quote(claim, "altered", "The note says it in other words.", place, note, near.start, near.end)

    def _elsewhere(self, claim: Claim, but: Iterable[_NoteKey]) -> str:
        """The path of another cited note that says exactly this; "" for none."""
        for key in self._notes.keys() - set(but):
            place, note = self._notes[key]
            if verify_quote(claim.quote, note.text).verdict == "verified":
                return place.chunk.path
        return ""

    def _quote(
        self,
        claim: Claim,
        verdict: QuoteVerdict,
        reason: str,
        place: PassageInProfile | None = None,
        note: CitedNote | None = None,
        start: int = 0,
        end: int = 0,
    ) -> CheckedQuote:
        answer_line = self._line_of(claim.start)
        if place is None or note is None:
            return CheckedQuote(
                quote=claim.quote, answer_line=answer_line, ids=claim.ids, verdict=verdict, reason=reason
            )
        return CheckedQuote(
            quote=claim.quote,
            answer_line=answer_line,
            ids=claim.ids,
            verdict=verdict,
            reason=reason,
            profile=place.profile.name,
            vault=place.vault,
            path=place.chunk.path,
            line=note.place(start).line,
            says=note.text[start:end],
            modified=place.chunk.modified,
            dated=place.chunk.dated,
        )


def _whole(found: Verification) -> tuple[int, int]:
    """From where the first part of a quotation begins to where the last ends, with the word before."""
    return max(found.spans[0][0] - 12, 0), found.spans[-1][1]


def _status(quotes: Sequence[CheckedQuote], unknown: Sequence[str], unquoted: Sequence[CitedSource]) -> AnswerStatus:
    verdicts = {quote.verdict for quote in quotes}
    if unknown or verdicts & {"altered", "not-found"}:
        return "mismatch"
    if not quotes:
        return "nothing-quoted"
    if verdicts - {"verified"}:
        return "unverifiable"
    return "partly-quoted" if unquoted else "verified"
