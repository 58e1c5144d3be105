"""Links that are missing: a note's name, alias or usual link text stands in another note as plain words.

Whether such words mean the note is told by how the vault itself writes them: of all notes that say them, the share that
link them (the link probability of Mihalcea and Csomai, "Wikify!", 2007), with a few notes' worth of what the shape of
the name says. "Links" and "Tasks" are said everywhere and linked hardly ever; "Style Settings" is linked mostly.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.link_view import LinkView
from scrubjay.daemon.review.finders.mentions import (
    Mention,
    Mentions,
    OwnName,
    Setting,
    can_be_looked_for,
    file_name,
    name_key,
    names_of_vault,
)
from scrubjay.daemon.review.memos import Part, digest_of
from scrubjay.daemon.review.proposal import Change, Kind, Option
from scrubjay.daemon.review.review_notes import NoteBody, ReviewNotes, body_of
from scrubjay.profiles.search.words.analysis import UNSPACED
from scrubjay.profiles.store.note_texts import StoredNote

PROPOSED_FROM = 0.4
"""Link probability. Of 500 links taken out of a real vault, see docs/decisions/0029-review-finders.md."""

_PRIOR_NOTES = 2.0  # how many notes' worth the shape of a name is
_LEAST_USES = 2  # notes in which a text leads to a note, for it to be a name of it
_LEAST_SHARE = 0.8  # of the links with that text
_MOST_PLACES = 5  # of one name in one note that are offered
_LIKELIEST = 0.6  # shape of a name
_OPENING, _PART = 0.6, 0.3
_RARE = 2  # notes that say a word, up to which it is no common one


_Form: TypeAlias = tuple[str, bool]
"""A folded text, and whether it is written with a capital: "Windows" is no "windows"."""


@dataclass(frozen=True, slots=True)
class NameUsage:
    """How a vault uses a name, as far as it is written with a capital, or without, as the mention in question is."""

    linked: int  # notes that link it to the note
    elsewhere: int  # notes that link it to others
    plain: int  # notes that say it and have no link to the note


class MissingLinks:
    """Finds names of notes that stand unlinked in other notes of their vault."""

    kinds: tuple[Kind, ...] = ("missing-link",)

    def find(self, notes: ReviewNotes) -> Iterator[FoundProposal]:
        """One proposal a note and named note, with an option for each place, of which the first is chosen."""
        view = notes.link_view
        for members in notes.by_vault.values():
            yield from self._in_vault(notes, view, members)

    def _in_vault(self, notes: ReviewNotes, view: LinkView, members: Sequence[StoredNote]) -> Iterator[FoundProposal]:
        ids = {note.note_id for note in members}
        texts = _link_texts(view, members)
        own_names = names_of_vault(members)
        names = [name for name in own_names.values() if name is not None]
        names += _usual_texts(texts, ids, own_names)
        unlinked = _Unlinked(view, names)
        keys = digest_of([(name.key, name.note_id) for name in names])
        for note_id, mentions in notes.memos.of(
            _MENTIONS, members, lambda note: (note.title, keys), _Mentioned(notes, names).within
        ):
            unlinked.add(note_id, mentions)
        likely: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)
        for pair, (note_id, name, setting) in enumerate(unlinked.pairs):
            text = unlinked.first(pair)
            uses = texts.get(text.form, {})
            count = uses.get(name.note_id, 0)
            said = NameUsage(count, sum(uses.values()) - count, unlinked.plain[text.form])
            if _probability(said, _LIKELIEST, _PRIOR_NOTES) < PROPOSED_FROM:
                continue  # whatever its shape
            probability = link_probability(text.written, name.written, setting, said, is_own=name.key in own_names)
            if probability >= PROPOSED_FROM:
                likely[note_id].append((probability, pair))
        for note_id, passages in notes.passages(sorted(likely)):
            body = body_of(passages, notes.by_id[note_id].title)
            for probability, pair in likely[note_id]:
                target = notes.by_id[unlinked.pairs[pair][1].note_id]
                proposal = _proposal(notes, view, body, note_id, target, unlinked.places(pair), probability)
                if proposal is not None:
                    yield proposal


_MENTIONS = Part("mentions", list[Mention])


class _Mentioned:
    """Looks for names in the texts of notes."""

    def __init__(self, notes: ReviewNotes, names: Sequence[OwnName]) -> None:
        self._notes = notes
        self._names = names

    @cached_property
    def _mentions(self) -> Mentions:
        return Mentions(self._names)

    def within(self, some: Sequence[StoredNote]) -> Iterator[tuple[int, list[Mention]]]:
        """The mentions in some notes."""
        titles = {note.note_id: note.title for note in some}
        for note_id, passages in self._notes.passages(list(titles)):
            yield note_id, list(self._mentions.within(body_of(passages, titles[note_id]), note_id))


class _Unlinked:
    """Of each note and each that it names and has no link to, the places. In arrays: a large vault has a million."""

    def __init__(self, view: LinkView, names: Sequence[OwnName]) -> None:
        """names: that mentions are of, by number."""
        self.plain: Counter[_Form] = Counter()
        """How many notes say each form so."""
        self.pairs: list[tuple[int, OwnName, Setting]] = []
        """A note, the name that it says of another first, and how that stands there."""
        self._view = view
        self._names = names
        self._starts = array("Q", (0,))  # of each pair, its first place; and where the last one's end
        self._lines, self._columns = array("I"), array("I")
        self._texts: list[_Text] = []
        self._known: dict[str, _Text] = {}

    def add(self, note_id: int, mentions: Iterable[Mention]) -> None:
        """Add all that a note names."""
        by_target: defaultdict[int, list[Mention]] = defaultdict(list)
        linked = self._view.targets(note_id)
        for mention in mentions:
            target_id = self._names[mention.number].note_id
            if target_id not in linked:
                by_target[target_id].append(mention)
        for places in by_target.values():
            texts = [self._text(place.text) for place in places]
            self.plain.update({text.form for text in texts})
            self.pairs.append((note_id, self._names[places[0].number], places[0].setting))
            self._lines.extend(place.line for place in places)
            self._columns.extend(place.column for place in places)
            self._texts += texts
            self._starts.append(len(self._texts))

    def places(self, pair: int) -> Iterator[tuple[int, int, str]]:
        """Line, column and text of each place."""
        for place in range(self._starts[pair], self._starts[pair + 1]):
            yield self._lines[place], self._columns[place], self._texts[place].written

    def first(self, pair: int) -> "_Text":
        """What stands at the first place."""
        return self._texts[self._starts[pair]]

    def _text(self, written: str) -> "_Text":
        known = self._known.get(written)
        if known is None:
            known = self._known[written] = _Text(written, _form(written))
        return known


@dataclass(frozen=True, slots=True)
class _Text:
    written: str
    form: _Form


def link_probability(text: str, written: str, setting: Setting, said: NameUsage, *, is_own: bool) -> float:
    """How likely words are meant as a link, in (0, 1).

    text: the words; written: the name, as it is written. is_own: they are a name, and not the usual text of links.
    """
    shape = _prior(text, written, said, is_own=is_own)
    if setting == "part":
        return _probability(said, shape * _PART, _PRIOR_NOTES * 2)
    return _probability(said, shape * _OPENING if setting == "opening" else shape, _PRIOR_NOTES)


def _probability(said: NameUsage, shape: float, weight: float) -> float:
    """weight: how many notes' worth the shape is."""
    return (said.linked + weight * shape) / (said.linked + said.elsewhere + max(said.plain - 1, 0) + weight)


