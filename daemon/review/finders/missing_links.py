"""Links that are missing: a note's name, alias or usual link text stands in another note as plain words.

Whether such words mean the note is told by how the vault itself writes them: of all notes that say them, the share that
link them (the link probability of Mihalcea and Csomai, "Wikify!", 2007), with a few notes' worth of what the shape of
the name says. "Links" and "Tasks" are said everywhere and linked hardly ever; "Style Settings" is linked mostly.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from scrubjay.daemon.review.finder import FoundProposal
from scrubjay.daemon.review.finders.link_style import is_in_table
from scrubjay.daemon.review.finders.link_view import LinkView
from scrubjay.daemon.review.finders.mentions import (
    Mention,
    Mentions,
    OwnName,
    can_be_looked_for,
    file_name,
    name_key,
    names_of_vault,
)
from scrubjay.daemon.review.proposal import Change, Kind, Option
from scrubjay.daemon.review.review_notes import NoteBody, ReviewNotes, body_of
from scrubjay.profiles.search.words.analysis import UNSPACED

PROPOSED_FROM = 0.4
"""Link probability. Of 500 links taken out of a real vault, see docs/decisions/0029-review-finders.md."""

_PRIOR_NOTES = 2.0  # how many notes' worth the shape of a name is
_LEAST_USES = 2  # notes in which a text leads to a note, for it to be a name of it
_LEAST_SHARE = 0.8  # of the links with that text
_MOST_PLACES = 5  # of one name in one note that are offered
_OPENING, _PART = 0.6, 0.3
_RARE = 2  # notes that say a word, up to which it is no common one
_SENTENCE_START = re.compile(r"(?:^|[.!?:;|…。！？]|(?:^|\s)[-*+>–—]|\d[.)]|\])[\s*_\"'“‘(\[]*$")
_CAPITALISED_BEFORE = re.compile(r"\b[A-Z][\w'’-]*[ ]$")
_CAPITALISED_AFTER = re.compile(r"[ ][A-Z][\w'’-]*")


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
        view = LinkView(notes)
        for vault in sorted({note.vault for note in notes.notes}):
            yield from self._in_vault(notes, view, vault)

    def _in_vault(self, notes: ReviewNotes, view: LinkView, vault: str) -> Iterator[FoundProposal]:
        members = [note for note in notes.notes if note.vault == vault]
        ids = {note.note_id for note in members}
        texts = _link_texts(view, ids)
        own_names = names_of_vault(members)
        names = [name for name in own_names.values() if name is not None]
        names += _usual_texts(texts, ids, own_names)
        unlinked, plain = _unlinked(_mentions(notes, ids, Mentions(names)), view)
        likely: defaultdict[int, list[tuple[float, list[Mention]]]] = defaultdict(list)
        for (note_id, target), places in unlinked.items():
            form = _form(places[0].text)
            uses = texts.get(form, {})
            count = len(uses.get(target, ()))
            said = NameUsage(count, sum(map(len, uses.values())) - count, plain[form])
            probability = link_probability(places[0], said, is_own=places[0].name.key in own_names)
            if probability >= PROPOSED_FROM:
                likely[note_id].append((probability, places))
        for note_id, passages in notes.passages(sorted(likely)):
            body = body_of(passages, notes.by_id[note_id].title)
            for probability, places in likely[note_id]:
                proposal = _proposal(notes, view, body, note_id, places, probability)
                if proposal is not None:
                    yield proposal


def _mentions(notes: ReviewNotes, ids: Iterable[int], names: Mentions) -> Iterator[tuple[int, list[Mention]]]:
    """The names that stand in each of these notes, by its id, ascending."""
    for note_id, passages in notes.passages(sorted(ids)):
        yield note_id, list(names.within(body_of(passages, notes.by_id[note_id].title), note_id))


def _unlinked(
    said: Iterable[tuple[int, Iterable[Mention]]], view: LinkView
) -> tuple[dict[tuple[int, int], list[Mention]], Counter[_Form]]:
    """Of each note and each that it names and has no link to, the places; and how many notes say each form so."""
    linked = {(each.note_id, each.target_id) for each in view.links}
    found: dict[tuple[int, int], list[Mention]] = {}
    plain: Counter[_Form] = Counter()
    for note_id, mentions in said:
        by_target: defaultdict[int, list[Mention]] = defaultdict(list)
        for mention in mentions:
            if (note_id, mention.name.note_id) not in linked:
                by_target[mention.name.note_id].append(mention)
        for target, places in by_target.items():
            plain.update({_form(place.text) for place in places})
            found[note_id, target] = places
    return found, plain


def link_probability(mention: Mention, said: NameUsage, *, is_own: bool) -> float:
    """How likely words are meant as a link, in (0, 1). is_own: they are a name, and not the usual text of links."""
    shape = _prior(mention.text, mention.name.written, said, is_own=is_own)
    weight = _PRIOR_NOTES
    if _is_one_capitalised(mention.text):
        if _CAPITALISED_AFTER.match(mention.after) or _CAPITALISED_BEFORE.search(mention.before):
            shape, weight = shape * _PART, weight * 2  # of a longer name, perhaps
        elif _SENTENCE_START.search(mention.before):
            shape *= _OPENING  # where any word has a capital
    weighed = said.linked + weight * shape
    return weighed / (said.linked + said.elsewhere + max(said.plain - 1, 0) + weight)


def _is_one_capitalised(text: str) -> bool:
    return text[:1].isupper() and text[1:].isalpha() and text[1:].islower()


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
        return 0.6 if has_capital else 0.25 if is_lowered else 0.35
    if is_coined:
        return 0.5
    if has_capital:
        return 0.35
    return 0.1 if is_lowered or said.plain > _RARE else 0.35


def _form(text: str) -> _Form:
    return name_key(text), any(map(str.isupper, text))


def _link_texts(view: LinkView, ids: set[int]) -> Mapping[_Form, Mapping[int, set[int]]]:
    """What links of these notes show -> the notes that they lead to -> the notes that have such a link."""
    texts: defaultdict[_Form, defaultdict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for each in view.links:
        if each.note_id in ids and each.target_id is not None and each.target_id != each.note_id:
            texts[_form(each.link.text or file_name(each.link.target))][each.target_id].add(each.note_id)
    return texts


def _usual_texts(
    texts: Mapping[_Form, Mapping[int, set[int]]], ids: set[int], own_names: Container[str]
) -> Iterable[OwnName]:
    """Texts of links that nearly always lead to one note, and are no common word."""
    names: dict[str, OwnName] = {}
    for (key, has_capital), uses in texts.items():
        if not has_capital and " " not in key and not UNSPACED.search(key):
            continue
        target = max(uses, key=lambda note_id: (len(uses[note_id]), -note_id))
        count = len(uses[target])
        if key in own_names or target not in ids or count < _LEAST_USES or not can_be_looked_for(key):
            continue
        if count >= _LEAST_SHARE * sum(map(len, uses.values())):
            names[key] = OwnName(key, target, key)
    return names.values()


def _proposal(
    notes: ReviewNotes, view: LinkView, body: NoteBody, note_id: int, places: Iterable[Mention], probability: float
) -> FoundProposal | None:
    note = notes.by_id[note_id]
    options: list[Option] = []
    first: Mention | None = None
    for mention in places:
        column = body.place(mention.line, mention.column, mention.text)
        target_id = mention.name.note_id
        after = view.writer.written(note_id, target_id, mention.text, in_table=is_in_table(body, mention.line))
        if column is None or after is None:
            continue
        first = first or mention
        change = Change(
            action="replace",
            vault=notes.vault_name(note),
            path=note.path,
            line=mention.line,
            column=column,
            before=mention.text,
            after=after,
        )
        option_id = f"{mention.line}:{mention.column}"
        options.append(
            Option(id=option_id, label=after, changes=(change,), chosen=not options, score=round(probability, 3))
        )
        if len(options) == _MOST_PLACES:
            break
    if first is None:
        return None
    target = notes.by_id[first.name.note_id]
    return FoundProposal(
        kind="missing-link",
        note=note,
        subject=target.path,
        line=first.line,
        quote=body.line(first.line).strip(),
        detail=first.text,
        others=(notes.other(target, score=round(probability, 3)),),
        options=tuple(options),
        strength=round(probability, 3),
    )