def _prior(text: str, written: str, said: NameUsage, *, is_own: bool) -> float:
    """What the shape of a name says of whether it is meant, where the vault says nothing."""
    is_phrase = len(text.split()) > 1 or (UNSPACED.search(text) is not None and len(text) >= 4)
    has_capital = any(map(str.isupper, text))
    is_lowered = not has_capital and any(map(str.isupper, written))
    is_coined = any(map(str.isupper, text[1:])) or any(c.isdigit() or c in "-_" for c in text)
    if text.isupper() and len(text) > 1 and not written.isupper():
        return 0.05  # an abbreviation of something else: TEA is no tea
    if not is_own:
        return 0.3 if is_phrase and has_capital else 0.1
    if is_phrase:
        return _LIKELIEST if has_capital else 0.25 if is_lowered else 0.35
    if is_coined:
        return 0.5
    if has_capital:
        return 0.35
    return 0.1 if is_lowered or said.plain > _RARE else 0.35


def _form(text: str) -> _Form:
    return name_key(text), any(map(str.isupper, text))


def _link_texts(view: LinkView, members: Sequence[StoredNote]) -> Mapping[_Form, Mapping[int, int]]:
    """What links of these notes show -> the notes that they lead to -> how many notes have such a link."""
    texts: defaultdict[_Form, Counter[int]] = defaultdict(Counter)
    for note in members:
        shown = (
            (_form(each.link.text or file_name(each.link.target)), each.target_id)
            for each in view.links((note,))
            if each.target_id is not None and each.target_id != note.note_id
        )
        for form, target_id in dict.fromkeys(shown):
            texts[form][target_id] += 1
    return texts


def _usual_texts(
    texts: Mapping[_Form, Mapping[int, int]], ids: set[int], own_names: Container[str]
) -> Iterable[OwnName]:
    """Texts of links that nearly always lead to one note, and are no common word."""
    names: dict[str, OwnName] = {}
    for (key, has_capital), uses in texts.items():
        if not has_capital and " " not in key and not UNSPACED.search(key):
            continue
        target = max(uses, key=lambda note_id: (uses[note_id], -note_id))
        count = uses[target]
        if key in own_names or target not in ids or count < _LEAST_USES or not can_be_looked_for(key):
            continue
        if count >= _LEAST_SHARE * sum(uses.values()):
            names[key] = OwnName(key, target, key)
    return names.values()


def _proposal(
    notes: ReviewNotes,
    view: LinkView,
    body: NoteBody,
    note_id: int,
    target: StoredNote,
    places: Iterable[tuple[int, int, str]],
    probability: float,
) -> FoundProposal | None:
    note = notes.by_id[note_id]
    options: list[Option] = []
    first: tuple[int, str] | None = None
    for line, said_at, text in places:
        column = body.place(line, said_at, text)
        after = view.writer.written(note_id, target.note_id, text, in_table=body.is_in_table(line))
        if column is None or after is None:
            continue
        first = first or (line, text)
        change = Change(
            action="replace",
            vault=notes.vault_name(note),
            path=note.path,
            line=line,
            column=column,
            before=text,
            after=after,
        )
        option_id = f"{line}:{said_at}"
        options.append(
            Option(id=option_id, label=after, changes=(change,), chosen=not options, score=round(probability, 3))
        )
        if len(options) == _MOST_PLACES:
            break
    if first is None:
        return None
    line, text = first
    return FoundProposal(
        kind="missing-link",
        note=note,
        subject=target.path,
        line=line,
        quote=body.line(line).strip(),
        detail=text,
        others=(notes.other(target, score=round(probability, 3)),),
        options=tuple(options),
        strength=round(probability, 3),
    )
